"""Realistic programs: every seeded bug is found, and the fixed versions are covered and clean.

Each run ends as soon as it has reached its target; ``scripts/real_programs.py`` runs all of them, and gives the fixed
ones their full budget.
"""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet

from programs.real.runs import cover, expected_bugs, find_bugs, names

SECONDS = 600.0
"""A run ends when it has what it is after."""
WANTED_COVERAGE = 90.0

LONG_SEARCHES = ("calc", "image", "ini", "json", "ring", "shell")
LONG_COVERING = ("calc", "image", "json", "lz", "shell", "table")
"""Those that take several seconds and more."""


def programs(long: tuple[str, ...]) -> list[ParameterSet]:
    return [pytest.param(name, marks=[pytest.mark.thorough] if name in long else []) for name in names()]


def test_there_are_enough_programs() -> None:
    assert len(names()) >= 8
    assert all(len(expected_bugs(name)) >= 3 for name in names())


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", programs(LONG_SEARCHES))
def test_seeded_bugs_are_found(name: str) -> None:
    outcome = find_bugs(name, SECONDS)
    assert outcome.missing == []
    assert outcome.false_alarms == []
    assert all(bug.confirmed for bug in outcome.summary.bugs)


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("name", programs(LONG_COVERING))
def test_fixed_version_is_covered_and_clean(name: str) -> None:
    outcome = cover(name, SECONDS, WANTED_COVERAGE)
    assert outcome.false_alarms == []
    assert outcome.branch_coverage >= WANTED_COVERAGE
