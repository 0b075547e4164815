"""Contradictions by constraint propagation over the values that bytes can have.

Programs that read text ask about single bytes, and about what follows from these, as the length of a string:

    s[0] != 0,   s[1] == '=',   (s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2) < 2        UNSAT

What is left of the values of each symbol (``narrowing``) shows most contradictions, and sometimes a model: the hint,
with the symbols moved whose values are no longer possible. Only what makes all constraints true is called one.
Where few values are left, they are tried together (``rows``).
"""

from __future__ import annotations

from typing import Final

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.solver.interface import Query, Result, Solver, ordered, sat, unsat
from clew.solver.layers.narrowing import Narrowing
from clew.solver.layers.rows import by_rows
from clew.solver.layers.worth import Worth
from clew.solver.stats import SolverStats
from clew.solver.value_tables import SHARED

NAME = "propagation"
PER_NODE: Final = 8
"""Expressions looked at that take as long as a node of a query takes a backend: work is counted in those."""
PATIENCE: Final = 20_000
"""Expressions that may be looked at in vain."""
FOLD, LEAST_LOOKS = 1, 500
"""Expressions looked at for a smaller core: so many times those that it took to find one, and so many at the least."""


class Propagation:
    """The layer."""

    def __init__(self, below: Solver, stats: SolverStats) -> None:
        self._below = below
        self._stats = stats
        self._tables = SHARED
        self._worth = Worth(PATIENCE)

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Look for a contradiction, else ask below; where looking is of no use, seldom."""
        result = self._found(constraints, hint) if self._worth.is_time() else None
        return result or self._below.check(constraints, hint)

    def _found(self, constraints: Query, hint: Model | None) -> Result | None:
        query = ordered(constraints)
        failing: set[Expr] = set()
        if hint is not None:  # what it satisfies is consistent: a contradiction involves something else
            failing.update(hint.violated(constraints))
            query.sort(key=lambda constraint: constraint not in failing)
        narrowing = Narrowing(self._tables)
        core = narrowing.contradiction(query)
        looked_at = narrowing.looked_at
        self._stats.nodes += looked_at // PER_NODE
        result: Result | None = None
        if core is not None:
            result = unsat(NAME, self._smaller(core, query, failing, max(LEAST_LOOKS, FOLD * looked_at)))
        elif hint is not None:
            moved = hint.updated(narrowing.moved(hint))
            if all(moved.eval(constraint) for constraint in query):
                result = sat(moved, NAME)
            else:
                result = by_rows(narrowing, constraints, hint, self._stats)
        self._worth.looked(looked_at, result is not None)
        return result

    def _smaller(self, core: Query, query: list[Expr], failing: set[Expr], most: int) -> Query:
        """A part of a core that propagation cannot do without any of, or that is small enough for ``most`` expressions
        looked at: small ones are met again more often."""
        for constraint in reversed([c for c in query if c in core]):
            if constraint in core and core & failing != {constraint}:
                rest = [c for c in query if c in core and c is not constraint]
                narrowing = Narrowing(self._tables)
                core = narrowing.contradiction(rest) or core
                self._stats.nodes += narrowing.looked_at // PER_NODE
                most -= narrowing.looked_at
                if most < 0:
                    break
        return core
