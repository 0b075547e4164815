"""``clew reach`` answers for every target as trying every input does, whatever the strategy; its tests lead there."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.reach_compare import WAYS, compare
from oracle.reach_programs import generate

SEEDS = range(300, 312)
SECONDS = 10.0
"""For one run of reach; it takes a small fraction of that."""


@pytest.mark.parametrize("seed", SEEDS)
def test_every_target_gets_its_true_verdict(seed: int, tmp_path: Path) -> None:
    drawn = generate(seed, 6)
    program = tmp_path / "drawn.c"
    program.write_text(drawn.source, encoding="utf-8")
    ways = [WAYS["plain"]]
    answers = compare(program, drawn.reached, ways, SECONDS)
    assert [str(answer) for answer in answers if answer.wrong] == []
