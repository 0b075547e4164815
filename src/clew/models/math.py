"""math.h: exact formulas where SMT has them, the C library's own result on concrete values, else any value.

The last is a loss, and reported. The value is a symbol of its own, no input: a re-execution has concrete arguments and
computes the real result, so nothing that only a made-up value shows is ever confirmed. In the state's model the symbol
starts with the real result, so the path at hand goes where the program would.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

from immutables import Map

from clew.analysis.model_effect import ANYTHING, PURE, WRITES_ARGUMENTS, WRITES_OWN
from clew.base.bits import signed
from clew.base.errors import Unsupported
from clew.execute.access import store_typed
from clew.execute.floatmath import fraction_and_power, fraction_and_whole, least_normal, shape
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.execute.values import copysign, float_sort, round_single
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.rewrite.fpmath import Real, from_fraction, shortest
from clew.expr.rewrite.fpmath import finite as finite_number
from clew.expr.sort import F32, F64, Sort, bv
from clew.models.errno import EDOM, ERANGE, set_errno
from clew.program.types import FloatType

APPROXIMATE = "approximate"
"""Kept on a path whose values of library functions are made up."""

Handler = Callable[..., Any]


def _variants(*names: str) -> tuple[str, ...]:
    """A function for ``double``, ``float`` and ``long double``."""
    return tuple(name + suffix for name in names for suffix in ("", "f", "l"))


def _type(call: Invocation) -> FloatType:
    """The type a function works with."""
    result = call.call.type.result
    type = result if isinstance(result, FloatType) else call.argument(0).type
    assert isinstance(type, FloatType)
    return type


def _sort(call: Invocation) -> Sort:
    """The format of that."""
    return float_sort(_type(call))


# Exact


def _exact(name: str, function: Handler) -> None:
    @model(*_variants(name), effect=PURE)
    def run(call: Invocation, *arguments: Any) -> Any:
        return function(*arguments, _sort(call))


def _positive_difference(x: Any, y: Any, sort: Sort) -> Any:
    either = build.lor(build.fisnan(x), build.fisnan(y))
    value = build.ite(build.fle(x, y), 0.0, build.fsub(x, y, sort), sort)
    return build.ite(either, math.nan, value, sort)


for _name, _function in (
    ("fabs", build.fabs), ("fma", build.ffma), ("fmin", build.fmin), ("fmax", build.fmax), ("copysign", copysign),
    ("fdim", _positive_difference),
):  # fmt: skip
    _exact(_name, _function)

_ROUNDING = {
    "floor": "rtn", "ceil": "rtp", "trunc": "rtz", "round": "rna", "rint": "rne", "nearbyint": "rne",
    "roundeven": "rne",
}  # fmt: skip
for _name, _mode in _ROUNDING.items():
    _exact(_name, lambda x, sort, mode=_mode: build.fround(x, mode, sort))


@model(*_variants("sqrt"), effect=WRITES_OWN)
def sqrt(call: Invocation, x: Any) -> Any:
    set_errno(call, EDOM, build.flt(x, 0.0))
    return build.fsqrt(x, _sort(call))


def _to_integer(call: Invocation, x: Any, mode: str) -> Any:
    """Out of range, C leaves the result open: it is what the target's instructions give."""
    width, sort = call.result_bits, _sort(call)
    lowest, edge = 1 << (width - 1), 2.0 ** (width - 1)
    whole = build.fround(x, mode, sort)
    fits = build.land(build.fle(-edge, whole), build.flt(whole, edge))
    outside: Any = lowest
    if call.state.run.target.saturates:
        outside = build.ite(build.fle(edge, whole), lowest - 1, lowest, bv(width))
        outside = build.ite(build.fisnan(x), 0, outside, bv(width))
    return build.ite(fits, build.fp_to_sbv(whole, sort, width), outside, bv(width))


for _name, _mode in (("round", "rna"), ("rint", "rne")):
    model(*_variants(f"l{_name}", f"ll{_name}"), effect=PURE)(partial(_to_integer, mode=_mode))


@model(*_variants("modf"), effect=WRITES_ARGUMENTS)
def modf(call: Invocation, x: Any, address: Any) -> Any:
    """The whole part goes to memory; the fraction has the argument's sign."""
    sort = _sort(call)
    where = call.pointer(address)
    fraction, whole = fraction_and_whole(x, sort)
    store_typed(call.state, call.frame, call.point, call.live, where, whole, _type(call))
    return fraction


@model(*_variants("frexp"), effect=WRITES_ARGUMENTS)
def frexp(call: Invocation, x: Any, address: Any) -> Any:
    sort = _sort(call)
    where = call.pointer(address)
    mantissa, exponent = fraction_and_power(x, sort)
    call.store(where, exponent, 4)
    return mantissa


@model(*_variants("ilogb"), effect=PURE)
def ilogb(call: Invocation, x: Any) -> Any:
    _, exponent = fraction_and_power(x, _sort(call))
    special = build.disjunction([build.fisnan(x), build.fisinf(x), build.feq(x, 0.0)])
    target, mask = call.state.run.target, 0xFFFFFFFF
    extreme: Any = build.ite(build.fisinf(x), 0x7FFFFFFF, target.ilogb_zero & mask, bv(32))
    extreme = build.ite(build.fisnan(x), target.ilogb_nan & mask, extreme, bv(32))
    return build.ite(special, extreme, build.sub(exponent, 1, 32), bv(32))


@model(*_variants("ldexp", "scalbn", "scalbln"), effect=WRITES_OWN)
def ldexp(call: Invocation, x: Any, power: Any) -> Any:
    """Times a power of two; other powers of a symbolic one are siblings."""
    sort = _sort(call)
    width = call.argument_bits(1)
    exponent = signed(call.concrete(power, width), width)
    _, bias = shape(sort)
    if not isinstance(x, Expr):
        return _scaled(call, x, exponent, sort)
    if 1 - bias <= exponent <= bias:
        return build.fmul(x, shortest(Fraction(2) ** exponent), sort)
    return _any_value(call, "ldexp", (x, exponent), sort, lambda x, n: _scaled(call, x, n, sort))


def _scaled(call: Invocation, x: Real, exponent: int, sort: Sort) -> Real:
    if not finite_number(x) or x == 0:
        return x
    value = from_fraction(Fraction(x) * Fraction(2) ** max(-40000, min(40000, exponent)), sort)
    set_errno(call, ERANGE, not finite_number(value) or value == 0)
    return value


# Classes


@model("isnan", "__isnan", "isnanf", "__isnanf", "__isnanl", effect=PURE)
def isnan(call: Invocation, x: Any) -> Any:
    return build.bool_to_bv(build.fisnan(x), 32)


def _negative(x: Any, sort: Sort) -> Any:
    return build.ne(build.lshr(build.fp_to_bits(x, sort), sort.width - 1, sort.width), 0, sort.width)


@model("isinf", "__isinf", "isinff", "__isinff", "__isinfl", effect=PURE)
def isinf(call: Invocation, x: Any) -> Any:
    """glibc tells the sign."""
    sign = build.ite(build.flt(x, 0.0), 0xFFFFFFFF, 1, bv(32))
    return build.ite(build.fisinf(x), sign, 0, bv(32))


@model("finite", "__finite", "finitef", "__finitef", "__finitel", effect=PURE)
def finite(call: Invocation, x: Any) -> Any:
    return build.bool_to_bv(build.lnot(build.lor(build.fisnan(x), build.fisinf(x))), 32)


@model("__signbit", "__signbitf", "__signbitl", effect=PURE)
def signbit(call: Invocation, x: Any) -> Any:
    return build.bool_to_bv(_negative(x, _sort(call)), 32)


@model("__fpclassify", "__fpclassifyf", "__fpclassifyl", effect=PURE)
def fpclassify(call: Invocation, x: Any) -> Any:
    """NaN 0, infinite 1, zero 2, subnormal 3, normal 4."""
    sort = _sort(call)
    magnitude = build.fabs(x, sort)
    kind = build.ite(build.flt(magnitude, least_normal(sort)), 3, 4, bv(32))
    for condition, number in ((build.feq(x, 0.0), 2), (build.fisinf(x), 1), (build.fisnan(x), 0)):
        kind = build.ite(condition, number, kind, bv(32))
    return kind


@model(*_variants("nan"), effect=ANYTHING)
def nan(call: Invocation, tag: Any) -> float:
    return math.nan


# What SMT has no counterpart of

_UNARY = (
    "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 log10 log1p logb cbrt "
    "erf erfc tgamma lgamma"
).split()
_BINARY = "pow atan2 hypot fmod remainder nextafter".split()
_BASES = {variant: name for name in (*_UNARY, *_BINARY) for variant in _variants(name)}

_RANGES: dict[str, tuple[float, float]] = {
    "sin": (-1.0, 1.0), "cos": (-1.0, 1.0), "tanh": (-1.0, 1.0), "erf": (-1.0, 1.0), "erfc": (0.0, 2.0),
    "exp": (0.0, math.inf), "exp2": (0.0, math.inf), "exp10": (0.0, math.inf), "expm1": (-1.0, math.inf),
    "cosh": (1.0, math.inf), "hypot": (0.0, math.inf), "acosh": (0.0, math.inf),
    "asin": (-1.6, 1.6), "acos": (0.0, 3.2), "atan": (-1.6, 1.6), "atan2": (-3.2, 3.2),
}  # fmt: skip
"""What results lie between, unless they are NaN."""


@cache
def _library() -> ctypes.CDLL | None:
    """The machine's own C library of mathematics."""
    try:
        return ctypes.CDLL("libm.so.6")
    except OSError:
        return None


@cache
def _real(name: str, arity: int, single: bool) -> Callable[..., float]:
    """The C library's function, or Python's where there is no such library."""
    function = getattr(_library(), name + "f" * single, None)
    if function is None:
        return lambda *values: _by_python(name, values, single)
    kind = ctypes.c_float if single else ctypes.c_double
    function.restype = kind
    function.argtypes = [kind] * arity
    return lambda *values: float(function(*values))


def _by_python(name: str, values: tuple[float, ...], single: bool) -> float:
    try:
        value = float(getattr(math, name)(*values))
    except OverflowError:
        value = math.inf
    except (ValueError, AttributeError):
        value = math.nan
    return float(round_single(value)) if single else value


def _library_function(call: Invocation, *arguments: Any) -> Any:
    sort = _sort(call)
    name = _BASES[call.name]
    if sort.width > F64.width:
        return _of_long_doubles(name, arguments, sort)
    function = _real(name, len(arguments), sort is F32)
    if any(isinstance(argument, Expr) for argument in arguments):
        return _any_value(call, name, arguments, sort, function)
    value = function(*arguments)
    _report(call, arguments, value)
    return value


def _of_long_doubles(name: str, arguments: tuple[Any, ...], sort: Sort) -> Any:
    """What is exact: other results differ between C libraries in their last digits."""
    if name == "fmod":
        return build.frem(arguments[0], arguments[1], sort)
    raise Unsupported(f"{name}() of a long double")


def _report(call: Invocation, arguments: tuple[float, ...], value: float) -> None:
    """``errno`` as glibc sets it."""
    if math.isnan(value):
        set_errno(call, EDOM, not any(math.isnan(argument) for argument in arguments))
    elif math.isinf(value):
        set_errno(call, ERANGE, all(math.isfinite(argument) for argument in arguments))
    elif value == 0 and call.name.startswith(("exp", "pow")) and all(math.isfinite(a) and a != 0 for a in arguments):
        set_errno(call, ERANGE, not call.name.startswith("expm1"))


def _any_value(call: Invocation, name: str, arguments: tuple[Any, ...], sort: Sort, function: Handler) -> Any:
    """The same for the same arguments, in the function's range, and otherwise anything."""
    state = call.state
    known: Map[Any, Any] = call.recall("values of functions", Map())
    key = (name, sort.width, arguments)
    if key in known:
        return known[key]
    what = f"{name}() of a symbolic value: taken as any value until a test is re-executed"
    state.run.note_loss("undefined-function", what, state)
    state.symbols += 1
    symbol = build.symbol(f"{name}!{state.symbols}", bv(sort.width))
    real = function(*(state.model.eval(argument) for argument in arguments))
    assert isinstance(symbol, Expr)
    state.model = state.model.updated({symbol: int(build.fp_to_bits(real, sort))})  # type: ignore[arg-type]
    value = build.fp_from_bits(symbol, sort)
    if name in _RANGES:
        low, high = _RANGES[name]
        call.assume(build.lor(build.fisnan(value), build.land(build.fle(low, value), build.fle(value, high))))
    call.remember("values of functions", known.set(key, value))
    call.remember(APPROXIMATE, True)
    return value


model(*_BASES, effect=WRITES_OWN)(_library_function)


@model(*_variants("sincos"), effect=ANYTHING)
def sincos(call: Invocation, x: Any, sine: Any, cosine: Any) -> None:
    """Both at once."""
    type = call.argument(0).type
    assert isinstance(type, FloatType)
    sort = float_sort(type)
    for name, address in (("sin", call.pointer(sine)), ("cos", call.pointer(cosine))):
        if sort.width > F64.width:
            raise Unsupported(f"{name}() of a long double")
        function = _real(name, 1, sort is F32)
        value = _any_value(call, name, (x,), sort, function) if isinstance(x, Expr) else function(x)
        store_typed(call.state, call.frame, call.point, call.live, address, value, type)
