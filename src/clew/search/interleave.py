"""``default``: random-path and coverage take turns over the same siblings; where paths are merged, depth first as well.

What lies ahead of a place must be explored to its end before paths can be merged there: depth first does that. So there
are two phases by turns. In one, paths are merged and depth first has most of the turns; each time it is longer. In
the other, which lasts as long as something new is covered, the other two do what they always do, and nothing is merged.
"""

from __future__ import annotations

from clew.execute.pending import Pending, Searcher
from clew.search.coverage import CoverageGuided
from clew.search.depth import DepthFirst
from clew.search.random_path import RandomPath
from clew.search.registry import DEFAULT, SEARCHERS, SearchContext

_CLEAN_EVERY = 4096
"""Selections after which each strategy forgets what the other has taken."""
_EFFORT, _GROWTH = 100, 4
"""What the first phase of merging may cost, turns included, and how much more the next one may."""
_STALE = 96
"""Turns without anything new, after which paths are merged again."""
_EXCURSION = 64
"""While paths are merged, every so many turns belong to others than depth first."""


@SEARCHERS.register(DEFAULT, "random-path and coverage in turn; depth first as well where paths are merged")
class Interleaved:
    """All strategies hold every sibling; one that a strategy takes, the others skip."""

    def __init__(self, context: SearchContext) -> None:
        self._strategies: tuple[Searcher, ...] = (CoverageGuided(context), RandomPath(context))
        self._deep = DepthFirst(context) if context.merging is not None else None
        self._merging = context.merging
        self._coverage = context.coverage
        self._version = -1
        self._scale = 1
        self._left = _STALE
        """Turns without merging that are left, unless something new is covered."""
        self._turn = 0
        self._count = 0

    def add(self, pending: Pending) -> None:
        for strategy in self._strategies:
            strategy.add(pending)
        if self._deep is not None:
            self._deep.add(pending)
        self._count += 1

    def select(self) -> Pending | None:
        self._turn += 1
        if self._turn % _CLEAN_EVERY == 0:
            self._clean()
        pending = self._depth_first()
        for offset in range(len(self._strategies) if pending is None else 0):
            pending = self._strategies[(self._turn + offset) % len(self._strategies)].select()
            if pending is not None:
                break
        if pending is not None:
            self._count -= 1
        return pending

    def _depth_first(self) -> Pending | None:
        """The next sibling depth first, unless it is the turn of the others."""
        if self._deep is None or self._merging is None:
            return None
        if self._merging.on:
            self._merging.effort += 1
            if self._merging.effort > _EFFORT * self._scale:
                self._merging.on, self._left = False, _STALE * self._scale
        else:
            self._left -= 1
            if self._coverage.version != self._version:
                self._version, self._left = self._coverage.version, _STALE * self._scale
            elif self._left <= 0:
                self._scale *= _GROWTH
                self._merging.on, self._merging.effort = True, 0
        if not self._merging.on or self._turn % _EXCURSION == 0:
            return None
        pending = self._deep.select()
        if pending is not None and pending.constraint is None:
            self._merging.effort += _EXCURSION  # a path that does not come to its end
        return pending

    def evict(self, count: int) -> list[Pending]:
        victims = self._strategies[0].evict(count)
        self._clean()
        self._count -= len(victims)
        return victims

    def _clean(self) -> None:
        for strategy in self._strategies:
            strategy.evict(0)
        if self._deep is not None:
            self._deep.evict(0)

    def __len__(self) -> int:
        return self._count
