"""A worker: a process that explores a part of what several share.

It tells the coordinator now and then, in one message, what it has done and what that leaves to do (``Commit``). It does
so between two slices of a path, and goes on as if nothing had been: what it explores next does not depend on it.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from types import FrameType
from typing import Any, NoReturn

from clew.base.budget import Interrupt, StopReason
from clew.base.watchdog import Stopped, held
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.jobs.blocking import attempts_of
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.merging import known_to, learn
from clew.jobs.sharing.relay import Relay
from clew.jobs.sharing.resumption import take_up
from clew.parallel.frontier import Frontier, counts, portable
from clew.parallel.local import Channel
from clew.parallel.messages import Broken, Commit, Copied, Divide, Divided, End, Give, Knowledge, Take, Work
from clew.parallel.prefix import Prefix, prefix_of
from clew.report.records import Bug, LoopStatement, Test

Total = tuple[int, int, int, int]

LOOK = 0.02
"""Seconds between two looks for messages."""
INTERVAL = 1.0
"""Seconds of the processor between two commits, if nothing is found: what is lost, at most, when the process dies."""
SELDOM = 128
"""How many times of what a commit takes, or would take, lies between two of them; an eighth of that if something is
found, or could be given away of which nobody knows."""

ENOUGH = 2.0
"""How many times of what a commit takes has to be left for one that comes because the time is soon over: it is to be
read, too. Whoever has not told its last word a moment after the end is killed, and what it has done since is lost."""
RUN = 64
"""Jobs that are handed back in a row, of those that wait."""


class Counts:
    """What a run has counted and found out, at one moment."""

    def __init__(self, ready: PreparedRun, ledger: Ledger) -> None:
        run = ready.run
        self.statistics = deepcopy(run.statistics)
        self.solver = deepcopy(ready.collector.solver)
        self.helpers = ledger.assistance()
        self.losses = dict(run.losses)
        self.unreachable = set(ledger.unreachable)
        self.accounts = ready.accounts.totals()


class Worker:
    """This process, as one of several that explore."""

    def __init__(self, ready: PreparedRun, ledger: Ledger, relay: Relay, channel: Channel) -> None:
        self._ready = ready
        self._ledger = ledger
        self._relay = relay
        self._channel = channel
        self.number = channel.number
        self._frontier = Frontier(ready.engine, channel.at_work)
        self._counts = Counts(ready, ledger)
        self._known = known_to(self._ready.run)
        self._closed: list[int] = []
        """Jobs that were taken up since the last commit."""
        self._look = self._soon = self._due = 0.0
        self._price, self._committed = 0.0, time.process_time()
        """Seconds of the processor for each job that a commit tells of, and when the last one was made."""
        self._loops_before, self._refuted_before = self._loops(), Counter(ready.run.refuted)
        self._copies: list[int] = []
        """The numbers of copies that this process was asked for: most often one, but who dies may have been asked, too,
        and leaves that to who takes its place."""
        relay.keep()

    def begin(self, own: Sequence[tuple[Pending, int]], waiting: Iterable[Pending]) -> None:
        """Begin with a part of what waits, which the coordinator knows by such numbers; the rest is left to others."""
        kept = {id(pending) for pending, _ in own}
        for pending, number in own:
            twin = pending.twin()
            self._frontier.queued(twin)
            self._ready.run.searcher.add(twin)
            self._closed.append(number)
        self.commit()
        for pending in waiting:
            if id(pending) not in kept and not pending.released:
                drop(pending)

    def poll(self) -> None:
        """Look for messages, and tell what there is to tell, if it is time."""
        now = time.monotonic()
        if now < self._look:
            return
        self._look = now + LOOK
        while (message := self._channel.receive()) is not None:
            self._hear(message)
        left = self._ready.budget.time_left()
        if left is not None and self._frontier.would_take(left / ENOUGH, self._price):
            self.commit()
            return
        worked, hurries = time.process_time(), self._relay.has_found or self._frontier.has_untold_plenty()
        if worked < (self._soon if hurries else self._due):
            return
        self._plan(self._price * self._frontier.untold())
        if worked >= (self._soon if hurries else self._due):
            self.commit()

    def more(self) -> None:
        """Nothing is left here: wait for jobs, and take them up. If there are none, or the run has stopped, this does
        not return."""
        engine = self._ready.engine
        try:
            self._refuse()
            if engine.stopped is None:
                self.commit(idle=True)
            while engine.stopped is None and not len(self._ready.run.searcher):
                message = self._channel.receive(None)
                self._hear(message, idle=True)
                self._refuse()
                if isinstance(message, Take) and not len(self._ready.run.searcher):
                    self.commit(idle=True)  # they lead nowhere
        except Stopped as stop:
            self.end(stop.reason)
        if engine.stopped is not None:
            self.end(None)

    def end(self, reason: StopReason | None) -> NoReturn:
        """The last word, also if the run was stopped in the middle of something. Nothing else that this process would
        do at its own end is to be done."""
        with held():
            if reason is not None:
                self._ready.engine.stop(reason)
            self.commit(ends=True)
            os._exit(0)

    def broken(self, trace: str) -> NoReturn:
        """An error of ours: the run is over for all, as it would be for one process."""
        with held():
            self._channel.send(Broken(trace))
            os._exit(1)

    # Messages

    def _hear(self, message: Any, idle: bool = False) -> None:
        match message:
            case Knowledge():
                self._learn(message)
            case Take(jobs=jobs):
                self._take(jobs)  # that they are taken is told with what comes of them
            case Divide(number=number):
                self._copies.append(number)
            case Give(count=count):
                self.commit(self._give(count), idle)
            case End():
                self.end(None)

    def _learn(self, news: Knowledge) -> None:
        learn(self._ready.run, news)
        self._known |= news  # what was found here since the last commit is still to be told

    def _take(self, jobs: Sequence[tuple[int, Prefix]]) -> None:
        """Make the states of jobs again, and queue them."""
        numbers = [number for number, _ in jobs]
        taken = take_up(self._ready, [prefix for _, prefix in jobs], lambda place: self._frontier.begin(numbers[place]))
        self._closed += [numbers[place] for place in taken]

    def _give(self, count: int) -> tuple[Prefix, ...]:
        """Hand jobs back: some from all over the tree of paths, since nobody knows how much there is behind which, but
        always many that have most of their paths in common, so that they can be followed together."""
        searcher = self._ready.run.searcher
        waiting = portable(pending for pending in self._frontier.waiting() if not pending.taken)
        every = max(2, -(-len(waiting) // max(1, count)))
        run = max(1, min(RUN, len(waiting) // (2 * every)))
        chosen = [pending for place, pending in enumerate(waiting) if place // run % every == 0]
        if not chosen:
            return ()
        given = tuple(prefix_of(pending) for pending in chosen)
        gone = {pending.serial for pending in chosen}
        for pending in sorted(searcher.evict(len(searcher)), key=lambda pending: pending.serial):
            if pending.serial in gone:
                drop(pending)
            else:
                searcher.add(pending.twin())
        return given

    # Copies

    @property
    def is_to_divide(self) -> bool:
        """Whether exploration is to be left for ``divide``."""
        return bool(self._copies)

    def divide(self) -> bool:
        """Let a copy of this process go on with half of what waits; True in the copy."""
        number = self._copies.pop(0)
        self.commit()  # the copy has done nothing yet
        searcher = self._ready.run.searcher
        waiting = all_waiting(self._ready.run)
        jobs = [pending for pending in waiting if counts(pending.state)]
        other = jobs[1::2] if self._frontier.leads_to_all() else []
        others = {id(pending) for pending in other}
        own = [pending for pending in waiting if id(pending) not in others]
        moved, shared = self._frontier.part(other, own)
        self._channel.send(Divided(number, moved, shared))
        if not other:
            self._channel.refuse()
        channel = self._channel.copy(number) if other else None
        if channel is None:
            self._frontier.lose(moved)
        else:
            self._settle(channel)
            self._frontier.keep((*moved, *shared), channel.at_work)
        kept = others if channel is not None else {id(pending) for pending in own}
        for pending in waiting:
            if id(pending) in kept:
                searcher.add(pending.twin())
            else:
                drop(pending)
        return channel is not None

    def _settle(self, channel: Channel) -> None:
        """This process is a copy from now on, of which nobody has heard."""
        self._channel, self.number = channel, channel.number
        self._copies.clear()
        self._look = self._soon = self._due = 0.0
        self._loops_before, self._refuted_before = self._loops(), Counter(self._ready.run.refuted)
        channel.send(Copied(os.getpid()))

    def _refuse(self) -> None:
        """There is nothing to divide: there will be no copies."""
        for number in self._copies:
            self._channel.refuse()
            self._channel.send(Divided(number))
        self._copies.clear()

    # Commits

    def commit(self, given: tuple[Prefix, ...] | None = None, idle: bool = False, ends: bool = False) -> None:
        """Tell what was done since the last time, and what is left."""
        ready, began = self._ready, time.process_time()
        with held():
            opened, closed = self._frontier.changes()
            found, warnings = self._relay.taken()
            now = Counts(ready, self._ledger)
            knowledge = self._told_now(found, ends)
            commit = Commit(
                tuple(opened), (*closed, *self._closed), self._work(now, found, warnings),
                knowledge.without(self._known), given, idle, ends, ready.engine.stopped,
                self._told_loops() if ends else (), attempts_of(ready, self._refuted_before) if ends else {},
                len(ready.run.searcher),
            )  # fmt: skip
            self._channel.send(commit)
            self._counts, self._known, self._closed = now, knowledge, []
        self._committed = time.process_time()
        took = self._committed - began
        if len(opened) >= RUN:
            self._price = took / len(opened)
        self._plan(took)

    def _plan(self, cost: float) -> None:
        """The next commit is due when what it takes is little beside what was done since the last one."""
        last = self._committed
        self._soon, self._due = last + SELDOM * cost / 8, last + max(INTERVAL, SELDOM * cost)

    def _work(self, now: Counts, found: Any, warnings: tuple[str, ...]) -> Work:
        before = self._counts
        return Work(
            now.statistics.since(before.statistics),
            now.solver.since(before.solver),
            (now.helpers[0].since(before.helpers[0]), now.helpers[1].since(before.helpers[1])),
            {key: count - before.losses.get(key, 0) for key, count in now.losses.items()
             if count != before.losses.get(key, 0)},
            found,
            warnings,
            {key: value for key, value in self._ledger.unreachable.items() if key not in before.unreachable},
            {name: _less(total, before.accounts.get(name)) for name, total in now.accounts.items()},
            frozenset(self._ready.run.started),
        )  # fmt: skip

    def _loops(self) -> dict[object, LoopStatement]:
        """What techniques say about loops, by place."""
        said = [each for technique in self._ready.techniques for each in technique.statements()]
        return {(each.function, each.location): each for each in said}

    def _told_loops(self) -> tuple[LoopStatement, ...]:
        """The same, of what was done by this process."""
        before = self._loops_before
        return tuple(
            replace(each, summarized=each.summarized - (before[key].summarized if key in before else 0))
            for key, each in self._loops().items()
        )

    def _told_now(self, found: Iterable[Test | Bug], ends: bool) -> Knowledge:
        """What is known here, but for coverage that no test shows yet: whoever does the same again is to have one."""
        now = known_to(self._ready.run)
        if ends or self._frontier.shows_all():
            return now
        tests = [one for one in found if isinstance(one, Test)]
        edges = self._ready.run.coverage.edges_of({branch for test in tests for branch in test.covers})
        lines = frozenset[tuple[str, int]]().union(*(test.lines for test in tests))
        return replace(self._known | Knowledge(frozenset(edges), lines=lines), reported=now.reported)


def _less(total: Total, before: Total | None) -> Total:
    own, caused, earned, branches = before or (0, 0, 0, 0)
    return (total[0] - own, total[1] - caused, total[2] - earned, total[3] - branches)


def stop_by_signals(interrupt: Interrupt) -> None:
    """In a new process, signals are its own: who sends one wants the command to stop."""

    def stop(number: int, frame: FrameType | None) -> None:
        interrupt.request()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def all_waiting(run: Run) -> list[Pending]:
    """All that waits, which does no more from now on; what has least of a path behind it comes first."""
    return sorted(run.searcher.evict(len(run.searcher)), key=lambda pending: (pending.depth, pending.serial))


def drop(pending: Pending) -> None:
    """Somebody else explores it: what it shows is not known here."""
    pending.state.stop_tracking()
    pending.taken = True
    pending.release()
