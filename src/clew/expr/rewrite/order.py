"""Constructors of unsigned and signed comparisons.

Written with ULT, ULE, SLT, SLE only. Against a constant there are two forms, each the other's
negation: ``x < k`` and ``k <= x``; the outermost constants become (in)equalities:

    x <= 4  ->  x < 5        x < 1  ->  x == 0        zext(b) < 300  ->  true
    x ^ 0x80.. < y ^ 0x80..  (unsigned)  ->  x < y (signed)
    sext(x) + sext(y) < sext(y)  ->  x < 0        where no sum can overflow
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from clew.base.bits import signed
from clew.expr.node import BV, Bool, Expr, constant, intern, lower
from clew.expr.op import ADD, CONST, SEXT, SLT, ULT, XOR, ZEXT
from clew.expr.ranges import facts, interval, signed_interval
from clew.expr.rewrite.boolean import lnot
from clew.expr.rewrite.equality import eq_constant
from clew.expr.rewrite.linear import sub
from clew.expr.rewrite.slices import extract, is_constant_choice
from clew.expr.sort import BOOL

_Range: TypeAlias = Callable[[Expr], tuple[int, int]]
"""The lowest and the highest value of a node."""


def ult(a: BV, b: BV, w: int) -> Bool:
    """a < b, unsigned."""
    if type(b) is not Expr:
        if type(a) is not Expr:
            return a < b
        return _below(a, b)
    if type(a) is not Expr:
        # k < b is k + 1 <= b, the negation of b < k + 1
        return False if a == b.mask else lnot(_below(b, a + 1))
    return _compare(a, b)


def ule(a: BV, b: BV, w: int) -> Bool:
    """a <= b, unsigned."""
    return lnot(ult(b, a, w))


def ugt(a: BV, b: BV, w: int) -> Bool:
    """a > b, unsigned."""
    return ult(b, a, w)


def uge(a: BV, b: BV, w: int) -> Bool:
    """a >= b, unsigned."""
    return lnot(ult(a, b, w))


def slt(a: BV, b: BV, w: int) -> Bool:
    """a < b, signed."""
    if type(b) is not Expr:
        if type(a) is not Expr:
            return signed(a, w) < signed(b, w)
        return _signed_below(a, signed(b, w))
    if type(a) is not Expr:
        return lnot(_signed_below(b, signed(a, w) + 1))
    return _signed_compare(a, b)


def sle(a: BV, b: BV, w: int) -> Bool:
    """a <= b, signed."""
    return lnot(slt(b, a, w))


def sgt(a: BV, b: BV, w: int) -> Bool:
    """a > b, signed."""
    return slt(b, a, w)


def sge(a: BV, b: BV, w: int) -> Bool:
    """a >= b, signed."""
    return lnot(slt(a, b, w))


def _below(e: Expr, k: int) -> Bool:
    """``e < k``, unsigned, for 0 <= k < 2**w."""
    while True:
        low, high, _, _ = facts(e)
        if high < k:
            return True
        if low >= k:
            return False
        if k == low + 1:
            return eq_constant(e, low)
        if k == high:
            return lnot(eq_constant(e, high))
        if e.op is not ZEXT:
            break
        e = e.args[0]
    if is_constant_choice(e):
        return _choice(e, e.args[1].value < k, e.args[2].value < k)
    if _sign_flipped(e):
        return _signed_below(e.args[0], signed(k ^ (e.mask >> 1) + 1, e.width))
    return intern(ULT, BOOL, (e, constant(k, e.sort)))


def _sign_flipped(e: Expr) -> bool:
    """``x ^ 0x80..``: what orders signed values by unsigned comparison."""
    return e.op is XOR and e.args[1].op is CONST and e.args[1].value == (e.mask >> 1) + 1


def _choice(e: Expr, then: bool, other: bool) -> Bool:
    if then == other:
        return then
    return e.args[0] if then else lnot(e.args[0])


def _signed_below(e: Expr, k: int) -> Bool:
    """``e < k``, signed, for -2**(w-1) <= k <= 2**(w-1)."""
    while True:
        low, high = signed_interval(e)
        if high < k:
            return True
        if low >= k:
            return False
        if k == low + 1:
            return eq_constant(e, low & e.mask)
        if k == high:
            return lnot(eq_constant(e, high & e.mask))
        if e.op is not SEXT:
            break
        e = e.args[0]
    if low >= 0:
        return _below(e, k)
    if is_constant_choice(e):
        return _choice(e, signed(e.args[1].value, e.width) < k, signed(e.args[2].value, e.width) < k)
    if _sign_flipped(e):
        return _below(e.args[0], k & e.mask ^ (e.mask >> 1) + 1)
    return intern(SLT, BOOL, (e, constant(k & e.mask, e.sort)))


def _compare(a: Expr, b: Expr) -> Bool:
    """``a < b``, unsigned, of two nodes."""
    if a is b:
        return False
    low_a, high_a, _, _ = facts(a)
    low_b, high_b, _, _ = facts(b)
    if high_a < low_b:
        return True
    if low_a >= high_b:
        return False
    if a.op is ZEXT and b.op is ZEXT:
        width = max(a.args[0].width, b.args[0].width)
        return ult(extract(a, width - 1, 0), extract(b, width - 1, 0), width)
    if _sign_flipped(a) and _sign_flipped(b):
        return _signed_compare(a.args[0], b.args[0])
    rest = _without_common(a, b, interval, 0, a.mask)
    return intern(ULT, BOOL, (a, b)) if rest is None else ult(*rest, a.width)


def _signed_compare(a: Expr, b: Expr) -> Bool:
    """``a < b``, signed, of two nodes."""
    if a is b:
        return False
    low_a, high_a = signed_interval(a)
    low_b, high_b = signed_interval(b)
    if high_a < low_b:
        return True
    if low_a >= high_b:
        return False
    if a.op is SEXT and b.op is SEXT:
        width = max(a.args[0].width, b.args[0].width)
        return slt(extract(a, width - 1, 0), extract(b, width - 1, 0), width)
    if (low_a >= 0 and low_b >= 0) or (high_a < 0 and high_b < 0):
        return _compare(a, b)
    if _sign_flipped(a) and _sign_flipped(b):
        return _compare(a.args[0], b.args[0])
    rest = _without_common(a, b, signed_interval, -(a.mask >> 1) - 1, a.mask >> 1)
    return intern(SLT, BOOL, (a, b)) if rest is None else slt(*rest, a.width)


def _without_common(a: Expr, b: Expr, range_of: _Range, low: int, high: int) -> tuple[BV, BV] | None:
    """Two sums without the terms that both have, if there are any, and none of the sums can leave ``low`` to ``high``:
    then they compare as before."""
    if a.op is not ADD and b.op is not ADD:
        return None
    mine, others = (e.args if e.op is ADD else (e,) for e in (a, b))
    common = [term for term in mine if term in others]
    if not common:
        return None
    rests = ([term for term in terms if term not in common] for terms in (mine, others))
    if not all(_stays_within(map(range_of, terms), low, high) for terms in (mine, others, *rests)):
        return None
    left: BV = a
    right: BV = b
    for term in map(lower, common):
        left, right = sub(left, term, a.width), sub(right, term, a.width)
    return left, right


def _stays_within(ranges: Iterable[tuple[int, int]], low: int, high: int) -> bool:
    """Whether all sums of numbers in some ranges do."""
    ends = list(ranges)
    return low <= sum(end[0] for end in ends) and sum(end[1] for end in ends) <= high
