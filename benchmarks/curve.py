"""How a run got on: what it had covered and found at each moment, by the clock and by work.

Read from ``history.csv`` and the folder ``bugs`` of an output folder. A curve is a staircase: between two points
nothing was new, and after the last one everything stays as it is.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from benchmarks.subject import Error
from clew.report.history import NAME

SECONDS, CPU, WORK = AXES = ("seconds", "cpu", "work")
"""What a curve may be drawn over."""

BRANCHES, LINES, BUGS = ("branches", "lines", "bugs")
"""What grows."""

QUERY = 1000
"""Instructions that a question to the solver counts for, as a measure of work."""


@dataclass(frozen=True, slots=True)
class Point:
    """A moment of a run."""

    seconds: float = 0.0
    cpu: float = 0.0
    instructions: int = 0
    queries: int = 0
    branches: int = 0
    lines: int = 0
    bugs: int = 0

    @property
    def work(self) -> int:
        """Does not depend on the machine."""
        return self.instructions + QUERY * self.queries

    def at(self, axis: str) -> float:
        """Where it is on one of the ``AXES``."""
        return float(getattr(self, axis))

    def value(self, what: str) -> int:
        """How many branches, lines or bugs there were."""
        return int(getattr(self, what))


@dataclass(frozen=True, slots=True)
class Curve:
    """Of one run."""

    points: tuple[Point, ...] = ()
    bugs: tuple[Error, ...] = ()
    """In the order in which they were found."""

    def end(self, axis: str) -> float:
        """How far the run came."""
        return self.points[-1].at(axis) if self.points else 0.0

    def most(self, what: str) -> int:
        """What there was at the end."""
        return max((point.value(what) for point in self.points), default=0)

    def area(self, axis: str, what: str, limit: float) -> float:
        """The mean height of the curve between 0 and ``limit``."""
        if limit <= 0:
            return 0.0
        total, height = 0.0, 0
        for point in self.points:
            gain = point.value(what) - height
            if gain > 0:  # another run over the same program may begin anew
                total += gain * max(0.0, limit - point.at(axis))
                height += gain
        return total / limit

    def found(self, axis: str) -> dict[Error, float]:
        """When each bug was found."""
        moments: dict[Error, float] = {}
        for number, bug in enumerate(self.bugs, 1):
            first = next((point for point in self.points if point.bugs >= number), None)
            moments.setdefault(bug, first.at(axis) if first is not None else self.end(axis))
        return moments

    def ending(self, seconds: float, cpu: float, stats: Mapping[str, float]) -> Curve:
        """The same with a point for the end, if that is missing: so it is where a run had to be killed."""
        if not self.points or self.end(SECONDS) >= seconds:
            return self
        last = self.points[-1]
        instructions = max(last.instructions, int(stats.get("instructions", 0)))
        queries = max(last.queries, int(stats.get("solver_queries", 0)))
        end = Point(seconds, max(last.cpu, cpu), instructions, queries, last.branches, last.lines, last.bugs)
        return Curve((*self.points, end), self.bugs)

    def to_json(self) -> dict[str, object]:
        return {"points": [list(astuple(point)) for point in self.points], "bugs": [list(bug) for bug in self.bugs]}


def curve_of(data: Mapping[str, Any]) -> Curve:
    """What ``to_json`` gave."""
    bugs = tuple((str(kind), str(file), int(line)) for kind, file, line in data["bugs"])
    return Curve(tuple(Point(*point) for point in data["points"]), bugs)


def read_curve(folder: Path) -> Curve:
    """Of the run whose output folder this is; empty where it wrote nothing."""
    try:
        with (folder / NAME).open(encoding="utf-8", newline="") as file:
            points = tuple(_point(row) for row in csv.DictReader(file))
    except FileNotFoundError:
        return Curve()
    return Curve(points, tuple(_bug(path) for path in sorted((folder / "bugs").glob("*.json"))))


def _point(row: Mapping[str, str]) -> Point:
    counts = (int(row[name]) for name in ("instructions", "solver_queries", "branches", "lines", "bugs"))
    return Point(float(row["seconds"]), float(row["cpu_seconds"]), *counts)


def _bug(path: Path) -> Error:
    bug = json.loads(path.read_text(encoding="utf-8"))
    return (bug["kind"], Path(bug["file"]).name if bug["file"] else "", bug["line"])


def geometric_mean(values: list[float]) -> float:
    """1.0 of none: where nothing is compared, nothing is better."""
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else 1.0
