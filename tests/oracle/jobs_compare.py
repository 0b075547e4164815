"""``clew test`` by several processes, some of which are killed, against ``clew test`` by one along every path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

from clew.parallel.local import LocalWorkers
from oracle.merging_compare import Run, Way, alone, contradictions

ALL = 1 << 30
MOST = 10
"""Workers that are killed in one run."""
WAYS = (
    Way("path", jobs=2),
    Way("path", jobs=4),
    Way("error", jobs=2),
    Way("branch", jobs=4),
    replace(alone("error", None), jobs=2),
)
"""Without techniques; with all; with merging alone."""


@contextmanager
def soon(random: Random, kills: float = 0.0) -> Iterator[Counter[str]]:
    """Within the block, workers are forked as soon as there is something for them, and talk as often as is drawn; one
    of them is killed with the probability ``kills`` whenever the coordinator looks for messages. How many were is
    counted."""
    often = random.choice((0.0, 0.002, 0.02))
    values = {
        "clew.jobs.sharing.sharing.PATIENCE": random.choice((0.0, 0.0, 0.05)),
        "clew.jobs.sharing.sharing.AGAIN": 0.0,
        "clew.jobs.sharing.sharing.LEAST": 1,
        "clew.jobs.sharing.coordination.MANY": random.choice((1, 1, 4, 256)),
        "clew.jobs.sharing.worker.LOOK": often,
        "clew.jobs.sharing.worker.INTERVAL": random.choice((often, 0.1)),
        "clew.jobs.sharing.worker.SELDOM": random.choice((0, 4)),
        "clew.parallel.coordinator.DEATHS": ALL,  # those who die here do so at no fault of their jobs
        "clew.parallel.coordinator.MOST_DEATHS": ALL,
    }
    count: Counter[str] = Counter()
    wait = LocalWorkers.wait

    def wait_or_kill(crew: LocalWorkers, seconds: float) -> Iterator[tuple[int, Any]]:
        if count["killed"] < MOST and len(crew) and random.random() < kills:
            count["killed"] += 1
            crew.kill(random.choice([number for number in range(64) if number in crew]))
        return wait(crew, seconds)

    with ExitStack() as stack:
        for name, value in values.items():
            stack.enter_context(patch(name, value))
        stack.enter_context(patch.object(LocalWorkers, "wait", wait_or_kill))
        yield count


def differences(every: Run, shared: Run) -> Iterable[str]:
    """What several processes claim or lose, in comparison with all paths.

    Without techniques, paths are the same. How many show an error that others have shown depends on who is first.
    """
    yield from contradictions(every, shared)
    same = shared.exits == every.exits and (every.errors or shared.paths == every.paths)
    if shared.ended and shared.way.goal == "path" and not same:
        yield f"{shared.exits} of {shared.paths} paths end well, in place of {every.exits} of {every.paths}"
