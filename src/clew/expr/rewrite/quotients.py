"""Floats that are integers over constants: what they are, cut to an integer, in integer arithmetic.

``strtod`` of symbolic text is ``digits / 10**places`` with a sign. If the dividend is below 2**53 and the divisor an
integer, both are exact, and the quotient is rounded once: by less than ``1 / divisor``, which is how near to an integer
a quotient can be that is none. So rounding never makes it one, nor leads to the other side of one:

    trunc(d / 10.0)             d / 10     as integers
    d / 10.0 is integral        d % 10 == 0

A solver has a hard time with division of floats, and little with that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from clew.expr.float_ranges import float_range
from clew.expr.node import BV, Bool, Expr
from clew.expr.op import CONST, FDIV, FNEG, FP_FROM_SBV, FP_FROM_UBV, ITE
from clew.expr.ranges import interval
from clew.expr.rewrite.arith import udiv, urem
from clew.expr.rewrite.choice import ite
from clew.expr.rewrite.equality import eq
from clew.expr.rewrite.linear import neg
from clew.expr.rewrite.slices import extract, sext, zext
from clew.expr.sort import BOOL, F64, Sort, bv

_EXACT: Final = 1 << 53
_MOST_PARTS: Final = 200
"""Of one float: choices, signs and quotients."""


class _TooHard(Exception):
    """The float is not of this form."""


def truncated(x: Expr, lowest: int, highest: int, w: int) -> BV | None:
    """The integer of ``w`` bits that ``x`` is when cut toward zero, if that is surely in range; None where only float
    arithmetic can tell."""
    low, high, nan = float_range(x)
    if nan or not lowest - 1 < low or not high < highest + 1:
        return None
    found: BV | None = _mapped(x, bv(w), lambda digits, divisor: _resized(_quotient(digits, divisor), w), _integer(w))
    return found


def is_integral(x: Expr) -> Bool | None:
    """Whether ``x`` has no fraction; None where only float arithmetic can tell."""
    found: Bool | None = _mapped(x, BOOL, _divides, _whole)
    return found


def _mapped(x: Expr, sort: Sort, quotient: Callable[[Expr, int], Any], other: Callable[[Expr, Any], Any]) -> Any:
    """What the leaves of a float's choices and signs are mapped to; None if there is a leaf of another kind."""
    parts = [0]

    def visit(e: Expr) -> Any:
        parts[0] += 1
        if parts[0] > _MOST_PARTS or e.sort is not F64:
            raise _TooHard
        if e.op is ITE:
            return ite(e.args[0], visit(e.args[1]), visit(e.args[2]), sort)
        if e.op is FDIV:
            return divided(_dividend(e.args[0]), e.args[1])
        return other(e, visit)

    def divided(digits: Expr, divisor: Expr) -> Any:
        parts[0] += 1
        if parts[0] > _MOST_PARTS:
            raise _TooHard
        if divisor.op is ITE:
            return ite(divisor.args[0], divided(digits, divisor.args[1]), divided(digits, divisor.args[2]), sort)
        number = divisor.value if divisor.op is CONST else 0.0
        if not 1.0 <= number < 1e23 or not number.is_integer():
            raise _TooHard
        return quotient(digits, int(number))

    try:
        return visit(x)
    except _TooHard:
        return None


def _dividend(e: Expr) -> Expr:
    """The unsigned integer behind an exact float, no wider than it has to be."""
    if e.op is not FP_FROM_UBV or interval(e.args[0])[1] >= _EXACT:
        raise _TooHard
    digits = e.args[0]
    bits = max(interval(digits)[1].bit_length(), 1)
    narrow = extract(digits, bits - 1, 0) if bits < digits.width else digits
    if type(narrow) is not Expr:
        raise _TooHard
    return narrow


def _quotient(digits: Expr, divisor: int) -> tuple[BV, int]:
    return (udiv(digits, divisor, digits.width) if divisor <= digits.mask else 0), digits.width


def _divides(digits: Expr, divisor: int) -> Bool:
    if divisor > digits.mask:
        return eq(digits, 0, digits.width)
    return eq(urem(digits, divisor, digits.width), 0, digits.width)


def _resized(number: tuple[BV, int], w: int) -> BV:
    value, width = number
    if width < w:
        return zext(value, width, w)
    return extract(value, w - 1, 0) if width > w else value


def _integer(w: int) -> Callable[[Expr, Callable[[Expr], Any]], BV]:
    def leaf(e: Expr, visit: Callable[[Expr], Any]) -> BV:
        if e.op is FNEG:
            return neg(visit(e.args[0]), w)
        if e.op is CONST:
            return int(e.value) & ((1 << w) - 1)
        if e.op is FP_FROM_UBV:
            return _resized((_dividend(e), _dividend(e).width), w)
        if e.op is FP_FROM_SBV and e.args[0].width <= min(w, 53):
            return sext(e.args[0], e.args[0].width, w)
        raise _TooHard

    return leaf


def _whole(e: Expr, visit: Callable[[Expr], Any]) -> Bool:
    if e.op is FNEG:
        inner: Bool = visit(e.args[0])
        return inner
    if e.op is CONST:
        return float(e.value).is_integer()
    if e.op is FP_FROM_UBV or e.op is FP_FROM_SBV:
        return True
    raise _TooHard
