"""The layer for linear constraints over the integers: it refutes what has no solution, and nothing else."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.solver.interface import Answer, Query, Result, unknown
from clew.solver.layers import integers
from clew.solver.layers.integers import NAME, OPERATIONS, PATIENCE, Integers, implied, is_possible

W = 3


class Below:
    """Knows nothing."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        return unknown("not asked", "below")


def answer(*constraints: object, layer: Integers | None = None) -> Answer:
    assert all(isinstance(constraint, Expr) for constraint in constraints)
    result = (layer or Integers(Below())).check(frozenset(constraints))  # type: ignore[arg-type]
    assert result.source == (NAME if result.answer is Answer.UNSAT else "below")
    return result.answer


def remainder(least: int) -> list[object]:
    """That ``x`` is ``y`` and some hundreds, and ``y`` is less than one, but not the remainder."""
    x, y, k = (build.symbol(name, bv(32)) for name in "xyk")
    wide = build.add(build.zext(y, 32, 64), build.mul(build.zext(k, 32, 64), 100, 64), 64)
    whole = build.eq(build.zext(x, 32, 64), wide, 64)
    return [whole, build.ult(y, 100, 32), build.ne(y, build.urem(x, 100, 32), 32), build.ule(least, x, 32)]


def test_a_remainder_is_what_is_left() -> None:
    assert answer(*remainder(1000)) is Answer.UNSAT
    assert answer(*remainder(1000)[:1], *remainder(1000)[2:]) is Answer.UNKNOWN


def test_queries_without_products_are_passed_on() -> None:
    x = build.symbol("x", bv(32))
    assert answer(build.ult(x, 5, 32), build.ult(6, x, 32)) is Answer.UNKNOWN


def test_it_is_given_up_where_it_does_not_help() -> None:
    layer = Integers(Below())
    possible = remainder(1000)[1:]
    for _ in range(PATIENCE):
        assert answer(*possible, layer=layer) is Answer.UNKNOWN
    assert answer(*remainder(1000), layer=layer) is Answer.UNKNOWN


def test_each_choice_is_made() -> None:
    """That ``x`` is one of two numbers, of which neither leaves the remainder, and then one of them does."""
    x = build.symbol("x", bv(32))
    for numbers, expected in (((10, 21), Answer.UNSAT), ((10, 23), Answer.UNKNOWN)):
        neither = build.land(*(build.ne(x, number, 32) for number in numbers))
        assert answer(build.lnot(neither), build.eq(build.urem(x, 7, 32), 2, 32)) is expected


def test_it_may_take_more_operations_where_it_helps() -> None:
    layer = Integers(Below())
    asked: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(integers, "is_possible", lambda constraints, operations: asked.append(operations))
        answer(*remainder(1000), layer=layer)  # too hard
        patch.setattr(integers, "is_possible", lambda constraints, operations: bool(asked.append(operations)))
        answer(*remainder(1000), layer=layer)  # refuted
        answer(*remainder(1000), layer=layer)
    assert asked == [OPERATIONS, OPERATIONS // 2, OPERATIONS]


class Drawing:
    """Random expressions over two symbols, of operators that are followed exactly."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.symbols = [build.symbol(name, bv(W)) for name in "xy"]

    def word(self, width: int, depth: int = 3) -> Any:
        random = self._random
        if not depth:
            number = random.randrange(1 << width)
            return random.choice(self.symbols) if width == W and random.random() < 0.8 else number
        one, two = self.word(width, depth - 1), self.word(width, depth - 1)
        constant, divisor = random.randrange(1 << width), random.randrange(1, 1 << width)
        match random.randrange(10):
            case 0 | 1:
                return build.add(one, two, width)
            case 2:
                return build.mul(one, constant, width)
            case 3:
                return random.choice((build.udiv, build.urem))(one, divisor, width)
            case 4:
                return random.choice((build.sdiv, build.srem))(one, min(divisor, (1 << width) - 2), width)
            case 5:
                high = random.randrange(width, width + 3)
                return build.extract(self.word(high, depth - 1), high - 1, high - width)
            case 6 if width > W:
                return random.choice((build.zext, build.sext))(self.word(W, depth - 1), W, width)
            case 7 if width > W:
                return build.concat(self.word(width - W, depth - 1), width - W, self.word(W, depth - 1), W)
            case 8:
                return build.ite(self.condition(depth - 1), one, two, bv(width))
        return build.sub(one, two, width)

    def condition(self, depth: int = 3) -> Any:
        random = self._random
        width = random.choice((W, W, W + 2))
        one, two = self.word(width, max(depth - 1, 0)), self.word(width, max(depth - 1, 0))
        if depth and random.random() < 0.3:
            return build.lnot(build.land(self.condition(depth - 1), self.condition(depth - 1)))
        compare = (build.eq, build.ne, build.ult, build.ule, build.slt, build.sle)
        return random.choice(compare)(one, two, width)

    def query(self) -> tuple[frozenset[Expr], list[Model]]:
        """Some constraints, and all their models."""
        made = [self.condition() for _ in range(3)]
        constraints = frozenset(c for c in made if isinstance(c, Expr))
        models = (Model(dict(zip(self.symbols, values, strict=True))) for values in product(range(1 << W), repeat=2))
        return constraints, [model for model in models if all(model.eval(c) for c in constraints)]


@pytest.mark.parametrize("seed", range(12))
def test_there_are_integers_where_there_is_a_model(seed: int) -> None:
    drawing = Drawing(seed)
    for _ in range(8):
        constraints, models = drawing.query()
        assert is_possible(constraints, OPERATIONS) in (bool(models), None)


@pytest.mark.parametrize("seed", range(100, 110))
def test_what_is_implied_holds(seed: int) -> None:
    drawing = Drawing(seed)
    for width, _ in product((W, W + 2), range(4)):
        constraints, models = drawing.query()
        for zero in implied(constraints, width):
            for model in models:
                total = sum(factor * prod(map(model.eval, word)) for word, factor in zero.items())
                assert total % (1 << width) == 0


def test_neither_is_greater() -> None:
    x, y = build.symbol("x", bv(32)), build.symbol("y", bv(32))
    product = build.mul(x, y, 32)
    query: Any = build.ult(x, y, 32), build.ule(y, build.add(x, 1, 32), 32), build.ule(5, product, 32)
    (zero,) = implied(frozenset(query), 32)
    assert zero in ({(x,): 1, (y,): 2**32 - 1, (): 1}, {(x,): 2**32 - 1, (y,): 1, (): 2**32 - 1})
