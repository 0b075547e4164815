"""What a path says about the values of expressions."""

from __future__ import annotations

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.techniques.summaries.path_ranges import PathRanges

X, Y = build.symbol("x", bv(8)), build.symbol("y", bv(8))


def limits(*path: object) -> PathRanges:
    return PathRanges([constraint for constraint in path if isinstance(constraint, Expr)])


def expression(value: object) -> Expr:
    assert isinstance(value, Expr)
    return value


def test_without_a_path_there_are_the_ends_of_the_width() -> None:
    assert limits().of(X, False) == (0, 255) and limits().of(X, True) == (-128, 127)
    assert limits().of(expression(build.zext(X, 8, 16)), True) == (0, 255)


def test_comparisons_with_constants() -> None:
    path = limits(build.ult(X, 20, 8), build.ule(3, X, 8), build.slt(Y, 0, 8), build.ne(X, 5, 8))
    assert path.of(X, False) == (3, 19) and path.of(X, True) == (3, 19)
    assert path.of(Y, True) == (-128, -1) and path.of(Y, False) == (0, 255)
    assert limits(build.eq(X, 200, 8)).of(X, False) == (200, 200)


def test_a_range_with_the_sign_bit_says_nothing_about_the_other_reading() -> None:
    assert limits(build.ule(X, 200, 8)).of(X, True) == (-128, 127)
    assert limits(build.sle(X, 20, 8)).of(X, False) == (0, 255)


def test_arithmetic_that_cannot_wrap() -> None:
    path = limits(build.ule(X, 20, 8), build.ule(2, X, 8), build.ule(Y, 10, 8), build.ule(2, Y, 8))
    assert path.of(expression(build.add(X, Y, 8)), False) == (4, 30)
    assert path.of(expression(build.sub(X, Y, 8)), True) == (-8, 18)
    assert path.of(expression(build.mul(X, Y, 8)), False) == (4, 200)
    assert path.of(expression(build.shl(X, 2, 8)), False) == (8, 80)
    assert path.of(expression(build.udiv(X, Y, 8)), False) == (0, 10)
    assert path.of(expression(build.urem(X, Y, 8)), False) == (0, 9)
    assert path.of(expression(build.sext(build.sub(X, Y, 8), 8, 16)), True) == (-8, 18)


def test_arithmetic_that_may_wrap() -> None:
    path = limits(build.ule(X, 200, 8), build.ule(Y, 100, 8))
    assert path.of(expression(build.add(X, Y, 8)), False) == (0, 255)
    assert path.of(expression(build.udiv(X, Y, 8)), False) == (0, 255)


def test_bits_of_a_value() -> None:
    low = expression(build.trunc(X, 4))
    assert limits(build.ule(X, 9, 8)).of(low, False) == (0, 9)
    assert limits(build.ule(X, 18, 8), build.ule(17, X, 8)).of(low, False) == (0, 15)


def test_a_path_without_solutions_leaves_a_range() -> None:
    low, high = limits(build.ult(X, 5, 8), build.ult(9, X, 8)).of(X, False)
    assert low <= high
