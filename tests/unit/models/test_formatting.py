"""printf formatting: known values against the real libc, symbolic ones against known ones."""

from __future__ import annotations

import ctypes
import math
import random
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.base.errors import Unsupported
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.sort import F64, bv
from clew.models.formatting import Formatter
from clew.models.texts import Text, join, padded
from clew.models.varargs import PassedArguments
from clew.program.types import PTR, FloatKind, FloatType, IntType, Type
from depth import examples
from unit.models.calls import Call

LIBC = ctypes.CDLL(None)
I32, I64, DOUBLE = IntType(32), IntType(64), FloatType(FloatKind.DOUBLE)


def libc(form: bytes, *arguments: Any) -> bytes:
    buffer = ctypes.create_string_buffer(20000)
    count = LIBC.snprintf(buffer, ctypes.c_size_t(20000), form, *arguments)
    return buffer.raw[:count]


def format_output(form: bytes, arguments: tuple[Any, ...], types: tuple[Type, ...], call: Any) -> bytes:
    """The bytes printf would print; what is symbolic shows as ``?``."""
    pieces = Formatter(call, PassedArguments(arguments, types, call.pointer_bits), exact=False).pieces(form)
    return b"".join(piece.shown for piece in pieces)


def shown(form: bytes, *arguments: tuple[Any, Type]) -> bytes:
    values, types = tuple(a for a, _ in arguments), tuple(t for _, t in arguments)
    return format_output(form, values, types, Call())


def evaluated(form: bytes, model: Model, *arguments: tuple[Any, Type], call: Call | None = None) -> bytes:
    """Format symbolic values, then put a model's values into the result."""
    used: Any = call or Call(model)
    source = PassedArguments(tuple(a for a, _ in arguments), tuple(t for _, t in arguments), 64)
    formatter = Formatter(used, source, exact=True)
    text = join(formatter.pieces(form), used)
    length = model.eval(text.length)
    assert length == model.eval(formatter.length)
    assert text.least <= length <= text.most == len(text.values())
    assert all(model.eval(condition) for condition in used.path)
    return bytes(model.eval(value) for value in text.values()[:length])


flags = st.text("-+ #0", max_size=3)
widths = st.one_of(st.just(""), st.integers(0, 14).map(str))
precisions = st.one_of(st.just(""), st.just("."), st.integers(0, 14).map(lambda n: f".{n}"))
lengths = st.sampled_from(["", "hh", "h", "l", "ll", "z", "j"])
small = st.one_of(st.integers(-1000, 1000), st.integers(-(1 << 31), (1 << 31) - 1))


@settings(max_examples=examples(400), deadline=None)
@given(flags, widths, precisions, lengths, st.sampled_from("diouxX"), st.integers(-(1 << 63), (1 << 63) - 1), small)
def test_integers_as_libc(
    flag: str, width: str, precision: str, length: str, kind: str, large: int, little: int
) -> None:
    form = f"<%{flag}{width}{precision}{length}{kind}>".encode()
    wide = length in ("l", "ll", "z", "j")
    value = large if wide else little
    expected = libc(form, ctypes.c_longlong(value) if wide else ctypes.c_int(value))
    bits = 64 if wide else 32
    assert shown(form, (value % (1 << bits), I64 if wide else I32)) == expected


@settings(max_examples=examples(300), deadline=None)
@given(
    flags, widths, precisions, st.sampled_from("fFeEgGaA"),
    st.one_of(st.floats(), st.floats(-1000, 1000), st.integers(-50, 50).map(float)),
)  # fmt: skip
def test_floats_as_libc(flag: str, width: str, precision: str, kind: str, value: float) -> None:
    form = f"<%{flag}{width}{precision}{kind}>".encode()
    assert shown(form, (value, DOUBLE)) == libc(form, ctypes.c_double(value))


@pytest.mark.parametrize("form", [b"%s", b"%10s|", b"%-10s|", b"%.2s", b"%.0s", b"%.30s", b"%5.1s|", b"%%%s%%"])
@pytest.mark.parametrize("text", [b"", b"a", b"hello", b"\xff\x80z"])
def test_strings_as_libc(form: bytes, text: bytes) -> None:
    call = Call()
    address = call.put(text + b"\0")
    assert format_output(form, (address,), (PTR,), call) == libc(form, text)


def test_characters_pointers_stars() -> None:
    assert shown(b"%c%5c%-3c|", (65, I32), (66, I32), (67, I32)) == b"A    BC  |"
    assert shown(b"%p %p %12p|", (0, PTR), (0xABC, PTR), (0, PTR)) == b"(nil) 0xabc        (nil)|"
    assert (
        shown(b"%*d|%-*d|%.*d|", (5, I32), (42, I32), (5, I32), (42, I32), (4, I32), (7, I32)) == b"   42|42   |0007|"
    )
    assert shown(b"%*d|", ((1 << 32) - 4, I32), (7, I32)) == b"7   |"
    assert shown(b"%.*d|", ((1 << 32) - 1, I32), (7, I32)) == b"7|"
    assert shown(b"%s|%.3s|%.6s", (0, PTR), (0, PTR), (0, PTR)) == b"(null)||(null)"
    assert shown(b"100%") == b"100%"
    assert shown(b"%d", ((1 << 40) + 5, I64)) == b"5"


def test_numbered_arguments_as_libc() -> None:
    integer = (7, I32)
    for form in (b"%2$d-%1$d", b"%1$d %1$x %2$5d", b"%2$*1$d|%1$d", b"%1$.*2$d", b"%2$d%%%1$hhd"):
        assert shown(form, integer, (300, I32)) == libc(form, 7, 300), form
    for form in (b"%2$d", b"%1$d %d", b"%1$d %2$d %3$d"):
        with pytest.raises(Unsupported):
            shown(form, integer, integer)


def test_missing_arguments_are_a_loss() -> None:
    call: Any = Call()
    assert format_output(b"%d %s", (), (), call) == b"? ?"
    assert len(call.losses) == 2


X, Y = build.symbol("x", bv(32)), build.symbol("y", bv(64))


@settings(max_examples=examples(150), deadline=None)
@given(flags, widths, precisions, st.sampled_from(["", "hh", "h"]), st.sampled_from("diouxX"), small)
def test_symbolic_integers(flag: str, width: str, precision: str, length: str, kind: str, value: int) -> None:
    form = f"<%{flag}{width}{precision}{length}{kind}>".encode()
    assert evaluated(form, Model({X: value % (1 << 32)}), (X, I32)) == libc(form, ctypes.c_int(value))


@settings(max_examples=examples(40), deadline=None)
@given(
    st.sampled_from([b"%ld", b"%lu", b"%#lx", b"%020lld", b"%p", b"%-20p|", b"%020p"]), st.integers(0, (1 << 64) - 1)
)
def test_symbolic_long_integers(form: bytes, value: int) -> None:
    assert evaluated(form, Model({Y: value}), (Y, I64)) == libc(form, ctypes.c_ulonglong(value))
    assert evaluated(form, Model({Y: value % 7}), (Y, I64)) == libc(form, ctypes.c_ulonglong(value % 7))


def test_two_symbolic_numbers_and_a_character() -> None:
    rng = random.Random(1)
    narrow = build.zext(build.symbol("b", bv(8)), 8, 32)
    for _ in range(30):
        x, b, c = rng.choice([0, 1, 9, 10, 99, 12345, 1 << 31]), rng.randrange(256), rng.randrange(1, 256)
        char = build.zext(build.symbol("c", bv(8)), 8, 32)
        model = Model({X: x, build.symbol("b", bv(8)): b, build.symbol("c", bv(8)): c})
        text = evaluated(b"%d,%u/%c!", model, (X, I32), (narrow, I32), (char, I32))
        assert text == libc(b"%d,%u/%c!", ctypes.c_int(x), ctypes.c_uint(b), ctypes.c_int(c))


@pytest.mark.parametrize("form", [b"[%s]", b"%6s|%s", b"%-6s|", b"%.2s%s"])
def test_symbolic_strings(form: bytes) -> None:
    rng = random.Random(2)
    symbols = [build.symbol(f"s{n}", bv(8)) for n in range(4)]
    for _ in range(40):
        content = [rng.choice([0, 65, 66, 255]) for _ in symbols]
        model = Model(dict(zip(symbols, content, strict=True)))
        call = Call(model)
        address = call.put_values([ord("p"), *symbols, 0])
        known = bytes([ord("p"), *content]).split(b"\0")[0]
        count = form.count(b"s")
        result = evaluated(form, model, *[(address, PTR)] * count, call=call)
        assert result == libc(form, *[known] * count)


def test_a_length_that_turns_out_to_be_known() -> None:
    text = Text(5, 1, 8, lambda: b"abcdefgh")
    assert (text.least, text.most, text.values()) == (5, 5, b"abcde")
    assert padded(text, 3) is text


def test_a_float_that_nobody_reads_is_not_looked_at() -> None:
    f = build.symbol("f", F64)
    loose: Any = Call(Model({f: 2.5}))
    assert format_output(b"%.1f", (f,), (DOUBLE,), loose) == b"?"
    assert not loose.path and not loose.losses


def test_symbolic_floats_as_libc_prints_them() -> None:
    """In most forms the digits are a formula, and nothing is lost."""
    rng, lost = random.Random(11), 0
    for _ in range(examples(150)):
        value = rng.choice([random_double(rng), round(rng.uniform(-2000, 2000), rng.randrange(5))])
        precision = rng.choice(["", ".0", ".1", ".3", ".15", ".17"])
        form = f"%{rng.choice(['', '+', '012', '-12', '9'])}{precision}{rng.choice('fegEG')}".encode()
        f = build.symbol("f", F64)
        call = Call(Model({f: value}))
        assert evaluated(form, call.state.model, (f, DOUBLE), call=call) == libc(form, ctypes.c_double(value)), form
        lost += bool(call.losses)
    assert lost < examples(150) // 5


def random_double(rng: random.Random) -> float:
    """Seldom special; of sizes that programs print."""
    special = (0.0, -0.0, math.inf, -math.inf, 0.5, 1.5, 2.5, 999999.5, 9.5, 1e15, 1e300, 5e-324)
    return rng.choice(special) if rng.random() < 0.2 else rng.choice((-1, 1)) * 10 ** rng.uniform(-7, 18)


def test_a_float_of_many_digits_is_fixed_and_said_so() -> None:
    f = build.symbol("f", F64)
    model = Model({f: 1e300})
    call = Call(model)
    assert evaluated(b"%.1f", model, (f, DOUBLE), call=call) == libc(b"%.1f", ctypes.c_double(1e300))
    assert call.losses


def test_every_byte_pattern_of_a_double_reads_back() -> None:
    rng = random.Random(3)
    for _ in range(300):
        value = struct.unpack("<d", rng.randbytes(8))[0]
        for form in (b"%.17g", b"%e", b"%a"):
            assert shown(form, (value, DOUBLE)) == libc(form, ctypes.c_double(value))
