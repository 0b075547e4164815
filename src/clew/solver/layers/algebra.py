"""Contradictions between equalities of polynomials: what bit by bit takes for ever.

    2*s == i*(i - 1),  i >= n,  i <= n,  2*s != n*(n - 1)     UNSAT

Of queries in which variables are multiplied, the equalities, also those that linear constraints imply, are looked at as
polynomials over the integers modulo ``2**width``: those that say what some variable is are used to replace it, and if
the two sides of an inequation then differ by a combination of the other equalities, they are equal. Says UNSAT, or
passes the query on.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.base.residues import relations
from clew.expr.evaluate import Model
from clew.expr.node import Expr, postorder
from clew.expr.op import EQ, LNOT, SEXT, ZEXT
from clew.expr.polynomials import ONE, Monomial, Polynomial, eliminate, plus, polynomial, times
from clew.expr.sort import SortKind
from clew.expr.walk import is_product
from clew.solver.interface import Query, Result, Solver, ordered, unsat
from clew.solver.layers.integers import implied

NAME = "algebra"
MOST_EQUALITIES = 40


class Algebra:
    """The layer."""

    def __init__(self, below: Solver) -> None:
        self._below = below

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Look for two sides of an inequation that are equal."""
        different = [c.args[0] for c in ordered(constraints) if c.op is LNOT and _compares_words(c.args[0])]
        for width in dict.fromkeys(pair.args[0].width for pair in different if any(map(is_product, postorder([pair])))):
            equal = [c for c in ordered(constraints) if _compares_words(c) and c.args[0].width >= width]
            zero = [*implied(constraints, width), *(_zero(c, width) for c in equal[:MOST_EQUALITIES])]
            wrong = [_difference(c) for c in different if c.args[0].width == width]
            if _contradict(zero, wrong, width):
                return unsat(NAME)
        return self._below.check(constraints, hint)


def _compares_words(e: Expr) -> bool:
    return e.op is EQ and e.args[0].sort.kind is SortKind.BV


def _difference(e: Expr) -> Polynomial:
    left, right = e.args
    return plus(polynomial(left, left.width), polynomial(right, left.width), -1, left.width)


def _zero(e: Expr, width: int) -> Polynomial:
    """What an equality of words, which may be wider, says to be zero modulo ``2**width``.

    A multiple of a power of two is zero if the rest of it is, modulo a smaller power.
    """
    whole = _difference(e)
    powers = min((factor & -factor for factor in whole.values()), default=1)
    if e.args[0].width - powers.bit_length() + 1 < width:
        powers = 1
    result: Polynomial = {}
    for monomial, factor in whole.items():
        result = plus(result, _narrowed(monomial, width), factor // powers, width)
    return result


def _narrowed(monomial: Monomial, width: int) -> Polynomial:
    """A product of words, modulo ``2**width``."""
    result: Polynomial = {ONE: 1}
    for atom in monomial:
        while atom.op in (ZEXT, SEXT) and atom.args[0].width >= width:
            atom = atom.args[0]
        result = times(result, {(atom,): 1}, width)
    return result


def _contradict(zero: Sequence[Polynomial], wrong: Sequence[Polynomial], width: int) -> bool:
    left, wrong = eliminate(zero, wrong, width)
    return any(not p or any(row[0] & 1 for row in relations([p, *left], width)) for p in wrong)
