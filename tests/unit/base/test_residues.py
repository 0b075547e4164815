"""Linear algebra modulo powers of two, against trying everything."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from clew.base.residues import Row, echelon, quotient, relations, simplest, vanishing

WIDTH = 3
NUMBERS = range(1 << WIDTH)


def generated(rows: list[Row], size: int) -> set[tuple[int, ...]]:
    """All combinations of rows."""
    found = {(0,) * size}
    for row in rows:
        found = {
            tuple((a + factor * b) % (1 << WIDTH) for a, b in zip(one, row, strict=True))
            for one in found
            for factor in NUMBERS
        }
    return found


@pytest.mark.parametrize("seed", range(12))
def test_relations_are_all_combinations_that_are_zero(seed: int) -> None:
    random = Random(seed)
    vectors = [{key: random.choice(NUMBERS) for key in "ab"} for _ in range(3)]
    expected = {
        factors
        for factors in product(NUMBERS, repeat=3)
        if all(sum(f * v[key] for f, v in zip(factors, vectors, strict=True)) % (1 << WIDTH) == 0 for key in "ab")
    }
    assert generated(relations(vectors, WIDTH), 3) == expected


@pytest.mark.parametrize("seed", range(12))
def test_an_echelon_form_generates_the_same(seed: int) -> None:
    random = Random(seed)
    rows = [[random.choice(NUMBERS) for _ in range(3)] for _ in range(3)]
    form = echelon(rows, WIDTH)
    assert generated(form, 3) == generated(rows, 3)
    leading = [next(place for place, value in enumerate(row) if value) for row in form]
    assert leading == sorted(set(leading))
    assert echelon(form, WIDTH) == form


def test_a_multiple_of_a_pivot_may_be_zero() -> None:
    assert vanishing([[1, 0], [0, 1]], [2, 0], WIDTH) == [[0, 1], [4, 0]]
    assert quotient(6, 2, WIDTH) % 4 == 3


def test_small_numbers_are_preferred() -> None:
    third = pow(3, -1, 1 << 32)
    assert simplest([1, -third % (1 << 32), third], 32) in ([3, (1 << 32) - 1, 1], [(1 << 32) - 3, 1, (1 << 32) - 1])
    assert simplest([6, 2], WIDTH) in ([6, 2], [2, 6])
