"""The process of a command whose arms are in processes of their own: whose turn it is, what they have found, limits.

A process is forked when an arm gets its first turn; it has all that was known by then, the arm included, as far as that
had come here. As many arms are at work at once as there are jobs: whenever one has had its turn, the next is chosen as
it would be in one process (``clew.jobs.phases.turns``). What an arm tells is entered here first, and then told to the
others (``clew.jobs.side_by_side.exchange``).

The process of an arm may die. Nothing that it had told is lost; the rest is done again, by another process that begins
where the first did. If that dies as well, the arm is lost: the others go on, and the verdict says so where it is open.
"""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from clew.base.budget import Budget, StopReason, current_memory_mb
from clew.base.errors import InternalError, UserError
from clew.base.processes import proportional_mb, resident_mb
from clew.base.watchdog import held
from clew.execute.memory_pressure import HIGH
from clew.jobs.arms import Arm
from clew.jobs.ledger import DistantWork, Ledger, RunKey
from clew.jobs.phases.turns import length_of, next_of
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.relay import Relay
from clew.jobs.side_by_side.exchange import enter
from clew.jobs.side_by_side.member import Member
from clew.jobs.side_by_side.messages import End, Failure, Stop, Told, Turn
from clew.jobs.verdict import TARGET
from clew.parallel.local import LocalWorkers

STEP = 0.05
"""Seconds between two looks at the limits."""
LATE = 0.8
"""Seconds that arms have to come to their ends when the time is over."""
LAST = 0.2
"""Seconds that they have for a last word when the question is answered."""
DEATHS = 2
"""Processes of an arm that may die before it is lost."""
MEMORY_LOOK = 0.5


class SideBySide:
    """The arms of a command, from the moment at which they part."""

    def __init__(
        self,
        ledger: Ledger,
        relay: Relay,
        arms: Sequence[Arm[Any]],
        jobs: int,
        credit: Callable[[Arm[Any]], AbstractContextManager[None]],
    ) -> None:
        """``credit``: within it, what an arm has found out is entered."""
        self._ledger = ledger
        self._relay = relay
        self._arms = tuple(arms)
        self._jobs = jobs
        self._credit = credit
        self._crew = LocalWorkers(len(self._arms))
        self._working: set[int] = set()
        """Arms, by number, that have a turn."""
        self._deaths: Counter[int] = Counter()
        self._failures = 0
        self._before = tuple(ledger.runs)
        self._looked = self._size = 0.0

    def run(self, share: Budget, is_decided: Callable[[], bool]) -> None:
        """Until the question is decided, no arm is left, or the share is spent: then each comes to its end."""
        try:
            while not is_decided():
                live = [arm for arm in self._arms if arm.is_waiting]
                waiting = [arm for arm in live if self._arms.index(arm) not in self._working]
                if share.is_out_of_time():
                    self._end_in_order(share)
                    return
                if not waiting and not self._working:
                    return
                while waiting and len(self._working) < self._jobs:
                    arm = next_of(waiting, live)
                    waiting.remove(arm)
                    self._give_turn(arm, length_of(arm, self._arms))
                self._listen(STEP)
                self._keep_memory()
            self._hear_last()
        finally:
            self._end_all()

    # Turns

    def _give_turn(self, arm: Arm[Any], seconds: float) -> None:
        number = self._arms.index(arm)
        if number not in self._crew:
            self._fork(arm, number)
        self._crew.send(number, Turn(seconds, self._room(number)))
        self._working.add(number)

    def _fork(self, arm: Arm[Any], number: int) -> None:
        channel = self._crew.start(number)
        if channel is not None:
            Member(arm, self._ledger, self._relay, channel).serve()

    # Messages

    def _listen(self, seconds: float) -> None:
        with held():
            for number, message in list(self._crew.wait(seconds)):
                if message is None:
                    self._died(number)
                else:
                    self._hear(number, message)

    def _hear(self, number: int, told: Told) -> None:
        arm = self._arms[number]
        ended = told.stopped is not None or told.failure is not None
        arm.told = replace(told.standing, over=True) if ended else told.standing
        arm.distant = None if told.ready is None else self._key(number, told.ready)
        runs = {self._key(number, place): record for place, record in told.runs.items()}
        self._ledger.hear(number, DistantWork(runs, told.helpers))
        with self._credit(arm):
            news = enter(self._ledger, told.news, self._relay)
        for other in range(len(self._arms)):
            if news and other != number:
                self._crew.send(other, news)
        if told.paused:
            self._working.discard(number)
        if told.stopped is not None:
            self._ledger.stop_distant(number, told.stopped)
        if told.failure is not None:
            self._failed(arm, told.failure)

    def _failed(self, arm: Arm[Any], failure: Failure) -> None:
        if failure.is_users:
            raise UserError(failure.text)
        self._failures += 1
        error = InternalError(failure.trace)
        if self._failures == len(self._arms):
            raise error
        self._ledger.failed(arm.standing().technique, error, failure.text)

    def _key(self, number: int, place: int) -> PreparedRun | RunKey:
        """The run at a place of the ledger of another process; those that were there before are the same here."""
        return self._before[place] if place < len(self._before) else (number, place)

    def _died(self, number: int) -> None:
        """A process is no more: what it had not told is done again, or nobody does it."""
        arm = self._arms[number]
        self._working.discard(number)
        if arm.told is not None and arm.told.over:
            return
        self._deaths[number] += 1
        if self._deaths[number] < DEATHS:
            self._ledger.forget(number)
            arm.told = arm.distant = None
        else:
            self._lose(number, "the process that it works in has ended twice before its time")

    def _lose(self, number: int, why: str) -> None:
        arm = self._arms[number]
        arm.told = replace(arm.standing(), over=True)
        questions = [item.key for item in self._ledger.properties] or [TARGET]
        self._ledger.lost(arm.standing().technique or arm.phase.technique, why, questions)

    # Limits

    def _room(self, number: int) -> float | None:
        """The size that a process may grow to: what is left now, shared by those that work."""
        limit = self._ledger.budget.memory_mb
        if limit is None:
            return None
        own = resident_mb(self._crew.process_of(number)) if number in self._crew else 0.0
        return max(1.0, max(own, current_memory_mb()) + (limit - self._used()) / self._jobs)

    def _used(self) -> float:
        """The memory of all processes together."""
        now = time.monotonic()
        if now > self._looked + MEMORY_LOOK:
            self._looked = now
            processes = [os.getpid(), *(self._crew.process_of(n) for n in range(len(self._arms)) if n in self._crew)]
            self._size = sum(map(proportional_mb, processes))
        return self._size

    def _keep_memory(self) -> None:
        """Give up the arm that is least likely to be the first, when memory runs short."""
        limit, live = self._ledger.budget.memory_mb, [n for n in range(len(self._arms)) if n in self._crew]
        if limit is None or len(live) < 2 or self._used() < HIGH * limit:
            return
        given_up = max(reversed(live), key=lambda number: self._arms[number].standing().left)
        arm = self._arms[given_up]
        arm.told = replace(arm.standing(), over=True)
        self._ledger.stop_distant(given_up, StopReason.MEMORY)
        self._crew.kill(given_up)
        self._looked = 0.0

    # The end

    def _end_in_order(self, share: Budget) -> None:
        """The time is over: all that have begun come to their ends."""
        reason = share.exhausted() or StopReason.TIME
        for number in range(len(self._arms)):
            if number in self._crew and not self._arms[number].is_over:
                if reason is not StopReason.TIME:
                    self._crew.send(number, Stop(reason))
                if number not in self._working:
                    self._crew.send(number, Turn(math.inf, self._room(number)))
                    self._working.add(number)
        self._await(LATE)
        for number in self._working:
            self._ledger.stop_distant(number, reason)

    def _hear_last(self) -> None:
        """The question is answered: how much those have done that are at work belongs to the summary."""
        for number in self._working:
            self._crew.send(number, End())
        self._await(LAST)

    def _await(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self._working and time.monotonic() < until:
            self._listen(STEP)

    def _end_all(self) -> None:
        for number in range(len(self._arms)):
            if number in self._crew:
                self._crew.kill(number)
        self._crew.close()
