"""Python's operators on nodes: one source for concrete and symbolic operands."""

from __future__ import annotations

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.sort import BOOL, F32, F64, bv

X = build.symbol("x", bv(32))
Y = build.symbol("y", bv(32))
P = build.symbol("p", BOOL)
F = build.symbol("f", F64)
MASK = 0xFFFFFFFF


def test_wrapping_mask_is_free() -> None:
    total = X + Y
    assert total & MASK is total
    assert X & MASK is X
    assert P & True is P


def test_either_side_may_be_plain() -> None:
    model = Model({X: 10, Y: 3})
    for value, expected in (
        (X + 5, 15),
        (5 + X, 15),
        (X - 11, MASK),
        (3 - X, MASK - 6),
        (X * 7, 70),
        (7 * X, 70),
        (X & 6, 2),
        (6 & X, 2),
        (X | 5, 15),
        (5 | X, 15),
        (X ^ 3, 9),
        (3 ^ X, 9),
        (~X, MASK - 10),
        (-X, MASK - 9),
        (X - Y, 7),
        (X + -1, 9),
        (X + (1 << 40), 10),
    ):
        assert model.eval(value) == expected


def test_booleans() -> None:
    q = build.symbol("q", BOOL)
    for p_value in (False, True):
        for q_value in (False, True):
            model = Model({P: p_value, q: q_value})
            assert model.eval(P & q) is (p_value and q_value)
            assert model.eval(P | q) is (p_value or q_value)
            assert model.eval(P ^ q) is (p_value != q_value)
            assert model.eval(True ^ P) is (not p_value)
            assert model.eval(~P) is (not p_value)
    assert P & False is False
    assert P | True is True


def test_floats() -> None:
    model = Model({F: 1.5})
    assert model.eval(F + 1.0) == 2.5
    assert model.eval(1.0 - F) == -0.5
    assert model.eval(2.0 * F) == 3.0
    assert model.eval(-F) == -1.5
    g = build.symbol("g", F32)
    assert Model({g: 16777216.0}).eval(g + 1.0) == 16777216.0


def test_no_comparison_operators() -> None:
    with pytest.raises(TypeError):
        X < Y  # type: ignore[operator]  # noqa: B015
    assert (X == Y) is False  # identity, never a formula
