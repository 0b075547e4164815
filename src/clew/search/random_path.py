"""``random-path``: as if each path were chosen by coin flips at its forks.

A sibling at depth d gets weight 2**-d, so the few shallow ones are as likely as the crowd of deep
ones that loops breed.
"""

from __future__ import annotations

from bisect import bisect

from clew.execute.pending import Pending
from clew.search.pool import Pool, evict_deepest
from clew.search.registry import SEARCHERS, SearchContext

_REACH = 48
"""Depths below the shallowest whose weight still counts."""
_WEIGHTS = [2.0**-below for below in range(_REACH)]


@SEARCHERS.register("random-path", "coin flips at every fork: shallow paths are not starved by loops")
class RandomPath:
    """Siblings in pools by depth."""

    def __init__(self, context: SearchContext) -> None:
        self._random = context.randomness.stream("random-path")
        self._pools: dict[int, Pool] = {}
        self._count = 0

    def add(self, pending: Pending) -> None:
        depth = pending.depth
        pool = self._pools.get(depth)
        if pool is None:
            pool = self._pools[depth] = Pool()
        pool.add(pending)
        self._count += 1

    def select(self) -> Pending | None:
        while self._pools:
            depth = self._pick_depth()
            pool = self._pools[depth]
            pending = pool.remove_at(self._random.randrange(len(pool)))
            self._count -= 1
            if not len(pool):
                del self._pools[depth]
            if not pending.taken:
                pending.taken = True
                return pending
        return None

    def _pick_depth(self) -> int:
        """A depth by the weights of all that wait there."""
        pools = self._pools
        depths = sorted(pools)[:_REACH]
        first, total, sums = depths[0], 0.0, []
        for depth in depths:
            if depth - first < _REACH:
                total += len(pools[depth].items) * _WEIGHTS[depth - first]
            sums.append(total)
        return depths[bisect(sums, self._random.random() * total, 0, len(depths) - 1)]

    def evict(self, count: int) -> list[Pending]:
        everything = [pending for pool in self._pools.values() for pending in pool.items]
        victims = evict_deepest(everything, count)
        for depth, pool in list(self._pools.items()):
            pool.clean()
            if not len(pool):
                del self._pools[depth]
        self._count = sum(len(pool) for pool in self._pools.values())
        return victims

    def __len__(self) -> int:
        return self._count
