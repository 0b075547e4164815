"""Conditions on one symbol as sets of its values: compared with all values that there are."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.techniques.merging.value_sets import is_in, union, value_set

WIDTH = 6
X, Y = (build.symbol(name, bv(WIDTH)) for name in "xy")


def holding(condition: Any) -> set[int]:
    if not isinstance(condition, Expr):
        return set(range(1 << WIDTH)) if condition else set()
    return {value for value in range(1 << WIDTH) if Model({X: value}).eval(condition)}


def values(intervals: tuple[tuple[int, int], ...]) -> set[int]:
    return {value for low, high in intervals for value in range(low, high + 1)}


def term(random: Random) -> tuple[Any, int]:
    found: Any = X
    width = WIDTH
    for _ in range(random.randrange(4)):
        number = random.randrange(1 << width)
        choice = random.randrange(5)
        if choice == 0:
            found = build.add(found, number, width)
        elif choice == 1:
            found = build.neg(found, width)
        elif choice == 2:
            found = build.mul(found, random.choice((2, 3, 5, 12)), width)
        elif choice == 3 and width < 12:
            found, width = build.sext(found, width, 12), 12
        elif choice == 4 and width < 12:
            found, width = build.zext(found, width, 12), 12
    return found, width


def condition(random: Random) -> Any:
    found, width = term(random)
    number = random.randrange(1 << width)
    compare = random.choice((build.eq, build.ult, build.ule, build.slt, build.sle))
    pair = (found, number) if random.random() < 0.5 else (number, found)
    result: Any = compare(*pair, width)
    return build.lnot(result) if random.random() < 0.3 else result


@pytest.mark.parametrize("seed", range(40))
def test_a_set_has_the_values_for_which_all_conditions_hold(seed: int) -> None:
    random = Random(seed)
    known = 0
    for _ in range(60):
        conditions = [made for _ in range(random.randrange(1, 4)) if isinstance(made := condition(random), Expr)]
        found = value_set(conditions)
        if found is None:
            continue
        known += 1
        symbol, intervals = found
        assert symbol is X
        assert values(intervals) == set.intersection(*(holding(part) for part in conditions))
        assert holding(is_in(X, intervals)) == values(intervals)
        assert all(a[1] + 1 < b[0] for a, b in pairwise(intervals))
    assert known > 30


def test_either_of_two_sets() -> None:
    assert union(((0, 3), (9, 9)), ((4, 5), (8, 12))) == ((0, 5), (8, 12))
    assert union((), ((1, 2),)) == ((1, 2),)
    assert union(tuple((4 * n, 4 * n) for n in range(20)), tuple((4 * n + 2, 4 * n + 2) for n in range(20))) is None


def test_what_is_about_more_than_one_symbol_is_left_alone() -> None:
    less = build.ult(X, Y, WIDTH)
    assert isinstance(less, Expr)
    assert value_set([less]) is None and value_set([]) is None


def test_sums_that_differ_are_one_interval() -> None:
    united: Any = ()
    for number in range(50):
        above = build.slt(100, build.add(build.symbol("wide", bv(32)), number, 32), 32)
        assert isinstance(above, Expr)
        found = value_set([above])
        assert found is not None
        united = union(united, found[1])
    assert united == ((100 - 49 + 1, 0x7FFFFFFF),)
