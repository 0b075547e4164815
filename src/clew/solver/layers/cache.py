"""Answers known from earlier queries, also from smaller and larger ones.

    {a, b} UNSAT          so {a, b, c} is        (unsatisfiable cores are kept, not whole queries)
    {a, b, c} SAT by m    so {a, b} is, by m

Invariant: an entry is only made from an answer below; UNKNOWN is never stored, since a later attempt may
fare better. Bounded: when full, the older half goes.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.solver.interface import Answer, Query, Result, Solver, ordered, sat, unsat
from clew.solver.layers.reuse import merged
from clew.solver.stats import SolverStats

NAME = "cache"
_MAX_TRIALS = 16

_T = TypeVar("_T")


class _Table(Generic[_T]):
    """Sets of constraints with a value each, and where each constraint occurs."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.entries: dict[Query, _T] = {}
        self.places: dict[Expr, list[Query]] = {}

    def _index(self, key: Query) -> None:
        raise NotImplementedError

    def put(self, key: Query, value: _T) -> None:
        """Store; makes room first."""
        if key in self.entries:
            return
        if len(self.entries) >= self._limit:
            kept = list(self.entries.items())[len(self.entries) // 2 :]
            self.clear()
            for old, entry in kept:
                self.entries[old] = entry
                self._index(old)
        self.entries[key] = value
        self._index(key)

    def clear(self) -> None:
        """Forget everything."""
        self.entries.clear()
        self.places.clear()


class Cores(_Table[None]):
    """Unsatisfiable sets, each listed under one of its constraints: a query that contains it all contains that one."""

    def _index(self, key: Query) -> None:
        places = self.places
        watch = min(ordered(key), key=lambda constraint: len(places.get(constraint, ())))
        places.setdefault(watch, []).append(key)

    def find(self, query: Query) -> Query | None:
        """A stored subset of the query."""
        places = self.places
        # Sets iterate by address: which core is found must not depend on it.
        for constraint in ordered([c for c in query if c in places]):
            for core in places[constraint]:
                if core <= query:
                    return core
        return None


class Models(_Table[Model]):
    """Satisfiable sets and their models, listed under each of their constraints."""

    def _index(self, key: Query) -> None:
        for constraint in key:
            self.places.setdefault(constraint, []).append(key)

    def find(self, query: Query) -> Model | None:
        """The model of a stored superset of the query."""
        found = self.entries.get(query)
        if found is not None:
            return found
        rarest: list[Query] | None = None
        best = (0, 0)
        for constraint in query:
            listed = self.places.get(constraint)
            if listed is None:
                return None
            rank = (len(listed), constraint.key)
            if rarest is None or rank < best:
                rarest, best = listed, rank
        for candidate in (rarest or [])[-_MAX_TRIALS:]:
            if query <= candidate:
                return self.entries[candidate]
        return None


class Cache:
    """The layer. Models found by patching or reuse are not stored: they are cheap to find again."""

    def __init__(self, below: Solver, limit: int, stats: SolverStats, cheap: frozenset[str] = frozenset()) -> None:
        self._below = below
        self._stats = stats
        self._cheap = cheap
        self._cores = Cores(limit)
        self._models = Models(limit)

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Look it up; ask and remember otherwise."""
        core = self._cores.find(constraints)
        if core is not None:
            self._stats.cache_hits += 1
            return unsat(NAME, core)
        model = self._models.find(constraints)
        if model is not None:
            self._stats.cache_hits += 1
            return sat(merged(hint, model, constraints), NAME)
        result = self._below.check(constraints, hint)
        if result.answer is Answer.UNSAT:
            self._cores.put(result.core or constraints, None)
        elif result.model is not None and result.source not in self._cheap:
            self._models.put(constraints, result.model)
        return result

    def clear(self) -> None:
        """Forget everything."""
        self._cores.clear()
        self._models.clear()
