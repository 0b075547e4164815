"""Constructors of products, quotients and remainders.

Constant factors move to the outside, where they become coefficients of sums (see ``linear``).
Unsigned division by a power of two is a cut. Division by zero follows SMT-LIB: ``x / 0`` is all
ones (signed: 1 for a negative dividend, -1 otherwise), ``x % 0`` is x.
"""

from __future__ import annotations

from clew.base.bits import signed
from clew.expr.node import BV, Expr, as_bv, intern
from clew.expr.op import MUL, SDIV, SREM, UDIV, UREM, Op
from clew.expr.ranges import facts
from clew.expr.rewrite.linear import negation, scaled, term_of
from clew.expr.rewrite.slices import extract, zext
from clew.expr.sort import bv


def mul(a: BV, b: BV, w: int) -> BV:
    """a * b."""
    if type(a) is not Expr:
        if type(b) is not Expr:
            return (a * b) & ((1 << w) - 1)
        a, b = b, a
    if type(b) is not Expr:
        factor = b & a.mask
        if factor == 0:
            return 0
        return a if factor == 1 else scaled(a, factor)
    x, c = _factor(a)
    y, d = _factor(b)
    node = intern(MUL, a.sort, (x, y) if x.key <= y.key else (y, x))
    factor = (c * d) & a.mask
    if factor == 1:
        return node
    return scaled(node, factor) if factor else 0


def _factor(e: Expr) -> tuple[Expr, int]:
    """(t, c) with e = c * t."""
    term, factor, rest = term_of(e)
    return (e, 1) if rest else (term, factor)


def udiv_constants(a: int, b: int, mask: int) -> int:
    """a / b."""
    return a // b if b else mask


def urem_constants(a: int, b: int) -> int:
    """a % b."""
    return a % b if b else a


def sdiv_constants(a: int, b: int, w: int) -> int:
    """a / b, toward zero."""
    x, y = signed(a, w), signed(b, w)
    mask = (1 << w) - 1
    if y == 0:
        return 1 if x < 0 else mask
    quotient = abs(x) // abs(y)
    return (quotient if (x < 0) == (y < 0) else -quotient) & mask


def srem_constants(a: int, b: int, w: int) -> int:
    """a % b, with the sign of a."""
    x, y = signed(a, w), signed(b, w)
    if y == 0:
        return a
    remainder = abs(x) % abs(y)
    return (-remainder if x < 0 else remainder) & ((1 << w) - 1)


def udiv(a: BV, b: BV, w: int) -> BV:
    """a / b, unsigned."""
    mask = (1 << w) - 1
    if type(b) is not Expr:
        if type(a) is not Expr:
            return udiv_constants(a, b, mask)
        return _udiv_by(a, b, w)
    return _divide(UDIV, a, b, w)


def _udiv_by(a: Expr, b: int, w: int) -> BV:
    if b == 0:
        return a.mask
    if b & (b - 1) == 0:
        k = b.bit_length() - 1
        return zext(extract(a, w - 1, k), w - k, w)
    return 0 if facts(a)[1] < b else _divide(UDIV, a, b, w)


def urem(a: BV, b: BV, w: int) -> BV:
    """a % b, unsigned."""
    if type(b) is not Expr:
        if type(a) is not Expr:
            return urem_constants(a, b)
        return _urem_by(a, b, w)
    return 0 if type(a) is int and a == 0 else _divide(UREM, a, b, w)


def _urem_by(a: Expr, b: int, w: int) -> BV:
    if b == 0:
        return a
    if b == 1:
        return 0
    if b & (b - 1) == 0:
        k = b.bit_length() - 1
        return zext(extract(a, k - 1, 0), k, w)
    return a if facts(a)[1] < b else _divide(UREM, a, b, w)


def sdiv(a: BV, b: BV, w: int) -> BV:
    """a / b, signed, toward zero."""
    if type(b) is not Expr:
        if type(a) is not Expr:
            return sdiv_constants(a, b, w)
        if b == 1:
            return a
        if b == a.mask:
            return negation(a)
    if _not_negative(a, w) and _not_negative(b, w):
        return udiv(a, b, w)
    return _divide(SDIV, a, b, w)


def srem(a: BV, b: BV, w: int) -> BV:
    """a % b, signed, with the sign of a."""
    if type(b) is not Expr:
        if type(a) is not Expr:
            return srem_constants(a, b, w)
        if b == 0:
            return a
        if b in (1, a.mask):
            return 0
    if _not_negative(a, w) and _not_negative(b, w):
        return urem(a, b, w)
    return _divide(SREM, a, b, w)


def _not_negative(a: BV, w: int) -> bool:
    highest = facts(a)[1] if type(a) is Expr else a
    return highest < 1 << (w - 1)


def _divide(op: Op, a: BV, b: BV, w: int) -> BV:
    return intern(op, bv(w), (as_bv(a, w), as_bv(b, w)))
