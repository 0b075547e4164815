"""Predicates: does an operation wrap around?

With a constant operand they are plain range tests (``x + 1`` overflows iff ``x == INT_MAX``); known
ranges answer many others at once; products of two unknowns are computed at twice the width.
"""

from __future__ import annotations

from clew.base.bits import signed
from clew.expr.node import BV, Bool, Expr
from clew.expr.ranges import facts, signed_interval
from clew.expr.rewrite.arith import mul
from clew.expr.rewrite.boolean import lor, lxor
from clew.expr.rewrite.equality import eq, ne
from clew.expr.rewrite.linear import add, sub
from clew.expr.rewrite.order import sgt, slt, ugt, ult
from clew.expr.rewrite.slices import extract, sext, zext


def uadd_overflow(a: BV, b: BV, w: int) -> Bool:
    """Does a + b wrap, unsigned?"""
    mask = (1 << w) - 1
    if type(a) is not Expr:
        a, b = b, a
    if type(b) is not Expr:
        return ugt(a, mask - b, w)
    if _highest(a) + _highest(b) <= mask:
        return False
    return ult(add(a, b, w), a, w)


def usub_overflow(a: BV, b: BV, w: int) -> Bool:
    """Does a - b wrap, unsigned?"""
    return ult(a, b, w)


def umul_overflow(a: BV, b: BV, w: int) -> Bool:
    """Does a * b wrap, unsigned?"""
    mask = (1 << w) - 1
    if type(a) is not Expr:
        a, b = b, a
    if type(b) is not Expr:
        return ugt(a, mask // b, w) if b else False
    if _highest(a) * _highest(b) <= mask:
        return False
    product = mul(zext(a, w, 2 * w), zext(b, w, 2 * w), 2 * w)
    return ne(extract(product, 2 * w - 1, w), 0, w)


def sadd_overflow(a: BV, b: BV, w: int) -> Bool:
    """Does a + b wrap, signed?"""
    if type(a) is not Expr:
        a, b = b, a
    if type(b) is not Expr:
        return _outside(a, -_least(w) - 1, signed(b, w), w)
    (low_a, high_a), (low_b, high_b) = _signed_range(a, w), _signed_range(b, w)
    if _fits(low_a + low_b, w) and _fits(high_a + high_b, w):
        return False
    # Adding something negative must give less, anything else must not.
    return lxor(slt(b, 0, w), slt(add(a, b, w), a, w))


def ssub_overflow(a: BV, b: BV, w: int) -> Bool:
    """Does a - b wrap, signed?"""
    if type(b) is not Expr:
        return _outside(a, -_least(w) - 1, -signed(b, w), w)
    (low_a, high_a), (low_b, high_b) = _signed_range(a, w), _signed_range(b, w)
    if _fits(low_a - high_b, w) and _fits(high_a - low_b, w):
        return False
    return lxor(sgt(b, 0, w), slt(sub(a, b, w), a, w))


def _outside(a: BV, highest: int, k: int, w: int) -> Bool:
    """Is ``a + k`` not a signed value of ``w`` bits, for -2**(w-1) <= k <= 2**(w-1)?"""
    mask = (1 << w) - 1
    if k >= 0:
        return sgt(a, (highest - k) & mask, w)
    return slt(a, (_least(w) - k) & mask, w)


def smul_overflow(a: BV, b: BV, w: int) -> Bool:
    """Does a * b wrap, signed?"""
    if type(a) is not Expr:
        a, b = b, a
    if type(b) is not Expr:
        return _smul_by(a, signed(b, w), w)
    (low_a, high_a), (low_b, high_b) = _signed_range(a, w), _signed_range(b, w)
    if all(_fits(x * y, w) for x in (low_a, high_a) for y in (low_b, high_b)):
        return False
    product = mul(sext(a, w, 2 * w), sext(b, w, 2 * w), 2 * w)
    return ne(sext(extract(product, w - 1, 0), w, 2 * w), product, 2 * w)


def _smul_by(a: BV, k: int, w: int) -> Bool:
    """``a`` must lie between the quotients of the two ends of the range by ``k``."""
    if k in (0, 1):
        return False
    mask = (1 << w) - 1
    least, greatest = _least(w), -_least(w) - 1
    if k == -1:
        return eq(a, least & mask, w)
    low, high = (-(least // -k), greatest // k) if k > 0 else (-(greatest // -k), least // k)
    return lor(slt(a, low & mask, w), sgt(a, high & mask, w))


def _least(w: int) -> int:
    return -(1 << (w - 1))


def _fits(value: int, w: int) -> bool:
    return _least(w) <= value < -_least(w)


def _highest(a: BV) -> int:
    return facts(a)[1] if type(a) is Expr else a


def _signed_range(a: BV, w: int) -> tuple[int, int]:
    if type(a) is Expr:
        return signed_interval(a)
    value = signed(a, w)
    return value, value
