"""Contradictions between equalities of polynomials: what bit by bit takes for ever.

    2*s == i*(i - 1),  i >= n,  i <= n,  2*s != n*(n - 1)     UNSAT

Of queries in which variables are multiplied, the equalities are looked at as polynomials over the integers modulo
``2**width``: those that say what some variable is are used to replace it, and if the two sides of an inequation then
differ by a combination of the other equalities, they are equal. Says UNSAT, or passes the query on.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.base.residues import relations
from clew.expr.build import add
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import CONST, EQ, LNOT, MUL, SLE, SLT, ULE, ULT
from clew.expr.polynomials import eliminate, plus, polynomial
from clew.expr.sort import SortKind
from clew.expr.walk import postorder
from clew.solver.interface import Query, Result, Solver, ordered, unsat

NAME = "algebra"
MOST_EQUALITIES = 40
_ORDERS = {ULE: ULE, SLE: SLE, ULT: ULE, SLT: SLE}
"""Orders, and the same of what is equal."""
Pair = tuple[Expr, Expr]


class Algebra:
    """The layer."""

    def __init__(self, below: Solver) -> None:
        self._below = below

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Look for two sides of an inequation that are equal."""
        different = [c.args[0] for c in ordered(constraints) if c.op is LNOT and _compares_words(c.args[0])]
        if any(_multiplies(pair) for pair in different):
            equal = _equal(ordered(constraints))
            for width in dict.fromkeys(pair.args[0].width for pair in different if _multiplies(pair)):
                sides = [(a, b) for a, b in equal if a.width == width][:MOST_EQUALITIES]
                wrong = [(p.args[0], p.args[1]) for p in different if p.args[0].width == width]
                if _contradict(sides, wrong, width):
                    return unsat(NAME)
        return self._below.check(constraints, hint)


def _compares_words(e: Expr) -> bool:
    return e.op is EQ and e.args[0].sort.kind is SortKind.BV


def _multiplies(e: Expr) -> bool:
    return any(node.op is MUL and all(arg.op is not CONST for arg in node.args) for node in postorder([e]))


def _equal(constraints: Sequence[Expr]) -> list[Pair]:
    """Words that are equal: it is said, or that neither is greater, or that one is greater by less than two."""
    found = [(c.args[0], c.args[1]) for c in constraints if _compares_words(c)]
    orders = {(c.op, c.args) for c in constraints if c.op in (ULE, SLE)}
    for c in constraints:
        a, b = c.args if c.op in _ORDERS else (None, None)
        if a is None or b is None:
            continue
        if c.op in (ULE, SLE):
            found += [(a, b)] if any((op, (b, a)) in orders for op in (ULE, SLE)) else []
        else:
            following = add(a, 1, a.width)
            if isinstance(following, Expr) and (_ORDERS[c.op], (b, following)) in orders:
                found.append((b, following))
    return found


def _contradict(equal: Sequence[Pair], different: Sequence[Pair], width: int) -> bool:
    zero = [plus(polynomial(a, width), polynomial(b, width), -1, width) for a, b in equal]
    wrong = [plus(polynomial(a, width), polynomial(b, width), -1, width) for a, b in different]
    left, wrong = eliminate(zero, wrong, width)
    return any(not p or any(row[0] & 1 for row in relations([p, *left], width)) for p in wrong)
