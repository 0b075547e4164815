"""How much of the tree of paths is left, from what a run has explored so far: whether an end is in sight.

What is estimated here says which of several runs is likely to be through first, and nothing about any result.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable

from clew.base.errors import PathEnd
from clew.execute.coverage import Edge
from clew.execute.pending import Pending, Searcher
from clew.execute.run import Run
from clew.execute.state import State
from clew.solver.interface import Query

LEVELS = 12
"""Depths from which sizes of subtrees nearer to the root are inferred."""
NEAR = 32
"""Forks within which siblings are alike that take the same edge."""
STEEPEST = 1.0
"""Logarithm of the factor by which a subtree is larger than one below it, at most."""
LARGEST = 600.0
FINER = 1.05
"""By how much time must have grown for another measurement."""
SLOWEST, FASTEST = 0.25, 8.0
"""Exponents that are believed."""
FEWEST = 16
"""Siblings that must have been taken before anybody says how the depth of a tree grows."""
SHALLOW = 0.6
"""The power of the number of siblings taken with which the depth of a tree grows that has an end, at most."""


class TreeSize:
    """A searcher that hands everything on to another, depth-first one, and estimates how many siblings are to come.

    Siblings of the same depth (number of forks) are taken to be alike, as in Chen's *heterogeneous sampling* (1992):
    what waits counts as much as subtrees of that depth had siblings in them, on average. Those that take the same edge
    at a depth nearby are alike, too: the geometric mean of both is what counts. Siblings that are not done yet count
    with what waits in them, so that small ones do not tip the scales by being done first. Nearer to the root than
    anything that was explored, sizes go on growing as they do where they are known.
    """

    def __init__(self, inner: Searcher, edges_tell: bool = True) -> None:
        """``edges_tell``: whether siblings that take the same edge are alike; not where some are spared for others."""
        self._inner = inner
        self._edges_tell = edges_tell
        self._waiting: dict[Pending, None] = {}
        self._open: list[tuple[int, Edge | None, int]] = []
        """Depths and edges of siblings that are explored now, with everything below them, and how many were taken
        before."""
        self._done: dict[int, _Explored] = {}
        """By depth."""
        self._alike: dict[Edge | None, dict[int, _Explored]] = {}
        """By edge and depth."""
        self._taken = 0
        self._depth = 0
        self._depths: list[int] = []
        """How deep the tree was when 1, 2, 4, 8, ... siblings had been taken."""
        self._looks: list[tuple[int, float]] = [(0, 0.0)]
        """How many had been taken after how much work."""

    def add(self, pending: Pending) -> None:
        if pending.depth > self._depth:
            self._depth = pending.depth
        self._waiting[pending] = None
        self._inner.add(pending)

    def select(self) -> Pending | None:
        pending = self._inner.select()
        if pending is not None:
            self._waiting.pop(pending, None)
            if pending.constraint is not None:  # others only go on
                self._enter(pending.depth, pending.edge)
        return pending

    def _enter(self, depth: int, edge: Edge | None) -> None:
        while self._open and self._open[-1][0] >= depth:
            self._count(*self._open.pop())
        self._open.append((depth, edge, self._taken))
        self._taken += 1
        if self._taken >= 1 << len(self._depths):
            self._depths.append(self._depth)

    def _count(self, depth: int, edge: Edge | None, before: int) -> None:
        """A sibling is done, with everything below it."""
        size, alike = self._taken - before, self._alike.get(edge)
        if alike is None:
            alike = self._alike[edge] = {}
        for known in (self._done, alike):
            explored = known.get(depth)
            if explored is None:
                explored = known[depth] = _Explored()
            explored.count += 1
            explored.sizes += size

    def evict(self, count: int) -> list[Pending]:
        given_up = self._inner.evict(count)
        for pending in given_up:
            self._waiting.pop(pending, None)
        return given_up

    def __len__(self) -> int:
        return len(self._inner)

    @property
    def is_shallow(self) -> bool:
        """Whether the tree does not seem to go on for ever: of late, its depth has hardly grown with its size.

        In a loop without an end each iteration is deeper than the one before, and depth grows as the number of siblings
        does. In a tree that has an end, most siblings are no deeper than those before them.
        """
        if self._taken < FEWEST:
            return False
        earlier = len(self._depths) - 3
        growth = math.log2(self._taken) - earlier
        return math.log2(self._depth / max(1, self._depths[earlier])) < SHALLOW * growth

    def seconds_left(self, worked: float) -> float:
        """What the rest of a run takes that has worked so long; infinite if nothing is known, as of the last path.

        The first siblings take longer than others: what they meet has to be compiled. So each of those to come is
        supposed to take as long as each of the later half.
        """
        left = self.left()
        if not left or not self._taken:
            return math.inf
        while len(self._looks) > 1 and 2 * self._looks[1][0] <= self._taken:
            del self._looks[0]
        taken, before = self._looks[0]
        self._looks.append((self._taken, worked))
        return left * (worked - before) / (self._taken - taken)

    def left(self) -> float:
        """Siblings that are to come, about."""
        total, known = 0.0, list[tuple[int, float]]()
        opened = {depth: (edge, before) for depth, edge, before in self._open}
        waiting: dict[int, list[Edge | None]] = {}
        self._waiting = {pending: None for pending in self._waiting if not pending.taken}  # by somebody else
        for pending in self._waiting:
            waiting.setdefault(pending.depth, []).append(pending.edge)
        now: dict[Edge | None, dict[int, float]] = {}
        """Of those that are not done: sizes by edge and depth, as far as can be told."""
        for depth in sorted({*self._done, *opened, *waiting}, reverse=True):
            explored = self._done.get(depth, _NOTHING)
            count, sizes = explored.count, explored.sizes
            if depth in opened:
                edge, before = opened[depth]
                now.setdefault(edge, {})[depth] = size = total + self._taken - before
                count, sizes = count + 1, sizes + size
            if count:
                known.append((depth, min(LARGEST, math.log(max(1.0, sizes / count)))))
            if depth in waiting:
                usual, slope = _size_at(depth, known), _slope(known)
                for edge in waiting[depth]:
                    alike = self._size_of(edge, depth, slope, now.get(edge, {})) if self._edges_tell else None
                    total += math.exp(usual if alike is None else (usual + alike) / 2)
        return total

    def _size_of(self, edge: Edge | None, depth: int, slope: float, now: dict[int, float]) -> float | None:
        """The logarithm of the size of siblings that take an edge at a depth, from the nearest ones that are known."""
        known = self._alike.get(edge, {})
        if not known and not now:
            return None
        for distance in range(NEAR):
            for at in (depth + distance, depth - distance):
                explored = known.get(at, _NOTHING)
                count, sizes = explored.count, explored.sizes
                if at in now:
                    count, sizes = count + 1, sizes + now[at]
                if count:
                    size = math.log(max(1.0, sizes / count)) + slope * (at - depth)
                    return min(LARGEST, max(0.0, size))
        return None


class _Explored:
    """Siblings that are done: how many, and how many siblings were taken in all of them together."""

    __slots__ = ("count", "sizes")

    def __init__(self) -> None:
        self.count, self.sizes = 0, 0.0


_NOTHING = _Explored()


def _size_at(depth: int, known: list[tuple[int, float]]) -> float:
    """The logarithm of the size at a depth, from those at greater ones: known, or on the line through the last."""
    if not known:
        return 0.0
    deepest, size = known[-1]
    return size if deepest == depth else min(LARGEST, size + _slope(known) * (deepest - depth))


def _slope(known: list[tuple[int, float]]) -> float:
    """By how much the logarithm of the size grows for each fork that is nearer to the root."""
    last = known[-LEVELS:]
    if not last:
        return 0.0
    middle = sum(at for at, _ in last) / len(last)
    spread = sum((at - middle) ** 2 for at, _ in last)
    slope = -sum((at - middle) * height for at, height in last) / spread if spread else 0.0
    return min(max(0.0, slope), STEEPEST)


class ExploredPart:
    """The part of the tree that a run has explored, in whatever order, and when that will be all of it.

    Every fork halves what lies ahead: a path that ended after n forks, or a sibling that the solver refuted there,
    counts 2**-n. How the part grows to 1 is taken for a power of the time, whose exponent is that of what was explored
    after t/4, t/2 and t. ``clock`` has the seconds that the run has worked.
    """

    def __init__(self, run: Run, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._part = 0.0
        self._times = [0.0]
        self._parts = [0.0]
        run.events.path_end.append(self._ended)
        run.events.infeasible_sibling.append(self._refuted)

    def _ended(self, state: State, end: PathEnd) -> None:
        self.explored(state.depth)

    def _refuted(self, pending: Pending, core: Query | None) -> None:
        self.explored(pending.depth)

    def explored(self, forks: int) -> None:
        """Something is done that lies behind so many forks."""
        self._part += 2.0**-forks
        now = self._clock()
        if now > FINER * self._times[-1]:
            self._times.append(now)
            self._parts.append(self._part)

    def seconds_left(self, worked: float) -> float:
        """What the rest takes; infinite if that cannot be told."""
        part, half, quarter = (self._at(worked / times) for times in (1, 2, 4))
        late, early = part - half, half - quarter
        if late <= 0.0 or early <= 0.0:
            return math.inf
        exponent = min(max(math.log2(late / early), SLOWEST), FASTEST)
        missing = max(0.0, 1.0 - part) * (1.0 - 2.0**-exponent) / late
        return float(worked * ((1.0 + missing) ** (1.0 / exponent) - 1.0))

    def _at(self, seconds: float) -> float:
        return self._parts[bisect_right(self._times, seconds) - 1]
