"""Arms of a dovetailed command: phases that take turns, each on a stack of its own.

A phase polls its budget now and then, from anywhere in the code below it. The budget of an arm uses that: when the arm
has had its slice of the time, the poll does not return, but switches to whoever gave the arm its turn (a ``greenlet``:
a second stack in the same thread, so that signals and the watchdog work as always). The next turn goes on from there.
So nothing that a phase calls has to know that it can be paused.

Whatever is done between two polls is done in one go: an arm may take longer than its slice, and is charged for that.
Nothing is paused that the watchdog must not cut either (``clew.base.watchdog.held``), nor in the middle of a question
to the solver: when its turn has been over for long, the solver lets go of that, and is asked again in the next turn.

What an arm has worked is time of the processor, its own and that of processes that it has waited for: what else the
machine does changes nothing about whose turn it is.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from itertools import combinations
from typing import Generic, Protocol, TypeVar

from greenlet import GreenletExit, getcurrent, greenlet

from clew.base.budget import Budget, StopReason
from clew.base.options import Request
from clew.base.watchdog import is_held
from clew.jobs.phases.phase import Context, Phase
from clew.jobs.prepare import PreparedRun

R = TypeVar("R", bound=Request)

FIRST_TURN = 0.05
"""Seconds of the first turn of an arm, if there is nothing to say about that."""
FLOOR = 0.04
"""The least that arms get: together not much, and each enough not to come too late."""
SURELY, LARGEST = 0.05, 600.0
"""The least that is left of a phase that is not over, as a part of what it has worked; the logarithm of the most."""
FINER, ENOUGH, LATELY = 1.2, 3, math.log(4.0)
"""By how much an arm must have worked longer for another look at what is left; how many looks tell something, and the
logarithm of how much earlier they may have been."""
FASTEST = 0.7
"""The exponent of the time with which an end may recede to be in sight."""
PATIENCE = 0.5
"""Seconds by which a slice may be overdrawn, at least, before the solver lets go of a question."""


def processor_time() -> float:
    """Seconds that this process has worked so far, and those of its children that are over."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class ArmPhase(Phase, Protocol):
    """A phase that can be an arm. Its effort limits a first turn only."""

    @property
    def technique(self) -> str:
        """What its answers are owed to."""

    @property
    def ready(self) -> PreparedRun | None:
        """Its run over the program itself, as soon as there is one."""

    def seconds_left(self, worked: float) -> float:
        """What it is likely to take from here on (``tree_size``), having worked so long; infinite if nobody knows."""


P = TypeVar("P", bound=ArmPhase)


class ArmBudget(Budget):
    """The budget of a command as one of its arms sees it: who polls it is paused there when the slice is used up."""

    __slots__ = ("_arm",)

    def __init__(self, whole: Budget, arm: Arm[P]) -> None:
        super().__init__(None, whole.memory_mb, whole.instructions, whole.interrupt)
        self._arm = arm
        self.last_as_long_as(whole)

    def last_as_long_as(self, other: Budget) -> None:
        """Have the time limit of another budget from now on."""
        self.started, self.seconds = other.started, other.seconds

    def worked(self) -> float:
        return self._arm.worked()

    def lets_go(self) -> bool:
        return super().lets_go() or self._arm.is_overdue()

    def next_turn(self) -> bool:
        overdue = self._arm.is_overdue()
        return self._arm.polled() and overdue

    def give_way(self) -> None:
        self._arm.give_way()

    def exhausted(self, instructions: int = 0) -> StopReason | None:
        self._arm.polled()
        return super().exhausted(instructions)


class Arm(Generic[P]):
    """One phase, made for a budget that pauses it; ``effort`` is that of its first turn, if that is limited.

    ``when`` is asked before the first turn: whether the phase is of use by now. ``floor`` is the least that the arm
    gets, compared with one whose end is in sight, ``share`` what it gets where there is none. ``first_turn`` are the
    seconds of its first turn, for which it does not wait until such an end turns out to be far away if it is worth that
    (``at_once``). ``promise`` says what part the arm gets of that which it would get otherwise, as the phase has got on
    so far.
    """

    def __init__(
        self,
        make: Callable[[Context[R]], P],
        context: Context[R],
        effort: int | None = None,
        when: Callable[[], bool] = lambda: True,
        floor: float = FLOOR,
        share: float = 1.0,
        first_turn: float = FIRST_TURN,
        at_once: bool = False,
        clock: Callable[[], float] = processor_time,
        promise: Callable[[P], float] = lambda phase: 1.0,
    ) -> None:
        self._promise = promise
        self.budget = ArmBudget(context.budget, self)
        self._make = partial(make, replace(context, budget=self.budget))
        self._effort = effort
        self._when = when
        self.floor = floor
        self.share = share
        self.first_turn = first_turn
        self.at_once = at_once
        self._clock = clock
        self._stack = greenlet(self._work)
        self._spent = 0.0
        """Seconds of the turns before this one."""
        self._began: float | None = None
        self._looks: list[tuple[float, float]] = []
        """After how many seconds the phase seemed to take how many in all."""
        self._look_again = 0.0
        self._end = self._overdue = math.inf
        """When this turn is over, and when it has been for too long."""

    @cached_property
    def phase(self) -> P:
        """Made when it is first asked for: that may import a lot."""
        return self._make()

    @property
    def is_waiting(self) -> bool:
        """Whether there is something to do for it."""
        return not self.is_over and (bool(self._stack) or self._when())

    @property
    def is_over(self) -> bool:
        """Whether the phase has come back for good."""
        return bool(self._stack.dead)

    def worked(self) -> float:
        """Seconds of all its turns."""
        return self._spent + (0.0 if self._began is None else self._clock() - self._began)

    def take_turn(self, seconds: float) -> None:
        """Go on until the phase has come to its end, or has had so many seconds. What it raises comes out here."""
        self._began = self._clock()
        self._end = self._began + seconds
        self._overdue = self._end + max(PATIENCE, seconds)
        self._stack.parent = getcurrent()
        try:
            self._stack.switch()
        finally:
            self._spent, self._began = self.worked(), None

    def promise(self) -> float:
        """What part it gets of that which it would get otherwise."""
        return self._promise(self.phase) if self._spent else 1.0

    def left(self) -> float:
        """Seconds that the phase is likely to take from here on; infinite if nobody knows.

        What it seemed to take in all may have grown as it worked: it is supposed to go on like that, as a power of the
        time. Where it grows nearly as fast as time goes by, there is no end in sight.
        """
        worked = self.worked()
        total = self._look(worked) if worked else math.inf
        recedes = self._recedes()
        if total == math.inf or recedes > FASTEST:
            return math.inf
        return worked * max(SURELY, math.expm1(min(LARGEST, math.log(total / worked) / (1.0 - recedes))))

    def _recedes(self) -> float:
        """The exponent of the time with which that grows of late: the median of those of any two looks (Theil, Sen)."""
        known = [(math.log(at), math.log(total)) for at, total in self._looks if total < math.inf]
        late = sum(look[0] > known[-1][0] - LATELY for look in known)
        looks = known[-max(ENOUGH, late) :]
        if len(looks) < ENOUGH:
            return math.inf
        slopes = sorted((later[1] - look[1]) / (later[0] - look[0]) for look, later in combinations(looks, 2))
        return max(0.0, slopes[len(slopes) // 2])

    def _look(self, worked: float) -> float:
        """What the phase seems to take in all."""
        total = worked + self.phase.seconds_left(worked)
        if worked > self._look_again:
            self._looks.append((worked, total))
            self._look_again = FINER * worked
        return total

    def polled(self) -> bool:
        """The budget was asked: pause, if it is time for that; whether it was."""
        if (worked := self.worked()) > self._look_again:
            self._look(worked)
        return self._clock() >= self._end and self.give_way()

    def give_way(self) -> bool:
        """Pause, if this is the arm's own stack, and nothing keeps it; the next turn goes on from here."""
        possible = getcurrent() is self._stack and not is_held() and self._end < math.inf
        if possible:
            self._pause()
        return possible

    def is_overdue(self) -> bool:
        """Whether the turn should have been over for a while."""
        return self._clock() >= self._overdue

    def close(self) -> None:
        """Leave the phase for good, from where it is."""
        if not self.is_over:
            self._end = math.inf
            self._stack.throw(GreenletExit)

    def _pause(self) -> None:
        parent = self._stack.parent
        assert parent is not None
        parent.switch()

    def _work(self) -> None:
        if self._effort is not None:
            self.phase.run(self.budget, self._effort)
            if self.phase.over:
                return
            self._pause()
        self.phase.run(self.budget, None)
