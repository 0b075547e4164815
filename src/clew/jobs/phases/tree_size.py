"""How much of the tree of paths is left, from what a run has explored so far: whether an end is in sight.

What is estimated here says which of several runs is likely to be through first, and nothing about any result.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable

from clew.base.errors import PathEnd
from clew.execute.coverage import Edge
from clew.execute.pending import Pending, Searcher
from clew.execute.run import Run
from clew.execute.state import State
from clew.solver.interface import Query

LEVELS = 12
"""From so many levels sizes of subtrees nearer to the root are inferred."""
STEEPEST = 1.0
"""Logarithm of the factor by which a subtree is larger than one below it, at most."""
LARGEST = 600.0
FEWEST = 64
"""Siblings that must have been taken for an estimate."""
FINER = 1.05
"""By how much time must have grown for another measurement."""
SLOWEST, FASTEST = 0.25, 8.0
"""Exponents that are believed."""

Kind = tuple[int, Edge | None]
"""Siblings that are taken to be alike: how many decisions lead to them, and the branch edge that they would take."""


class TreeSize:
    """A searcher that hands everything on to another, depth-first one, and estimates how many siblings are to come.

    Siblings of the same level (number of decisions; the cases of a switch are one) that take the same edge of the
    program are taken to be alike, as in Chen's *heterogeneous sampling* (1992): what waits counts as much as subtrees
    like that had siblings in them, on average. Those that are not done yet count with what waits in them, so that small
    ones do not tip the scales by being done first. Of an edge that was not taken at a level, it is known from deeper
    ones how large the subtrees behind it are beside others of their level: the first case of a switch that is explored
    says little about the other ones. Nearer to the root than anything that was explored, sizes go on growing as they do
    where they are known.
    """

    def __init__(self, inner: Searcher) -> None:
        self._inner = inner
        self._waiting: Counter[Kind] = Counter()
        self._open: list[tuple[Kind, int]] = []
        """Siblings that are explored now, with everything below them, and how many were taken before."""
        self._done: dict[Kind, tuple[int, float]] = {}
        """Of each kind, how many are explored, and how many siblings were taken in all of these together."""
        self._taken = 0
        self._earlier = self._later = (0.0, 0)
        """Seconds and siblings after which one may begin to tell how long a sibling takes, now and from the time on
        when there are twice as many."""

    def add(self, pending: Pending) -> None:
        self._waiting[_kind(pending)] += 1
        self._inner.add(pending)

    def select(self) -> Pending | None:
        pending = self._inner.select()
        if pending is not None:
            self._forget(pending)
            if pending.constraint is not None:  # others only go on
                self._enter(_kind(pending))
        return pending

    def _enter(self, kind: Kind) -> None:
        while self._open and self._open[-1][0][0] >= kind[0]:
            done, before = self._open.pop()
            count, size = self._done.get(done, (0, 0.0))
            self._done[done] = (count + 1, size + self._taken - before)
        self._open.append((kind, self._taken))
        self._taken += 1

    def _forget(self, pending: Pending) -> None:
        kind = _kind(pending)
        self._waiting[kind] -= 1
        if not self._waiting[kind]:
            del self._waiting[kind]

    def evict(self, count: int) -> list[Pending]:
        given_up = self._inner.evict(count)
        for pending in given_up:
            self._forget(pending)
        return given_up

    def __len__(self) -> int:
        return len(self._inner)

    def seconds_left(self, worked: float) -> float:
        """What the rest of a run takes that has worked so long; infinite if nothing is known, as of the last path.

        A sibling takes as long as those of late did: the first ones pay for what is made once.
        """
        left = self.left()
        if self._taken < FEWEST or not left:
            return math.inf
        if self._taken >= 2 * self._later[1]:
            self._earlier, self._later = self._later, (worked, self._taken)
        seconds, siblings = self._earlier
        return left * (worked - seconds) / (self._taken - siblings)

    def left(self) -> float:
        """Siblings that are to come, about."""
        total, known, shares = 0.0, list[tuple[int, float]](), Shares()
        for level, tier in sorted(self._tiers().items(), reverse=True):
            if tier.opened is not None:
                edge, before = tier.opened
                count, size = tier.done.get(edge, (0, 0.0))
                tier.done[edge] = (count + 1, size + total + self._taken - before)
            if tier.done:
                known.append((level, min(LARGEST, math.log(max(1.0, shares.typical(tier.done))))))
            typical = math.exp(_size_at(level, known))
            for edge, count in tier.waiting.items():
                total = min(math.exp(LARGEST), total + count * max(1.0, typical * shares.of(edge)))
            shares.learn(tier.done, typical)
        return total

    def _tiers(self) -> dict[int, Tier]:
        tiers: defaultdict[int, Tier] = defaultdict(Tier)
        for (level, edge), waiting in self._waiting.items():
            tiers[level].waiting[edge] = waiting
        for (level, edge), done in self._done.items():
            tiers[level].done[edge] = done
        for (level, edge), before in self._open:
            tiers[level].opened = edge, before
        return tiers


class Tier:
    """The siblings of one level: how many wait, and what is known of others, by edge."""

    def __init__(self) -> None:
        self.waiting: dict[Edge | None, int] = {}
        self.done: Done = {}
        self.opened: tuple[Edge | None, int] | None = None


Done = dict[Edge | None, tuple[int, float]]
"""Of siblings that take an edge, how many were explored, and the sum of their sizes."""


class Shares:
    """How large the subtrees behind edges are, beside what is typical of their level."""

    def __init__(self) -> None:
        self._sizes: dict[Edge | None, tuple[float, float]] = {}
        """In sum, and what they would be if all were typical."""

    def of(self, edge: Edge | None) -> float:
        """The factor for an edge; one sibling counts as typical, as long as little is known."""
        actual, typical = self._sizes.get(edge, (0.0, 0.0))
        return (1.0 + actual) / (1.0 + typical)

    def typical(self, done: Done) -> float:
        """The typical size at a level, from what was explored there."""
        sizes = sum(size for _, size in done.values())
        return sizes / sum(count * self.of(edge) for edge, (count, _) in done.items())

    def learn(self, done: Done, size: float) -> None:
        """What was explored at a level where ``size`` is typical."""
        for edge, (count, sizes) in done.items():
            actual, typical = self._sizes.get(edge, (0.0, 0.0))
            self._sizes[edge] = (actual + sizes, typical + count * size)


def _kind(pending: Pending) -> Kind:
    decisions = pending.state.decisions
    return (0 if decisions is None else decisions.length), pending.edge


def _size_at(level: int, known: list[tuple[int, float]]) -> float:
    """The logarithm of the size at a level, from those at deeper ones: known, or on the line through the last."""
    if not known:
        return 0.0
    deepest, size = known[-1]
    if deepest == level:
        return size
    last = known[-LEVELS:]
    middle = sum(at for at, _ in last) / len(last)
    spread = sum((at - middle) ** 2 for at, _ in last)
    slope = -sum((at - middle) * height for at, height in last) / spread if spread else 0.0
    return min(LARGEST, size + min(max(0.0, slope), STEEPEST) * (deepest - level))


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
