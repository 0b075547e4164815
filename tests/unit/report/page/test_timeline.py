"""The drawing of how coverage grew."""

from __future__ import annotations

from itertools import pairwise

from clew.report.page.timeline import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, timeline_of

ROWS = [
    {"seconds": 0.5, "branches": 4.0, "lines": 8.0, "bugs": 0.0},
    {"seconds": 2.0, "branches": 6.0, "lines": 10.0, "bugs": 2.0},
    {"seconds": 2.5, "branches": 6.0, "lines": 10.0, "bugs": 2.0},
]


def points(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def test_the_lines_rise_from_nothing_to_the_last_counts() -> None:
    drawing = timeline_of(ROWS)
    assert drawing is not None
    lines = points(drawing.lines)
    assert lines[0] == (LEFT, HEIGHT - BOTTOM) and lines[-1] == (WIDTH - RIGHT, TOP)
    assert all(a[0] <= b[0] and a[1] >= b[1] for a, b in pairwise(lines))
    height = HEIGHT - BOTTOM - TOP
    assert points(drawing.branches)[-1][1] == HEIGHT - BOTTOM - height * 6 / 10


def test_each_bug_has_a_mark() -> None:
    drawing = timeline_of(ROWS)
    assert drawing is not None
    assert [mark.text for mark in drawing.bugs] == ["bug 1, 2.00 s", "bug 2, 2.00 s"]


def test_axes_have_round_numbers() -> None:
    drawing = timeline_of(ROWS)
    assert drawing is not None
    assert [tick.text for tick in drawing.seconds] == ["0 s", "0.5 s", "1 s", "1.5 s", "2 s", "2.5 s"]
    assert [tick.text for tick in drawing.counts] == ["0", "2", "4", "6", "8", "10"]


def test_nothing_to_draw() -> None:
    assert timeline_of([]) is None
    assert timeline_of([{"seconds": 1.0}]) is None


def test_a_run_that_begins_anew_takes_nothing_away() -> None:
    again = [*ROWS[:2], {"seconds": 2.2, "branches": 1.0, "lines": 2.0, "bugs": 0.0}, ROWS[2]]
    assert timeline_of(again) is not None and points(timeline_of(again).lines)[-1][1] == TOP  # type: ignore[union-attr]
    heights = [down for _, down in points(timeline_of(again).branches)]  # type: ignore[union-attr]
    assert heights == sorted(heights, reverse=True)
