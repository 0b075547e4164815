"""The layer for equalities of polynomials: what it refutes is infeasible."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.solver.interface import Answer, Query, Result, unknown
from clew.solver.layers.algebra import NAME, Algebra


class Below:
    """Knows nothing."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        return unknown("not asked", "below")


def answer(*constraints: object) -> Answer:
    assert all(isinstance(constraint, Expr) for constraint in constraints)
    result = Algebra(Below()).check(frozenset(constraints))  # type: ignore[arg-type]
    assert result.source == (NAME if result.answer is Answer.UNSAT else "below")
    return result.answer


def test_a_sum_of_numbers() -> None:
    i, n, s = (build.symbol(name, bv(32)) for name in "ins")
    twice = build.mul(2, s, 32)
    known = build.eq(twice, build.mul(i, build.sub(i, 1, 32), 32), 32)
    wrong = build.ne(twice, build.mul(n, build.sub(n, 1, 32), 32), 32)
    assert answer(known, build.ule(i, n, 32), build.ule(n, i, 32), wrong) is Answer.UNSAT
    assert answer(known, build.ule(i, n, 32), wrong) is Answer.UNKNOWN
    assert answer(known, build.sle(i, n, 32), build.sle(n, i, 32), wrong) is Answer.UNSAT


def test_the_next_number() -> None:
    i, n = build.symbol("i", bv(32)), build.symbol("n", bv(32))
    after = build.add(i, 1, 32)
    wrong = build.ne(build.mul(n, n, 32), build.mul(after, after, 32), 32)
    assert answer(build.ult(i, n, 32), build.ule(n, after, 32), wrong) is Answer.UNSAT
    assert answer(build.ule(i, n, 32), build.ule(n, after, 32), wrong) is Answer.UNKNOWN


def test_a_factor_of_two_does_not_cancel() -> None:
    x, y = build.symbol("x", bv(8)), build.symbol("y", bv(8))
    square = build.mul(x, x, 8)
    doubled = build.eq(build.mul(2, square, 8), build.mul(2, y, 8), 8)
    assert answer(doubled, build.ne(square, y, 8)) is Answer.UNKNOWN


def test_a_multiple_in_more_bits() -> None:
    k, c = build.symbol("k", bv(32)), build.symbol("c", bv(32))
    wide = build.zext(k, 32, 64)
    multiple = build.mul(6, build.sub(build.mul(wide, wide, 64), build.zext(c, 32, 64), 64), 64)
    wrong = build.ne(c, build.mul(k, k, 32), 32)
    assert answer(build.eq(build.extract(multiple, 32, 0), 0, 33), wrong) is Answer.UNSAT
    assert answer(build.eq(build.extract(multiple, 31, 0), 0, 32), wrong) is Answer.UNKNOWN


@pytest.mark.parametrize("seed", range(30))
def test_what_is_refuted_has_no_solution(seed: int) -> None:
    random = Random(seed)
    symbols = [build.symbol(name, bv(3)) for name in "xyz"]

    def word() -> object:
        a, b = random.choice(symbols), random.choice(symbols)
        return random.choice((a, build.mul(a, b, 3), build.add(a, b, 3), build.mul(random.randrange(8), a, 3)))

    for _ in range(20):
        pairs = [(word(), word()) for _ in range(4)]
        made = [build.eq(*pair, 3) for pair in pairs[:3]] + [build.ne(*pairs[3], 3)]  # type: ignore[arg-type]
        twice = [build.mul(random.randrange(8), build.zext(word(), 3, 5), 5) for _ in range(2)]  # type: ignore[arg-type]
        made += [build.eq(*twice, 5)]  # type: ignore[arg-type]
        constraints = [c for c in made if isinstance(c, Expr)]
        if answer(*constraints) is Answer.UNSAT:
            models = (Model(dict(zip(symbols, values, strict=True))) for values in product(range(8), repeat=3))
            assert not any(all(model.eval(c) for c in constraints) for model in models)
