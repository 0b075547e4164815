"""``default``: random-path and coverage take turns over the same siblings; where paths are merged, depth first as well.

What lies ahead of a place must be explored to its end before paths can be merged there: depth first does that.
"""

from __future__ import annotations

from clew.execute.pending import Pending, Searcher
from clew.search.coverage import CoverageGuided
from clew.search.depth import DepthFirst
from clew.search.random_path import RandomPath
from clew.search.registry import DEFAULT, SEARCHERS, SearchContext

_CLEAN_EVERY = 4096
"""Selections after which each strategy forgets what the other has taken."""


@SEARCHERS.register(DEFAULT, "random-path and coverage in turn")
class Interleaved:
    """Both strategies hold every sibling; one that a strategy takes, the other skips."""

    def __init__(self, context: SearchContext) -> None:
        self._strategies: tuple[Searcher, ...] = (CoverageGuided(context), RandomPath(context))
        if context.merging:
            self._strategies = (*self._strategies, DepthFirst(context))
        self._turn = 0
        self._count = 0

    def add(self, pending: Pending) -> None:
        for strategy in self._strategies:
            strategy.add(pending)
        self._count += 1

    def select(self) -> Pending | None:
        self._turn += 1
        if self._turn % _CLEAN_EVERY == 0:
            for strategy in self._strategies:
                strategy.evict(0)
        for offset in range(len(self._strategies)):
            strategy = self._strategies[(self._turn + offset) % len(self._strategies)]
            pending = strategy.select()
            if pending is not None:
                self._count -= 1
                return pending
        return None

    def evict(self, count: int) -> list[Pending]:
        first, *others = self._strategies
        victims = first.evict(count)
        for strategy in others:
            strategy.evict(0)
        self._count -= len(victims)
        return victims

    def __len__(self) -> int:
        return self._count
