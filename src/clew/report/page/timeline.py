"""How coverage and bugs grew over time: the figures of ``history.csv`` as shapes for a drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from clew.base.dataclass import dataclass

WIDTH, HEIGHT = 720, 190
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 14, 30
"""Margins for the axes."""
_TICKS = 5


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class BugMark:
    """When a bug was found."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """Of one run, in the units of a drawing."""

    branches: str
    """A line in steps, as the points of a polyline."""
    lines: str
    bugs: tuple[BugMark, ...]
    seconds: tuple[Tick, ...]
    counts: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM
    top: int = TOP


def timeline_of(history: Sequence[Mapping[str, float]]) -> Timeline | None:
    """The drawing; None where there is nothing to draw."""
    rows = _growing([row for row in history if {"seconds", "branches", "lines", "bugs"} <= row.keys()])
    if not rows:
        return None
    end = max(max(row["seconds"] for row in rows), 0.001)
    begin = 0.0
    most = max(max(row["branches"], row["lines"]) for row in rows) or 1.0

    def x(seconds: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (seconds - begin) / (end - begin), 1)

    def y(count: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * count / most, 1)

    def steps(name: str) -> str:
        points, last = [(x(begin), y(0))], y(0)
        for row in rows:
            points += [(x(row["seconds"]), last), (x(row["seconds"]), y(row[name]))]
            last = y(row[name])
        return " ".join(f"{across},{down}" for across, down in dict.fromkeys([*points, (x(end), last)]))

    marks, known = [], 0
    for row in rows:
        for number in range(known + 1, int(row["bugs"]) + 1):
            marks.append(BugMark(x(row["seconds"]), y(row["branches"]), f"bug {number}, {row['seconds']:.2f} s"))
        known = max(known, int(row["bugs"]))
    return Timeline(
        steps("branches"), steps("lines"), tuple(marks),
        tuple(Tick(x(value), f"{value:g} s") for value in _round_numbers(end)),
        tuple(Tick(y(value), f"{value:g}") for value in _round_numbers(most)),
    )  # fmt: skip


def _growing(rows: Sequence[Mapping[str, float]]) -> list[Mapping[str, float]]:
    """The same with the most that there was until then: a command may have several runs, and each begins anew."""
    found: list[Mapping[str, float]] = []
    for row in rows:
        before = found[-1] if found else row
        found.append({**row, **{name: max(row[name], before[name]) for name in ("branches", "lines", "bugs")}})
    return found


def _round_numbers(end: float) -> list[float]:
    """A few round numbers from 0 to ``end``."""
    rough = end / _TICKS
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    return [round(step * number, 10) for number in range(int(end / step + 1e-9) + 1)]
