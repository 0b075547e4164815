"""``clew test`` on a real Ray, some of whose workers are killed, explores what one process explores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from oracle.cluster_compare import CLUSTER_WAYS, on_cluster, ray_here
from oracle.jobs_compare import differences
from oracle.merging_compare import Way, explore
from oracle.merging_programs import generate

SECONDS = 600.0
"""For one run of test; it takes a small fraction of that."""


@pytest.fixture(scope="module")
def ray() -> Iterator[None]:
    pytest.importorskip("ray")
    with ray_here(4):
        yield


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_lost_whoever_dies(seed: int, tmp_path: Path, ray: None) -> None:
    program = tmp_path / "drawn.c"
    program.write_text(generate(seed, 512).source, encoding="utf-8")
    every = explore(program, Way("path"), SECONDS)
    for way in (CLUSTER_WAYS[seed % 2], CLUSTER_WAYS[2 + seed % 3]):
        with on_cluster(Random(f"cluster {seed}"), kills=0.3) as count:
            run = explore(program, way, SECONDS)
        assert count["messages"]
        assert run.ended
        assert list(differences(every, run)) == [], str(way)
