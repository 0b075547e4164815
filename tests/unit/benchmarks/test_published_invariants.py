"""What the paper reports, as it is kept: complete, and its own averages come out."""

from __future__ import annotations

from statistics import fmean

import pytest

from benchmarks.invariants import PROGRAMS
from benchmarks.published_invariants import MOST_RUNS, published


def test_programs() -> None:
    assert tuple(published()) == PROGRAMS


def test_the_averages_of_the_paper() -> None:
    plain = [one.plain for one in published().values()]
    with_invariants = [one.invariants for one in published().values()]
    assert round(fmean(one.coverage for one in plain)) == 65 and {one.coverage for one in with_invariants} == {100}
    assert int(fmean(one.runs for one in plain)) == 58 and round(fmean(one.runs for one in with_invariants)) == 45
    assert fmean(one.seconds for one in plain) == pytest.approx(2.5, abs=0.005)
    assert fmean(one.seconds for one in with_invariants) == pytest.approx(1.13, abs=0.005)
    assert max(one.runs for one in [*plain, *with_invariants]) == MOST_RUNS
