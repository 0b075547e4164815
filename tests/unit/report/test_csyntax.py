"""Inputs in C syntax."""

from __future__ import annotations

import math

import pytest

from clew.report.csyntax import c_line, c_string, quoted
from clew.report.values import InputValue


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (InputValue("x", "int", 32, -5), "int x = -5;"),
        (InputValue("x", "int", 32, -(2**31)), "int x = (-2147483647 - 1);"),
        (InputValue("x", "unsigned int", 32, 2**32 - 1), "unsigned int x = 4294967295U;"),
        (InputValue("x", "unsigned long", 64, 2**64 - 1), "unsigned long x = 18446744073709551615ULL;"),
        (InputValue("x", "long", 64, -(2**63)), "long x = (-9223372036854775807LL - 1);"),
        (InputValue("x", "long", 64, 2**40), "long x = 1099511627776LL;"),
        (InputValue("c", "char", 8, 39), "char c = '\\'';"),
        (InputValue("c", "unsigned char", 8, 200), "unsigned char c = 200;"),
        (InputValue("f", "float", 32, 1.5), "float f = 1.5f;"),
        (InputValue("d", "double", 64, math.nan), "double d = NAN;"),
        (InputValue("d", "double", 64, -math.inf), "double d = -INFINITY;"),
        (InputValue("p", "void *", 64, 0), "void *p = NULL;"),
        (InputValue("buf", "char[4]", 32, b"hi\0\0", "object"), 'char buf[4] = "hi";'),
        (InputValue("a", "int[2]", 64, bytes([1, 0, 0, 0, 255, 255, 255, 255]), "object"), "int a[2] = {1, -1};"),
        (InputValue("a", "unsigned char[4]", 32, 0x01020304), "unsigned char a[4] = {4, 3, 2, 1};"),
        (InputValue("p is null", "_Bool", 8, 1, "parameter"), "p = NULL;"),
        (InputValue("p is null", "_Bool", 8, 0, "parameter"), "p is not null"),
        (InputValue("p[0].x", "int", 32, 7, "parameter"), "p[0].x = 7;  // int"),
        (InputValue("*p", "int", 32, 7, "parameter"), "*p = 7;  // int"),
        (InputValue("read()", "i32", 32, 7), "read() returns 7;"),
        (InputValue("odd name", "int", 32, 7), "int odd name = 7"),
    ],
)
def test_lines(value: InputValue, line: str) -> None:
    assert c_line(value) == line


def test_strings_do_not_swallow_digits() -> None:
    assert c_string(b"a\0") == '"a"'
    assert quoted(b"a\0") == '"a\\0"'
    assert c_string(b'a\x011\x01z"\\\n') == '"a\\0011\\1z\\"\\\\\\n"'


def test_long_values_are_cut() -> None:
    assert len(c_line(InputValue("b", "char[900]", 7200, b"a" * 900, "object"))) < 120
