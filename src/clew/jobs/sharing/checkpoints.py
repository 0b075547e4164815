"""What is left of a run, told now and then to who keeps it, with what was done: the run can be gone on with from there.

What is left is what waits in this process (``clew.parallel.frontier``), or all that the coordinator of several knows
of, and prefixes that nobody has followed yet. It is told as what has changed. That takes a small part of the time: the
next one comes when ``SELDOM`` times of what the last one took have passed.
"""

from __future__ import annotations

import time
from dataclasses import replace

from clew.base.watchdog import held
from clew.execute.engine import CUT, WHEN_STOPPED
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.merging import known_to
from clew.jobs.sharing.resumption import Resumption, Standing
from clew.parallel.coordinator import FIRST, Coordinator
from clew.parallel.frontier import Frontier, Jobs
from clew.parallel.messages import Knowledge, Work
from clew.parallel.prefix import Prefix
from clew.report.listener import Checkpoint, Listener
from clew.report.records import LoopStatement

LOOK = 0.05
"""Seconds between two looks at the clock."""
INTERVAL = 2.0
"""Seconds between two checkpoints, at least: of the processor, if one process explores."""
SELDOM = 160
"""How many times of the processor time of a checkpoint lie between two of them, at least."""


class Checkpoints:
    """Of one run, in the process that it began in."""

    def __init__(self, ready: PreparedRun, ledger: Ledger, listener: Listener, resumption: Resumption) -> None:
        """``resumption`` has what nobody has taken up of the run that is gone on with, if one is."""
        self._ready = ready
        self._ledger = ledger
        self._listener = listener
        self._unfollowed = resumption.left
        self._stale = list(resumption.numbers)
        self._frontier = Frontier(ready.engine)
        self._coordinator: Coordinator | None = None
        self._kept: dict[int, tuple[int, Prefix]] = {}
        """Prefixes that were told, by identity, with their numbers."""
        self._told = 0
        self._known: Knowledge | None = None
        self._clock = time.process_time
        self._look, self._due = 0.0, self._clock() + INTERVAL
        self._begun = False
        self.made = 0
        self.seconds = 0.0
        """How many there were, and the processor time of all."""

    def poll(self) -> None:
        """Asked between slices of a path, and between paths: tell what is left, if it is time."""
        self._begun = True
        if time.monotonic() >= self._look:
            self._look = time.monotonic() + LOOK
            if self._clock() >= self._due:
                self.save()

    def shared(self, coordinator: Coordinator | None) -> None:
        """From now on several processes explore, and this one waits for them most of the time; or it explores alone
        again, if there is no coordinator."""
        self._coordinator = coordinator
        self._clock = time.process_time if coordinator is None else time.monotonic
        self._due = self._clock() + INTERVAL

    def end(self, loops: tuple[LoopStatement, ...]) -> None:
        """The run was stopped: tell what is left, unless nobody can know that."""
        if self._begun and (self._coordinator is not None or self._frontier.jobs() or self._unfollowed):
            self.save(loops)

    def save(self, loops: tuple[LoopStatement, ...] = ()) -> None:
        """Tell what is left."""
        began = time.process_time()
        with held():
            opened, closed = self._changes()
            knowledge = self._knowledge()
            news = None if knowledge == self._known else knowledge
            self._listener.checkpoint(Checkpoint(tuple(opened), tuple(closed), self._standing(loops), news))
            self._known = knowledge
        took = time.process_time() - began
        self.made, self.seconds = self.made + 1, self.seconds + took
        self._due = self._clock() + max(INTERVAL, SELDOM * took)

    # What is left

    def _changes(self) -> tuple[Jobs, list[int]]:
        """Jobs that are new, and numbers of those that are done with."""
        if self._coordinator is None:
            opened, closed = self._frontier.changes()
            left = self._unfollowed
        else:
            opened, closed = [], self._frontier.close()
            left = self._coordinator.left()
        closed += self._stale
        self._stale.clear()
        now = {id(prefix): prefix for prefix in left}
        for key in [key for key in self._kept if key not in now]:
            closed.append(self._kept.pop(key)[0])
        for key, prefix in now.items():
            if key not in self._kept:
                self._told += 1
                self._kept[key] = (FIRST + self._told, prefix)
                opened.append(self._kept[key])
        return opened, closed

    # What was done

    def _standing(self, loops: tuple[LoopStatement, ...]) -> Standing:
        ready, ledger, run, found = self._ready, self._ledger, self._ready.run, self._ledger.findings
        losses = {key: count for key, count in run.losses.items() if WHEN_STOPPED not in key[1]}
        cut = sum(count for (_, what, _), count in run.losses.items() if what.startswith(CUT))
        work = Work(
            replace(run.statistics, paths_cut_short=max(0, run.statistics.paths_cut_short - cut)),
            ready.collector.solver,
            ledger.assistance(),
            losses,
            unreachable=ledger.unreachable,
            accounts=ready.accounts.totals(),
            started=frozenset(run.started),
        )
        seconds = ledger.earlier_seconds + ready.budget.elapsed()
        return Standing(work, seconds, found.possible, found.unasked, found.doubtful, loops)

    def _knowledge(self) -> Knowledge:
        """What is known, but for coverage that no test shows, and that the prefixes which are told do not lead to."""
        run, before = self._ready.run, self._known or Knowledge()
        if self._coordinator is None and not self._frontier.leads_to_all():
            return replace(before, reported=frozenset(run.reported))
        return known_to(run)
