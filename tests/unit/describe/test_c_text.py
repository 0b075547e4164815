"""Expressions as C says them."""

from __future__ import annotations

from typing import Any

import pytest

from clew.describe.c_text import LONGEST, Speller, number
from clew.expr import build
from clew.expr.node import symbol
from clew.expr.rewrite.choice import ite_bv
from clew.expr.sort import F64, bv

X, Y = symbol("x", bv(32)), symbol("y", bv(32))
K1, K2 = symbol("k1", bv(64)), symbol("k2", bv(64))
D = symbol("d", F64)
LESS = build.slt(X, Y, 32)


def spell(value: Any, width: int = 32) -> str:
    return Speller(lambda e: str(e.value)).text(value, width)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (0xFFFFFFFF, "-1"),
        (True, "true"),
        (1.5, "1.5"),
        (X, "x"),
        (build.add(X, 3, 32), "x + 3"),
        (build.sub(X, 3, 32), "x - 3"),
        (build.sub(0, X, 32), "-x"),
        (build.sub(build.mul(3, X, 32), Y, 32), "3 * x - y"),
        (build.mul(build.add(X, 1, 32), Y, 32), "y * (x + 1)"),
        (build.shl(X, 2, 32), "4 * x"),
        (LESS, "x < y"),
        (build.lnot(LESS), "y <= x"),
        (build.slt(3, X, 32), "x >= 4"),
        (build.ult(X, 0xFFFFFFFE, 32), "x < 4294967294"),
        (build.slt(X, 0xFFFFFFFE, 32), "x < -2"),
        (build.eq(X, 5, 32), "x == 5"),
        (build.ne(X, Y, 32), "x != y"),
        (build.sext(X, 32, 64), "x"),
        (build.trunc(X, 8), "(int8)x"),
        (build.trunc(K1, 32), "k1"),
        (ite_bv(LESS, X, 3, 32), "x < y ? x : 3"),
        (build.flt(D, 1.5), "d < 1.5"),
    ],
)
def test_expressions(value: Any, text: str) -> None:
    assert spell(value) == text


def test_conditions() -> None:
    speller = Speller(lambda e: str(e.value))
    assert speller.condition(True) == "always"
    assert speller.condition(False) == "never"
    assert speller.condition(build.land(LESS, build.ne(Y, 500, 32))) == "x < y && y != 500"
    either = build.lor(build.eq(Y, 3, 32), build.eq(X, 5, 32))
    assert sorted(speller.condition(either).split(" || ")) == ["x == 5", "y == 3"]
    assert speller.condition(build.land(either, LESS)).startswith("x < y && (")


def test_counters_stand_on_the_left_and_in_order() -> None:
    assert spell(build.sle(X, build.add(build.trunc(K2, 32), build.trunc(K1, 32), 32), 32)) == "k1 + k2 >= x"


def test_long_texts_are_cut() -> None:
    value: Any = X
    for index in range(200):
        value = build.mul(value, symbol(f"some_name_{index}", bv(32)), 32)
    assert len(spell(value)) <= LONGEST + 4


@pytest.mark.parametrize(("value", "width", "unsigned", "text"), [(255, 8, False, "-1"), (255, 8, True, "255")])
def test_numbers(value: int, width: int, unsigned: bool, text: str) -> None:
    assert number(value, width, unsigned) == text


def test_what_is_shared_is_not_written_out_again_and_again() -> None:
    """Each level has the one below it twice: as a text the whole would be a thousand billion symbols."""
    value: Any = symbol("x", bv(32))
    for _ in range(40):
        value = build.udiv(build.lshr(value, 1, 32), build.urem(value, 7, 32), 32)
    text = Speller(lambda made: str(made.value)).text(value, 32)
    assert text.startswith("(") and len(text) <= LONGEST + len(" ...")
