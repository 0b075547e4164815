"""Which part of the tree of paths a run has explored, and when that will be all of it.

Every fork halves what lies ahead. A path that ended after n forks, or a sibling that the solver refuted there, counts
2**-n, so a run over all paths goes from 0 to 1. How it gets there depends on the program, and on the order: depth
first, it comes to large parts last. So the forecast follows a power of the time, whose exponent is that of what was
explored at t/4, t/2 and t. It says which of several runs is likely to be the first, and nothing about any result.
"""

from __future__ import annotations

import math
from bisect import bisect_right

from clew.base.errors import PathEnd
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.execute.state import State
from clew.solver.interface import Query

FINER = 1.05
"""By how much time must have grown for another measurement."""
SLOWEST, FASTEST = 0.25, 8.0
"""Exponents that are believed."""


class ExploredPart:
    """Of one run, from now on."""

    def __init__(self, run: Run) -> None:
        self.part = 0.0
        run.events.path_end.append(self._ended)
        run.events.infeasible_sibling.append(self._refuted)

    def _ended(self, state: State, end: PathEnd) -> None:
        self.part += 2.0**-state.depth

    def _refuted(self, pending: Pending, core: Query | None) -> None:
        self.part += 2.0**-pending.depth


class Forecast:
    """When a run will have explored everything, from what it had explored when."""

    def __init__(self) -> None:
        self._times = [0.0]
        self._parts = [0.0]

    def note(self, seconds: float, part: float) -> None:
        """So much is explored after so many seconds of work."""
        if seconds > FINER * self._times[-1]:
            self._times.append(seconds)
            self._parts.append(part)

    def total(self) -> float:
        """Seconds that it takes in all; infinite as long as that cannot be told."""
        now = self._times[-1]
        part, half, quarter = (self._at(now / times) for times in (1, 2, 4))
        late, early = part - half, half - quarter
        if late <= 0.0 or early <= 0.0:
            return math.inf
        exponent = min(max(math.log2(late / early), SLOWEST), FASTEST)
        missing = max(0.0, 1.0 - part) * (1.0 - 2.0**-exponent) / late
        return float(now * (1.0 + missing) ** (1.0 / exponent))

    def _at(self, seconds: float) -> float:
        return self._parts[bisect_right(self._times, seconds) - 1]
