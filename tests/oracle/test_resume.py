"""``clew test`` that is killed and gone on with explores what it explores otherwise."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from oracle.merging_compare import Way, explore, loaded
from oracle.merging_programs import generate
from oracle.resume_compare import WAYS, contradictions, interrupted

SECONDS = 600.0
"""For one run of test; it takes a small fraction of that."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(7))
def test_nothing_is_lost_whenever_it_is_killed(seed: int, tmp_path: Path) -> None:
    program = tmp_path / "drawn.c"
    program.write_text(generate(seed, 64).source, encoding="utf-8")
    known = loaded(program, Way("path"))
    every = explore(program, Way("path"), SECONDS, known)
    way = WAYS[seed % len(WAYS)]
    run = interrupted(program, known, way, SECONDS, Random(f"resume {seed}"), Counter())
    assert run.ended
    assert list(contradictions(every, run)) == [], str(way)
