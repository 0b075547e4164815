"""Simulated workers: all paths once, the same whenever it is asked, and little of them wasted."""

from __future__ import annotations

import pytest

from benchmarks.worker_simulation import Costs, Simulation


@pytest.mark.parametrize("workers", [1, 2, 7, 40])
@pytest.mark.parametrize("seed", [0, 1])
def test_all_paths_once(workers: int, seed: int) -> None:
    found = Simulation(20_000, workers, seed=seed).run()
    assert found.explored == 20_000
    assert found == Simulation(20_000, workers, seed=seed).run()
    assert found.seconds * workers >= found.work * 0.999
    assert abs(found.seconds * workers - found.work - found.idle) <= found.jobs * 0.01 + 1.0


def test_few_workers_waste_little() -> None:
    assert Simulation(100_000, 4).run().efficiency > 0.9


def test_a_slow_coordinator_is_the_bottleneck() -> None:
    """What is simulated shows where it does not scale."""
    quick = Simulation(100_000, 40).run()
    slow = Simulation(100_000, 40, Costs(message=0.02)).run()
    assert slow.efficiency < quick.efficiency
    assert slow.busy / slow.seconds > 0.8
