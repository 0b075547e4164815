"""Constructors of the bit-counting and bit-moving operations of C and LLVM, in terms of others.

None of them has a node of its own: popcount adds up ever wider fields, leading and trailing zeros
are found by halving, byte and bit reversal are concatenations.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.base.bits import signed
from clew.expr.node import BV, Expr
from clew.expr.rewrite.arith import urem
from clew.expr.rewrite.bits import and_, lshr, or_, shl
from clew.expr.rewrite.choice import ite_bv
from clew.expr.rewrite.equality import eq
from clew.expr.rewrite.linear import add, neg, sub
from clew.expr.rewrite.order import slt, ult
from clew.expr.rewrite.slices import extract, glue


def popcount(a: BV, w: int) -> BV:
    """How many bits are set."""
    if type(a) is not Expr:
        return a.bit_count()
    total: BV = a
    size = 1
    while size < w:
        fields = sum(((1 << size) - 1) << low for low in range(0, w, 2 * size))
        total = add(and_(total, fields, w), and_(lshr(total, size, w), fields, w), w)
        size *= 2
    return total


def ctz(a: BV, w: int) -> BV:
    """How many zeros below the lowest set bit; ``w`` for 0."""
    if type(a) is not Expr:
        return (a & -a).bit_length() - 1 if a else w
    return _zeros(a, w, lambda x, size: extract(x, size - 1, 0), lshr)


def clz(a: BV, w: int) -> BV:
    """How many zeros above the highest set bit; ``w`` for 0."""
    if type(a) is not Expr:
        return w - a.bit_length()
    return _zeros(a, w, lambda x, size: extract(x, w - 1, w - size), shl)


def _zeros(a: Expr, w: int, edge: Callable[[BV, int], BV], shift: Callable[[BV, BV, int], BV]) -> BV:
    """By halving: if the ``size`` bits at the edge are zero, count and drop them."""
    count: BV = 0
    rest: BV = a
    size = 1 << max((w - 1).bit_length() - 1, 0)
    while size and w > 1:
        empty = eq(edge(rest, size), 0, size)
        count = add(count, ite_bv(empty, size, 0, w), w)
        rest = ite_bv(empty, shift(rest, size, w), rest, w)
        size >>= 1
    return ite_bv(eq(a, 0, w), w & ((1 << w) - 1), count, w)


def bswap(a: BV, w: int) -> BV:
    """The bytes in opposite order."""
    if w % 8:
        raise ValueError(f"{w} bits are no whole bytes")
    return _reversed(a, w, 8)


def bitreverse(a: BV, w: int) -> BV:
    """The bits in opposite order."""
    return _reversed(a, w, 1)


def _reversed(a: BV, w: int, size: int) -> BV:
    return glue([(extract(a, low + size - 1, low), size) for low in range(0, w, size)])


def umin(a: BV, b: BV, w: int) -> BV:
    """The smaller, unsigned."""
    return ite_bv(ult(b, a, w), b, a, w)


def umax(a: BV, b: BV, w: int) -> BV:
    """The greater, unsigned."""
    return ite_bv(ult(a, b, w), b, a, w)


def smin(a: BV, b: BV, w: int) -> BV:
    """The smaller, signed."""
    return ite_bv(slt(b, a, w), b, a, w)


def smax(a: BV, b: BV, w: int) -> BV:
    """The greater, signed."""
    return ite_bv(slt(a, b, w), b, a, w)


def abs_(a: BV, w: int) -> BV:
    """The absolute value; the least value stays as it is."""
    if type(a) is not Expr:
        return abs(signed(a, w)) & ((1 << w) - 1)
    return ite_bv(slt(a, 0, w), neg(a, w), a, w)


def fshl(a: BV, b: BV, s: BV, w: int) -> BV:
    """The high half of (a above b) shifted left by ``s`` modulo ``w``; a rotation if a is b."""
    amount = urem(s, w, w) if w > 1 else 0
    if type(amount) is not Expr:
        if amount == 0:
            return a
        return or_(shl(a, amount, w), lshr(b, w - amount, w), w)
    # A shift by w gives 0, so an amount of 0 needs no case of its own.
    return or_(shl(a, amount, w), lshr(b, sub(w, amount, w), w), w)


def fshr(a: BV, b: BV, s: BV, w: int) -> BV:
    """The low half of (a above b) shifted right by ``s`` modulo ``w``."""
    amount = urem(s, w, w) if w > 1 else 0
    if type(amount) is not Expr:
        if amount == 0:
            return b
        return or_(shl(a, w - amount, w), lshr(b, amount, w), w)
    return or_(shl(a, sub(w, amount, w), w), lshr(b, amount, w), w)
