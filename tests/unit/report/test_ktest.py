"""The .ktest format, byte by byte, and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clew.report.ktest import ktest_of
from clew.report.values import InputValue
from support.ktest import KTest, decode_ktest


def test_exact_bytes() -> None:
    data = ktest_of((InputValue("x", "int", 32, -5),), "p.c")
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
    back = decode_ktest(test)
    assert back.objects == ((b"unnamed", b"\1\0\0\0"), (b"z", b"\2\0\0\0"))
    assert back.arguments == (b"program",)


# Few letters, of all lengths in UTF-8: for all there are, Hypothesis makes a table that takes seconds.
NAMES = st.text("aZ_0 \0\u00e9\u5909\U0001f600", min_size=1, max_size=8)


@given(NAMES, st.lists(st.tuples(NAMES, st.binary(min_size=1))))
def test_there_and_back(program: str, objects: list[tuple[str, bytes]]) -> None:
    values = [InputValue(name, "object", 8 * len(content), content, "object") for name, content in objects]
    content = tuple((name.encode("utf-8", "replace"), data) for name, data in objects)
    assert decode_ktest(ktest_of(values, program)) == KTest((program.encode("utf-8", "replace"),), content)
