"""``clew test`` that merges paths covers what running every path covers, and finds the same errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracle.merging_compare import GOALS, SEARCHES, Way, alone, contradictions, every_path, explore
from oracle.merging_programs import generate

PROGRAMS = 18
SECONDS = 600.0
"""For one run of test; it takes a small fraction of that."""


@pytest.mark.sample(9)
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_merging_loses_nothing(seed: int, tmp_path: Path) -> None:
    program = tmp_path / "drawn.c"
    program.write_text(generate(seed).source, encoding="utf-8")
    search = SEARCHES[seed % len(SEARCHES)]
    every = explore(program, every_path(Way()), SECONDS)
    for way in (alone("error", "dfs"), alone(GOALS[seed % len(GOALS)], search), Way("error", search)):
        run = explore(program, way, SECONDS)
        assert run.ended
        assert list(contradictions(every, run)) == [], str(way)


def test_paths_really_merge(tmp_path: Path) -> None:
    program = tmp_path / "drawn.c"
    merged = paths = everything = 0
    for seed in range(3):
        program.write_text(generate(seed).source, encoding="utf-8")
        run = explore(program, alone("error", "dfs"), SECONDS)
        merged += run.stats["paths_merged"]
        paths += run.paths
        everything += explore(program, every_path(Way()), SECONDS).paths
    assert merged >= 3
    assert paths < everything
