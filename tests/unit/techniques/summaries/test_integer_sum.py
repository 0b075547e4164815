"""Whole numbers as sums over bit-vectors."""

from __future__ import annotations

import itertools

from clew.base.bits import as_number
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.sort import bv
from clew.techniques.summaries.integer_sum import NOTHING, Whole, of
from clew.techniques.summaries.path_ranges import PathRanges

X, Y = build.symbol("x", bv(3)), build.symbol("y", bv(3))
WIDE = build.symbol("w", bv(32))
MODELS = [Model({X: x, Y: y}) for x, y in itertools.product(range(8), repeat=2)]


def test_constants() -> None:
    assert of(0xFE, 8, True) == Whole.number(-2) and of(0xFE, 8, False) == Whole.number(254)
    assert Whole.number(5).bounds() == (5, 5) and Whole.number(-5).not_negative() is False
    assert Whole.number(-3).at(8) == 253
    assert [as_number(value, 3, True) for value in range(8)] == [0, 1, 2, 3, -4, -3, -2, -1]


def test_equal_readings_meet() -> None:
    y = of(WIDE, 32, True)
    assert y.plus(y, -1) == NOTHING and y.plus(y) == Whole({(WIDE, True): 2}, 0)
    assert y.plus(Whole.number(-1)).plus(y, -1).not_negative() is False
    assert y.plus(of(WIDE, 32, False), -1).terms == {(WIDE, True): 1, (WIDE, False): -1}


def test_conditions_are_comparisons_of_the_programs_own_variables() -> None:
    n, i = of(X, 3, True), of(Y, 3, True)
    assert n.plus(Whole.number(-1)).not_negative() is build.sle(1, X, 3)
    assert n.plus(i, -1).not_negative() is build.sle(Y, X, 3)
    assert n.plus(i, -1).plus(Whole.number(-1)).not_negative() is build.slt(Y, X, 3)
    assert NOTHING.plus(of(X, 3, False), -2).plus(Whole.number(5)).not_negative() is build.ule(X, 2, 3)


def test_conditions_that_are_always_so() -> None:
    assert of(X, 3, False).not_negative() is True
    assert of(X, 3, True).plus(Whole.number(4)).not_negative() is True
    assert of(X, 3, True).plus(Whole.number(-4)).not_negative() is False


def test_products_of_the_extreme_values() -> None:
    for one, other in itertools.product((False, True), repeat=2):
        product = of(X, 3, one).times(of(Y, 3, other))
        square = of(X, 3, one).times(of(X, 3, one).plus(Whole.number(-1)))
        for model in MODELS:
            x, y = as_number(model.eval(X), 3, one), as_number(model.eval(Y), 3, other)
            assert product.eval(model) == x * y and square.eval(model) == x * x - x
            assert model.eval(product.not_negative()) is (x * y >= 0)
            assert model.eval(square.at(4)) == (x * x - x) & 15


def test_sums_that_cannot_wrap_are_taken_apart() -> None:
    wide_x, wide_y = build.zext(X, 3, 8), build.sext(Y, 3, 8)
    total = of(build.add(build.mul(wide_x, 3, 8), build.neg(wide_y, 8), 8), 8, True)
    assert total == Whole({(X, False): 3, (Y, True): -1}, 0)
    may_wrap = build.add(X, 1, 3)
    assert of(may_wrap, 3, True) == Whole({(may_wrap, True): 1}, 0)
    assert of(may_wrap, 3, True, PathRanges([build.slt(X, 2, 3)])) == Whole({(X, True): 1}, 1)


def test_bounds_and_room() -> None:
    total = Whole({(X, True): 2, (Y, False): -1}, 5)
    assert total.bounds() == (2 * -4 - 7 + 5, 2 * 3 + 5)
    assert total.width() == 5
    assert total.bounds(PathRanges([build.ult(Y, 2, 3)])) == (2 * -4 - 1 + 5, 2 * 3 + 5)


def test_conditions_may_rely_on_limits() -> None:
    product = of(X, 3, False).times(of(Y, 3, False)).plus(Whole.number(-2))
    small = PathRanges([build.ult(X, 2, 3), build.ult(Y, 2, 3)])
    assert product.not_negative(small) is False
    assert product.not_negative() is not False
