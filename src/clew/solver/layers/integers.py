"""Contradictions between linear constraints over the integers: remainders, and multiples that nobody counts.

    x == y + 100 * k,  y < 100,  y != x % 100     UNSAT

Bit by bit such queries take for ever. Here the Integer Set Library says whether there are integers, as far as a query
is linear (``linear_query``). Says UNSAT, or passes the query on. The library's operations are counted, not timed: where
it helps, it may take more of them, and where it rarely does, it is not asked any more.
"""

from __future__ import annotations

from clew.expr.evaluate import Model
from clew.expr.node import Expr, postorder
from clew.expr.op import ADD, CONST, MUL, SDIV, SREM, UDIV, UREM
from clew.expr.polynomials import Polynomial
from clew.solver.interface import Query, Result, Solver, unsat

NAME = "integers"
MOST_NODES, MOST_LEVELS = 600, 60
"""Of a query, which is translated recursively."""
OPERATIONS, FEWEST, MOST = 20_000, 5_000, 80_000
"""Of the library, for one query: at first, after many that were too hard, and where it helps."""
PATIENCE, CREDIT = 24, 4
"""Queries that may be tried in vain, and how many more for one that was not."""


class Integers:
    """The layer."""

    def __init__(self, below: Solver) -> None:
        self._below = below
        self._patience = PATIENCE
        self._operations = OPERATIONS

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Look for a contradiction, else ask below."""
        if self._patience and _is_suitable(constraints):
            answer = is_possible(constraints, self._operations)
            if answer is False:
                self._patience += CREDIT
                self._operations = min(MOST, 2 * self._operations)
                return unsat(NAME)
            self._patience -= 1
            self._operations = self._operations if answer else max(FEWEST, self._operations // 2)
        return self._below.check(constraints, hint)


def _is_suitable(constraints: Query, least: int = 32) -> bool:
    """Whether words of so many bits at least are divided or multiplied, beside by powers of two, or many are added."""
    found = False
    levels: dict[Expr, int] = {}
    for node in postorder(constraints):
        levels[node] = 1 + max((levels[arg] for arg in node.args), default=0)
        if len(levels) > MOST_NODES or levels[node] > MOST_LEVELS:
            return False
        if node.op in (MUL, UDIV, UREM, SDIV, SREM):
            factor = node.args[1]
            is_hard = factor.op is not CONST or factor.value & (factor.value - 1) != 0
        else:
            is_hard = node.op is ADD and sum(arg.op is not CONST for arg in node.args) > 2
        found = found or (is_hard and node.width >= least)
    return found


def is_possible(constraints: Query, operations: int) -> bool | None:
    """Whether there are integers for a query, as far as it is linear; None if that is too hard."""
    import islpy

    from clew.solver.layers.linear_query import LinearQuery, TooLarge

    try:
        return LinearQuery(constraints, operations).has_solution()
    except (TooLarge, islpy.Error):
        return None


def implied(constraints: Query, width: int) -> list[Polynomial]:
    """Sums that are zero modulo ``2**width``, by all that is linear in a query."""
    if not _is_suitable(constraints, 1):
        return []
    import islpy

    from clew.solver.layers.linear_query import LinearQuery, TooLarge

    try:
        query = LinearQuery(constraints, MOST)
        hull = query.solutions().affine_hull()
        return [] if hull.is_empty() else list(query.zeros(hull, width))
    except (TooLarge, islpy.Error):
        return []
