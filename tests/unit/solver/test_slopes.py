"""The layer that moves floats: which queries it answers without a solver, and that its models are models."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from clew.expr import build as b
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.sort import F32, F64, bv
from clew.solver.interface import Answer, Query, Result, unknown
from clew.solver.layers.slopes import Slopes

D, E, F = b.symbol("d", F64), b.symbol("e", F64), b.symbol("f", F32)
BITS = b.symbol("bits", bv(64))
LIMIT = b.fp_from_bits(BITS, F64)
X = b.symbol("x", bv(32))


class GivesUp:
    """The layer below: says it was needed."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        return unknown("needs a solver", "below")


def moved(constraints: list[Any], hint: Model | None = EMPTY_MODEL) -> Model | None:
    result = Slopes(GivesUp()).check(frozenset(constraints), hint)
    if result.answer is Answer.SAT:
        assert result.model is not None
        assert all(result.model.eval(c) is True for c in constraints)
    return result.model


def times(value: Any, count: int, sort: Any = F64) -> Any:
    total: Any = 0.0
    for _ in range(count):
        total = b.fadd(total, value, sort)
    return total


ANSWERED: dict[str, list[Any]] = {
    "a sum of one symbol between bounds": [
        b.flt(1000.0, times(LIMIT, 4)), b.lnot(b.flt(1000.0, times(LIMIT, 3))), b.flt(LIMIT, D),
    ],
    "downwards": [b.flt(times(D, 5), -3.0), b.flt(-1.0, D)],
    "singles": [b.fle(7.5, b.fmul(times(F, 3, F32), 0.5, F32))],
    "a square": [b.flt(100.0, b.fmul(b.fadd(D, 3.0, F64), b.fadd(D, 3.0, F64), F64))],
    "a chain": [b.flt(10.0, b.fadd(D, D, F64)), b.flt(D, E), b.lnot(b.flt(E, LIMIT))],
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERED)
def test_answered(name: str) -> None:
    assert moved(ANSWERED[name]) is not None
    found = moved(ANSWERED[name], None)
    assert found is not None
    assert {symbol for c in ANSWERED[name] for symbol in c.symbols} <= found.values.keys()


@pytest.mark.parametrize(
    "constraints",
    [
        [b.flt(1.0, D), b.flt(D, 0.5)],
        [b.fisnan(D)],
        [b.eq(X, 5, 32), b.flt(1.0, D)],
        [b.feq(D, 5.0), b.flt(D, 1.0)],
    ],
)
def test_passed_on(constraints: list[Any]) -> None:
    assert moved(constraints) is None


def test_whatever_it_answers_is_a_model() -> None:
    """Also from values that are no numbers, and for constraints that nothing fulfils."""
    random = Random(7)
    numbers = [0.0, 1.0, -2.5, 1e300, -1e-300, math.inf, math.nan, 3.0]
    answered = 0
    for _ in range(300):
        constraints = [_comparison(random, numbers) for _ in range(random.randint(1, 4))]
        if all(isinstance(each, Expr) for each in constraints):
            hint = Model({D: random.choice(numbers), E: random.choice(numbers), BITS: random.getrandbits(64)})
            answered += moved(constraints, hint) is not None
    assert answered > 100


def _comparison(random: Random, numbers: list[float]) -> Any:
    def term() -> Any:
        one, two = random.choice((D, E, LIMIT)), random.choice((D, E, LIMIT, random.choice(numbers)))
        return random.choice((b.fadd, b.fsub, b.fmul))(one, two, F64)

    compared = random.choice((b.flt, b.fle))(term(), random.choice((term(), random.choice(numbers))))
    return random.choice((compared, b.lnot(compared)))
