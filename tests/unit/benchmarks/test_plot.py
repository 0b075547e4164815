"""The page with the figures of the merging table."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from benchmarks.merging import GOOD, MergingTable
from benchmarks.plot import ERROR, EVERY, PATH, WHOLE, plot
from benchmarks.run import Run
from benchmarks.subject import Subject
from benchmarks.table import Row


def row(name: str, paths: int, half: str = WHOLE) -> Row:
    slow = run(paths / 100, paths)
    return Row(Subject(name, (), half), {PATH: slow, EVERY: slow, ERROR: run(0.1, 3, 1)})


def run(seconds: float, completed: int, merged: int = 0) -> Run:
    return Run(seconds, stats={"paths_completed": completed, "paths_merged": merged})


def charts(page: str) -> list[ET.Element]:
    return [ET.fromstring(text) for text in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def test_three_figures_of_whole_programs() -> None:
    rows = (row("01-plain", 10), row("12-either-way", 1000), row("12-either-way", 7, GOOD))
    page = plot(MergingTable(rows, ("a < b",), "here & now"))
    assert "here &amp; now" in page and "a &lt; b" in page and "http" not in page.replace("http-equiv", "")
    seconds, paths, shares = charts(page)
    assert len(seconds.findall("polyline")) == len(paths.findall("polyline")) == 3
    assert len(seconds.findall("circle")) == 6, "a dot for each program and way, the halves left out"
    assert [text.text for text in shares.findall("text")][-4:] == ["01", "12", "completed", "merged"]
    heights = [float(bar.attrib["height"]) for bar in shares.findall("rect") if bar.find("title") is not None]
    assert heights == [60.0, 180.0] * 2, "one of four paths is merged"


def test_more_is_further_up() -> None:
    page = plot(MergingTable((row("01", 10), row("12", 1000))))
    few, many = (float(dot.attrib["cy"]) for dot in charts(page)[1].findall("circle")[:2])
    assert many < few


def test_what_failed_is_left_out() -> None:
    failed = Row(Subject("01", (), WHOLE), {ERROR: Run(failed="why")})
    assert "No program was measured." in plot(MergingTable((failed,)))


def test_one_program_without_plain() -> None:
    only = Row(Subject("01", (), WHOLE), {ERROR: run(0.0, 0)})
    seconds, paths, shares = charts(plot(MergingTable((only,))))
    assert len(seconds.findall("circle")) == len(paths.findall("circle")) == 1
    assert [bar for bar in shares.findall("rect") if bar.find("title") is not None] == []
