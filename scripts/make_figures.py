"""The figures of docs/techniques.md, drawn from real runs: ``python scripts/make_figures.py``.

Runs are cut by counts of instructions, not by time, so that the figures are the same on every machine.
"""

from __future__ import annotations

import csv
import math
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

import clew  # noqa: E402

FOLDER = ROOT / "docs" / "figures"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 300, 60, 44, 34
WITH, WITHOUT, GREY = "#7e57c2", "#ef6c00", "#888888"


@dataclass(frozen=True)
class Run:
    """How coverage grew in one run, and how it ended."""

    name: str
    points: list[tuple[int, int]]
    """Instructions, and outcomes of branches that were covered by then."""
    paths: int
    instructions: int
    total: int
    done: bool

    @property
    def ending(self) -> str:
        how = "done" if self.done else "cut off"
        paths = f"{self.paths:,} path{'' if self.paths == 1 else 's'}"
        return f"{self.name}: {how} after {self.instructions:,} instructions, {paths}"


def explored(name: str, example: str, most: int, **options: Any) -> Run:
    """Run ``clew test`` on an example, for at most so many instructions."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        result = clew.test(ROOT / "examples" / example, time=None, max_instructions=most, out=out, **options)
        with (out / "history.csv").open(newline="") as file:
            points = [(int(float(row["instructions"])), int(float(row["branches"]))) for row in csv.DictReader(file)]
    stats, coverage = result.summary.stats, result.summary.coverage
    points.append((stats.instructions, coverage.branches_covered))
    done = result.summary.stopped is None
    return Run(name, points, stats.paths_completed, stats.instructions, len(coverage.branches), done)


def element(parent: ET.Element, tag: str, text: str = "", **attributes: object) -> ET.Element:
    made = ET.SubElement(parent, tag, {name.replace("_", "-"): str(value) for name, value in attributes.items()})
    made.text = text or None
    return made


def drawing(title: str, height: int = HEIGHT) -> ET.Element:
    svg = ET.Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {height}", "role": "img",
                "font-family": "sans-serif", "font-size": "13", "fill": GREY},
    )  # fmt: skip
    element(svg, "title", title)
    element(svg, "text", title, x=LEFT, y=18, font_weight="bold")
    return svg


def growth(title: str, runs: list[Run]) -> ET.Element:
    """Covered outcomes of branches over instructions, both runs in one drawing."""
    svg = drawing(title)
    most = max(run.instructions for run in runs)
    first = min(max(point[0], 1) for run in runs for point in run.points)
    total = runs[0].total

    def x(instructions: int) -> float:
        share = (math.log10(max(instructions, first)) - math.log10(first)) / (math.log10(most) - math.log10(first))
        return LEFT + share * (WIDTH - LEFT - 20)

    def y(branches: int) -> float:
        return HEIGHT - BOTTOM - branches / total * (HEIGHT - BOTTOM - TOP - 30)

    for value in sorted({0, total // 2, total}):
        element(svg, "line", x1=LEFT, x2=WIDTH - 20, y1=y(value), y2=y(value), stroke=GREY, stroke_opacity=0.3)
        element(svg, "text", str(value), x=LEFT - 8, y=y(value) + 4, text_anchor="end")
    for power in range(math.ceil(math.log10(first)), math.floor(math.log10(most)) + 1):
        element(svg, "text", f"{10**power:,}", x=x(10**power), y=HEIGHT - BOTTOM + 18, text_anchor="middle")
    said = "outcomes of branches that are covered, over instructions that were run"
    element(svg, "text", said, x=WIDTH - 20, y=HEIGHT - 8, text_anchor="end")
    for number, (run, colour) in enumerate(zip(runs, (WITH, WITHOUT), strict=True)):
        steps = [f"M{x(first):.1f},{y(0):.1f}"]
        for instructions, branches in run.points:
            steps.append(f"H{x(instructions):.1f}V{y(branches):.1f}")
        element(svg, "path", d="".join(steps), fill="none", stroke=colour, stroke_width=2.5)
        last = run.points[-1]
        element(svg, "circle", cx=f"{x(last[0]):.1f}", cy=f"{y(last[1]):.1f}", r=5, fill=colour)
        element(svg, "text", run.ending, x=LEFT, y=TOP + 4 + 17 * number, fill=colour)
    return svg


def tests_and_outcomes(example: str, function: str) -> ET.Element:
    """Which test takes which outcome of which branch, and which one shows a bug."""
    result = clew.test(ROOT / "examples" / example, function=function, time=None, max_instructions=100_000)
    branches, cell = [b for b in result.summary.coverage.branches if b.location is not None], 22
    svg = drawing(f"{example}, {function}(): what each test covers", TOP + 30 + cell * len(branches) + 30)
    for row, branch in enumerate(branches):
        at = TOP + 20 + row * cell
        assert branch.location is not None
        element(svg, "text", f"line {branch.location.line}: {branch.outcome}", x=LEFT, y=at + 15)
        for column, test in enumerate(result.tests):
            taken, colour = branch.id in test.covers, WITHOUT if test.error is not None else WITH
            element(
                svg, "rect", x=LEFT + 150 + column * cell, y=at, width=cell - 3, height=cell - 3, rx=3,
                fill=colour if taken else "none", stroke=GREY, stroke_opacity=0.4,
            )  # fmt: skip
    bottom = TOP + 20 + len(branches) * cell + 18
    element(svg, "text", f"a column for each of {len(result.tests)} tests; orange: it shows a bug", x=LEFT, y=bottom)
    return svg


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    figures = {
        "merging": growth(
            "extras.c: paths that can show nothing new are cut",
            [explored("merging", "extras.c", 200_000), explored("--no-merge", "extras.c", 200_000, merge=False)],
        ),
        "summaries": growth(
            "sheets.c: one execution of a loop stands for all",
            [
                explored("summaries", "sheets.c", 200_000),
                explored("--no-summarize", "sheets.c", 200_000, summarize=False),
            ],
        ),
        "acceleration": growth(
            "far.c: iterations whose end is known are jumped over",
            [
                explored("acceleration", "far.c", 10_000_000),
                explored("--no-accelerate", "far.c", 10_000_000, accelerate=False),
            ],
        ),
        "tests": tests_and_outcomes("median.c", "median"),
    }
    for name, svg in figures.items():
        ET.indent(svg)
        (FOLDER / f"{name}.svg").write_text(ET.tostring(svg, encoding="unicode") + "\n", encoding="utf-8")
        print(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()
