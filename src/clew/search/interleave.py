"""``default``: random-path and coverage take turns over the same siblings; where paths are merged, depth first as well.

What lies ahead of a place must be explored to its end before paths can be merged there: depth first does that. The
others then have turns of their own as long as they find something new, and now and then if they do not, so that depth
first cannot get lost.
"""

from __future__ import annotations

from clew.execute.pending import Pending, Searcher
from clew.search.coverage import CoverageGuided
from clew.search.depth import DepthFirst
from clew.search.random_path import RandomPath
from clew.search.registry import DEFAULT, SEARCHERS, SearchContext

_CLEAN_EVERY = 4096
"""Selections after which each strategy forgets what the other has taken."""
_SHORTEST_DIVE, _LONGEST_DIVE = 4, 32
"""Turns that depth first has in a row, as long as the others find something new, and otherwise."""


@SEARCHERS.register(DEFAULT, "random-path and coverage in turn; mostly depth first where paths are merged")
class Interleaved:
    """All strategies hold every sibling; one that a strategy takes, the others skip."""

    def __init__(self, context: SearchContext) -> None:
        self._strategies: tuple[Searcher, ...] = (CoverageGuided(context), RandomPath(context))
        self._deep = DepthFirst(context) if context.merging else None
        self._coverage = context.coverage
        self._version: int | None = None
        """Of coverage, when the others had their last turn, if that was just now."""
        self._dive = self._left = _SHORTEST_DIVE
        """Turns that depth first has between two of the others, and how many of them are left."""
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
        pending = self._go_deep() if self._deep is not None else None
        for offset in range(len(self._strategies) if pending is None else 0):
            pending = self._strategies[(self._turn + offset) % len(self._strategies)].select()
            if pending is not None:
                break
        if pending is not None:
            self._count -= 1
        return pending

    def _go_deep(self) -> Pending | None:
        """The next sibling depth first, unless it is the turn of the others."""
        assert self._deep is not None
        if self._version is not None:
            found = self._coverage.version != self._version
            self._dive = self._left = _SHORTEST_DIVE if found else min(2 * self._dive, _LONGEST_DIVE)
            self._version = None
        if self._left == 0:
            self._version = self._coverage.version
            return None
        self._left -= 1
        pending = self._deep.select()
        if pending is not None and pending.constraint is None:
            self._left = 0  # a path that does not come to its end
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
