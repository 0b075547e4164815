"""Several phases by turns, until one of them has the answer.

Nobody knows beforehand which technique answers a question, and each may work for ever. So they run as arms
(``clew.jobs.arms``) that take turns (``clew.jobs.phases.turns`` says whose turn it is). The answer then comes after a
small multiple of the time that the fastest of them takes by itself, however much time there is.

With several jobs, arms that have not answered after a moment go on in processes of their own, as many of them at once
as there are jobs (``clew.jobs.side_by_side``).

An internal error ends the arm that it happens in, and no other: what these find out does not depend on it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from clew.base.budget import Budget, current_memory_mb
from clew.base.errors import UserError
from clew.execute.memory_pressure import HIGH, trim
from clew.jobs.arms import LEAST_PATHS, Arm
from clew.jobs.ledger import Ledger
from clew.jobs.phases.turns import length_of, next_of
from clew.jobs.sharing.relay import Relay
from clew.techniques.tasks import Proved

HEAD_START = 0.4
"""Seconds of the very first turn, which has a limited effort as well."""
PATIENCE, ALONE = 0.5, 0.25
"""Seconds of work after which arms get processes of their own, if they may, and after which one is divided that is
alone: for what is over by then, processes cost more than they bring."""
LEAST_MB = 64.0
"""Memory that each of these must have beside what all share."""


class Dovetail:
    """A phase made of others; the first arm has its turn before all others. The ledger tells who has answered."""

    def __init__(
        self,
        ledger: Ledger,
        arms: Sequence[Arm[Any]],
        is_decided: Callable[[], bool],
        relay: Relay | None = None,
        jobs: int = 1,
    ) -> None:
        """``jobs``: how many arms may be at work at once, in processes of their own; their news come to ``relay``."""
        self._ledger = ledger
        self.arms = tuple(arms)
        self._is_decided = is_decided
        self._relay = relay
        self._jobs = jobs if hasattr(os, "fork") and ledger.budget.instructions is None else 1
        self._credited = self.arms[0]
        self._failures = 0
        self.over = False

    def run(self, share: Budget, effort: int | None) -> None:
        """Until the question is decided, no arm is left, or the share is spent: then each comes to its end in order."""
        self.over = True
        for arm in self.arms:
            arm.budget.last_as_long_as(share)
        try:
            self._turn(self.arms[0], min(HEAD_START, self._patience(self._waiting())))
            while not self._is_decided() and (waiting := self._waiting()):
                if share.is_out_of_time():
                    for arm in waiting:
                        self._turn(arm, math.inf)
                    break
                if self._is_time_to_part(waiting):
                    self._part(share)
                    break
                if len(waiting) > 1 and share.memory_share() >= HIGH:
                    self._make_room(waiting)
                    continue
                self._turn(arm := next_of(waiting, waiting), self._length(arm, waiting))
        finally:
            for arm in self.arms:
                arm.close()

    # Processes

    def _length(self, arm: Arm[Any], waiting: Sequence[Arm[Any]]) -> float:
        """Seconds of the next turn of an arm; not longer than until all may part."""
        seconds = length_of(arm, self.arms)
        if self._jobs == 1:
            return seconds
        together = self._patience(waiting) - self._worked()
        return min(seconds, together if together > 0.0 else PATIENCE)

    def _is_time_to_part(self, waiting: Sequence[Arm[Any]]) -> bool:
        if self._jobs == 1 or not self._ledger.runs:
            return False
        if self._is_alone(waiting) and not waiting[0].is_divisible(LEAST_PATHS * self._jobs):
            return False
        return self._worked() >= self._patience(waiting) and self._has_room(len(waiting))

    def _patience(self, waiting: Sequence[Arm[Any]]) -> float:
        """Seconds of work after which all part, if they may at all."""
        return ALONE if self._is_alone(waiting) else PATIENCE

    def _is_alone(self, waiting: Sequence[Arm[Any]]) -> bool:
        """Whether one arm alone has something to do."""
        return len(waiting) < 2 and not any(arm.spare and arm.is_waiting for arm in self.arms)

    def _worked(self) -> float:
        """Seconds of all arms together."""
        return sum(arm.worked() for arm in self.arms)

    def _has_room(self, processes: int) -> bool:
        """Whether memory is left for each of several processes beside what they share."""
        limit, own = self._ledger.budget.memory_mb, current_memory_mb()
        return limit is None or limit - own > processes * LEAST_MB

    def _part(self, share: Budget) -> None:
        """Go on with each arm in a process of its own."""
        from clew.jobs.side_by_side.crew import SideBySide

        assert self._relay is not None
        SideBySide(self._ledger, self._relay, self.arms, self._jobs, self._crediting).run(share, self._is_decided)

    def _waiting(self) -> list[Arm[Any]]:
        waiting = [arm for arm in self.arms if arm.is_waiting and not arm.spare]
        return waiting if any(not arm.beside for arm in waiting) else []

    # A turn

    def _turn(self, arm: Arm[Any], seconds: float) -> None:
        with self._crediting(arm):
            try:
                arm.take_turn(seconds)
            except (UserError, MemoryError):
                raise
            except Exception as error:
                self._failures += 1
                if self._failures == len(self.arms):
                    raise
                self._ledger.failed(arm.phase.technique, error)

    @contextmanager
    def _crediting(self, arm: Arm[Any]) -> Iterator[None]:
        """Within the block, an arm may answer something."""
        before = self._known()
        try:
            yield
        finally:
            if self._known() > before:
                self._credited = arm
            self._credit()

    def _known(self) -> int:
        """How many questions have an answer."""
        proved = sum(isinstance(answer, Proved) for answer in self._ledger.answers.values())
        return proved + len(self._ledger.findings.confirmed())

    def _credit(self) -> None:
        """The summary tells of the run that has answered something, or of the first one."""
        for arm in (self.arms[0], self._credited):
            if arm.distant is not None:
                self._ledger.credit(arm.distant)
            elif arm.phase.ready is not None:
                self._ledger.enter(arm.phase.ready)
        told = self._credited.told
        self._ledger.technique = self._credited.phase.technique if told is None else told.technique

    # Memory

    def _make_room(self, waiting: Sequence[Arm[Any]]) -> None:
        """Give up the arm that is least likely to be the first; what the others know is worth more."""
        given_up = max(reversed(waiting), key=lambda arm: arm.left())
        given_up.close()
        ready = given_up.phase.ready
        if ready is not None:
            ready.give_up()
        trim()
