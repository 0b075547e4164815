"""Expressions as polynomials: they have the same values."""

from __future__ import annotations

from random import Random

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV
from clew.expr.polynomials import ONE, Polynomial, eliminate, polynomial
from clew.expr.sort import bv

WIDTH = 8
X, Y, WIDE = build.symbol("x", bv(8)), build.symbol("y", bv(8)), build.symbol("wide", bv(16))


def drawn(random: Random, depth: int) -> BV:
    if not depth:
        return random.choice((X, Y, build.extract(WIDE, 7, 0), random.randrange(256)))
    left, right = drawn(random, depth - 1), drawn(random, depth - 1)
    match random.randrange(6):
        case 0:
            return build.add(left, right, WIDTH)
        case 1:
            return build.sub(left, right, WIDTH)
        case 2:
            return build.mul(left, right, WIDTH)
        case 3:
            return build.shl(left, random.randrange(8), WIDTH)
        case 4:
            return build.not_(left, WIDTH)
    return build.xor(left, right, WIDTH)


def value(whole: Polynomial, model: Model) -> int:
    total = 0
    for monomial, factor in whole.items():
        for atom in monomial:
            factor *= model.eval(atom)
        total += factor
    return total % (1 << WIDTH)


@pytest.mark.parametrize("seed", range(40))
def test_a_polynomial_has_the_values_of_its_expression(seed: int) -> None:
    random = Random(seed)
    e = drawn(random, 4)
    whole = polynomial(e, WIDTH)
    for _ in range(20):
        model = Model({X: random.randrange(256), Y: random.randrange(256), WIDE: random.randrange(1 << 16)})
        assert value(whole, model) == model.eval(e)


def test_an_equality_says_what_an_atom_is() -> None:
    right = build.add(build.mul(2, Y, WIDTH), 6, WIDTH)
    same = polynomial(build.sub(build.mul(3, X, WIDTH), right, WIDTH), WIDTH)
    left, (other,) = eliminate([same], [polynomial(build.mul(X, X, WIDTH), WIDTH)], WIDTH)
    assert left == [] and all(X not in monomial for monomial in other)
    assert value(other, Model({Y: 9})) == 64  # x == 8


def test_nothing_is_solved_for_what_is_multiplied() -> None:
    even = polynomial(build.mul(2, X, WIDTH), WIDTH)
    square = polynomial(build.add(X, build.mul(X, X, WIDTH), WIDTH), WIDTH)
    assert eliminate([even, square], [{ONE: 1}], WIDTH) == ([even, square], [{ONE: 1}])
