"""``clew reach`` answers for every target as trying every input does, whatever the strategy; its tests lead there."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.reach_compare import WAYS, Way, compare
from oracle.reach_programs import generate

SEEDS = (303, 310, 317, 324, 329, 340, 342, 350)
INPUT_BITS = 5
SECONDS = 10.0
"""For one run of reach; it takes a small fraction of that."""


def ways(seed: int) -> list[Way]:
    """Plain search for all programs; the other ways take turns."""
    names = ("chains/kept", "chains", "chains/kept", "auto")
    return [WAYS["plain"], WAYS[names[SEEDS.index(seed) % 4]]]


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_target_gets_its_true_verdict(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed, INPUT_BITS)
    program = tmp_path / "drawn.c"
    program.write_text(drawn.source, encoding="utf-8")
    for way in ways(seed):
        answers = compare(program, drawn.reached, [way], SECONDS)
        assert [str(answer) for answer in answers if answer.wrong] == [], f"seed {seed}, {way}"
        assert any(answer.verdict != "UNKNOWN" for answer in answers), f"seed {seed}, {way}"
