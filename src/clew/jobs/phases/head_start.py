"""The start of a run of ``clew test``: plain exploration, before techniques take part.

What they have to know of the program, and what they note on each path, would hold up exploration where it covers new
code by itself. So it goes ahead, for a turn for every few outcomes of branches that it covers, and for longer while it
gets on well: much is left of what it has come to, and it has not yet worked in vain for as long as all before took.
Then techniques join it.

If there is little to repeat, exploration starts over then: techniques do much more with paths that they have seen from
the start. Tests, coverage and what the solver has learned stay; paths do not count, since all of them come again.

Proposed inputs wait for the first part of it: their paths may be long, and short with what techniques know of loops.
After that native runs may propose some. What techniques propose waits until they take part.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.execute.state import State
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.worker import all_waiting, drop
from clew.report.records import LossKind
from clew.techniques.cover_goals import CoverGoals
from clew.techniques.technique import Technique

TURNS, OUTCOMES = 4, 4
"""How long its first part is: so many turns, and one more for each so many outcomes of branches that are covered."""
SLOW = 500_000
"""Units of work that end the first part, however few turns they took: if most of them showed nothing new, paths are so
long that what techniques do about loops is needed."""
FEW, PART = 3, 8
"""How many outcomes next to code that was run are too few to go on for; or such a part of those that are covered."""
LASTING = (LossKind.UNSUPPORTED, LossKind.FAILED)
"""Losses that paths do not meet again: a failure that its inputs do not show is not looked for a second time."""
LONGEST = 4
"""How many times as long it may be for exploration to start over, or to wait for a path that has covered something new:
beyond that, it goes on from where it is."""


class HeadStart:
    """Of one run, in which ``techniques`` wait to take part; it is over from the start if none does."""

    def __init__(self, ready: PreparedRun, goals: CoverGoals, techniques: Sequence[Technique]) -> None:
        self._ready = ready
        self._goals = goals
        self._techniques = techniques
        self._turns = self._version = 0
        self._last = self._worked = 0
        """The turns and the work up to the last turn that covered something new."""
        self._least = 0
        """The work of the first part."""
        self._repeats = True
        """Whether exploration may start over."""
        self.over = not techniques

    def turn(self) -> bool:
        """Another turn is over: whether it is time for the next step."""
        if self.over:
            return False
        self._turns += 1
        if not self.is_under_way:
            self._least = self._ready.accounts.work()
        version = self._ready.run.coverage.version
        if version != self._version:
            self._version, self._last, self._worked = version, self._turns, self._ready.accounts.work()
        return self.is_long_enough

    @property
    def is_under_way(self) -> bool:
        """Whether its first part is over."""
        return self.over or self._turns > self._length or self._least > SLOW

    @property
    def is_long_enough(self) -> bool:
        """Whether ``start_over`` is next."""
        return self.is_under_way and not self.over and not self._gets_on()

    def _gets_on(self) -> bool:
        """Whether there is much left to cover near by, and it may still come to it."""
        if self._goals.near() <= max(FEW, self._goals.covered() // PART):
            return False
        in_vain, is_slow = self._ready.accounts.work() - self._worked, self._least > SLOW
        return in_vain <= self._worked or (not is_slow and self._turns - self._last <= self._length)

    @property
    def _length(self) -> int:
        return TURNS + len(self._ready.run.coverage.taken()) // OUTCOMES

    def end(self) -> None:
        """Let techniques take part in what is explored from now on, if they do not yet."""
        if not self.over:
            self.over = True
            part = self._least / max(1, self._ready.accounts.work())
            for technique in self._techniques:
                technique.join(part)

    def divide(self) -> None:
        """Several processes explore from now on, each of them a part: nothing starts over any more."""
        self._repeats = False

    def start_over(self) -> State | None:
        """End it, and give the state to begin with; None where exploration had better go on.

        No other path leads to what a path has covered that is on its way: then it is not over. Where much was explored,
        such a path may be one that never ends, or others explore the rest, nothing is given up.
        """
        if not self._repeats or self._turns > LONGEST * self._length:
            self.end()
            return None
        run = self._ready.run
        waiting = all_waiting(run)
        if any(pending.state.covered_new for pending in waiting):
            for pending in waiting:
                run.searcher.add(pending.twin())
            return None
        for pending in waiting:
            drop(pending)
        run.statistics.repeat_paths()
        for loss in [loss for loss in run.losses if loss[0] not in LASTING]:
            del run.losses[loss]
        self.end()
        return self._ready.entry.start(run)
