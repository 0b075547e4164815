"""``clew test`` by several processes, some of which are killed, explores what one process explores."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from oracle.jobs_compare import WAYS, differences, soon
from oracle.merging_compare import Way, explore
from oracle.merging_programs import generate

SECONDS = 600.0
"""For one run of test; it takes a small fraction of that."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_whoever_dies(seed: int, tmp_path: Path) -> None:
    program = tmp_path / "drawn.c"
    program.write_text(generate(seed, 512).source, encoding="utf-8")
    every = explore(program, Way("path"), SECONDS)
    for way in (WAYS[seed % 2], WAYS[2 + seed % 3]):
        with soon(Random(f"jobs {seed}"), kills=0.3):
            run = explore(program, way, SECONDS)
        assert run.ended
        assert list(differences(every, run)) == [], str(way)
