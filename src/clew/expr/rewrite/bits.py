"""Constructors of bitwise operations and shifts.

    x & 0xff  ->  zext(x[7:0])         (zext(b1) << 8) | zext(b0)  ->  zext(concat(b1, b0))
    x >> 3    ->  zext(x[w-1:3])       (signed: sext)              x << 3  ->  8 * x, see linear

Operands of AND, OR, XOR are in key order, a constant last.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from clew.expr.node import BV, Expr, as_bv, constant, intern
from clew.expr.op import ADD, AND, ASHR, CONCAT, CONST, LSHR, MUL, NEG, NOT, OR, SHL, XOR, ZEXT, Op
from clew.expr.ranges import facts
from clew.expr.rewrite.linear import add, neg, scaled
from clew.expr.rewrite.slices import (
    constant_choice,
    cuttable,
    extract,
    glue,
    is_constant_choice,
    narrows,
    settles,
    sext,
    zext,
)
from clew.expr.sort import bv


def and_(a: BV, b: BV, w: int) -> BV:
    """a & b."""
    if type(a) is not Expr:
        if type(b) is not Expr:
            return a & b
        return _and_constant(b, a & b.mask)
    if type(b) is not Expr:
        return _and_constant(a, b & a.mask)
    if a is b:
        return a
    if _complementary(a, b):
        return 0
    absorbed = _absorbed(a, b, AND, OR)
    return absorbed if absorbed is not None else _ordered(AND, a, b)


def _and_constant(e: Expr, k: int) -> BV:
    if k == e.mask:
        return e
    if k == 0:
        return 0
    if e.op is AND and e.args[1].op is CONST:
        return _and_constant(e.args[0], k & e.args[1].value)
    if is_constant_choice(e):
        return constant_choice(e.args[0], e.args[1].value & k, e.args[2].value & k, e.width)
    _, _, zeros, ones = facts(e)
    if k & ~zeros == k & ones:
        return k & ones  # every bit that is left is known
    if (k | zeros) == e.mask:
        return e  # only bits that are zero anyway are cleared
    if k & (k + 1) == 0:
        bits = k.bit_length()
        return zext(extract(e, bits - 1, 0), bits, e.width)
    if e.op is CONCAT or e.op is ZEXT:
        return _by_piece(e, k, and_)
    return intern(AND, e.sort, (e, constant(k, e.sort)))


def or_(a: BV, b: BV, w: int) -> BV:
    """a | b."""
    if type(a) is not Expr:
        if type(b) is not Expr:
            return a | b
        return _or_constant(b, a & b.mask)
    if type(b) is not Expr:
        return _or_constant(a, b & a.mask)
    if a is b:
        return a
    if _complementary(a, b):
        return a.mask
    absorbed = _absorbed(a, b, OR, AND)
    if absorbed is not None:
        return absorbed
    if facts(a)[2] | facts(b)[2] == a.mask:
        joined = _interleaved(a, b)
        if joined is not None:
            return joined
    return _ordered(OR, a, b)


def _or_constant(e: Expr, k: int) -> BV:
    if k == 0:
        return e
    if k == e.mask:
        return k
    if e.op is OR and e.args[1].op is CONST:
        return _or_constant(e.args[0], k | e.args[1].value)
    if is_constant_choice(e):
        return constant_choice(e.args[0], e.args[1].value | k, e.args[2].value | k, e.width)
    _, _, zeros, ones = facts(e)
    if k & ~ones == 0:
        return e
    if (k | zeros | ones) == e.mask:
        return k | ones
    if e.op is CONCAT or e.op is ZEXT:
        return _by_piece(e, k, or_)
    return intern(OR, e.sort, (e, constant(k, e.sort)))


def xor(a: BV, b: BV, w: int) -> BV:
    """a ^ b."""
    if type(a) is not Expr:
        if type(b) is not Expr:
            return a ^ b
        return _xor_constant(b, a & b.mask)
    if type(b) is not Expr:
        return _xor_constant(a, b & a.mask)
    if a is b:
        return 0
    flip = 0
    if a.op is NOT or (a.op is XOR and a.args[1].op is CONST):
        a, flip = _unflipped(a)
    if b.op is NOT or (b.op is XOR and b.args[1].op is CONST):
        b, more = _unflipped(b)
        flip ^= more
    if a is b:
        return flip
    if a.op is XOR and b in a.args:
        rest: BV = a.args[1] if a.args[0] is b else a.args[0]
    elif b.op is XOR and a in b.args:
        rest = b.args[1] if b.args[0] is a else b.args[0]
    else:
        rest = _ordered(XOR, a, b)
    return xor(rest, flip, w)


def _unflipped(e: Expr) -> tuple[Expr, int]:
    if e.op is NOT:
        return e.args[0], e.mask
    return e.args[0], e.args[1].value


def _xor_constant(e: Expr, k: int) -> BV:
    if k == 0:
        return e
    if e.op is XOR and e.args[1].op is CONST:
        return _xor_constant(e.args[0], k ^ e.args[1].value)
    if e.op is NOT:
        return _xor_constant(e.args[0], k ^ e.mask)
    if is_constant_choice(e):
        return constant_choice(e.args[0], e.args[1].value ^ k, e.args[2].value ^ k, e.width)
    if k == e.mask:
        return _inverted(e)
    if e.op is CONCAT or e.op is ZEXT:
        return _by_piece(e, k, xor)
    return intern(XOR, e.sort, (e, constant(k, e.sort)))


def not_(a: BV, w: int) -> BV:
    """All bits flipped."""
    return _xor_constant(a, a.mask) if type(a) is Expr else a ^ ((1 << w) - 1)


def _inverted(e: Expr) -> BV:
    """``~e`` of a sum is a sum; of anything else, a NOT."""
    if e.op is ADD or e.op is NEG or e.op is MUL or e.op is SHL:
        return add(neg(e, e.width), e.mask, e.width)
    return intern(NOT, e.sort, (e,))


def _ordered(op: Op, a: Expr, b: Expr) -> Expr:
    if a.op is CONST or (b.op is not CONST and b.key < a.key):
        a, b = b, a
    return intern(op, a.sort, (a, b))


def _complementary(a: Expr, b: Expr) -> bool:
    return (a.op is NOT and a.args[0] is b) or (b.op is NOT and b.args[0] is a)


def _absorbed(a: Expr, b: Expr, same: Op, dual: Op) -> Expr | None:
    """``a op (a op c)`` is the inner one, ``a op (a dual c)`` is a; None if neither applies."""
    if a.op in (same, dual) and b in a.args:
        a, b = b, a
    elif b.op not in (same, dual) or a not in b.args:
        return None
    return b if b.op is same else a


def _by_piece(e: Expr, k: int, operation: Callable[[BV, BV, int], BV]) -> BV:
    """A bitwise operation with a constant, on each piece of a concatenation."""
    result: list[tuple[BV, int]] = []
    low = e.width
    for piece, width in _pieces(e):
        low -= width
        result.append((operation(piece, extract(k, low + width - 1, low), width), width))
    return glue(result)


def _pieces(e: Expr) -> list[tuple[BV, int]]:
    """(piece, width) of a ZEXT or CONCAT, the highest first."""
    if e.op is ZEXT:
        arg = e.args[0]
        return [(0, e.width - arg.width), *(_pieces(arg) if arg.op is CONCAT else [(arg, arg.width)])]
    return [(arg.value if arg.op is CONST else arg, arg.width) for arg in e.args]


def _layout(e: Expr) -> list[tuple[BV, int]] | None:
    """``e`` as pieces and gaps of zeros, if it is a shifted or extended something."""
    if e.op is ZEXT or e.op is CONCAT:
        return _pieces(e)
    if e.op is SHL and e.args[1].op is CONST:
        k = e.args[1].value
        assert isinstance(k, int)
        inner = extract(e.args[0], e.width - 1 - k, 0)
        if type(inner) is Expr and (inner.op is ZEXT or inner.op is CONCAT):
            return [*_pieces(inner), (0, k)]
        return [(inner, e.width - k), (0, k)]
    return None


def _interleaved(a: Expr, b: Expr) -> BV | None:
    """``a | b`` as a concatenation, where each piece of one lies over zeros of the other."""
    high, low = _layout(a), _layout(b)
    if high is None or low is None:
        return None
    cuts = sorted(_borders(high) | _borders(low), reverse=True)
    pieces: list[tuple[BV, int]] = []
    for top, bottom in pairwise(cuts):
        x, y = extract(a, top - 1, bottom), extract(b, top - 1, bottom)
        if type(x) is Expr and type(y) is Expr:
            return None
        pieces.append((or_(x, y, top - bottom), top - bottom))
    return glue(pieces)


def _borders(pieces: list[tuple[BV, int]]) -> set[int]:
    borders = {0}
    position = 0
    for _, width in reversed(pieces):
        position += width
        borders.add(position)
    return borders


def shl(a: BV, b: BV, w: int) -> BV:
    """a << b; 0 if b >= w."""
    if type(b) is Expr:
        return _shift(SHL, a, b, w)
    if b >= w:
        return 0
    if type(a) is not Expr:
        return (a << b) & ((1 << w) - 1)
    return scaled(a, 1 << b) if b else a


def lshr(a: BV, b: BV, w: int) -> BV:
    """a >> b with zeros; 0 if b >= w."""
    if type(b) is Expr:
        return _shift(LSHR, a, b, w)
    if b >= w:
        return 0
    if type(a) is not Expr:
        return a >> b
    return zext(extract(a, w - 1, b), w - b, w)


def ashr(a: BV, b: BV, w: int) -> BV:
    """a >> b with copies of the sign bit."""
    if type(b) is Expr:
        return _shift(ASHR, a, b, w)
    b = min(b, w - 1)
    return sext(extract(a, w - 1, b), w - b, w)


def _shift(op: Op, a: BV, b: Expr, w: int) -> BV:
    if type(a) is not Expr and a == 0:
        return 0
    low, high, _, _ = facts(b)
    if low == high:  # no constant in form, but in fact
        return {SHL: shl, LSHR: lshr, ASHR: ashr}[op](a, low, w)
    if low >= w and op is not ASHR:
        return 0
    return intern(op, bv(w), (as_bv(a, w), b))


@narrows(AND, OR, XOR)
def _narrow_bitwise(e: Expr, hi: int, lo: int) -> BV | None:
    a, b = e.args
    if not (cuttable(b) and settles(a)):
        return None
    operation = {AND: and_, OR: or_, XOR: xor}[e.op]
    return operation(extract(a, hi, lo), extract(b, hi, lo), hi - lo + 1)


@narrows(NOT)
def _narrow_not(e: Expr, hi: int, lo: int) -> BV | None:
    a = e.args[0]
    return not_(extract(a, hi, lo), hi - lo + 1) if settles(a) else None


@narrows(SHL)
def _narrow_shift(e: Expr, hi: int, lo: int) -> BV | None:
    a, b = e.args
    if b.op is not CONST:
        return None
    k = b.value
    assert isinstance(k, int)
    if hi < k:
        return 0
    if lo >= k:
        return extract(a, hi - k, lo - k)
    return glue([(extract(a, hi - k, 0), hi - k + 1), (0, k - lo)])
