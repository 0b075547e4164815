"""The .ktest format, byte by byte, and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clew.report.ktest import KTest, ktest_of
from clew.report.values import InputValue
from support.ktest import decode_ktest


def test_exact_bytes() -> None:
    data = ktest_of((InputValue("x", "int", 32, -5),), "p.c").encode()
    assert data == (
        b"KTEST" + b"\0\0\0\3"  # version
        + b"\0\0\0\1" + b"\0\0\0\3p.c"  # arguments
        + b"\0\0\0\0" + b"\0\0\0\0"  # symbolic arguments
        + b"\0\0\0\1" + b"\0\0\0\1x" + b"\0\0\0\4\xfb\xff\xff\xff"
    )  # fmt: skip


def test_nothing_of_length_zero() -> None:
    test = ktest_of(
        (InputValue("", "int", 32, 1), InputValue("e", "char[0]", 0, b"", "object"), InputValue("z", "int", 32, 2)), ""
    )
    back = decode_ktest(test.encode())
    assert back.objects == ((b"unnamed", b"\1\0\0\0"), (b"z", b"\2\0\0\0"))
    assert back.arguments == (b"program",)


_NAMES = st.binary(min_size=1, max_size=8)


@given(
    st.lists(_NAMES, max_size=3), st.lists(st.tuples(_NAMES, _NAMES), max_size=4), st.integers(0, 9), st.integers(0, 9)
)
def test_there_and_back(arguments: list[bytes], objects: list[tuple[bytes, bytes]], symbolic: int, length: int) -> None:
    test = KTest(tuple(arguments), tuple(objects), symbolic, length)
    assert decode_ktest(test.encode()) == test
