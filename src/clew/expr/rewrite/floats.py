"""Constructors of float expressions, rounding to nearest even.

There is one NaN. Little is rewritten, since few laws of arithmetic hold: signs cancel, conversions
that lose nothing undo each other, comparisons of converted integers become integer comparisons.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.base.errors import Unsupported
from clew.expr.float_ranges import float_range
from clew.expr.node import BV, FP, Bool, Expr, as_float, intern, intern_with
from clew.expr.op import (
    CONST,
    FABS,
    FADD,
    FDIV,
    FEQ,
    FFMA,
    FISINF,
    FISNAN,
    FLE,
    FLT,
    FMUL,
    FNEG,
    FP_FROM_SBV,
    FP_FROM_UBV,
    FP_TO_FP,
    FROUND,
    FSQRT,
    FSUB,
    Op,
)
from clew.expr.rewrite import fpmath
from clew.expr.rewrite.boolean import land, lnot, lor
from clew.expr.rewrite.choice import ite
from clew.expr.rewrite.equality import eq
from clew.expr.rewrite.order import slt, ult
from clew.expr.rewrite.quotients import is_integral, truncated
from clew.expr.sort import BOOL, FLOAT_FORMAT, Sort


def fadd(a: FP, b: FP, sort: Sort) -> FP:
    """a + b."""
    if type(a) is not Expr and type(b) is not Expr:
        return fpmath.add(a, b, sort)
    return _commutative(FADD, a, b, -0.0, sort)


def fmul(a: FP, b: FP, sort: Sort) -> FP:
    """a * b."""
    if type(a) is not Expr and type(b) is not Expr:
        return fpmath.mul(a, b, sort)
    return _commutative(FMUL, a, b, 1.0, sort)


def fsub(a: FP, b: FP, sort: Sort) -> FP:
    """a - b."""
    if type(a) is not Expr and type(b) is not Expr:
        return fpmath.sub(a, b, sort)
    return _binary(FSUB, a, b, 0.0, sort)


def fdiv(a: FP, b: FP, sort: Sort) -> FP:
    """a / b."""
    if type(a) is not Expr and type(b) is not Expr:
        return fpmath.div(a, b, sort)
    return _binary(FDIV, a, b, 1.0, sort)


def _is(value: FP, wanted: float) -> bool:
    """Is it this very constant, the sign of zero included?"""
    return type(value) is not Expr and fpmath.same(value, wanted)


def _is_nan(value: FP) -> bool:
    return type(value) is not Expr and value != value


def _commutative(op: Op, a: FP, b: FP, neutral: float, sort: Sort) -> FP:
    if _is(a, neutral):
        return b
    x, y = as_float(a, sort), as_float(b, sort)
    if x.op is CONST or (y.op is not CONST and y.key < x.key):
        a, b = b, a
    return _binary(op, a, b, neutral, sort)


def _binary(op: Op, a: FP, b: FP, right_neutral: float, sort: Sort) -> FP:
    if _is(b, right_neutral):
        return a
    if _is_nan(a) or _is_nan(b):
        return fpmath.NAN
    return intern(op, sort, (as_float(a, sort), as_float(b, sort)))


def frem(a: FP, b: FP, sort: Sort) -> FP:
    """C's fmod; of unknown values it is not supported."""
    if type(a) is Expr or type(b) is Expr:
        raise Unsupported("fmod of symbolic values")
    return fpmath.rem(a, b)


def fneg(a: FP, sort: Sort) -> FP:
    """-a."""
    if type(a) is not Expr:
        return -a if a == a else fpmath.NAN
    return a.args[0] if a.op is FNEG else intern(FNEG, sort, (a,))


def fabs(a: FP, sort: Sort) -> FP:
    """|a|."""
    if type(a) is not Expr:
        return fpmath.magnitude(a) if a == a else fpmath.NAN
    if a.op is FABS:
        return a
    return intern(FABS, sort, (a.args[0] if a.op is FNEG else a,))


def fsqrt(a: FP, sort: Sort) -> FP:
    """The square root."""
    return intern(FSQRT, sort, (a,)) if type(a) is Expr else fpmath.sqrt(a, sort)


def ffma(a: FP, b: FP, c: FP, sort: Sort) -> FP:
    """a * b + c, rounded once."""
    if type(a) is Expr or type(b) is Expr or type(c) is Expr:
        return intern(FFMA, sort, (as_float(a, sort), as_float(b, sort), as_float(c, sort)))
    return fpmath.fma(a, b, c, sort)


def fmin(a: FP, b: FP, sort: Sort) -> FP:
    """C's fmin: a NaN counts as missing. Of two zeros, the second."""
    return ite(lor(flt(a, b), fisnan(b)), a, b, sort)


def fmax(a: FP, b: FP, sort: Sort) -> FP:
    """C's fmax."""
    return ite(lor(flt(b, a), fisnan(b)), a, b, sort)


def fround(a: FP, mode: str, sort: Sort) -> FP:
    """``a`` rounded to an integral value."""
    if mode not in fpmath.ROUNDING_MODES:
        raise ValueError(f"no rounding mode {mode!r}")
    if type(a) is not Expr:
        return fpmath.integral(a, mode)
    if a.op is FROUND or a.op is FP_FROM_SBV or a.op is FP_FROM_UBV:
        return a
    return intern_with(FROUND, sort, (a,), mode)


def _compared(op: Op, a: FP, b: FP) -> Expr:
    sort = next(x.sort for x in (a, b) if isinstance(x, Expr))
    return intern(op, BOOL, (as_float(a, sort), as_float(b, sort)))


def feq(a: FP, b: FP) -> Bool:
    """a == b in IEEE's sense."""
    if type(a) is not Expr and type(b) is not Expr:
        return a == b
    if a is b:
        return lnot(fisnan(a))
    if _is_nan(a) or _is_nan(b):
        return False
    pair = _integers(a, b)
    if pair is not None:
        return eq(pair[0], pair[1], pair[0].width)
    (low_a, high_a, _), (low_b, high_b, _) = float_range(a), float_range(b)
    if high_a < low_b or high_b < low_a:
        return False
    for x, y in ((a, b), (b, a)):
        integral = _cut_off(x, y)
        if integral is not None:
            return integral
    node = _compared(FEQ, a, b)
    x, y = node.args
    return intern(FEQ, BOOL, (y, x)) if x.op is CONST or (y.op is not CONST and y.key < x.key) else node


def flt(a: FP, b: FP) -> Bool:
    """a < b."""
    if type(a) is not Expr and type(b) is not Expr:
        return a < b
    if a is b or _is_nan(a) or _is_nan(b):
        return False
    pair = _integers(a, b)
    if pair is not None:
        x, y = pair
        return _less(a)(x, y, x.width)
    (low_a, high_a, nan_a), (low_b, high_b, nan_b) = float_range(a), float_range(b)
    if low_a >= high_b:
        return False
    if high_a < low_b and not nan_a and not nan_b:
        return True
    return _compared(FLT, a, b)


def fle(a: FP, b: FP) -> Bool:
    """a <= b; not the negation of b < a, since a NaN makes both false."""
    if type(a) is not Expr and type(b) is not Expr:
        return a <= b
    if _is_nan(a) or _is_nan(b):
        return False
    if a is b:
        return lnot(fisnan(a))
    pair = _integers(a, b)
    if pair is not None:
        x, y = pair
        return lnot(_less(a)(y, x, x.width))
    (low_a, high_a, nan_a), (low_b, high_b, nan_b) = float_range(a), float_range(b)
    if low_a > high_b:
        return False
    if high_a <= low_b and not nan_a and not nan_b:
        return True
    return _compared(FLE, a, b)


def _cut_off(x: FP, y: FP) -> Bool | None:
    """Whether ``x``, which is ``y`` cut to an integer, equals ``y``; None unless that is so, and can be told."""
    if type(x) is not Expr or type(y) is not Expr or x.op is not FP_FROM_SBV or not exact(x):
        return None
    number = x.args[0]
    half = 1 << (number.width - 1)
    return is_integral(y) if truncated(y, -half, half - 1, number.width) is number else None


def _less(a: FP) -> Callable[[BV, BV, int], Bool]:
    assert type(a) is Expr
    return slt if a.op is FP_FROM_SBV else ult


def _integers(a: FP, b: FP) -> tuple[Expr, Expr] | None:
    """The integers behind two floats, if both were converted from the same type without loss."""
    if type(a) is not Expr or type(b) is not Expr or a.op is not b.op or not exact(a):
        return None
    x, y = a.args[0], b.args[0]
    return (x, y) if x.sort is y.sort and x.op is not CONST and y.op is not CONST else None


def exact(a: Expr) -> bool:
    """Is it an integer converted to a float that holds all its values?"""
    return (a.op is FP_FROM_SBV or a.op is FP_FROM_UBV) and a.args[0].width <= FLOAT_FORMAT[a.width][1]


def fisnan(a: FP) -> Bool:
    """Is it a NaN?"""
    if type(a) is not Expr:
        return a != a
    while a.op is FNEG or a.op is FABS or a.op is FP_TO_FP or a.op is FROUND:
        a = a.args[0]
    return intern(FISNAN, BOOL, (a,)) if float_range(a)[2] else False


def fisinf(a: FP) -> Bool:
    """Is it infinite?"""
    if type(a) is not Expr:
        return a in (fpmath.INF, -fpmath.INF)
    while a.op is FNEG or a.op is FABS or a.op is FROUND:
        a = a.args[0]
    low, high, _ = float_range(a)
    return False if low > -fpmath.INF and high < fpmath.INF else intern(FISINF, BOOL, (a,))


def within(a: FP, lowest: int, highest: int, sort: Sort) -> Bool:
    """Does ``a``, cut toward zero, lie in ``lowest .. highest`` (powers of two or one off)?"""
    below, above = fpmath.from_int(lowest - 1, sort), fpmath.from_int(highest + 1, sort)
    # If lowest - 1 is no float, then none lies strictly between it and lowest either.
    not_below = flt(below, a) if below == lowest - 1 else fle(fpmath.from_int(lowest, sort), a)
    return land(not_below, flt(a, above))
