"""Realistic programs: every seeded bug is found, and the fixed versions are covered and clean.

Each run ends as soon as it has reached its target; ``scripts/real_programs.py`` runs all of them, and gives the fixed
ones their full budget.
"""

from __future__ import annotations

import pytest

from programs.real.runs import cover, expected_bugs, find_bugs, names

SECONDS = 60.0
WANTED_COVERAGE = 90.0

LONG_SEARCHES = ("calc", "ini", "json", "shell")
LONG_COVERING = ("lz", "table")
"""Those that take a quarter of a minute and more are left to the script."""


def test_there_are_enough_programs() -> None:
    assert len(names()) >= 8
    assert all(len(expected_bugs(name)) >= 3 for name in names())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in names() if name not in LONG_SEARCHES])
def test_seeded_bugs_are_found(name: str) -> None:
    outcome = find_bugs(name, SECONDS)
    assert outcome.missing == []
    assert outcome.false_alarms == []
    assert all(bug.confirmed for bug in outcome.summary.bugs)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in names() if name not in LONG_COVERING])
def test_fixed_version_is_covered_and_clean(name: str) -> None:
    outcome = cover(name, SECONDS, WANTED_COVERAGE)
    assert outcome.false_alarms == []
    assert outcome.branch_coverage >= WANTED_COVERAGE
