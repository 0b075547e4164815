"""math.h: models against the machine's libm, concrete and symbolic."""

from __future__ import annotations

import ctypes
import math
import random
from functools import cache
from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import F32, F64, bv
from clew.frontend.target import host_target
from clew.models.math import APPROXIMATE
from unit.execute.support import c_program, exit_code
from unit.models.typed import DOUBLE, FLOAT, I32, I64, PTR, TypedDriver, same_float

HOST = host_target()
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, math.inf, -math.inf, math.nan, 4503599627370497.5, 1e300,
           -1e300, 5e-324, 2.2250738585072014e-308, 1e-310, 0.49999999999999994, 9.3e18,
           -9.223372036854775808e18]  # fmt: skip
ONE = "fabs sqrt floor ceil trunc round rint nearbyint roundeven".split()
TWO = "fmin fmax fdim copysign".split()
LIBRARY = "sin cos tan atan exp exp2 log log2 log10 log1p cbrt tanh erf tgamma lgamma".split()


@cache
def libm() -> ctypes.CDLL:
    return ctypes.CDLL("libm.so.6", use_errno=True)


def real(name: str, *values: float, kind: Any = ctypes.c_double, result: Any = None) -> Any:
    function = getattr(libm(), name)
    function.restype = result or kind
    function.argtypes = [kind] * len(values)
    return function(*values)


def numbers(kind: Any) -> list[float]:
    source = random.Random(1)
    values = SPECIAL + [source.uniform(-1, 1) * 2.0 ** source.randint(-60, 60) for _ in range(40)]
    return [kind(value).value for value in values]


@cache
def symbols(width: int) -> tuple[Expr, ...]:
    made = tuple(build.symbol(f"x{n}_{width}", bv(width)) for n in range(3))
    assert all(isinstance(symbol, Expr) for symbol in made)
    return made


KINDS = {"": (DOUBLE, ctypes.c_double, F64), "f": (FLOAT, ctypes.c_float, F32)}


@pytest.mark.parametrize("suffix", ["", "f"])
@pytest.mark.parametrize("name", [*ONE, *TWO, "fma"])
def test_exact_functions(name: str, suffix: str) -> None:
    """The formula over symbols, and the concrete result, are libm's."""
    type, kind, sort = KINDS[suffix]
    arity = 3 if name == "fma" else 2 if name in TWO else 1
    arguments = symbols(sort.width)[:arity]
    formula = TypedDriver().typed(name + suffix, type, *((type, build.fp_from_bits(x, sort)) for x in arguments))
    source, values = random.Random(2), numbers(kind)
    cases = [(x,) for x in values] if arity == 1 else [tuple(source.choices(values, k=arity)) for _ in range(80)]
    for case in cases:
        if name in ("fmin", "fmax") and case[0] == case[1] == 0:
            continue  # either zero will do
        expected = real(name + suffix, *case, kind=kind)
        assert same_float(TypedDriver().typed(name + suffix, type, *((type, x) for x in case)), expected), case
        bits = {symbol: build.fp_to_bits(x, sort) for symbol, x in zip(arguments, case, strict=True)}
        assert same_float(float(Model(bits).eval(formula)), expected), case  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["lround", "lrint", "llround", "llrint"])
def test_rounding_to_integers(name: str) -> None:
    """Numbers out of range included: there the host's libm speaks for the host's processor."""
    (x,) = symbols(64)[:1]
    formula = TypedDriver(target=HOST).typed(name, I64, (DOUBLE, build.fp_from_bits(x, F64)))
    for value in numbers(ctypes.c_double):
        expected = real(name, value, result=ctypes.c_long) & (2**64 - 1)
        assert Model({x: build.fp_to_bits(value, F64)}).eval(formula) == expected, value  # type: ignore[dict-item]
        assert TypedDriver(target=HOST).typed(name, I64, (DOUBLE, value)) == expected, value


@pytest.mark.parametrize(
    ("target", "high", "low", "nan"),
    [("x86_64-linux-gnu", 1 << 63, 1 << 63, 1 << 63), ("aarch64-linux-gnu", (1 << 63) - 1, 1 << 63, 0)],
)
def test_rounding_of_what_no_integer_holds(target: str, high: int, low: int, nan: int) -> None:
    for value, expected in ((1e300, high), (math.inf, high), (2.0**63, high), (-1e300, low), (math.nan, nan)):
        assert TypedDriver(target=target).typed("lround", I64, (DOUBLE, value)) == expected, value


@pytest.mark.parametrize("target", ["x86_64-linux-gnu", "aarch64-linux-gnu", "x86-linux-gnu"])
def test_the_constants_are_those_of_the_target(target: str) -> None:
    """The headers of the target say what they are."""
    body = "return ilogb(0.0) == FP_ILOGB0 && ilogb(NAN) == FP_ILOGBNAN && ilogbf(-0.0f) == FP_ILOGB0;"
    code = f"#include <math.h>\nint main(void) {{ {body} }}"
    assert exit_code(c_program(code, target, ("-fno-builtin",))) == 1


@pytest.mark.slow
def test_frexp_modf_and_ilogb_by_formula() -> None:
    (x,) = symbols(64)[:1]
    argument = build.fp_from_bits(x, F64)
    driver = TypedDriver(target=HOST)
    cell, whole = driver.buffer([0] * 4), driver.buffer([0] * 8)
    mantissa = driver.typed("frexp", DOUBLE, (DOUBLE, argument), (PTR, cell))
    exponent = driver.state.memory.load_bits(cell, 4)
    fraction = driver.typed("modf", DOUBLE, (DOUBLE, argument), (PTR, whole))
    logarithm = driver.typed("ilogb", I32, (DOUBLE, argument))
    for value in numbers(ctypes.c_double):
        model = Model({x: build.fp_to_bits(value, F64)})  # type: ignore[dict-item]
        expected = math.frexp(value)
        assert same_float(float(model.eval(mantissa)), expected[0])
        assert model.eval(exponent) == expected[1] & 0xFFFFFFFF
        parts = math.modf(value)
        assert same_float(float(model.eval(fraction)), parts[0])
        assert same_float(float(model.eval(build.fp_from_bits(driver.state.memory.load_bits(whole, 8), F64))), parts[1])
        assert model.eval(logarithm) == real("ilogb", value, result=ctypes.c_int) & 0xFFFFFFFF


@pytest.mark.parametrize("suffix", ["", "f"])
@pytest.mark.parametrize("name", [*LIBRARY, "pow", "atan2", "hypot", "fmod", "remainder"])
def test_library_functions_on_concrete_values(name: str, suffix: str) -> None:
    type, kind, _ = KINDS[suffix]
    source, values = random.Random(4), numbers(kind)
    arity = 1 if name in LIBRARY else 2
    for case in [tuple(source.choices(values, k=arity)) for _ in range(60)]:
        found = TypedDriver().typed(name + suffix, type, *((type, x) for x in case))
        assert same_float(found, real(name + suffix, *case, kind=kind)), case


def test_errno_of_domain_and_range() -> None:
    for name, value, expected in (("log", -1.0, 33), ("log", 0.0, 34), ("exp", 1e4, 34), ("exp", -1e4, 34),
                                  ("sqrt", -1.0, 33), ("sin", 1.0, 0), ("exp", math.inf, 0)):  # fmt: skip
        driver = TypedDriver()
        driver.typed(name, DOUBLE, (DOUBLE, value))
        assert driver.errno() == expected, (name, value)


def test_ldexp_is_exact() -> None:
    (x,) = symbols(64)[:1]
    for power in (-1100, -1022, -60, 0, 5, 1023, 1500):
        formula = TypedDriver().typed("ldexp", DOUBLE, (DOUBLE, build.fp_from_bits(x, F64)), (I32, power & 0xFFFFFFFF))
        for value in numbers(ctypes.c_double):
            function = libm().ldexp
            function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double, ctypes.c_int]
            expected = function(value, power)
            assert same_float(
                TypedDriver().typed("ldexp", DOUBLE, (DOUBLE, value), (I32, power & 0xFFFFFFFF)), expected
            )
            if -1022 <= power <= 1023:
                model = Model({x: build.fp_to_bits(value, F64)})  # type: ignore[dict-item]
                assert same_float(float(model.eval(formula)), expected), (value, power)


def test_a_symbolic_argument_gives_any_value_and_a_loss() -> None:
    (x,) = symbols(64)[:1]
    argument = build.fp_from_bits(x, F64)
    driver = TypedDriver({x: int(build.fp_to_bits(0.75, F64))})  # type: ignore[call-overload]
    first = driver.typed("sin", DOUBLE, (DOUBLE, argument))
    assert isinstance(first, Expr)
    assert driver.state.model.eval(first) == math.sin(0.75), "the path at hand goes on with the real value"
    assert driver.typed("sin", DOUBLE, (DOUBLE, argument)) is first, "equal arguments, equal results"
    assert driver.typed("cos", DOUBLE, (DOUBLE, argument)) is not first
    assert any(what.startswith("sin() of a symbolic value") for what in driver.losses())
    assert driver.state.environment[APPROXIMATE] is True
    assert driver.state.inputs is None, "no input: a re-execution computes the real value"


def test_classes() -> None:
    for value, name, expected in ((math.nan, "__isnan", 1), (1.0, "__isnan", 0), (-math.inf, "__isinf", 0xFFFFFFFF),
                                  (math.inf, "isinf", 1), (1e-310, "__fpclassify", 3), (-0.0, "__fpclassify", 2),
                                  (math.nan, "__fpclassify", 0), (-0.0, "__signbit", 1),
                                  (3.0, "finite", 1)):  # fmt: skip
        assert TypedDriver().typed(name, I32, (DOUBLE, value)) == expected, (name, value)
