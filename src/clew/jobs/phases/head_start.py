"""The start of a run of ``clew test``: plain exploration, before techniques take part.

What they have to know of the program, and what they note on each path, would hold up exploration where every path
covers new code anyway. So it goes ahead by itself, for a turn for every few outcomes of branches that it covers. Then
techniques join it, and exploration starts over: they do much more with paths that they have seen from the start. Tests,
coverage and what the solver has learned stay; paths do not count, since all of them come again. Proposed inputs wait,
too: their paths may be long, and short with what techniques know of loops.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.execute.state import State
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.worker import all_waiting, drop
from clew.report.records import LossKind
from clew.techniques.technique import Technique

TURNS, OUTCOMES = 4, 4
"""How long it is: so many turns, and one more for each so many outcomes of branches that are covered."""
LASTING = (LossKind.UNSUPPORTED, LossKind.FAILED)
"""Losses that paths do not meet again: a failure that its inputs do not show is not looked for a second time."""
LONGEST = 4
"""How many times as long it may be, while a path is on its way that has covered something new."""


class HeadStart:
    """Of one run, in which ``techniques`` wait to take part; it is over from the start if none does."""

    def __init__(self, ready: PreparedRun, techniques: Sequence[Technique]) -> None:
        self._ready = ready
        self._techniques = techniques
        self._turns = 0
        self.over = not techniques

    def turn(self) -> bool:
        """Another turn is over: whether it is time for the next step."""
        self._turns += 1
        return self.is_long_enough

    @property
    def is_long_enough(self) -> bool:
        """Whether ``start_over`` is next."""
        return not self.over and self._turns > self._length

    @property
    def _length(self) -> int:
        return TURNS + len(self._ready.run.coverage.taken()) // OUTCOMES

    def end(self) -> None:
        """Let techniques take part in what is explored from now on, if they do not yet."""
        if not self.over:
            self.over = True
            for technique in self._techniques:
                technique.join()

    def start_over(self) -> State | None:
        """End it, and give the state to begin with; None where exploration had better go on.

        No other path leads to what a path has covered that is on its way: then it is not over, or, if that path may be
        one that never ends, nothing is given up.
        """
        run = self._ready.run
        waiting = all_waiting(run)
        if any(pending.state.covered_new for pending in waiting):
            for pending in waiting:
                run.searcher.add(pending.twin())
            if self._turns > LONGEST * self._length:
                self.end()
            return None
        for pending in waiting:
            drop(pending)
        run.statistics.repeat_paths()
        for loss in [loss for loss in run.losses if loss[0] not in LASTING]:
            del run.losses[loss]
        self.end()
        return self._ready.entry.start(run)
