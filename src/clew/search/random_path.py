"""``random-path``: as if each path were chosen by coin flips at its forks.

A sibling at depth d gets weight 2**-d, so the few shallow ones are as likely as the crowd of deep
ones that loops breed.
"""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from operator import mul

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
        self._sizes: list[int] = []
        """How many there are at each depth."""
        self._first = 0
        """None wait at smaller depths."""
        self._count = 0

    def add(self, pending: Pending) -> None:
        depth, sizes = pending.depth, self._sizes
        if depth >= len(sizes):
            sizes.extend([0] * (depth + 1 - len(sizes)))
        if not sizes[depth]:
            self._pools[depth] = Pool()
            self._first = min(self._first, depth)
        self._pools[depth].add(pending)
        sizes[depth] += 1
        self._count += 1

    def select(self) -> Pending | None:
        random, pools, sizes = self._random.random, self._pools, self._sizes
        while pools:
            depth = self._pick_depth()
            size = sizes[depth]
            pending = pools[depth].remove_at(int(random() * size))
            sizes[depth] = size - 1
            self._count -= 1
            if size == 1:
                del pools[depth]
            if not pending.taken:
                pending.taken = True
                return pending
        return None

    def _pick_depth(self) -> int:
        """A depth by the weights of all that wait there."""
        sizes, first = self._sizes, self._first
        while not sizes[first]:
            first += 1
        self._first = first
        sums = list(accumulate(map(mul, sizes[first : first + _REACH], _WEIGHTS)))
        return first + bisect(sums, self._random.random() * sums[-1])

    def evict(self, count: int) -> list[Pending]:
        everything = [pending for pool in self._pools.values() for pending in pool.items]
        victims = evict_deepest(everything, count)
        for depth, pool in list(self._pools.items()):
            pool.clean()
            self._sizes[depth] = len(pool)
            if not len(pool):
                del self._pools[depth]
        self._count = sum(self._sizes)
        return victims

    def __len__(self) -> int:
        return self._count
