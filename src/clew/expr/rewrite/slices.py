"""Constructors that cut and glue bit-vectors: zext, sext, extract, concat.

    extract(concat(a, b), ..)  ->  extract of a piece       concat(x[7:4], x[3:0])  ->  x[7:0]
    extract(zext(a) + 1, 7, 0) ->  a + 1 (at width 8)       concat(0, x)            ->  zext(x)

How an extract moves into an operator is that operator's business: its module registers a rule with
``narrows``. Such rules only fire where all operands are themselves cheap to cut (``cuttable``), so
every step reaches a narrower node and the nesting of calls is bounded by the width.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from clew.expr.node import BV, Bool, Expr, as_bv, constant, intern, intern_with
from clew.expr.op import CONCAT, CONST, EXTRACT, ITE, SEXT, ZEXT, Op
from clew.expr.rewrite.choice import ite_bv
from clew.expr.sort import BOOL, bv

MAX_PIECES: Final = 64

Narrow = Callable[[Expr, int, int], "BV | None"]
_NARROW: Final[dict[Op, Narrow]] = {}
_CUTTABLE: Final = frozenset((CONST, ZEXT, SEXT, CONCAT))


def narrows(*ops: Op) -> Callable[[Narrow], Narrow]:
    """Register ``rule(e, hi, lo)``: the extract of a node with one of ``ops``, or None."""

    def register(rule: Narrow) -> Narrow:
        for op in ops:
            _NARROW[op] = rule
        return rule

    return register


def cuttable(e: Expr) -> bool:
    """May an extract move into ``e`` and be sure to leave something smaller?"""
    return e.op in _CUTTABLE or is_constant_choice(e)


def settles(e: Expr) -> bool:
    """Does an extract of ``e`` end there, or in something smaller? Keeps chains from recursing."""
    return e.op not in _NARROW or cuttable(e)


def is_constant_choice(e: Expr) -> bool:
    """``ite(c, k1, k2)`` with two constants."""
    return e.op is ITE and e.args[1].op is CONST and e.args[2].op is CONST


def constant_choice(c: Expr, a: int, b: int, width: int) -> BV:
    """``ite(c, a, b)`` for a condition in the form a choice already has."""
    if a == b:
        return a
    sort = bv(width)
    return intern(ITE, sort, (c, constant(a, sort), constant(b, sort)))


def sign_extended(value: int, width: int, mask: int) -> int:
    """A constant of ``width`` bits extended to those of ``mask``."""
    sign = 1 << (width - 1)
    return ((value ^ sign) - sign) & mask


def bool_to_bv(c: Bool, w: int) -> BV:
    """1 where ``c`` holds, else 0."""
    if type(c) is Expr:
        return ite_bv(c, 1, 0, w)
    return 1 if c else 0


def zext(a: BV, from_w: int, to_w: int) -> BV:
    """Extension with zeros. A boolean counts as one bit."""
    if type(a) is not Expr:
        return int(a)
    if a.sort is BOOL:
        return bool_to_bv(a, to_w)
    if a.width == to_w:
        return a
    if a.op is ZEXT:
        a = a.args[0]
    elif is_constant_choice(a):
        return constant_choice(a.args[0], a.args[1].value, a.args[2].value, to_w)
    return intern_with(ZEXT, bv(to_w), (a,), to_w)


def sext(a: BV, from_w: int, to_w: int) -> BV:
    """Extension with the sign bit. A boolean counts as one bit: true is -1."""
    sort = bv(to_w)
    if type(a) is not Expr:
        return sign_extended(int(a), from_w, sort.mask)
    if a.sort is BOOL:
        return ite_bv(a, sort.mask, 0, to_w)
    if a.width == to_w:
        return a
    if a.op is ZEXT:
        return intern_with(ZEXT, sort, (a.args[0],), to_w)
    if a.op is SEXT:
        a = a.args[0]
    elif is_constant_choice(a):
        then, other = (sign_extended(arg.value, a.width, sort.mask) for arg in a.args[1:])
        return constant_choice(a.args[0], then, other, to_w)
    return intern_with(SEXT, sort, (a,), to_w)


def extract(a: BV, hi: int, lo: int) -> BV:
    """Bits ``hi`` down to ``lo``, both inclusive."""
    if type(a) is not Expr:
        return (a >> lo) & ((1 << (hi - lo + 1)) - 1)
    if a.op is CONST:  # an argument of a node that is being cut
        return extract(a.value, hi, lo)
    if lo == 0 and hi == a.width - 1:
        return a
    rule = _NARROW.get(a.op)
    if rule is not None:
        result = rule(a, hi, lo)
        if result is not None:
            return result
    return intern_with(EXTRACT, bv(hi - lo + 1), (a,), (hi, lo))


@narrows(EXTRACT)
def _cut_extract(e: Expr, hi: int, lo: int) -> BV:
    assert isinstance(e.value, tuple)
    base = e.value[1]
    return extract(e.args[0], base + hi, base + lo)


@narrows(ZEXT)
def _cut_zext(e: Expr, hi: int, lo: int) -> BV:
    arg = e.args[0]
    if lo >= arg.width:
        return 0
    if hi < arg.width:
        return extract(arg, hi, lo)
    return zext(extract(arg, arg.width - 1, lo), arg.width - lo, hi - lo + 1)


@narrows(SEXT)
def _cut_sext(e: Expr, hi: int, lo: int) -> BV:
    arg = e.args[0]
    if hi < arg.width:
        return extract(arg, hi, lo)
    low = min(lo, arg.width - 1)
    return sext(extract(arg, arg.width - 1, low), arg.width - low, hi - lo + 1)


@narrows(CONCAT)
def _cut_concat(e: Expr, hi: int, lo: int) -> BV:
    pieces: list[tuple[BV, int]] = []
    top = e.width
    for arg in e.args:
        bottom = top - arg.width
        high, low = min(hi, top - 1), max(lo, bottom)
        if high >= low:
            pieces.append((extract(arg, high - bottom, low - bottom), high - low + 1))
        top = bottom
    return glue(pieces)


@narrows(ITE)
def _cut_choice(e: Expr, hi: int, lo: int) -> BV | None:
    if not is_constant_choice(e):
        return None
    then, other = extract(e.args[1], hi, lo), extract(e.args[2], hi, lo)
    assert isinstance(then, int) and isinstance(other, int)
    return constant_choice(e.args[0], then, other, hi - lo + 1)


def concat(hi: BV, hi_w: int, lo: BV, lo_w: int) -> BV:
    """``hi`` above ``lo``."""
    if type(hi) is not Expr and type(lo) is not Expr:
        return (hi << lo_w) | lo
    return glue([(hi, hi_w), (lo, lo_w)])


def glue(pieces: list[tuple[BV, int]]) -> BV:
    """The concatenation of (piece, width), the highest first."""
    flat: list[tuple[BV, int]] = []
    for piece, width in pieces:
        for part in _parts(piece, width):
            if flat:
                joined = _joined(flat[-1], part)
                if joined is not None:
                    flat[-1] = joined
                    continue
            flat.append(part)
    total = sum(width for _, width in flat)
    if len(flat) == 1:
        return flat[0][0]
    if type(flat[0][0]) is not Expr and flat[0][0] == 0:
        rest = total - flat[0][1]
        return zext(_concatenation(flat[1:], rest), rest, total)
    return _concatenation(flat, total)


def _parts(piece: BV, width: int) -> list[tuple[BV, int]]:
    """The pieces a piece is itself made of."""
    if type(piece) is Expr:
        if piece.op is CONCAT and len(piece.args) < MAX_PIECES:
            return [(arg.value if arg.op is CONST else arg, arg.width) for arg in piece.args]
        if piece.op is ZEXT:
            arg = piece.args[0]
            return [(0, width - arg.width), *_parts(arg, arg.width)]
    return [(piece, width)]


def _joined(high: tuple[BV, int], low: tuple[BV, int]) -> tuple[BV, int] | None:
    """Two neighbours as one piece: two constants, or adjacent extracts of one node."""
    (a, a_w), (b, b_w) = high, low
    if type(a) is not Expr or type(b) is not Expr:
        if type(a) is Expr or type(b) is Expr:
            return None
        return (a << b_w) | b, a_w + b_w
    if a.op is not EXTRACT:
        return None
    source = a.args[0]
    if b.op is not EXTRACT or b.args[0] is not source:
        return None
    a_hi, a_lo = a.value
    b_hi, b_lo = b.value
    return (extract(source, a_hi, b_lo), a_w + b_w) if b_hi + 1 == a_lo else None


def _concatenation(flat: list[tuple[BV, int]], total: int) -> BV:
    if len(flat) == 1:
        return flat[0][0]
    if len(flat) > MAX_PIECES:  # keep nodes small: nest
        half = len(flat) // 2
        low_width = sum(width for _, width in flat[half:])
        high = _concatenation(flat[:half], total - low_width)
        low = _concatenation(flat[half:], low_width)
        flat = [(high, total - low_width), (low, low_width)]
    return intern(CONCAT, bv(total), tuple([as_bv(piece, width) for piece, width in flat]))
