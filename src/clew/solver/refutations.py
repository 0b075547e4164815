"""Contradictions that were found, kept so that a path and one more constraint can be looked up without slicing.

A path can hold by itself, so whatever refutes it together with ``c`` contains ``c``:

    {x < 5, x == 7} was refuted     a path that states x < 5 needs no sibling with x == 7
"""

from __future__ import annotations

from clew.expr.node import Expr
from clew.expr.op import LAND
from clew.solver.interface import Query
from clew.solver.path import PathCondition, conjuncts

_MAX_TRIALS = 24
"""Contradictions with the same constraint that are looked at, the latest first."""


class Refutations:
    """Contradictory sets, listed under each of their constraints. Bounded: when full, the older half goes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._cores: dict[Query, None] = {}
        self._places: dict[Expr, list[Query]] = {}

    def add(self, core: Query) -> None:
        """Keep a set of constraints that cannot hold together."""
        if core in self._cores:
            return
        if len(self._cores) >= self._limit:
            kept = list(self._cores)[len(self._cores) // 2 :]
            self.clear()
            for old in kept:
                self._enter(old)
        self._enter(core)

    def _enter(self, core: Query) -> None:
        self._cores[core] = None
        for constraint in core:
            self._places.setdefault(constraint, []).append(core)

    def find(self, path: PathCondition, c: Expr) -> Query | None:
        """A set that the path states but for ``c``, or parts of it."""
        parts = conjuncts(c) if c.op is LAND else [c]
        for part in parts:
            cores = self._places.get(part)
            if cores is not None:
                for core in reversed(cores[-_MAX_TRIALS:]):
                    if path.states_all(core, parts):
                        return core
        return None

    def clear(self) -> None:
        """Forget everything."""
        self._cores.clear()
        self._places.clear()
