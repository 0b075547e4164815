"""``clew verify`` answers every assertion as trying every input does, whatever the strategy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oracle.verify_compare import CONFLICTS, PLAIN, Way, compare
from oracle.verify_programs import generate

SEEDS = range(100, 140)
SECONDS = 10.0
"""For one run of verify; it takes a small fraction of that."""


def ways(seed: int) -> list[Way]:
    """Learning for all programs; the other ways take turns, with simple branches as they are every other time."""
    blackbox, guide, learn = CONFLICTS
    other = (PLAIN, blackbox, guide, Way("conflicts", stir=seed), Way("auto"))[seed % 5]
    return [learn, replace(other, kept=seed // 5 % 2 == 1)]


@pytest.mark.sample(14)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_assertion_gets_its_true_verdict(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed)
    program = tmp_path / "drawn.c"
    program.write_text(drawn.source, encoding="utf-8")
    for way in ways(seed):
        found = compare(program, drawn.truth, way, SECONDS)
        assert not found.wrong, f"seed {seed}, {way}"
        assert not found.open, f"seed {seed}, {way}"
