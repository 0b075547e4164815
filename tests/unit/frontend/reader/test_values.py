"""Types, constants and floating-point literals."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.frontend.reader.constants import ConstantReader
from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText, unescape, unescape_bytes
from clew.frontend.reader.floats import float_bits
from clew.frontend.reader.types import TypeReader
from clew.program.types import (
    I8,
    I32,
    I64,
    PTR,
    ArrayType,
    FloatKind,
    FloatType,
    FunctionType,
    OpaqueType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from clew.program.values import ConstFloat, ConstInt
from support.spelling import spell, spell_typed


def _type(text: str, **named: str) -> Type:
    reader = TypeReader()
    for name, body in named.items():
        reader.define(name, body)
    return reader.from_text(text)


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("i32", I32),
        ("ptr addrspace(3)", PointerType(3)),
        ("[2 x [3 x i8]]", ArrayType(2, ArrayType(3, I8))),
        ("<4 x ptr>", VectorType(4, PTR)),
        ("{ }", StructType(())),
        ("<{ i8, i64 }>", StructType((I8, I64), packed=True)),
        ("i32 (ptr, ...)", FunctionType(I32, (PTR,), varargs=True)),
        ("%a", StructType((I32, StructType((I8, PTR))))),
        ("<vscale x 2 x i64>", OpaqueType("<vscale x 2 x i64>")),
        ("%c", OpaqueType("c")),
    ],
)
def test_types(text: str, type: Type) -> None:
    assert _type(text, a="{ i32, %b }", b="{ i8, ptr }", c="opaque") == type


@pytest.mark.parametrize(
    "text",
    [
        "",
        "i0",
        "i99999999",
        "j32",
        "[x i8]",
        "[-1 x i8]",
        "<0 x i8>",
        "{ i8",
        "%missing",
        "%loop",
        "i32 i32",
        "[1 x " * 500,
    ],
)
def test_bad_types(text: str) -> None:
    with pytest.raises(Malformed):
        _type(text, loop="{ i8, [2 x %loop] }")


def _constant(text: str) -> object:
    return ConstantReader(TypeReader()).typed(Cursor(text))


@pytest.mark.parametrize(
    "text",
    [
        "i32 -5",
        "i1 true",
        "i128 170141183460469231731687303715884105727",
        "ptr null",
        "ptr @g",
        'ptr @"a b"',
        'ptr @"q\\22\\00\\C3\\A9"',
        "[2 x i8] undef",
        "{ i8, ptr } poison",
        '[3 x i8] c"a\\00\\FF"',
        "[0 x i8] []",
        "<2 x i1> <i1 true, i1 undef>",
        "<{ i8 }> <{ i8 1 }>",
        "ptr blockaddress(@f, %bb)",
        "ptr getelementptr ({ i8, i32 }, ptr @g, i64 0, i32 1)",
        "i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))",
        "double 1.500000e+00",
        "double 0x3FB999999999999B",
        "float 0x7FF8000000000000",
        "float 0x36A0000000000000",
        "x86_fp80 0xK3FFF8000000000000000",
        "fp128 0xL0123456789ABCDEF3FFF000000000000",
        "ppc_fp128 0xM0123456789ABCDEF3FFF000000000000",
        "half 0xH3C00",
        "bfloat 0xR3F80",
    ],
)
def test_constants_are_spelled_as_they_are_read(text: str) -> None:
    constant = _constant(text)
    assert spell_typed(constant) == text  # type: ignore[arg-type]


def test_equivalent_spellings() -> None:
    assert _constant("i8 255") == _constant("i8 -1") == _constant("i8 u0xFF")
    assert _constant("<2 x i8> splat (i8 3)") == _constant("<2 x i8> <i8 3, i8 3>")
    assert _constant("ptr dso_local_equivalent @f") == _constant("ptr no_cfi @f") == _constant("ptr @f")


@pytest.mark.parametrize(
    "text",
    [
        "i32 true",
        "i32 1.0",
        "i32 null",
        "double 1",
        "x86_fp80 1.0",
        "half 0xK3FFF8000000000000000",
        "double 0x12345678901234567",
        '[2 x i8] c"abc"',
        "[2 x i8] [i8 1]",
        "[1 x i8] [i16 1]",
        "{ i8 } [i8 1]",
        "i8 splat (i8 1)",
        "i32 getelementptr (i8, ptr @g, i64 1)",
        "i32 ptrtoint (ptr @g to i64)",
        "ptr blockaddress(@f)",
        "i32 " + "9" * 5000,
        "i64 sub (i64 1",
        "ptr asm 5",
    ],
)
def test_bad_constants(text: str) -> None:
    cursor = Cursor(text)
    with pytest.raises(Malformed):
        ConstantReader(TypeReader()).typed(cursor)
        cursor.finish()


@pytest.mark.parametrize("text", ["token none", "ptr ptrauth (ptr @f, i32 0)", "<vscale x 2 x i8> zeroinitializer"])
def test_unsupported_constants(text: str) -> None:
    with pytest.raises(UnsupportedText):
        _constant(text)


@given(st.floats())
def test_doubles(value: float) -> None:
    bits: int = struct.unpack("<Q", struct.pack("<d", value))[0]
    double = FloatType(FloatKind.DOUBLE)
    assert float_bits(f"0x{bits:016X}", FloatKind.DOUBLE) == bits
    assert float_bits(spell(ConstFloat(double, bits)), FloatKind.DOUBLE) == bits


@given(st.integers(0, 2**32 - 1))
def test_floats_survive_being_written_as_doubles(bits: int) -> None:
    text = spell(ConstFloat(FloatType(FloatKind.FLOAT), bits))
    assert float_bits(text, FloatKind.FLOAT) == bits


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_decimals_round_to_the_nearest_half(value: float) -> None:
    try:
        expected = struct.unpack("<H", struct.pack("<e", value))[0]
    except OverflowError:
        expected = 0xFC00 if value < 0 else 0x7C00
    assert float_bits(f"{value:.60e}", FloatKind.HALF) == expected


@given(st.integers(-(2**70), 2**70), st.sampled_from([2, 8, 33, 64, 128]))
def test_integers_wrap(value: int, width: int) -> None:
    constant = _constant(f"i{width} {value}")
    assert isinstance(constant, ConstInt)
    assert constant.value == value % 2**width


def test_escapes() -> None:
    assert unescape_bytes("a\\0A\\\\\\zz") == b"a\n\\\\zz"
    assert unescape("caf\\C3\\A9") == "café"
