"""Whole numbers as sums over the bit-vectors of a program: what counts of iterations are computed with.

Bit-vectors wrap, counts do not. A ``Whole`` is ``sum of coefficient * reading + constant``, where a reading is the
value of a bit-vector as a signed or unsigned number. Equal readings meet, so that most conditions on counts become
comparisons of the program's own variables; what is left is written in bit-vectors wide enough for every value:

    n - (i + 1) >= 0, for signed n and i = 0        1 <= n
    (y - 1) - y >= 0                                 false
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from clew.analysis.absint.linear import Linear
from clew.base.bits import as_number, range_of_width
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV, Bool, Expr, lower
from clew.expr.op import ADD, MUL, NEG, SEXT, ZEXT
from clew.techniques.summaries.path_ranges import PathRanges

DEEPEST = 8
"""Nesting of sums and products that are taken apart."""
ANYTHING = PathRanges()
"""No path is known."""
Reading = tuple[Expr, bool]
"""A bit-vector, and whether it is read as a signed number."""


class Whole(Linear):
    """``sum of coefficient * reading + constant``."""

    __slots__ = ()

    @property
    def readings(self) -> Iterable[tuple[Reading, int]]:
        """Its terms."""
        return cast("Iterable[tuple[Reading, int]]", self.terms.items())

    def times(self, other: Whole, limits: PathRanges = ANYTHING) -> Whole:
        """The product, multiplied out: products of readings are readings of their own."""
        total = Whole.number(self.constant * other.constant)
        for one, constant in ((self, other.constant), (other, self.constant)):
            total = total.plus(one - one.constant, constant)
        for reading, factor in self.readings:
            for other_reading, other_factor in other.readings:
                total = total.plus(_product(reading, other_reading, limits), factor * other_factor)
        return total

    def bounds(self, limits: PathRanges = ANYTHING) -> tuple[int, int]:
        """Numbers that it is never below, and never above."""
        low = high = self.constant
        for (value, signed), coefficient in self.readings:
            ends = [coefficient * end for end in limits.of(value, signed)]
            low += min(ends)
            high += max(ends)
        return low, high

    def width(self, limits: PathRanges = ANYTHING) -> int:
        """Bits that hold it, with its sign."""
        low, high = self.bounds(limits)
        return max(low.bit_length(), high.bit_length()) + 1

    def at(self, width: int) -> BV:
        """Its value modulo 2**width."""
        total: BV = self.constant & ((1 << width) - 1)
        for (value, signed), coefficient in self.readings:
            factor = coefficient & ((1 << width) - 1)
            total = build.add(total, build.mul(_resized(value, signed, width), factor, width), width)
        return total

    def is_zero(self) -> Bool:
        return build.land(self.not_negative(), (-self).not_negative())

    def not_negative(self, limits: PathRanges = ANYTHING) -> Bool:
        """``self >= 0``, for values within the limits."""
        apart = Whole.number(self.constant)
        for (value, signed), coefficient in self.readings:
            apart = apart.plus(of(value, value.width, signed, limits), coefficient)
        low, high = apart.bounds(limits)
        if low >= 0 or high < 0:
            return low >= 0
        return apart._compared(limits) if len(apart.terms) <= 2 else apart._wide(limits)

    def _wide(self, limits: PathRanges) -> Bool:
        most = abs(self.constant)
        for (value, signed), coefficient in self.readings:
            most += abs(coefficient) * max(abs(end) for end in limits.of(value, signed))
        width = most.bit_length() + 1  # holds every partial sum
        return build.sge(self.at(width), 0, width)

    def _compared(self, limits: PathRanges) -> Bool:
        """One or two readings, as a comparison in their own width if that says the same."""
        ((value, signed), factor), *rest = self.readings
        less = build.sle if signed else build.ule
        width = value.width
        if not rest:
            # factor * value >= -constant. The bounds say that both sides are possible, so the number fits.
            if factor > 0:
                return less(-(self.constant // factor) & value.mask, value, width)
            return less(value, (self.constant // -factor) & value.mask, width)
        ((other, other_signed), other_factor) = rest[0]
        alike = other_signed == signed and other.width == width and {factor, other_factor} == {1, -1}
        if alike and self.constant in (0, -1):
            large, small = (value, other) if factor > 0 else (other, value)
            strict = build.slt if signed else build.ult
            return less(small, large, width) if self.constant == 0 else strict(small, large, width)
        return self._wide(limits)

    def eval(self, model: Model) -> int:
        """The number that it is under a model."""
        return self.constant + sum(
            coefficient * as_number(model.eval(value), value.width, signed)
            for (value, signed), coefficient in self.readings
        )


NOTHING = Whole()


def of(value: BV, width: int, signed: bool, limits: PathRanges = ANYTHING, depth: int = 0) -> Whole:
    """A bit-vector read as a number. Sums and products that cannot wrap are taken apart."""
    if not isinstance(value, Expr):
        return Whole.number(as_number(value, width, signed))
    if value.op is SEXT and signed:
        return of(value.args[0], value.args[0].width, True, limits)
    if value.op is ZEXT:
        return of(value.args[0], value.args[0].width, False, limits)
    if value.op in (ADD, NEG, MUL) and depth < DEEPEST:
        parts = [of(lower(arg), width, signed, limits, depth + 1) for arg in value.args]
        if value.op is MUL:
            total = parts[0].times(parts[1], limits)
        else:
            total = NOTHING
            for part in parts:
                total = total.plus(part, -1 if value.op is NEG else 1)
        low, high = total.bounds(limits)
        lowest, highest = range_of_width(width, signed)
        if lowest <= low and high <= highest:
            return total
    return Whole.of((value, signed))


def _product(one: Reading, other: Reading, limits: PathRanges) -> Whole:
    (a, a_signed), (b, b_signed) = (one, other) if one[0].key <= other[0].key else (other, one)
    width = Whole.of((a, a_signed)).width(limits) + Whole.of((b, b_signed)).width(limits)
    product = build.mul(_resized(a, a_signed, width), _resized(b, b_signed, width), width)
    return Whole.of((product, True)) if isinstance(product, Expr) else Whole.number(as_number(product, width, True))


def _resized(value: Expr, signed: bool, width: int) -> BV:
    if width <= value.width:
        return build.trunc(value, width)
    return (build.sext if signed else build.zext)(value, value.width, width)
