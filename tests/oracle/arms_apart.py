"""Arms of ``clew verify`` and ``clew reach`` in several processes from the beginning, some of which are killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from unittest.mock import patch

from oracle.jobs_compare import ALL, soon


@contextmanager
def apart(seed: str, jobs: int, kills: float) -> Iterator[None]:
    """Within the block, arms part as soon as they can, and talk as often as is drawn; one of their processes is killed
    with the probability ``kills`` whenever the first one looks for messages."""
    if jobs == 1:
        yield
        return
    random = Random(f"arms {seed}")
    values = {
        "clew.jobs.ladders.QUICK_PATHS": random.choice((3, 30, 400)),
        "clew.jobs.phases.dovetail.PATIENCE": 0.0,
        "clew.jobs.phases.dovetail.ALONE": 0.0,
        "clew.jobs.phases.dovetail.HEAD_START": random.choice((0.0, 0.002, 0.02)),
        "clew.jobs.phases.dovetail.LEAST_PATHS": 1,
        "clew.jobs.side_by_side.crew.LEAST_PATHS": random.choice((1, 1, ALL)),
        "clew.jobs.side_by_side.crew.DEATHS": random.choice((2, ALL)),
        "clew.jobs.side_by_side.member.LOOK": random.choice((0.0, 0.002, 0.02)),
    }
    with ExitStack() as stack:
        stack.enter_context(soon(random, kills))
        for name, value in values.items():
            stack.enter_context(patch(name, value))
        yield
