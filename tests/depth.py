"""How much of the suite a run takes: ``CLEW_TESTS_DEPTH`` is ``quick``, ``usual`` (the default) or ``thorough``.

    @pytest.mark.thorough      only ``make thorough`` runs it; something lighter asks the same in ``make test``
    @pytest.mark.sample(N)     ``make test`` runs one of N parameter sets, ``make thorough`` all of them
    @pytest.mark.slow          not in ``make quick``

``make quick`` runs at most two parameter sets of each test. ``CLEW_TESTS_TURN`` is a number that says which parameter
sets a sample has: runs with different numbers cover all of them, and one number always means the same tests. Tests that
are named on the command line (``FILE::NAME``) run whatever the depth.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

QUICK, USUAL, THOROUGH = "quick", "usual", "thorough"
DEPTH = os.environ.get("CLEW_TESTS_DEPTH", USUAL)
TURN = int(os.environ.get("CLEW_TESTS_TURN", "0"))
MOST_IN_QUICK = 2

assert DEPTH in (QUICK, USUAL, THOROUGH), f"CLEW_TESTS_DEPTH={DEPTH}"


def examples(most: int) -> int:
    """How many examples Hypothesis tries; ``most`` in a thorough run."""
    return most if DEPTH == THOROUGH else max(5, most // (10 if DEPTH == QUICK else 2))


def selected(items: list[pytest.Item], depth: str = DEPTH, turn: int = TURN) -> list[pytest.Item]:
    """Those that a run of this depth takes."""
    if depth == THOROUGH:
        return items
    seen: Counter[tuple[str, str]] = Counter()
    kept = []
    for item in items:
        if item.get_closest_marker("thorough") or (depth == QUICK and item.get_closest_marker("slow")):
            continue
        test = (str(item.path), getattr(item, "originalname", None) or item.name)
        place = seen[test]
        seen[test] += 1
        sample = item.get_closest_marker("sample")
        every = sample.args[0] if sample else 1
        if (place + turn) % every == 0 and (depth == USUAL or place < MOST_IN_QUICK * every):
            kept.append(item)
    return kept
