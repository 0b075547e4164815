"""Several phases by turns, until one of them has the answer.

Nobody knows beforehand which technique answers a question, and each may work for ever. So they run as arms
(``clew.jobs.arms``) that take turns: next is always the one that has worked least, and its turns grow with what it has
worked so far. The answer then comes after a small multiple of the time that the fastest of them takes by itself,
however much time there is.

Arms that run all paths, in whatever way, can tell how long that is likely to take (``clew.jobs.phases.tree_size``). The
others are tried for a small part of that. If they have no answer by then, most of the time goes to the arm that is
closest to its end, and they get a floor: so a program that takes long, but comes to an end, is not held up by what does
not help there. An end that recedes as the arm works is as far away as it is bound to get like that, and none if it
recedes as fast as time goes by, or lies beyond the time there is: then all get their shares.

An internal error ends the arm that it happens in, and no other: what these find out does not depend on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from clew.base.budget import Budget
from clew.base.errors import UserError
from clew.execute.memory_pressure import HIGH, trim
from clew.jobs.arms import FIRST_TURN, Arm
from clew.jobs.ledger import Ledger
from clew.techniques.tasks import Proved

GROWTH = 0.5
"""The length of later turns than the first of an arm, as a part of what it has worked so far."""
HEAD_START = 0.4
"""Seconds of the very first turn, which has a limited effort as well."""
TRIAL = 1 / 400
"""What an arm may work before it has to stand back, as a part of what the one takes that is closest to its end."""
STEEP = 3
"""The power of how much longer it is likely to take, by which it gets less then."""


class Dovetail:
    """A phase made of others; the first arm has its turn before all others. The ledger tells who has answered."""

    def __init__(self, ledger: Ledger, arms: Sequence[Arm[Any]], is_decided: Callable[[], bool]) -> None:
        self._ledger = ledger
        self.arms = tuple(arms)
        self._is_decided = is_decided
        self._credited = self.arms[0]
        self._failures = 0
        self.over = False

    def run(self, share: Budget, effort: int | None) -> None:
        """Until the question is decided, no arm is left, or the share is spent: then each comes to its end in order."""
        self.over = True
        for arm in self.arms:
            arm.budget.last_as_long_as(share)
        try:
            self._turn(self.arms[0], HEAD_START)
            while not self._is_decided() and (waiting := self._waiting()):
                if share.is_out_of_time():
                    for arm in waiting:
                        self._turn(arm, math.inf)
                    break
                if len(waiting) > 1 and share.memory_share() >= HIGH:
                    self._make_room(waiting)
                    continue
                self._turn(arm := self._next(waiting, share.time_left()), self._length(arm))
        finally:
            for arm in self.arms:
                arm.close()

    def _length(self, arm: Arm[Any]) -> float:
        """Seconds of the next turn of an arm; no end if there are no others any more."""
        if all(other.is_over for other in self.arms if other is not arm):
            return math.inf
        return max(FIRST_TURN, GROWTH * arm.worked()) if arm.worked() else arm.first_turn

    def _waiting(self) -> list[Arm[Any]]:
        return [arm for arm in self.arms if arm.is_waiting]

    # Whose turn it is

    def _next(self, waiting: Sequence[Arm[Any]], time: float | None) -> Arm[Any]:
        """The one that has had least of what it should have; an end beyond the time that is left is none."""
        left = {arm: arm.left() for arm in waiting}
        least = min(left.values())
        in_sight = least < (math.inf if time is None else time)

        def weight(arm: Arm[Any]) -> float:
            if not in_sight or arm.worked() + FIRST_TURN < TRIAL * least:
                return arm.share
            return max(arm.floor, math.pow(least / left[arm], STEEP))

        def due(arm: Arm[Any]) -> float:
            if not arm.worked() and arm.at_once:
                return 0.0
            return max(arm.worked(), FIRST_TURN) / (weight(arm) * arm.promise())  # to begin takes a while, too

        return min(waiting, key=due)

    # A turn

    def _turn(self, arm: Arm[Any], seconds: float) -> None:
        before = self._known()
        try:
            arm.take_turn(seconds)
        except (UserError, MemoryError):
            raise
        except Exception as error:
            self._failures += 1
            if self._failures == len(self.arms):
                raise
            self._ledger.failed(arm.phase.technique, error)
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
            if arm.phase.ready is not None:
                self._ledger.enter(arm.phase.ready)
        self._ledger.technique = self._credited.phase.technique

    # Memory

    def _make_room(self, waiting: Sequence[Arm[Any]]) -> None:
        """Give up the arm that is least likely to be the first; what the others know is worth more."""
        given_up = max(reversed(waiting), key=lambda arm: arm.left())
        given_up.close()
        ready = given_up.phase.ready
        if ready is not None:
            ready.give_up()
        trim()
