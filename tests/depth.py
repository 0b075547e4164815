"""How much of the suite a run takes: ``CLEW_TESTS_DEPTH`` is ``quick``, ``usual`` (the default) or ``thorough``.

    @pytest.mark.thorough      only ``make thorough`` runs it; something lighter asks the same in ``make test``
    @pytest.mark.sample(N)     ``make test`` runs one of N parameter sets, ``make thorough`` all of them
    @pytest.mark.slow          not in ``make quick``: takes more than a fifth of a second
    @pytest.mark.quick(N)      ``make quick`` runs N parameter sets, not one

``CLEW_TESTS_TURN`` is a number that says which parameter sets a sample has: runs with different numbers cover all of
them, and one number always means the same tests. Tests that are named on the command line (``FILE::NAME``) run whatever
the depth.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

QUICK, USUAL, THOROUGH = "quick", "usual", "thorough"
DEPTH = os.environ.get("CLEW_TESTS_DEPTH", USUAL)
TURN = int(os.environ.get("CLEW_TESTS_TURN", "0"))

assert DEPTH in (QUICK, USUAL, THOROUGH), f"CLEW_TESTS_DEPTH={DEPTH}"


def examples(most: int) -> int:
    """How many examples Hypothesis tries; ``most`` in a thorough run."""
    return most if DEPTH == THOROUGH else max(5, most // (10 if DEPTH == QUICK else 4))


def selected(items: list[pytest.Item], depth: str = DEPTH, turn: int = TURN) -> list[pytest.Item]:
    """Those that a run of this depth takes."""
    if depth == THOROUGH:
        return items
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for item in items:
        if item.get_closest_marker("thorough") or (depth == QUICK and item.get_closest_marker("slow")):
            continue
        place = seen[_test(item)]
        seen[_test(item)] += 1
        if (place + turn) % _number(item, "sample") == 0:
            kept.append(item)
    return kept if depth == USUAL else _few(kept)


def _few(items: list[pytest.Item]) -> list[pytest.Item]:
    """Of each test the parameter sets for ``make quick``, spread over all it has."""
    total = Counter(map(_test, items))
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for item in items:
        place, count, most = seen[_test(item)], total[_test(item)], _number(item, "quick")
        seen[_test(item)] += 1
        if place == 0 or place * most // count > (place - 1) * most // count:
            kept.append(item)
    return kept


def _test(item: pytest.Item) -> tuple[str, str]:
    return str(item.path), getattr(item, "originalname", None) or item.name


def _number(item: pytest.Item, mark: str) -> int:
    found = item.get_closest_marker(mark)
    return int(found.args[0]) if found else 1
