"""Input values: C's view of the engine's bits, bytes, JSON and text."""

from __future__ import annotations

import json
import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.report.values import InputValue, is_floating, is_unsigned


@pytest.mark.parametrize(
    ("ctype", "bits", "raw", "value"),
    [
        ("int", 32, 2**32 - 5, -5),
        ("unsigned int", 32, 2**32 - 5, 2**32 - 5),
        ("char", 8, 0xFF, -1),
        ("unsigned char", 8, 0xFF, 255),
        ("_Bool", 8, 1, 1),
        ("_Bool", 1, True, 1),
        ("char *", 64, 2**63, 2**63),
        ("uint16_t", 16, 0xFFFF, 0xFFFF),
        ("int16_t", 16, 0xFFFF, -1),
        ("size_t", 64, 2**64 - 1, 2**64 - 1),
        ("float", 32, 0x3FC00000, 1.5),
        ("double", 64, 1.25, 1.25),
        ("__int128", 128, 2**127, -(2**127)),
    ],
)
def test_from_raw(ctype: str, bits: int, raw: int | float, value: int | float) -> None:
    made = InputValue.from_raw("x", ctype, bits, raw)
    assert made.value == value
    assert type(made.value) is type(value)


def test_signedness_can_be_given() -> None:
    assert InputValue.from_raw("x", "my_t", 8, 200, signed=False).value == 200
    assert InputValue.from_raw("x", "my_t", 8, 200).value == -56


def test_spelling() -> None:
    assert is_floating("const double")
    assert not is_floating("double *")
    assert is_unsigned("unsigned long")
    assert is_unsigned("int*")
    assert not is_unsigned("long")


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (InputValue("x", "int", 32, -5), b"\xfb\xff\xff\xff"),
        (InputValue("b", "_Bool", 1, 1), b"\x01"),
        (InputValue("f", "float", 32, 1.5), struct.pack("<f", 1.5)),
        (InputValue("d", "double", 64, -0.0), struct.pack("<d", -0.0)),
        (InputValue("o", "char[3]", 24, b"abc", "object"), b"abc"),
    ],
)
def test_bytes(value: InputValue, data: bytes) -> None:
    assert value.to_bytes() == data


@given(st.integers(-(2**31), 2**31 - 1))
def test_raw_and_back(number: int) -> None:
    assert InputValue.from_raw("x", "int", 32, number % 2**32).value == number


_VALUES = st.one_of(
    st.integers(-(2**63), 2**63 - 1).map(lambda v: InputValue("x", "long", 64, v)),
    st.floats().map(lambda v: InputValue("d", "double", 64, v)),
    st.binary(max_size=40).map(lambda v: InputValue("o", "struct s", 8 * len(v), v, "object")),
)


@given(_VALUES)
def test_json_and_back(value: InputValue) -> None:
    text = json.dumps(value.to_json(), allow_nan=False)
    back = InputValue.from_json(json.loads(text))
    if isinstance(value.value, float) and math.isnan(value.value):
        assert isinstance(back.value, float)
        assert math.isnan(back.value)
    else:
        assert back == value
        assert type(back.value) is type(value.value)
        assert back.to_bytes() == value.to_bytes()


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"name": "x", "type": "int", "value": None, "bits": 32},
        {"name": "x", "type": "int", "value": 1, "bits": "32"},
        {"name": "x", "type": "int", "value": "xyz", "bits": 32},
        {"name": "x", "type": "int", "value": 1, "bits": 32, "kind": "odd"},
    ],
)
def test_wrong_json(data: dict[str, object]) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        InputValue.from_json(data)


def test_elements() -> None:
    numbers = InputValue("a", "int[3]", 96, struct.pack("<3i", 1, -2, 3), "object")
    assert [(e.name, e.type, e.bits, e.value) for e in numbers.elements()] == [
        ("a[0]", "int", 32, 1),
        ("a[1]", "int", 32, -2),
        ("a[2]", "int", 32, 3),
    ]
    floats = InputValue("f", "double[2]", 128, struct.pack("<2d", 0.5, -1.0), "object")
    assert [e.value for e in floats.elements()] == [0.5, -1.0]
    record = InputValue("s", "struct s", 16, b"\x01\xff", "object")
    assert [(e.type, e.value) for e in record.elements()] == [("unsigned char", 1), ("unsigned char", 255)]
    odd = InputValue("s", "struct s[2]", 32, b"abcd", "object")
    assert len(odd.elements()) == 4
    empty = InputValue("e", "char[0]", 0, b"", "object")
    assert empty.elements() == ()
    made = InputValue("x", "unsigned int", 32, b"\x07\0\0\0", "object")
    assert [(e.name, e.type, e.value) for e in made.elements()] == [("x", "unsigned int", 7)]
    scalar = InputValue("x", "int", 32, 7)
    assert scalar.elements() == (scalar,)
