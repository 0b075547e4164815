"""Floats that are integers over constants, against evaluation; and the ranges of floats."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.float_ranges import float_range
from clew.expr.node import Expr, intern, lift, postorder
from clew.expr.op import FEQ, FLE, FLT, FP_TO_SBV
from clew.expr.rewrite.quotients import is_integral, truncated
from clew.expr.sort import BOOL, F64, bv

DIGITS = build.symbol("digits", bv(50))
PLACES = build.symbol("places", bv(8))
NEGATIVE = build.symbol("negative", bv(8))


def decimal(most: int = 6) -> Expr:
    """``digits`` with a sign and up to so many places, as ``strtod`` has it."""
    scale: Any = 1.0
    for places in range(1, most + 1):
        scale = build.ite(build.eq(PLACES, places, 8), 10.0**places, scale, F64)
    value: Any = build.fdiv(build.fp_from_ubv(build.zext(DIGITS, 50, 64), 64, F64), scale, F64)
    value = build.ite(build.eq(NEGATIVE, 1, 8), build.fneg(value, F64), value, F64)
    found = build.ite(build.ult(PLACES, 200, 8), value, 0.0, F64)
    assert isinstance(found, Expr)
    return found


def models(count: int = 300) -> list[Model]:
    rng = random.Random(7)
    found = []
    for _ in range(count):
        digits = rng.choice([rng.getrandbits(50), rng.getrandbits(rng.randrange(1, 50)), 10 ** rng.randrange(15)])
        digits = min(max(0, digits * 10 ** rng.randrange(3) + rng.randrange(-1, 2)), (1 << 50) - 1)
        found.append(Model({DIGITS: digits, PLACES: rng.randrange(8), NEGATIVE: rng.randrange(2)}))
    return found


def test_truncation_and_fraction_are_those_of_the_float() -> None:
    value = decimal()
    number, integral = truncated(value, -(1 << 63), (1 << 63) - 1, 64), is_integral(value)
    assert isinstance(number, Expr) and isinstance(integral, Expr)
    both = set()
    for model in models():
        real = model.eval(value)
        assert model.eval(number) == int(real) & (1 << 64) - 1
        assert model.eval(integral) is real.is_integer()
        both.add(real.is_integer())
    assert both == {False, True}


@pytest.mark.parametrize("digits", [(1 << 50) - 1, (1 << 50) - 6, 999999999999999, 999999999999989])
def test_the_largest_dividends(digits: int) -> None:
    value = decimal(15)
    number = truncated(value, -(1 << 63), (1 << 63) - 1, 64)
    for places in range(16):
        model = Model({DIGITS: digits, PLACES: places})
        assert model.eval(number) == int(model.eval(value)) == digits // 10**places


def test_a_conversion_is_in_integers_where_it_surely_fits() -> None:
    value = decimal()
    assert truncated(value, -(1 << 31), (1 << 31) - 1, 32) is None
    number = build.fp_to_sbv(value, F64, 64)
    assert isinstance(number, Expr) and FP_TO_SBV not in {node.op for node in _below(number)}
    small = build.fdiv(build.fp_from_ubv(build.zext(PLACES, 8, 64), 64, F64), 10.0, F64)
    narrow = build.fp_to_sbv(small, F64, 32)
    same = build.feq(build.fp_from_sbv(narrow, 32, F64), small)
    for places in range(256):
        model = Model({PLACES: places})
        assert model.eval(narrow) == places // 10
        assert model.eval(same) is (places % 10 == 0)


def test_other_floats_are_left_alone() -> None:
    wide = build.fp_from_ubv(build.symbol("wide", bv(64)), 64, F64)
    thirds = build.fdiv(build.fp_from_ubv(build.zext(DIGITS, 50, 64), 64, F64), 0.3, F64)
    for value in (build.symbol("x", F64), build.fdiv(wide, 10.0, F64), thirds):
        assert isinstance(value, Expr)
        assert is_integral(value) is None
        assert truncated(value, -(1 << 63), (1 << 63) - 1, 64) is None


def test_ranges_hold_and_decide_comparisons() -> None:
    value = decimal()
    low, high, nan = float_range(value)
    assert (low, high, nan) == (-float((1 << 50) - 1), float((1 << 50) - 1), False)
    assert build.fisnan(value) is False
    assert build.fisinf(value) is False
    assert build.flt(value, 2.0**50) is True
    assert build.fle(2.0**50, value) is False
    assert build.feq(value, 2.0**50) is False
    assert isinstance(build.flt(value, 5.0), Expr)
    for model in models(50):
        assert low <= model.eval(value) <= high


def test_ranges_of_what_may_be_anything() -> None:
    x = build.symbol("x", F64)
    for value in (x, build.fdiv(1.0, x, F64), build.fadd(x, 1.0, F64), build.fsub(x, x, F64)):
        assert float_range(value) == (-math.inf, math.inf, True)
    assert isinstance(build.fisnan(x), Expr)
    assert isinstance(build.flt(x, math.inf), Expr)
    tiny = build.fp_from_ubv(build.zext(PLACES, 8, 64), 64, F64)
    assert float_range(build.fdiv(1.0, tiny, F64)) == (-math.inf, math.inf, True)


@pytest.mark.parametrize("seed", range(40))
def test_ranges_of_random_floats(seed: int) -> None:
    rng = random.Random(seed)
    pool: list[Any] = [build.fp_from_sbv(PLACES, 8, F64), build.fp_from_ubv(NEGATIVE, 8, F64), 0.5, -3.0, 0.0, 1e308]
    for _ in range(12):
        a, b = rng.choice(pool), rng.choice(pool)
        makers = [build.fadd, build.fsub, build.fmul, build.fdiv]
        pool.append(rng.choice(makers)(a, b, F64))
        pool.append(rng.choice([build.fneg, build.fabs])(rng.choice(pool), F64))
        pool.append(build.ite(build.ult(PLACES, rng.randrange(256), 8), a, b, F64))
    for _ in range(60):
        model = Model({PLACES: rng.randrange(256), NEGATIVE: rng.randrange(256)})
        for value in pool:
            low, high, nan = float_range(value)
            real = model.eval(value)
            assert nan if real != real else low <= real <= high


@pytest.mark.parametrize("op", [FLT, FLE, FEQ])
def test_comparisons_mean_what_the_plain_node_means(op: Any) -> None:
    small = build.fdiv(build.fp_from_ubv(build.zext(PLACES, 8, 64), 64, F64), 8.0, F64)
    make = {FLT: build.flt, FLE: build.fle, FEQ: build.feq}[op]
    for bound in (-1.0, 0.0, -0.0, 31.875, 32.0, 3.0, math.inf, -math.inf):
        for left, right in ((small, bound), (bound, small)):
            made = make(left, right)
            nodes = [x if isinstance(x, Expr) else lift(x, F64) for x in (left, right)]
            plain = intern(op, BOOL, tuple(nodes))
            for places in (0, 1, 24, 255):
                model = Model({PLACES: places})
                assert model.eval(made) is model.eval(plain)


def _below(root: Expr) -> list[Expr]:

    return postorder([root])
