"""When paths are merged, and in which order they are explored meanwhile.

What lies ahead of a place must be explored to its end before paths can be merged there: depth first does that. So there
are two phases by turns. In one, paths are merged and depth first has most of the turns; each time it is longer. In the
other, which lasts as long as something new is covered, the strategies of the default search do what they always do, and
nothing is merged.
"""

from __future__ import annotations

from clew.execute.coverage import Coverage
from clew.execute.pending import Pending
from clew.search.depth_breadth import DepthFirst
from clew.search.interleave import CLEAN_EVERY, Interleaved
from clew.search.registry import SearchContext

_EFFORT, _GROWTH = 100, 4
"""What the first phase of merging may cost, turns included, and how much more the next one may."""
_STALE = 96
"""Turns without anything new, after which paths are merged again."""
_EXCURSION = 64
"""While paths are merged, every so many turns belong to others than depth first."""


class MergingPhase:
    """Whether paths are merged now: a search may have better use for the time.

    ``effort`` is about the number of questions to the solver, less what was saved.
    """

    __slots__ = ("effort", "on")

    def __init__(self) -> None:
        self.on = True
        self.effort = 0


class DepthFirstPhases:
    """The default search, with phases in which depth first takes most of the siblings."""

    def __init__(self, others: Interleaved, context: SearchContext, phase: MergingPhase) -> None:
        self._others = others
        self._deep = DepthFirst(context)
        self._phase = phase
        self._coverage: Coverage = context.coverage
        self._version = -1
        self._scale = 1
        self._left = _STALE
        """Turns without merging that are left, unless something new is covered."""
        self._turn = 0

    def add(self, pending: Pending) -> None:
        self._others.add(pending)
        self._deep.add(pending)

    def select(self) -> Pending | None:
        self._turn += 1
        if self._turn % CLEAN_EVERY == 0:
            self._deep.evict(0)
        pending = self._depth_first()
        if pending is None:
            return self._others.select()
        self._others.turn_passed()
        return pending

    def _depth_first(self) -> Pending | None:
        """The next sibling depth first, unless it is the turn of the others."""
        phase = self._phase
        if phase.on:
            phase.effort += 1
            if phase.effort > _EFFORT * self._scale:
                phase.on, self._left = False, _STALE * self._scale
        else:
            self._left -= 1
            if self._coverage.version != self._version:
                self._version, self._left = self._coverage.version, _STALE * self._scale
            elif self._left <= 0:
                self._scale *= _GROWTH
                phase.on, phase.effort = True, 0
        if not phase.on or self._turn % _EXCURSION == 0:
            return None
        pending = self._deep.select()
        if pending is not None and pending.constraint is None:
            phase.effort += _EXCURSION  # a path that does not come to its end
        return pending

    def evict(self, count: int) -> list[Pending]:
        victims = self._others.evict(count)
        self._deep.evict(0)
        return victims

    def __len__(self) -> int:
        return len(self._others)
