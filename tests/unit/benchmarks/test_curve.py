"""Curves of runs: areas, bugs, and what is read from an output folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.curve import BRANCHES, CPU, LINES, SECONDS, WORK, Curve, Point, curve_of, geometric_mean, read_curve

ABORT, DIV = ("abort", "p.c", 3), ("division-by-zero", "p.c", 9)

CURVE = Curve(
    (
        Point(1.0, 0.5, 100, 1, branches=4, lines=10, bugs=0),
        Point(2.0, 1.0, 200, 2, branches=6, lines=10, bugs=1),
        Point(6.0, 2.5, 500, 5, branches=10, lines=20, bugs=2),
        Point(8.0, 4.0, 900, 9, branches=10, lines=20, bugs=2),
    ),
    (ABORT, DIV),
)


def test_the_area_is_the_mean_height() -> None:
    assert CURVE.area(SECONDS, BRANCHES, 8.0) == pytest.approx((4 * 1 + 6 * 4 + 10 * 2) / 8)
    assert CURVE.area(SECONDS, LINES, 8.0) == pytest.approx((10 * 5 + 20 * 2) / 8)
    assert CURVE.area(CPU, BRANCHES, 4.0) == pytest.approx((4 * 0.5 + 6 * 1.5 + 10 * 1.5) / 4)


def test_what_comes_later_does_not_count() -> None:
    assert CURVE.area(SECONDS, BRANCHES, 2.0) == pytest.approx(4 / 2)
    assert CURVE.area(SECONDS, BRANCHES, 1.0) == 0.0


def test_a_run_that_has_ended_keeps_what_it_has() -> None:
    assert CURVE.area(SECONDS, BRANCHES, 16.0) == pytest.approx((4 + 24 + 10 * 10) / 16)


def test_a_second_run_over_the_program_takes_nothing_away() -> None:
    again = Curve((Point(1.0, branches=6), Point(2.0, branches=1), Point(3.0, branches=8)))
    assert again.area(SECONDS, BRANCHES, 4.0) == pytest.approx((6 + 6 + 8) / 4) and again.most(BRANCHES) == 8


def test_work_is_instructions_and_questions() -> None:
    assert CURVE.end(WORK) == 900 + 1000 * 9


def test_nothing_has_no_area() -> None:
    assert Curve().area(SECONDS, BRANCHES, 5.0) == CURVE.area(SECONDS, BRANCHES, 0.0) == 0.0
    assert Curve().end(CPU) == 0.0 and Curve().most(BRANCHES) == 0


def test_when_bugs_were_found() -> None:
    assert CURVE.found(SECONDS) == {ABORT: 2.0, DIV: 6.0}
    assert CURVE.found(CPU) == {ABORT: 1.0, DIV: 2.5}


def test_a_bug_that_no_point_counts_was_found_at_the_end() -> None:
    assert Curve((Point(1.0), Point(3.0)), (ABORT,)).found(SECONDS) == {ABORT: 3.0}


def test_a_place_that_shows_an_error_twice_counts_once() -> None:
    assert Curve((Point(1.0, bugs=1), Point(3.0, bugs=2)), (ABORT, ABORT)).found(SECONDS) == {ABORT: 1.0}


def test_the_end_of_a_run_that_was_killed() -> None:
    longer = CURVE.ending(10.0, 7.0, {"instructions": 950, "solver_queries": 3})
    assert longer.points[-1] == Point(10.0, 7.0, 950, 9, 10, 20, 2) and longer.bugs == CURVE.bugs
    assert CURVE.ending(8.0, 5.0, {}) is CURVE, "its end is there"
    assert Curve().ending(8.0, 5.0, {}) == Curve()


def test_to_json_and_back() -> None:
    assert curve_of(json.loads(json.dumps(CURVE.to_json()))) == CURVE


def test_an_output_folder(tmp_path: Path) -> None:
    (tmp_path / "history.csv").write_text(
        "seconds,cpu_seconds,instructions,solver_queries,paths,merged,branches,lines,tests,bugs\n"
        "1.500,0.250,100,7,1,0,4,10,1,0\n2.000,0.500,200,8,2,1,4,11,2,1\n",
        encoding="utf-8",
    )
    (tmp_path / "bugs").mkdir()
    for number, place in ((2, None), (1, "lib/p.c")):
        bug = {"kind": "abort", "file": place, "line": 3}
        (tmp_path / "bugs" / f"00000{number}.json").write_text(json.dumps(bug), encoding="utf-8")
    points = (Point(1.5, 0.25, 100, 7, 4, 10, 0), Point(2.0, 0.5, 200, 8, 4, 11, 1))
    assert read_curve(tmp_path) == Curve(points, (ABORT, ("abort", "", 3)))


def test_a_run_that_wrote_nothing(tmp_path: Path) -> None:
    assert read_curve(tmp_path / "none") == Curve()


def test_geometric_mean() -> None:
    assert geometric_mean([0.5, 2.0, 8.0]) == pytest.approx(2.0) and geometric_mean([]) == 1.0
