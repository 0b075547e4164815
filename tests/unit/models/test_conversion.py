"""Numbers from strings: models against the real libc, on concrete and on symbolic bytes."""

from __future__ import annotations

import ctypes
import random
from fractions import Fraction
from typing import Any

import pytest

from clew.execute.ends import Failed
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import F32, F64, F79, bv
from clew.models import reals
from clew.models.conversion import parse_float
from clew.models.parsing import known_integer, scan_integer
from unit.models.libc_long_doubles import differences as long_double_differences
from unit.models.libc_numerals import differences, real
from unit.models.typed import DOUBLE, FLOAT, I32, I64, PTR, TypedDriver, same_float

ALPHABET = b"  \t+-00123456789abfxXzZ."
INTEGERS = [b"0", b"-0", b"+7", b"  -12x", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808",
            b"-9223372036854775809", b"18446744073709551615", b"18446744073709551616", b"-1", b"-18446744073709551615",
            b"0x", b"0xg", b"0x1F", b"-0X7fffffffffffffff", b"010", b"08", b"", b"-", b"+-3", b"zz", b"\v\f\r\n5",
            b"2147483648", b"0xffffffffffffffffffff", b"99999999999999999999999999"]  # fmt: skip
FLOATS = [b"0", b"-0.0", b"1.5", b" +2.25e3x", b".5", b"5.", b".", b"e5", b"1e", b"1e+", b"0x1.8p3", b"0x", b"0x.8",
          b"inf", b"-INFINITY", b"infinit", b"nan", b"nan(12)", b"nan(", b"1e400", b"-1e-400", b"1e-310", b"0.1",
          b"123456789012345678901234567890", b"4.9e-324", b"1.7976931348623159e308", b"3.5e38", b"1e-46",
          b"1.00000017881393432617187499", b"0x1.fffffffffffffep0", b"1e99999", b"1e-99999", b"+.",
          b"1.e1"]  # fmt: skip


def texts(count: int, seed: int) -> list[bytes]:
    source = random.Random(seed)
    return [bytes(source.choice(ALPHABET) for _ in range(source.randint(0, 7))) for _ in range(count)]


def modelled(driver: TypedDriver, name: str, data: list[Any], base: int) -> tuple[Any, Any, Any]:
    start, end = driver.buffer(data), driver.buffer([0] * 8)
    value = driver.typed(name, I64, (PTR, start), (PTR, end), (I32, base))
    offset = build.sub(driver.state.memory.load_bits(end, 8), start, 64)
    return value, offset, driver.errno()


@pytest.mark.parametrize("base", [0, 2, 8, 10, 16, 36])
@pytest.mark.parametrize("name", ["strtol", "strtoul"])
def test_concrete_integers_are_those_of_libc(name: str, base: int) -> None:
    for text in [*INTEGERS, *texts(150, base)]:
        found = modelled(TypedDriver(), name, [*text, 0], base)
        expected = real(name, text, base, ctypes.c_ulong)
        assert found == expected, (text, base)


@pytest.mark.parametrize("base", [0, 2, 10, 16, 36])
def test_the_formula_and_the_quick_way_agree(base: int) -> None:
    for text in [*INTEGERS, *texts(200, base + 1)]:
        data = [*text, 0]
        assert known_integer(data.__getitem__, base, 64) == scan_integer(data.__getitem__, base, 64, 64), text


@pytest.mark.parametrize(("name", "base"), [("strtol", 10), ("strtol", 0), ("strtoul", 16), ("strtoul", 10)])
def test_symbolic_integers_are_one_formula(name: str, base: int) -> None:
    symbols = [build.symbol(f"b{n}", bv(8)) for n in range(7)]
    driver = TypedDriver()
    formulas = modelled(driver, name, [*symbols, 0], base)
    assert driver.state.depth == 0, "no fork"
    for text in [*texts(300, 7), *(text[:7] for text in INTEGERS)]:
        model = Model(dict(zip(symbols, text.ljust(7, b"\0"), strict=True)))  # type: ignore[arg-type]
        assert driver.allows(model)
        assert tuple(model.eval(formula) for formula in formulas) == real(name, text, base, ctypes.c_ulong), text


def test_symbolic_overflow_sets_errno_and_saturates() -> None:
    symbols = [build.symbol(f"c{n}", bv(8)) for n in range(21)]
    driver = TypedDriver()
    formulas = modelled(driver, "strtol", [*symbols, 0], 10)
    for text in INTEGERS:
        data = text[:21].ljust(21, b"\0")
        model = Model(dict(zip(symbols, data, strict=True)))  # type: ignore[arg-type]
        expected = real("strtol", text[:21], 10, ctypes.c_ulong)
        assert tuple(model.eval(formula) for formula in formulas) == expected, text


def test_atoi_cuts_what_strtol_gives() -> None:
    for text in INTEGERS:
        driver = TypedDriver()
        value = driver.typed("atoi", I32, (PTR, driver.buffer([*text, 0])))
        assert value == real("strtol", text, 10, ctypes.c_ulong)[0] & 0xFFFFFFFF


def test_a_base_that_is_none() -> None:
    driver = TypedDriver()
    start = driver.buffer(b"12\0")
    assert driver.typed("strtol", I64, (PTR, start), (PTR, 0), (I32, 1)) == 0
    assert driver.errno() == 22


def test_a_string_without_end_is_read_only_as_far_as_the_number_goes() -> None:
    driver = TypedDriver()
    assert (
        driver.typed(
            "atoi",
            I32,
            (PTR, driver.buffer(b"12x")),
        )
        == 12
    )
    with pytest.raises(Failed) as caught:
        driver.typed("atoi", I32, (PTR, driver.buffer(b"123")))
    assert caught.value.kind == "out-of-bounds"


def test_symbolic_bytes_without_end_need_a_check() -> None:
    symbols = [build.symbol(f"d{n}", bv(8)) for n in range(3)]
    driver = TypedDriver()
    value = driver.typed("atoi", I32, (PTR, driver.buffer(symbols)))
    assert isinstance(value, Expr) and driver.state.depth == 1
    for text, fine in ((b"1x3", True), (b"123", False), (b"  -", False), (b"abc", True), (b"-1 ", True)):
        model = Model(dict(zip(symbols, text, strict=True)))  # type: ignore[arg-type]
        assert driver.allows(model) is fine, text


@pytest.mark.parametrize(
    ("name", "type", "result"), [("strtod", DOUBLE, ctypes.c_double), ("strtof", FLOAT, ctypes.c_float)]
)
def test_concrete_floats_are_those_of_libc(name: str, type: Any, result: type) -> None:
    source = random.Random(3)
    numbers = [repr(source.uniform(-1, 1) * 10.0 ** source.randint(-50, 50)).encode() for _ in range(100)]
    for text in [*FLOATS, *numbers, *texts(100, 11)]:
        driver = TypedDriver()
        start, end = driver.buffer([*text, 0]), driver.buffer([0] * 8)
        value = driver.typed(name, type, (PTR, start), (PTR, end))
        expected, length, errno = real(name, text, None, result)
        assert same_float(value, expected), text
        assert driver.state.memory.load_bits(end, 8) - start == length, text
        assert driver.errno() == errno, text


def test_parsing_rounds_once() -> None:
    # Halfway between two floats, but for a digit far behind that a double would lose.
    text = b"1.000000059604644775390625000000000000000000001"
    assert parse_float(text, F32)[0] == 1.0000001192092896
    assert parse_float(text, F64)[0] == 1.0000000596046448


def test_symbolic_decimals_are_one_formula() -> None:
    symbols = [build.symbol(f"e{n}", bv(8)) for n in range(6)]
    driver = TypedDriver()
    start, end = driver.buffer([*symbols, 0]), driver.buffer([0] * 8)
    value = driver.typed("strtod", DOUBLE, (PTR, start), (PTR, end))
    offset = build.sub(driver.state.memory.load_bits(end, 8), start, 64)
    assert not driver.losses()
    checked = 0
    for text in [b"1.5", b"-0.25", b" 12", b".", b"-.5x", b"1.2.3", b"", b"+", b"0.1", b"100.", *texts(200, 5)]:
        model = Model(dict(zip(symbols, text[:6].ljust(6, b"\0"), strict=True)))  # type: ignore[arg-type]
        if driver.allows(model):
            checked += 1
            expected, length, _ = real("strtod", text[:6], None, ctypes.c_double)
            assert same_float(float(model.eval(value)), expected), text
            assert model.eval(offset) == length, text
    assert checked > 100


@pytest.mark.parametrize(("name", "result"), [("strtod", ctypes.c_double), ("strtof", ctypes.c_float)])
def test_symbolic_numerals_of_all_shapes(name: str, result: type) -> None:
    assert differences(random.Random(5), 60, name, result) == []


def test_long_doubles_as_the_machine_has_them() -> None:
    assert long_double_differences(random.Random(5), 40) == []


def test_hexadecimal_digits_that_carry_beyond_the_first() -> None:
    """The first digit of x87's format has four bits: what is rounded up to 16 begins with 1 again."""
    number = Fraction((1 << 64) - 1, 1 << 63)
    shown = [reals.known(reals.RealForm("a", False, places), number, F79) for places in (0, 1, 14, 15, None)]
    assert shown == ["0x1p+1", "0x1.0p+1", "0x1.00000000000000p+1", *["0xf.fffffffffffffffp-3"] * 2]
