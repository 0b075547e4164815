"""The .ktest format, byte by byte, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.base.errors import UserError
from clew.report.ktest import KTest, decode_ktest, ktest_of, read_ktest
from clew.report.values import InputValue


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


def test_legacy_files() -> None:
    data = b"BOUT\n" + b"\0\0\0\1" + b"\0\0\0\0" + b"\0\0\0\1" + b"\0\0\0\1x" + b"\0\0\0\1\7"
    assert decode_ktest(data) == KTest((), ((b"x", b"\7"),))


_TESTS = st.builds(
    KTest,
    st.lists(_NAMES, max_size=2).map(tuple),
    st.lists(st.tuples(_NAMES, _NAMES), max_size=3).map(tuple),
    st.integers(0, 9),
)


@given(st.binary(max_size=60))
def test_rubbish_is_refused(data: bytes) -> None:
    if not data.startswith((b"KTEST", b"BOUT\n")):
        with pytest.raises(ValueError, match="no KTEST magic"):
            decode_ktest(data)


@given(_TESTS, st.data())
def test_a_part_of_a_file_is_refused(test: KTest, data: st.DataObject) -> None:
    whole = test.encode()
    length = data.draw(st.integers(5, len(whole) - 1))
    with pytest.raises(ValueError, match="ends too early"):
        decode_ktest(whole[:length])


@given(_TESTS, st.binary(min_size=1, max_size=9))
def test_more_than_a_file_is_refused(test: KTest, more: bytes) -> None:
    with pytest.raises(ValueError, match=f"{len(more)} bytes too many"):
        decode_ktest(test.encode() + more)


@pytest.mark.parametrize("data", [b"", b"KTES", b"KTEST\0\0\0\4", KTest((b"a",), ((b"x", b"yz"),)).encode()[:-1]])
def test_bad_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "t.ktest").write_bytes(data)
    with pytest.raises(UserError, match=r"not a \.ktest file"):
        read_ktest(tmp_path / "t.ktest")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read"):
        read_ktest(tmp_path / "t.ktest")
