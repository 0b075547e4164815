"""Floating-point functions beyond arithmetic, and a few rare integer intrinsics."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from clew.base.bits import signed
from clew.base.errors import Unsupported
from clew.execute.forking import Live
from clew.execute.frame import Frame
from clew.execute.state import State
from clew.execute.values import copysign, float_sort, round_single
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.rewrite.fpmath import Real, limits, shortest
from clew.expr.sort import F32, F64, FLOAT_FORMAT, Sort, bv
from clew.program import instructions as ir
from clew.program.types import FloatType

_FUNCTIONS: dict[str, Callable[..., float]] = {
    "pow": math.pow, "exp": math.exp, "exp2": lambda x: math.pow(2.0, x), "exp10": lambda x: math.pow(10.0, x),
    "log": math.log, "log2": math.log2, "log10": math.log10, "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "asin": math.asin, "acos": math.acos, "atan": math.atan, "atan2": math.atan2, "sinh": math.sinh,
    "cosh": math.cosh, "tanh": math.tanh,
}  # fmt: skip


def concrete_math(s: State, f: Frame, point: int, live: Live, name: str, arguments: tuple[Any, ...], sort: Sort) -> Any:
    """A function of math.h on concrete arguments; on symbolic ones SMT has no exact counterpart."""
    if sort.width > F64.width:
        raise Unsupported(f"{name} of a long double")
    if any(isinstance(argument, Expr) for argument in arguments):
        raise Unsupported(f"{name} of a symbolic value")
    if name == "powi":
        result = _apply("pow", (arguments[0], float(signed(arguments[1], 32))))
    else:
        result = _scaled(arguments) if name == "ldexp" else _apply(name, arguments)
    return round_single(result) if sort is F32 else result


def shape(sort: Sort) -> tuple[int, int]:
    """Bits of the fraction, and the exponent's bias."""
    digits, _, greatest = limits(sort)
    return digits - 1, greatest - 1


def least_normal(sort: Sort) -> Real:
    """The least number of a format that has all its digits."""
    return shortest(Fraction(2) ** (2 - limits(sort)[2]))


def fraction_and_power(x: Any, sort: Sort) -> tuple[Any, Any]:
    """``frexp``: a fraction from 1/2 on, below 1, and its power of two, by the encoding; what has none, and 0."""
    width, (fraction, bias) = sort.width, shape(sort)
    mask = (1 << (width - 1 - fraction)) - 1
    small = build.flt(build.fabs(x, sort), least_normal(sort))
    scaled = build.ite(small, build.fmul(x, 2.0 ** (fraction + 2), sort), x, sort)
    bits = build.fp_to_bits(scaled, sort)
    field = build.and_(build.lshr(bits, fraction, width), mask, width)
    field = build.trunc(field, 32) if width > 32 else build.zext(field, width, 32)
    shift: Any = build.ite(small, bias - 1 + fraction + 2, bias - 1, bv(32))
    kept = build.and_(bits, ((1 << width) - 1) ^ (mask << fraction), width)
    mantissa = build.fp_from_bits(build.or_(kept, (bias - 1) << fraction, width), sort)
    special = build.disjunction([build.fisnan(x), build.fisinf(x), build.feq(x, 0.0)])
    power = build.ite(special, 0, build.sub(field, shift, 32), bv(32))
    return build.ite(special, x, mantissa, sort), power


def fraction_and_whole(x: Any, sort: Sort) -> tuple[Any, Any]:
    """``modf``: both parts have the argument's sign."""
    whole = build.fround(x, "rtz", sort)
    fraction = build.ite(build.fisinf(x), 0.0, build.fsub(x, whole, sort), sort)
    return copysign(fraction, x, sort), whole


def _scaled(arguments: tuple[Any, ...]) -> float:
    try:
        return math.ldexp(arguments[0], signed(arguments[1], 32))
    except OverflowError:
        return math.copysign(math.inf, arguments[0])


def _apply(name: str, arguments: tuple[Any, ...]) -> float:
    if any(math.isnan(argument) for argument in arguments) and name not in ("pow",):
        return math.nan
    try:
        return float(_FUNCTIONS[name](*arguments))
    except OverflowError:
        return _overflowed(name, arguments)
    except ValueError:
        if name.startswith("log") and arguments[0] == 0:
            return -math.inf
        if name == "pow" and arguments[0] == 0:
            odd = arguments[1] % 2 == 1
            return math.copysign(math.inf, arguments[0]) if odd else math.inf
        return math.nan


def _overflowed(name: str, arguments: tuple[Any, ...]) -> float:
    negative = (name == "pow" and arguments[0] < 0 and arguments[1] % 2 == 1) or (name == "sinh" and arguments[0] < 0)
    return -math.inf if negative else math.inf


def float_to_int_sat(value: Any, sort: Sort, width: int, signed: bool) -> Any:
    """``llvm.fptosi.sat``: clamp to the range, NaN is 0."""
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    if isinstance(value, Expr):
        inner = build.fp_to_sbv(value, sort, width) if signed else build.fp_to_ubv(value, sort, width)
        mask = (1 << width) - 1
        too_low = build.fle(value, float(low))
        # The bound above is a power of two, exact in every format, unlike the largest integer.
        too_high = build.fle(float(high + 1), value)
        clamped = build.ite(too_high, high & mask, build.ite(too_low, low & mask, inner, bv(width)), bv(width))
        return build.ite(build.fisnan(value), 0, clamped, bv(width))
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return (high if value > 0 else low) & ((1 << width) - 1)
    return max(low, min(high, int(value))) & ((1 << width) - 1)


def float_class(s: State, f: Frame, point: int, live: Live, value: Any, mask: int, call: ir.Call) -> Any:
    """``llvm.is.fpclass``: whether the value is in one of the classes of the mask."""
    type = call.arguments[0].value.type
    assert isinstance(type, FloatType)
    sort = float_sort(type)
    width = sort.width
    fraction = FLOAT_FORMAT[width][1] - 1
    bits = build.fp_to_bits(value, sort)
    top = 1 << (width - 1)
    exponent_mask = ((1 << (width - 1 - fraction)) - 1) << fraction
    nan, infinite = build.fisnan(value), build.fisinf(value)
    negative = build.ne(build.and_(bits, top, width), 0, width)
    zero = build.eq(build.and_(bits, top - 1, width), 0, width)
    subnormal = build.land(build.eq(build.and_(bits, exponent_mask, width), 0, width), build.lnot(zero))
    special = build.disjunction([nan, infinite, zero, subnormal])
    normal = build.lnot(special)
    positive = build.lnot(negative)
    classes = (
        nan, nan, build.land(infinite, negative), build.land(normal, negative), build.land(subnormal, negative),
        build.land(zero, negative), build.land(zero, positive), build.land(subnormal, positive),
        build.land(normal, positive), build.land(infinite, positive),
    )  # fmt: skip
    return build.disjunction([member for bit, member in enumerate(classes) if mask >> bit & 1])


def three_way(s: State, f: Frame, point: int, live: Live, a: Any, b: Any, call: ir.Call) -> Any:
    """``llvm.scmp`` and ``llvm.ucmp``: -1, 0 or 1."""
    assert call.result is not None
    width = s.run.layout.bits(call.arguments[0].value.type)
    out = s.run.layout.bits(call.result.type)
    name = getattr(call.callee, "name", "")
    less = (build.slt if name.startswith("llvm.scmp") else build.ult)(a, b, width)
    same = build.eq(a, b, width)
    unequal = build.ite(less, (1 << out) - 1, 1, bv(out))
    return build.ite(same, 0, unequal, bv(out))
