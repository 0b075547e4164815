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


def test_who_follows_a_path_past_its_end_goes_on_by_itself(tmp_path: Path) -> None:
    """Code runs on to its next look at how far it is to go: in this program, up to a question for the solver."""
    program = tmp_path / "drawn.c"
    program.write_text(generate(30438, 64).source, encoding="utf-8")
    every = explore(program, Way("path"), SECONDS)
    way = next(way for way in WAYS if way.jobs == 2 and way.goal != "path")
    for number in (0, 4, 6, 8):
        with soon(Random(number), kills=0.3):
            run = explore(program, way, SECONDS)
        assert list(differences(every, run)) == [], str(number)
