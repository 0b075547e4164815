"""A campaign from its list to its report: starts what the queue gives, keeps what ends, stops when the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable

from clew.base.budget import Interrupt
from clew.campaign.listing import Listing, Run
from clew.campaign.processes import Runner
from clew.campaign.queue import Queue
from clew.campaign.results import Outcome, campaign_json, known_outcomes, outcome_of
from clew.campaign.store import Store

LEAST = 0.5
"""Seconds below which nothing is begun."""
_WAIT = 0.2

Say = Callable[[Outcome, Queue], None]
"""Is told of each run that has ended, and how things stand."""


class Campaign:
    """One campaign. What has ended is on record at once, so that it can be gone on with whatever happens."""

    def __init__(self, listing: Listing, runner: Runner, store: Store, interrupt: Interrupt, say: Say) -> None:
        self._listing = listing
        self._runner = runner
        self._store = store
        self._interrupt = interrupt
        self._say = say
        self._digests = {run.name: run.digest(listing.folder) for run in listing.runs}
        self._given: dict[str, float] = {}
        self._began = time.monotonic()

    def run(self) -> tuple[list[Outcome], list[Run]]:
        """All outcomes, and the runs that were not begun; the record is written by then."""
        runs = {run.name: run for run in self._listing.runs}
        known = known_outcomes(self._store.recorded(), runs, self._digests)
        queue = Queue.of(self._listing.runs, known)
        left: list[Run] = []
        try:
            while not queue.is_done:
                left += self._fill(queue)
                ended = self._runner.wait(_WAIT)
                if ended is not None:
                    whole = self._given[ended.run.name] >= ended.run.time
                    digest = self._digests[ended.run.name]
                    outcome = outcome_of(ended.run, digest, ended.code, ended.summary, ended.said, whole)
                    if queue.end(outcome):
                        self._store.keep(ended.run.name)
                        self._record(queue, [*left, *queue.waiting])
                        self._say(outcome, queue)
        finally:
            self._runner.close()
            self._record(queue, [*left, *queue.running.values(), *queue.waiting])
        return list(queue.ended.values()), left

    def _fill(self, queue: Queue) -> list[Run]:
        """Begin what there is room for; when it is over, what is not begun any more."""
        if self._interrupt.requested:
            self._runner.interrupt()
            return queue.close()
        while len(queue.running) < self._runner.slots:
            seconds = self._left()
            if seconds < LEAST:
                return queue.close()
            run = queue.next()
            if run is None:
                break
            self._given[run.name] = min(run.time, seconds)
            self._runner.start(run, self._given[run.name], self._store.begin(run.name))
        return []

    def _left(self) -> float:
        limit = self._listing.time
        return 1e9 if limit is None else limit - (time.monotonic() - self._began)

    def _record(self, queue: Queue, left: list[Run]) -> None:
        self._store.record(campaign_json(queue.ended.values(), left, time.monotonic() - self._began))
