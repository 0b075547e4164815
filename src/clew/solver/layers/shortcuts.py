"""Contradictions that show at a glance: ``c`` with ``not c``, and bounds on one term that leave it no value.

    x < 10,  x == y,  x > 20     UNSAT, because of the first and the last

Only comparisons of some term with a constant count; terms are compared by identity. Never says SAT, but for
the empty query.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from clew.expr.build import lnot
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.op import CONST, EQ, LNOT, SLE, SLT, ULE, ULT
from clew.expr.ranges import interval
from clew.solver.interface import Query, Result, Solver, ordered, sat, unsat

NAME = "shortcuts"
MEMO_LIMIT = 50_000


class Bound(NamedTuple):
    """``low <= term <= high``, in signed numbers if ``signed``; or, if ``excluded``, ``term != low``."""

    term: Expr
    low: int
    high: int
    signed: bool = False
    excluded: bool = False


class Shortcuts:
    """The layer."""

    def __init__(self, below: Solver) -> None:
        self._below = below
        self._bounds: dict[Expr, Bound | None] = {}

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Look for an obvious contradiction."""
        if not constraints:
            return sat(hint or EMPTY_MODEL, NAME)
        core = self._contradiction(constraints, hint)
        if core is not None:
            return unsat(NAME, core)
        return self._below.check(constraints, hint)

    def _contradiction(self, constraints: Query, hint: Model | None) -> Query | None:
        """What the hint satisfies is consistent: a contradiction involves a constraint that it does not."""
        suspects = ordered(constraints if hint is None else hint.violated(constraints))
        found: dict[Expr, list[tuple[Bound, Expr]]] = {}
        for constraint in suspects:
            opposite = lnot(constraint)
            if opposite in constraints:
                return frozenset((constraint, opposite))
            bound = self._bound(constraint)
            if bound is not None:
                found[bound.term] = []
        if not found:
            return None
        for constraint in constraints:
            bound = self._bound(constraint)
            if bound is not None and bound.term in found:
                found[bound.term].append((bound, constraint))
        for term, bounds in found.items():
            if len(bounds) > 1 and no_value_left(term, [bound for bound, _ in bounds]):
                return frozenset([constraint for _, constraint in bounds])
        return None

    def _bound(self, constraint: Expr) -> Bound | None:
        memo = self._bounds
        if constraint in memo:
            return memo[constraint]
        if len(memo) > MEMO_LIMIT:
            memo.clear()
        bound = memo[constraint] = bound_of(constraint)
        return bound


def bound_of(constraint: Expr) -> Bound | None:
    """What a constraint says about a single term compared with a constant."""
    negated = constraint.op is LNOT
    inner = constraint.args[0] if negated else constraint
    op = inner.op
    if op is EQ:
        a, b = inner.args
        if a.op is CONST:
            a, b = b, a
        if b.op is not CONST or not a.width:
            return None
        assert isinstance(b.value, int)
        return Bound(a, b.value, b.value, excluded=negated)
    if op is ULT or op is ULE or op is SLT or op is SLE:
        return _order_bound(inner, negated, strict=op is ULT or op is SLT, signed=op is SLT or op is SLE)
    return None


def _order_bound(e: Expr, negated: bool, strict: bool, signed: bool) -> Bound | None:
    a, b = e.args
    if negated:  # not a < b  is  b <= a
        a, b, strict = b, a, not strict
    half = 1 << (a.width - 1)
    lowest, highest = (-half, half - 1) if signed else (0, 2 * half - 1)
    if b.op is CONST:
        return Bound(a, lowest, _number(b, signed) - strict, signed)
    if a.op is CONST:
        return Bound(b, _number(a, signed) + strict, highest, signed)
    return None


def _number(e: Expr, signed: bool) -> int:
    assert isinstance(e.value, int)
    return e.value - e.mask - 1 if signed and e.value >> (e.width - 1) else e.value


def no_value_left(term: Expr, bounds: Sequence[Bound]) -> bool:
    """True only if no value of ``term`` satisfies all the bounds."""
    return not _values_left(term, bounds, 1)


def only_value(term: Expr, bounds: Sequence[Bound]) -> int | None:
    """The value of ``term``, if just one satisfies all the bounds."""
    left = _values_left(term, bounds, 2)
    return left[0] if len(left) == 1 else None


def _values_left(term: Expr, bounds: Sequence[Bound], most: int) -> list[int]:
    """The first values of ``term`` that satisfy all the bounds."""
    low, high = interval(term)
    half = 1 << (term.width - 1)
    signed_low, signed_high = -half, half - 1
    excluded: set[int] = set()
    for bound in bounds:
        if bound.excluded:
            excluded.add(bound.low)
        elif bound.signed:
            signed_low, signed_high = max(signed_low, bound.low), min(signed_high, bound.high)
        else:
            low, high = max(low, bound.low), min(high, bound.high)
    # The signed interval seen as unsigned: the values below and those from the sign bit on.
    pieces = (
        (max(low, signed_low, 0), min(high, signed_high)),
        (max(low, signed_low + 2 * half, half), min(high, signed_high + 2 * half, 2 * half - 1)),
    )
    return list(islice((n for first, last in pieces for n in range(first, last + 1) if n not in excluded), most))
