"""``coverage``: siblings that lead to code never run come first.

A sibling whose own edge was never taken is next at once. Otherwise a few are drawn at random and the
one nearest to uncovered code wins.
"""

from __future__ import annotations

from clew.execute.pending import Pending
from clew.search.distance import Distances
from clew.search.pool import Pool, evict_deepest
from clew.search.registry import SEARCHERS, SearchContext

_SAMPLE = 12


@SEARCHERS.register("coverage", "the path closest to code that was never run")
class CoverageGuided:
    """Siblings in one pool; those with a new edge are also in ``_promising``, in order of age."""

    def __init__(self, context: SearchContext) -> None:
        self._random = context.randomness.stream("coverage")
        self._coverage = context.coverage
        self._distances = Distances(context.program, context.coverage)
        self._pool = Pool()
        self._promising: list[Pending] = []

    def add(self, pending: Pending) -> None:
        self._pool.add(pending)
        if pending.edge is not None and pending.edge not in self._coverage.edges:
            self._promising.append(pending)

    def select(self) -> Pending | None:
        while self._promising:
            pending = self._promising.pop()
            if not pending.taken and pending.edge not in self._coverage.edges:
                pending.taken = True
                return pending
        if self._stale():
            self._pool.clean()
        return self._nearest()

    def _stale(self) -> bool:
        """Whether so many in the pool are taken that drawing at random would mostly miss."""
        items = self._pool.items
        if not items:
            return False
        probe = [items[self._random.randrange(len(items))] for _ in range(4)]
        return sum(pending.taken for pending in probe) >= 2

    def _nearest(self) -> Pending | None:
        items = self._pool.items
        while items:
            drawn = {self._random.randrange(len(items)) for _ in range(_SAMPLE)}
            alive = [index for index in sorted(drawn) if not items[index].taken]
            if not alive:
                self._pool.clean()
                items = self._pool.items
                continue
            best = min(alive, key=lambda index: (self._distances.of(items[index].state), items[index].depth))
            pending = self._pool.remove_at(best)
            pending.taken = True
            return pending
        return None

    def evict(self, count: int) -> list[Pending]:
        self._pool.clean()
        victims = evict_deepest(self._pool.items, count)
        self._pool.clean()
        self._promising = [pending for pending in self._promising if not pending.taken]
        return victims

    def __len__(self) -> int:
        return sum(not pending.taken for pending in self._pool.items)
