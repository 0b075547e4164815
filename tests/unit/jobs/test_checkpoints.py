"""When checkpoints are made: they take a small part of the time, however much there is to tell."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from clew.jobs.sharing import checkpoints
from clew.jobs.sharing.checkpoints import INTERVAL, PATIENCE, SELDOM, Checkpoints
from clew.jobs.sharing.worker import Worker
from clew.parallel.frontier import Frontier

PRICE = 2.0**-10
"""Seconds of each job."""


class Waiting:
    """What waits in a run."""

    would_take: Any = Frontier.would_take

    def __init__(self, run: Any) -> None:
        self._run = run

    @property
    def _origin(self) -> range:
        return range(self._run.waiting)

    def untold(self) -> int:
        return self._run.waiting

    def is_empty(self) -> bool:
        return not self._run.waiting

    def has_untold_plenty(self) -> bool:
        return False


class Run:
    """Of which nothing is there but a clock, and a number of jobs that wait and were not told of."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.waiting = 0
        self.saved: list[tuple[float, int]] = []
        self.limit: float | None = None
        clock: Any = SimpleNamespace(process_time=lambda: self.now, monotonic=lambda: self.now)
        patch.setattr(checkpoints, "time", clock)
        patch.setattr(checkpoints, "Frontier", lambda engine: Waiting(self))
        patch.setattr(Checkpoints, "_changes", lambda _: (self._told(), []))
        patch.setattr(Checkpoints, "_knowledge", lambda _: None)
        patch.setattr(Checkpoints, "_standing", lambda *_: None)
        budget = SimpleNamespace(time_left=lambda: None if self.limit is None else max(self.limit - self.now, 0.0))
        nobody: Any = SimpleNamespace(checkpoint=lambda _: None, engine=None, left=[], numbers=[], budget=budget)
        self.checkpoints = Checkpoints(nobody, nobody, nobody, nobody)

    def _told(self) -> list[int]:
        jobs, self.waiting = self.waiting, 0
        self.saved.append((self.now, jobs))
        self.now += jobs * PRICE
        return list(range(jobs))

    def work(self, seconds: int, jobs: int) -> None:
        """Go on for so long, in which so many jobs come to wait for each second."""
        for _ in range(4 * seconds):
            self.now += 0.25
            self.waiting += jobs // 4
            self.checkpoints.poll()


def test_they_are_made_every_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(monkeypatch)
    run.work(100, 0)
    assert len(run.saved) == 100 // INTERVAL


@pytest.mark.parametrize("jobs", (4, 16))
def test_who_has_more_to_tell_waits_for_longer_but_not_for_ever(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """What the last one took is not enough to go by."""
    run = Run(monkeypatch)
    run.work(2, 64)
    assert [told for _, told in run.saved] == [128]
    before, took = run.saved[0][0], 128 * PRICE
    run.work(1_000, jobs)
    assert len(run.saved) > 2
    for at, told in run.saved[1:]:
        assert at - before >= max(SELDOM * took, min(SELDOM * told * PRICE, PATIENCE))
        before, took = at + told * PRICE, told * PRICE
    if jobs == 4:
        assert run.checkpoints.seconds < 1.1 * run.now / SELDOM


def test_the_last_one_before_the_time_is_over_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(monkeypatch)
    run.work(2, 64)
    run.limit = 120.0
    while run.now < run.limit:
        run.work(1, 64)
    begun, told = run.saved[-1]
    assert told > 64 * 20
    assert begun + told * PRICE <= run.limit + 1
    late = run.now
    run.checkpoints.end(())
    assert run.now - late <= 64 * 2 * PRICE


def test_a_run_without_a_limit_has_no_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(monkeypatch)
    run.work(2, 64)
    run.work(10, 6_400)
    assert len(run.saved) == 1


@pytest.mark.parametrize("left", (None, 1.0, 60.0))
def test_a_worker_tells_what_it_has_while_there_is_time(left: float | None) -> None:
    """Whoever has not told its last word a moment after the end is killed."""
    worker: Any = Worker.__new__(Worker)
    worker._look, worker._soon, worker._due, worker._price = 0.0, math.inf, math.inf, 0.0
    worker._channel = SimpleNamespace(receive=lambda: None)
    worker._ready = SimpleNamespace(budget=SimpleNamespace(time_left=lambda: left))
    worker._relay = SimpleNamespace(has_found=False)
    worker._frontier = Waiting(SimpleNamespace(waiting=50_000))
    made: list[bool] = []
    worker.commit = lambda: made.append(True)
    worker.poll()
    assert bool(made) == (left == 1.0)
