"""Between which numbers values lie, as far as a path says: so that conditions on counts stay small, or vanish.

Sits beside ``expr.ranges``, which knows no path. Only comparisons of a term with a constant are used, and arithmetic
that cannot wrap is followed through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from clew.base.bits import as_number, range_of_width
from clew.expr.node import Expr
from clew.expr.op import ADD, CONST, EXTRACT, MUL, NEG, SEXT, SHL, UDIV, UREM, ZEXT, Op
from clew.expr.ranges import interval, signed_interval
from clew.solver.layers.shortcuts import bound_of

Range = tuple[int, int]
DEEPEST = 40
"""Nesting of an expression that is looked into."""


class PathRanges:
    """What a path says about the values of expressions."""

    def __init__(self, path: Iterable[Expr] = ()) -> None:
        self._unsigned: dict[Expr, Range] = {}
        self._signed: dict[Expr, Range] = {}
        self._known: dict[tuple[Expr, bool], Range] = {}
        for constraint in path:
            bound = bound_of(constraint)
            if bound is None or bound.excluded:
                continue
            table = self._signed if bound.signed else self._unsigned
            low, high = table.get(bound.term, (bound.low, bound.high))
            table[bound.term] = max(low, bound.low), min(high, bound.high)

    def of(self, e: Expr, signed: bool, depth: int = 0) -> Range:
        """Numbers that a value is never below, and never above."""
        known = self._known.get((e, signed))
        if known is None:
            known = self._of(e, signed, depth)
            if depth < DEEPEST:
                self._known[e, signed] = known
        return known

    def _of(self, e: Expr, signed: bool, depth: int) -> Range:
        if e.op is CONST:
            value = as_number(e.value, e.width, signed)
            return value, value
        low, high = signed_interval(e) if signed else interval(e)
        table, other = (self._signed, self._unsigned) if signed else (self._unsigned, self._signed)
        half = 1 << (e.width - 1)
        for found in (table.get(e), _without_sign(other.get(e), half), self._computed(e, signed, depth)):
            if found is not None:
                low, high = max(low, found[0]), min(high, found[1])
        # A path without solutions may leave nothing: then anything is right, but ranges must stay ranges.
        return (low, high) if low <= high else (low, low)

    def _computed(self, e: Expr, signed: bool, depth: int) -> Range | None:
        """From the parts of an expression, where no wrap-around can be in between."""
        if depth >= DEEPEST:
            return None
        lowest, highest = range_of_width(e.width, signed)
        for reading in (signed, not signed):
            found = self._combined(e, reading, depth)
            if found is not None and lowest <= found[0] and found[1] <= highest:
                return found
        return None

    def _combined(self, e: Expr, signed: bool, depth: int) -> Range | None:
        handler = _HANDLERS.get(e.op)
        return None if handler is None else handler(self, e, signed, depth + 1)


def _without_sign(found: Range | None, half: int) -> Range | None:
    """A range of the other reading, where both are the same: values without the sign bit."""
    return found if found is not None and found[0] >= 0 and found[1] < half else None


def _sum(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range:
    parts = [limits.of(arg, signed, depth) for arg in e.args]
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _negative(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range:
    low, high = limits.of(e.args[0], signed, depth)
    return -high, -low


def _product(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range:
    one, other = (limits.of(arg, signed, depth) for arg in e.args)
    ends = [a * b for a, b in product(one, other)]
    return min(ends), max(ends)


def _shifted(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range | None:
    value, amount = e.args
    if amount.op is not CONST:
        return None
    low, high = limits.of(value, signed, depth)
    return low << amount.value, high << amount.value


def _quotient(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range | None:
    (low, high), (least, most) = (limits.of(arg, False, depth) for arg in e.args)
    return None if least == 0 else (low // most, high // least)


def _remainder(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range | None:
    (_, high), (least, most) = (limits.of(arg, False, depth) for arg in e.args)
    return None if least == 0 else (0, min(high, most - 1))


def _zero_extended(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range:
    return limits.of(e.args[0], False, depth)


def _sign_extended(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range:
    return limits.of(e.args[0], True, depth)


def _piece(limits: PathRanges, e: Expr, signed: bool, depth: int) -> Range | None:
    """Bits of a value that has no others above them."""
    high_bit, low_bit = e.value
    low, high = limits.of(e.args[0], False, depth)
    return (low >> low_bit, high >> low_bit) if high < 1 << (high_bit + 1) else None


_HANDLERS: dict[Op, Callable[[PathRanges, Expr, bool, int], Range | None]] = {
    ADD: _sum,
    NEG: _negative,
    MUL: _product,
    SHL: _shifted,
    UDIV: _quotient,
    UREM: _remainder,
    ZEXT: _zero_extended,
    SEXT: _sign_extended,
    EXTRACT: _piece,
}
