"""The default beside other configurations, with made-up runs."""

from __future__ import annotations

import json

import pytest

from benchmarks.comparison import Comparison, compare, horizon
from benchmarks.curve import CPU, SECONDS, WORK, Curve, Point
from benchmarks.run import Run
from benchmarks.subject import Error

BUG: Error = ("abort", "p.c", 3)


def run(cpu: float, *steps: tuple[float, int], stopped: str | None = None, bug: float | None = None) -> Run:
    """A run whose clocks go alike: it has covered so many branches at each of the ``steps``."""
    moments = sorted({moment for moment, _ in steps} | {cpu} | ({bug} if bug is not None else set()))
    points = []
    for moment in moments:
        branches = max((number for at, number in steps if at <= moment), default=0)
        bugs = int(bug is not None and bug <= moment)
        points.append(Point(moment, moment, int(100 * moment), 0, branches, 2 * branches, bugs))
    return Run(cpu, stopped=stopped, cpu=cpu, curve=Curve(tuple(points), (BUG,) if bug is not None else ()))


def test_the_best_of_the_others_counts() -> None:
    runs = {
        "default": [run(10, (0, 4), (5, 8), stopped="time")],
        "off": [run(10, (0, 10), stopped="time")],
        "merging alone": [run(10, (0, 5), stopped="time")],
    }
    found = compare(runs, 10.0, has_verdict=False)
    for axis in (SECONDS, CPU, WORK):
        assert (found.curves[axis].way, found.curves[axis].value) == ("off", pytest.approx(6 / 10))
        assert found.lines[axis].value == pytest.approx(6 / 10)
    assert found.covered is not None and (found.covered.default, found.covered.best) == (8, 10)
    assert found.ends == {} and found.bugs[CPU] == {}, "none has ended, none has found anything"
    assert found.badness == pytest.approx(10 / 6)


def test_the_default_may_be_better_than_all_others() -> None:
    runs = {"default": [run(2, (1, 8))], "off": [run(4, (2, 8))], "no merging": [run(8, (2, 8))]}
    found = compare(runs, 10.0, has_verdict=False)
    assert found.curves[CPU].value == pytest.approx((8 * 9) / (8 * 8)), "up to the limit"
    assert (found.ends[CPU].value, found.ends[CPU].way, found.ends[CPU].bound) == (0.5, "off", "")
    assert found.badness == pytest.approx(8 / 9)


def test_medians_over_seeds() -> None:
    runs = {"default": [run(3.0), run(100.0), run(4.0)], "off": [run(2.0), run(1.0), run(2.0)]}
    assert compare(runs, 200.0, has_verdict=False).ends[SECONDS].value == 2.0


def test_one_that_does_not_end() -> None:
    slow, quick = [run(10.0, stopped="time")], [run(4.0)]
    behind = compare({"default": slow, "off": quick}, 10.0, has_verdict=False).ends[CPU]
    assert (str(behind), behind.way, behind.value) == (">2.50", "off", 2.5)
    ahead = compare({"default": quick, "off": slow}, 10.0, has_verdict=False).ends[CPU]
    assert (str(ahead), ahead.value) == ("<0.40", 0.4)
    assert json.dumps(ahead.to_json(), allow_nan=False) and ahead.to_json()["best"] is None


def test_time_to_each_bug() -> None:
    limit = 10.0
    runs = {
        "default": [run(limit, bug=6.0, stopped="time")],
        "off": [run(limit, bug=2.0, stopped="time")],
        "no merging": [run(limit, stopped="time")],
    }
    found = compare(runs, limit, has_verdict=False)
    assert (found.bugs[CPU][BUG].value, found.bugs[CPU][BUG].way) == (3.0, "off") and found.badness == 3.0
    runs["default"] = runs["no merging"]
    assert str(compare(runs, limit, has_verdict=False).bugs[SECONDS][BUG]) == ">5.00"


def test_verdicts() -> None:
    def verdict(seconds: float, text: str) -> list[Run]:
        return [Run(seconds, verdict=text, cpu=seconds, stopped="time" if text == "UNKNOWN" else None)]

    runs = {"default": verdict(6.0, "TRUE"), "plain": verdict(2.0, "TRUE"), "conflicts": verdict(1.0, "UNKNOWN")}
    found = compare(runs, 10.0, has_verdict=True)
    assert (found.ends[CPU].way, found.ends[CPU].value, found.curves) == ("plain", 3.0, {})
    runs["default"] = verdict(10.0, "UNKNOWN")
    assert str(compare(runs, 10.0, has_verdict=True).ends[SECONDS]) == ">5.00"
    runs["plain"] = verdict(10.0, "UNKNOWN")
    assert compare(runs, 10.0, has_verdict=True) == Comparison()


def test_areas_reach_as_far_as_all_that_were_stopped() -> None:
    runs = {"default": [run(6.0, stopped="time")], "off": [run(9.0, stopped="time")], "no merging": [run(20.0)]}
    assert horizon(runs, CPU, 10.0) == 6.0 and horizon(runs, WORK, 10.0) == 600.0
    assert horizon(runs, SECONDS, 10.0) == 10.0
    ended = {"off": [run(3.0)], "default": [run(1.0, stopped="memory")]}
    assert horizon(ended, SECONDS, 10.0) == horizon(ended, CPU, 10.0) == 10.0
    assert horizon(ended, WORK, 10.0) == 300.0


def test_runs_that_failed() -> None:
    failed = [Run(0.5, "its process died")]
    found = compare({"default": failed, "off": [run(4.0, (1, 3))]}, 10.0, has_verdict=False)
    assert found.curves[CPU].value == 0.0 and str(found.ends[CPU]) == ">1.00"
    found = compare({"default": failed, "off": failed}, 10.0, has_verdict=False)
    assert found.curves[CPU].value == 1.0 and found.ends == {}


def test_nothing_to_compare_with() -> None:
    assert compare({"default": [run(1.0)]}, 10.0, has_verdict=False) == Comparison()
    assert Comparison().badness == 1.0
