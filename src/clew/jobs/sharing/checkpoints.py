"""What is left of a run, told now and then to who keeps it, with what was done: the run can be gone on with from there.

What is left is what waits in this process (``clew.parallel.frontier``), or all that the coordinator of several knows
of, and prefixes that nobody has followed yet. It is told as what has changed. That takes a small part of the time: the
next one comes when ``SELDOM`` times of what the last one took have passed; of what it will take itself, too, but where
more and more waits, it does not wait for that for longer than ``PATIENCE``. Before the time is over, there is one that
ends with it: what the end of the run has to tell is little.
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
PATIENCE = 60.0
"""Seconds after the last one, after which there is one however much there is to tell."""
MANY = 64
"""Jobs of a checkpoint that tell what each of them takes."""


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
        self._last, self._price = self._clock(), 0.0
        """When the last one was made, and the processor time of each job that it told of."""
        self._begun = False
        self.made = 0
        self.seconds = 0.0
        """How many there were, and the processor time of all."""

    def poll(self) -> None:
        """Asked between slices of a path, and between paths: tell what is left, if it is time."""
        self._begun = True
        if time.monotonic() >= self._look:
            self._look = time.monotonic() + LOOK
            if self._is_last():
                self.save(is_urgent=True)
            elif self._clock() >= self._due and self._is_cheap():
                self.save()

    def _is_cheap(self) -> bool:
        """Whether enough was done for one that tells of all that is new, or it was too long ago; if not, it is due
        later."""
        if self._coordinator is None:
            self._due = max(self._due, self._last + min(SELDOM * self._price * self._frontier.untold(), PATIENCE))
        return self._clock() >= self._due

    def _is_last(self) -> bool:
        """Whether to tell what is new would take the time that is left: the end of the run is to find little of it."""
        left = self._ready.budget.time_left()
        return left is not None and self._coordinator is None and self._frontier.would_take(left, self._price)

    def shared(self, coordinator: Coordinator | None) -> None:
        """From now on several processes explore, and this one waits for them most of the time; or it explores alone
        again, if there is no coordinator."""
        self._coordinator = coordinator
        self._clock = time.process_time if coordinator is None else time.monotonic
        self._last = self._clock()
        self._due = self._last + INTERVAL

    def end(self, loops: tuple[LoopStatement, ...]) -> None:
        """The run was stopped: tell what is left, unless nobody can know that."""
        if self._begun and (self._coordinator is not None or not self._frontier.is_empty() or self._unfollowed):
            self.save(loops, is_urgent=True)

    def save(self, loops: tuple[LoopStatement, ...] = (), is_urgent: bool = False) -> None:
        """Tell what is left. ``is_urgent``: whether the time of the run is over, or soon will be."""
        began = time.process_time()
        with held():
            opened, closed = self._changes()
            knowledge = self._knowledge()
            news = None if knowledge == self._known else knowledge
            standing = self._standing(loops)
            self._listener.checkpoint(Checkpoint(tuple(opened), tuple(closed), standing, news, is_urgent))
            self._known = knowledge
        took = time.process_time() - began
        self.made, self.seconds = self.made + 1, self.seconds + took
        if len(opened) >= MANY:
            self._price = took / len(opened)
        self._last = self._clock()
        self._due = self._last + max(INTERVAL, SELDOM * took)

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
