"""Constructors that move between floats, their encodings, and integers.

A conversion to an integer is guarded: where the value does not fit (undefined in C), the result is
0, so that solvers, which may choose anything there, agree with the evaluator.
"""

from __future__ import annotations

from clew.base.bits import signed
from clew.expr.node import BV, FP, Expr, intern, intern_with
from clew.expr.op import (
    FP_FROM_BITS,
    FP_FROM_SBV,
    FP_FROM_UBV,
    FP_TO_BITS,
    FP_TO_FP,
    FP_TO_SBV,
    FP_TO_UBV,
    Op,
)
from clew.expr.rewrite import fpmath
from clew.expr.rewrite.choice import ite_bv
from clew.expr.rewrite.floats import exact, within
from clew.expr.rewrite.quotients import truncated
from clew.expr.rewrite.slices import sext, zext
from clew.expr.sort import Sort, bv


def fp_from_bits(a: BV, sort: Sort) -> FP:
    """The float with this encoding."""
    if type(a) is not Expr:
        return fpmath.from_bits(a, sort)
    return a.args[0] if a.op is FP_TO_BITS else intern(FP_FROM_BITS, sort, (a,))


def fp_to_bits(a: FP, sort: Sort) -> BV:
    """The encoding. What came from bits gives those bits back, as copying a float through memory does."""
    if type(a) is not Expr:
        return fpmath.to_bits(a, sort)
    return a.args[0] if a.op is FP_FROM_BITS else intern(FP_TO_BITS, bv(sort.width), (a,))


def fp_to_fp(a: FP, from_sort: Sort, to_sort: Sort) -> FP:
    """The nearest float of another format."""
    if from_sort is to_sort:
        return a
    if type(a) is not Expr:
        return fpmath.rounded(a, to_sort)
    if a.op is FP_TO_FP and a.args[0].width < from_sort.width:  # widening lost nothing
        return fp_to_fp(a.args[0], a.args[0].sort, to_sort)
    if from_sort.width < to_sort.width and exact(a):
        return intern_with(a.op, to_sort, a.args, None)
    return intern_with(FP_TO_FP, to_sort, (a,), None)


def fp_to_sbv(a: FP, sort: Sort, w: int) -> BV:
    """The signed integer, toward zero; 0 if it does not fit."""
    lowest, highest = -(1 << (w - 1)), (1 << (w - 1)) - 1
    if type(a) is not Expr:
        return fpmath.to_int(a, lowest, highest) & ((1 << w) - 1)
    if a.op is FP_FROM_SBV and exact(a) and w >= a.args[0].width:
        return sext(a.args[0], a.args[0].width, w)
    number = truncated(a, lowest, highest, w)
    return _guarded(FP_TO_SBV, a, sort, w, lowest, highest) if number is None else number


def fp_to_ubv(a: FP, sort: Sort, w: int) -> BV:
    """The unsigned integer, toward zero; 0 if it does not fit."""
    highest = (1 << w) - 1
    if type(a) is not Expr:
        return fpmath.to_int(a, 0, highest)
    if a.op is FP_FROM_UBV and exact(a) and w >= a.args[0].width:
        return zext(a.args[0], a.args[0].width, w)
    number = truncated(a, 0, highest, w)
    return _guarded(FP_TO_UBV, a, sort, w, 0, highest) if number is None else number


def _guarded(op: Op, a: Expr, sort: Sort, w: int, lowest: int, highest: int) -> BV:
    return ite_bv(within(a, lowest, highest, sort), intern_with(op, bv(w), (a,), w), 0, w)


def fp_from_sbv(a: BV, w: int, sort: Sort) -> FP:
    """The nearest float to a signed integer."""
    if type(a) is not Expr:
        return fpmath.from_int(signed(a, w), sort)
    return intern_with(FP_FROM_SBV, sort, (a,), None)


def fp_from_ubv(a: BV, w: int, sort: Sort) -> FP:
    """The nearest float to an unsigned integer."""
    if type(a) is not Expr:
        return fpmath.from_int(a, sort)
    return intern_with(FP_FROM_UBV, sort, (a,), None)
