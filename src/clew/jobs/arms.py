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
import os
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from greenlet import GreenletExit, getcurrent, greenlet

from clew.base.budget import Budget, StopReason
from clew.base.dataclass import dataclass
from clew.base.options import Request
from clew.base.watchdog import is_held
from clew.jobs.ledger import RunKey
from clew.jobs.outlook import Outlook
from clew.jobs.phases.phase import Context, Phase
from clew.jobs.prepare import PreparedRun

if TYPE_CHECKING:
    from clew.techniques.conflicts.clause_exchange import ClauseExchange

R = TypeVar("R", bound=Request)

FIRST_TURN = 0.05
"""Seconds of the first turn of an arm, if there is nothing to say about that."""
FLOOR = 0.04
"""The least that arms get: together not much, and each enough not to come too late."""
LEAST_PATHS = 2
"""Paths that must wait for each of the processes that share in exploring them."""
FINE = 0.002
"""Seconds for which the time of the processor counts as known."""
PATIENCE = 0.5
"""Seconds by which a slice may be overdrawn, at least, before the solver lets go of a question."""


class ProcessorClock:
    """Seconds that this process has worked so far, and those of its children that are over; at most ``FINE`` old.

    To ask the system takes longer than a poll may.
    """

    def __init__(self) -> None:
        self._asked = -math.inf
        self._answer = 0.0
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        """A new process has not worked yet."""
        self._asked = -math.inf

    def __call__(self) -> float:
        now = time.monotonic()
        if now - self._asked >= FINE:
            self._asked = now
            children = resource.getrusage(resource.RUSAGE_CHILDREN)
            self._answer = time.process_time() + children.ru_utime + children.ru_stime
        return self._answer


processor_time = ProcessorClock()


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


@dataclass(frozen=True, slots=True)
class Standing:
    """How an arm stands: all that says whose turn it is, in whichever process the arm works."""

    worked: float
    estimate: float
    """Seconds that the phase itself expects to take from here on."""
    left: float
    promise: float
    has_end: bool
    """Whether it works on something that has an end, as far as can be told."""
    over: bool
    passed: bool
    """Whether it has passed its milestone."""
    technique: str


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
    gets, compared with one whose end is in sight, ``share`` what it gets where there is none: the second of two while
    some arm works on what has an end, however far away (``has_end`` says whether this one does). ``first_turn`` are the
    seconds of its first turn, for which it does not wait until such an end turns out to be far away if it is worth that
    (``at_once``). ``promise`` says what part the arm gets of that which it would get otherwise, as the phase has got on
    so far; ``milestone``, whether it has come to where other arms can begin that build upon it. ``exchange``: of
    clauses, with other arms that search for the same. A ``spare`` one gets its turns where nobody else would work, and
    one that is ``beside`` others only while there are any of these: it can have no last word.

    The arm may work in another process, which tells how it stands.
    """

    def __init__(
        self,
        make: Callable[[Context[R]], P],
        context: Context[R],
        effort: int | None = None,
        when: Callable[[], bool] = lambda: True,
        floor: float = FLOOR,
        share: float | tuple[float, float] = 1.0,
        first_turn: float = FIRST_TURN,
        at_once: bool = False,
        clock: Callable[[], float] = processor_time,
        promise: Callable[[P], float] = lambda phase: 1.0,
        has_end: Callable[[P], bool] = lambda phase: False,
        milestone: Callable[[P], bool] = lambda phase: False,
        exchange: ClauseExchange | None = None,
        spare: bool = False,
        beside: bool = False,
    ) -> None:
        self.exchange = exchange
        self.spare = spare
        self.beside = beside
        self._promise = promise
        self._has_end = has_end
        self._milestone = milestone
        self.told: Standing | None = None
        """What another process has told last, if the arm is there."""
        self.is_whole = False
        """Whether polls of its budget do not pause it: it does that itself, where it can (``is_due``)."""
        self.distant: PreparedRun | RunKey | None = None
        """Its run there, over the program itself."""
        self.attend: Callable[[], None] = lambda: None
        """Called when the budget is asked, once for each moment."""
        self.budget = ArmBudget(context.budget, self)
        self._make = partial(make, replace(context, budget=self.budget))
        self._effort = effort
        self._when = when
        self.floor = floor
        self._shares = share if isinstance(share, tuple) else (share, share)
        self.first_turn = first_turn
        self.at_once = at_once
        self._clock = clock
        self._stack = greenlet(self._work)
        self._spent = 0.0
        """Seconds of the turns before this one."""
        self._has_begun = False
        self._began: float | None = None
        self.outlook = Outlook()
        self._end = self._overdue = math.inf
        """When this turn is over, and when it has been for too long."""
        self.moment = -math.inf
        """The time of the last poll: what goes by the clock is looked at once for each."""

    @cached_property
    def phase(self) -> P:
        """Made when it is first asked for: that may import a lot."""
        return self._make()

    @property
    def is_waiting(self) -> bool:
        """Whether there is something to do for it."""
        return not self.is_over and (bool(self._stack) or self.told is not None or self._when())

    @property
    def is_over(self) -> bool:
        """Whether the phase has come back for good."""
        return bool(self._stack.dead) if self.told is None else self.told.over

    @property
    def is_working(self) -> bool:
        """Whether it has its turn now."""
        return self._began is not None

    def standing(self) -> Standing:
        """How it stands now, or as was told last."""
        return self.told or Standing(
            self.worked(),
            self._estimate() if self._has_begun else math.inf,
            self.left(),
            self._promise(self.phase) if self._has_begun else 1.0,
            self._has_begun and self._has_end(self.phase),
            self.is_over,
            bool(self._stack or self.is_over) and (self.is_over or self._milestone(self.phase)),
            self.phase.technique if self._has_begun else "",  # to make a phase may import a lot
        )

    def share(self, has_end: bool) -> float:
        """What it gets where no end is in sight; ``has_end``: there is one."""
        return self._shares[has_end]

    def is_divisible(self, paths: int) -> bool:
        """Whether several processes can explore what is left together: at least so many paths wait."""
        if not self._has_begun or getattr(self.phase, "paths", None) is None or self.phase.ready is None:
            return False
        return len(self.phase.ready.run.searcher) >= paths

    def worked(self) -> float:
        """Seconds of all its turns."""
        return self._spent + (0.0 if self._began is None else self._clock() - self._began)

    def take_turn(self, seconds: float) -> None:
        """Go on until the phase has come to its end, or has had so many seconds. What it raises comes out here."""
        self._has_begun = True
        self._began = self._clock()
        self._end = self._began + seconds
        self._overdue = self._end + max(PATIENCE, seconds)
        self._stack.parent = getcurrent()
        try:
            self._stack.switch()
        finally:
            self._spent, self._began = self.worked(), None

    def left(self) -> float:
        """Seconds that the phase is likely to take from here on; infinite if nobody knows."""
        worked = self.worked()
        return self.outlook.left(worked, self._estimate(), self._has_end(self.phase)) if worked else math.inf

    def _estimate(self) -> float:
        return self.phase.seconds_left(self.worked())

    def polled(self) -> bool:
        """The budget was asked: pause, if it is time for that; whether it was."""
        now = self._clock()
        if now == self.moment and now < self._end:
            return False
        self.moment = now
        self.attend()
        if (worked := self.worked()) > self.outlook.next_look:
            self.outlook.look(worked, self._estimate())
        return not self.is_whole and self.is_due() and self.give_way()

    def is_due(self) -> bool:
        """Whether its turn is over."""
        return self._clock() >= self._end

    def give_way(self) -> bool:
        """Pause, if this is the arm's own stack, and nothing keeps it; the next turn goes on from here."""
        possible = getcurrent() is self._stack and not is_held() and self._end < math.inf
        if possible:
            self._pause()
        return possible

    def is_overdue(self) -> bool:
        """Whether the turn should have been over for a while."""
        return not self.is_whole and self._clock() >= self._overdue

    def close(self) -> None:
        """Leave the phase for good, from where it is."""
        if not self._stack.dead:
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
