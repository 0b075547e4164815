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
import tempfile
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
from clew.frontend.compiler import working_folder
from clew.jobs.arms import LEAST_PATHS, Arm
from clew.jobs.ledger import DistantWork, Ledger, RunKey
from clew.jobs.phases.turns import length_of, next_of
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.relay import Relay
from clew.jobs.side_by_side.divided import DividedArm
from clew.jobs.side_by_side.exchange import enter
from clew.jobs.side_by_side.member import Member
from clew.jobs.side_by_side.messages import Clauses, Failure, Stop, Told, Turn
from clew.jobs.verdict import TARGET
from clew.parallel.local import LocalWorkers
from clew.parallel.messages import Commit, End
from clew.techniques.conflicts.clause_exchange import MOST, Clause

STEP = 0.05
"""Seconds between two looks at the limits."""
LATE = 0.6
"""Seconds that arms have to come to their ends when the time is over."""
LAST = 0.2
"""Seconds that they have for a last word when the question is answered."""
DEATHS = 2
"""Processes of an arm that may die before it is lost."""
MEMORY_LOOK = 0.5
PLENTY = 0.5
"""The part of the memory there is up to which nobody asks what processes share."""
HANDOVER = 1.0
"""Seconds in which exploration comes to where it can be divided."""
LONGEST = 10.0
"""Seconds of a turn of such an arm, at most."""
KILLED_TWICE = "the process that it works in was ended twice"


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
        self._seats = list(self._arms)
        """The arm that each process is for, by the number of the process: one for each arm, then more for some."""
        self._crew = LocalWorkers(len(self._arms) * jobs)
        self._folder = working_folder()
        """Where processes have their temporary files: nobody asks them to tidy up."""
        self._working: dict[int, float] = {}
        """Processes that have a turn, and for how many seconds."""
        self._divided: dict[Arm[Any], DividedArm] = {}
        self._clauses: list[Clause] = []
        """What searches have learned, for those that begin later."""
        self._deaths: Counter[int] = Counter()
        self._failures = 0
        self._is_ending = False
        self._before = tuple(ledger.runs)
        self._looked = self._size = 0.0

    def run(self, share: Budget, is_decided: Callable[[], bool]) -> None:
        """Until the question is decided, no arm is left, or the share is spent: then each comes to its end."""
        try:
            self._divide()
            while not is_decided():
                if share.is_out_of_time():
                    self._end_in_order(share)
                    return
                self._give_turns()
                if not self._working or all(arm.is_over for arm in self._arms):
                    self._conclude(None)
                    return
                self._listen(STEP)
                self._keep_memory()
            self._hear_last()
        finally:
            self._end_all()

    # Processes

    def _divide(self) -> None:
        """Arms whose paths several processes can explore, and of which enough wait, are divided."""
        for number, arm in enumerate(self._arms):
            if not arm.is_waiting or not arm.is_divisible(LEAST_PATHS * self._jobs):
                continue
            with self._credit(arm):
                arm.phase.paths.divide()
                arm.take_turn(HANDOVER)
            if arm.is_over or not arm.is_divisible(LEAST_PATHS * self._jobs):
                continue
            seats = [number, *range(len(self._seats), len(self._seats) + self._jobs - 1)]
            self._seats += [arm] * (self._jobs - 1)
            divided = self._divided[arm] = DividedArm(arm, seats, self._ledger, self._relay, self._crew.send)
            for seat in seats:
                self._fork(seat)
            divided.parted()
            arm.told = divided.standing()

    def _fork(self, number: int) -> None:
        """A process for an arm: it begins where the arm was when they parted, with all that is known by now."""
        arm = self._seats[number]
        divided = self._divided.get(arm)
        try:
            channel = self._crew.start(number)
        except OSError as problem:
            if divided is None or not divided.is_busy:
                self._lose(arm, f"no process can be started for it: {problem}")
            return
        if channel is not None:
            tempfile.tempdir = self._folder.name
            if arm.exchange is not None:
                arm.exchange.arrive(self._clauses)
            Member(arm, self._ledger, self._relay, channel).serve(divided)
        if divided is not None:
            divided.joined(number)

    # Turns

    def _give_turns(self) -> None:
        while len(self._working) < self._jobs:
            live = [arm for arm in self._arms if arm.is_waiting]
            if all(arm.beside for arm in live):
                return
            free = {
                arm: number
                for number in reversed(range(len(self._seats)))
                if self._is_free(number, arm := self._seats[number])
            }
            if not free:
                return
            arm = next_of([arm for arm in free if not arm.spare] or list(free), live, self._granted())
            self._give_turn(free[arm], self._length(arm))

    def _granted(self) -> dict[Arm[Any], float]:
        """Seconds of turns that are not over, by arm."""
        granted: dict[Arm[Any], float] = {}
        for number, seconds in self._working.items():
            arm = self._seats[number]
            granted[arm] = granted.get(arm, 0.0) + seconds
        return granted

    def _is_free(self, number: int, arm: Arm[Any]) -> bool:
        """Whether a process could do something for its arm now."""
        divided = self._divided.get(arm)
        return number not in self._working and arm.is_waiting and (divided is None or divided.has_work(number))

    def _length(self, arm: Arm[Any]) -> float:
        seconds = length_of(arm, self._arms)
        return min(seconds, LONGEST) / self._jobs if arm in self._divided else seconds

    def _give_turn(self, number: int, seconds: float) -> None:
        if number not in self._crew:
            self._fork(number)
        if number in self._crew:
            self._crew.send(number, Turn(seconds, self._room(number)))
            self._working[number] = seconds

    # Messages

    def _listen(self, seconds: float) -> None:
        with held():
            heard = list(self._crew.wait(seconds))
        for number, message in heard:
            if message is None:
                self._died(number)
            elif isinstance(message, Commit):
                self._committed(number, message)
            elif isinstance(message, Clauses):
                self._pass_on(number, message)
            else:
                self._hear(number, message)

    def _committed(self, number: int, commit: Commit) -> None:
        arm = self._seats[number]
        divided = self._divided[arm]
        with self._credit(arm), held():
            divided.committed(number, commit)
            arm.told = divided.standing()

    def _pass_on(self, number: int, message: Clauses) -> None:
        """A search has learned something: others like it are told."""
        self._clauses += message.clauses[: MOST - len(self._clauses)]
        for other, arm in enumerate(self._seats):
            if other != number and arm.exchange is not None:
                self._crew.send(other, message)

    def _hear(self, number: int, told: Told) -> None:
        arm = self._seats[number]
        divided = self._divided.get(arm)
        if divided is not None:
            divided.stands(number, told.standing)
            arm.told = divided.standing()
        else:
            ended = told.stopped is not None or told.failure is not None
            arm.told = replace(told.standing, over=True) if ended else told.standing
            arm.distant = None if told.ready is None else self._key(number, told.ready)
        runs = {self._key(number, place): record for place, record in told.runs.items()}
        self._ledger.hear(number, DistantWork(runs, told.helpers))
        with self._credit(arm), held():
            news = enter(self._ledger, told.news, self._relay)
        for other in range(len(self._seats)):
            if news and other != number:
                self._crew.send(other, news)
        for ready in self._before[:1]:
            ready.collector.progress()
        if told.paused:
            self._working.pop(number, None)
        if told.stopped is not None:
            self._ledger.stop_distant(number, told.stopped)
        if told.failure is not None:
            self._failed(number, told.failure)

    def _failed(self, number: int, failure: Failure) -> None:
        """An error has ended an arm: where its paths are divided, all of it."""
        if failure.is_users:
            raise UserError(failure.text)
        arm = self._seats[number]
        technique = arm.standing().technique
        self._give_up(arm, StopReason.FAILED)
        self._failures += 1
        error = InternalError(failure.trace)
        if self._failures == len(self._arms):
            raise error
        self._ledger.failed(technique, error, failure.text)

    def _key(self, number: int, place: int) -> PreparedRun | RunKey:
        """The run at a place of the ledger of another process; those that were there before are the same here."""
        return self._before[place] if place < len(self._before) else (number, place)

    def _died(self, number: int) -> None:
        """A process is no more: what it had not told is done again, or nobody does it."""
        arm = self._seats[number]
        divided = self._divided.get(arm)
        self._working.pop(number, None)
        if arm.is_over or self._is_ending:
            return
        if divided is not None:
            with self._credit(arm):
                again = divided.died(number, self._crew.job_of(number))
            arm.told = divided.standing()
            if again:
                self._fork(number)
            return
        self._deaths[number] += 1
        if self._deaths[number] < DEATHS:
            self._ledger.forget(number)
            arm.told = arm.distant = None
        else:
            self._lose(arm, KILLED_TWICE)

    def _lose(self, arm: Arm[Any], why: str) -> None:
        """There is no process for an arm any more: questions that are open in the end are so for that, too."""
        questions = [item.key for item in self._ledger.properties] or [TARGET]
        self._ledger.lost(arm.standing().technique or arm.phase.technique, why, questions)
        self._give_up(arm, StopReason.FAILED)

    # Limits

    def _room(self, number: int) -> float | None:
        """The size that a process may grow to: what is left now, shared by those that work."""
        limit = self._ledger.budget.memory_mb
        if limit is None:
            return None
        own = resident_mb(self._crew.process_of(number)) if number in self._crew else 0.0
        return max(1.0, max(own, current_memory_mb()) + (limit - self._used(limit)) / self._jobs)

    def _used(self, limit: float) -> float:
        """The memory of all processes together, or more than that, where there is enough in any case.

        To ask what processes share takes milliseconds of each.
        """
        now = time.monotonic()
        if now > self._looked + MEMORY_LOOK:
            self._looked = now
            processes = [os.getpid(), *map(self._crew.process_of, self._numbers())]
            self._size = sum(map(resident_mb, processes))
            if self._size > PLENTY * limit:
                self._size = sum(map(proportional_mb, processes))
        return self._size

    def _keep_memory(self) -> None:
        """Give up the arm that is least likely to be the first, when memory runs short."""
        limit = self._ledger.budget.memory_mb
        live = [arm for number, arm in enumerate(self._arms) if number in self._crew and not arm.is_over]
        if limit is not None and len(live) > 1 and self._used(limit) >= HIGH * limit:
            self._give_up(max(reversed(live), key=lambda arm: arm.standing().left), StopReason.MEMORY)
            self._looked = 0.0

    def _give_up(self, arm: Arm[Any], reason: StopReason) -> None:
        """End an arm, with all its processes."""
        divided = self._divided.get(arm)
        if divided is not None:
            divided.conclude(reason)
        arm.told = replace(arm.standing(), over=True)
        for number in self._numbers():
            if self._seats[number] is arm:
                self._ledger.stop_distant(number, reason)
                self._crew.kill(number)

    def _numbers(self) -> list[int]:
        return [number for number in range(len(self._seats)) if number in self._crew]

    # The end

    def _end_in_order(self, share: Budget) -> None:
        """The time is over: all that have begun come to their ends."""
        reason, self._is_ending = share.exhausted() or StopReason.TIME, True
        for number in self._numbers():
            if not self._seats[number].is_over:
                if reason is not StopReason.TIME:
                    self._crew.send(number, Stop(reason))
                if number not in self._working:
                    self._crew.send(number, Turn(math.inf, self._room(number)))
                    self._working[number] = math.inf
        self._await(LATE)
        for number in self._working:
            self._ledger.stop_distant(number, reason)
        self._conclude(reason)

    def _conclude(self, reason: StopReason | None) -> None:
        """What divided arms come to that were stopped, or that nobody works for any more."""
        for divided in self._divided.values():
            with self._credit(divided.arm):
                divided.conclude(reason)

    def _hear_last(self) -> None:
        """The question is answered: how much those have done that are at work belongs to the summary."""
        self._is_ending = True
        for number in self._working:
            self._crew.send(number, End())
        self._await(LAST)

    def _await(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        with held():
            while self._working and time.monotonic() < until:
                self._listen(STEP)

    def _end_all(self) -> None:
        for number in self._numbers():
            self._crew.kill(number)
        self._crew.close()
        self._folder.cleanup()
