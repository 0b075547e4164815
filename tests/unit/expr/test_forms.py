"""Canonical forms: what the constructors turn typical program arithmetic into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew.base.errors import Unsupported
from clew.expr import build as b
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import BV, Expr, Value
from clew.expr.op import Op
from clew.expr.printer import show
from clew.expr.ranges import interval, known_bits, signed_interval
from clew.expr.sort import BOOL, F32, F64, bv
from clew.expr.walk import substitute

X, Y, Z = (b.symbol(name, bv(32)) for name in "xyz")
B0, B1, B2, B3 = (b.symbol(f"b{i}", bv(8)) for i in range(4))
P, Q = (b.symbol(name, BOOL) for name in "pq")
F = b.symbol("f", F64)


def wide(byte: BV) -> Any:
    return b.zext(byte, 8, 32)


def choose(a: Value, b_: Value) -> Any:
    return b.ite(P, a, b_, bv(32))


SAME: dict[str, tuple[Callable[[], Value], Callable[[], Value]]] = {
    "sums collect": (lambda: (X + 3) - (Y - X), lambda: (X * 2 - Y) + 3),
    "sums cancel": (lambda: (X + Y) - X, lambda: Y),
    "not plus one": (lambda: ~X + 1, lambda: -X),
    "minus minus one": (lambda: -X - 1, lambda: ~X),
    "scaled index": (lambda: b.shl(X + 1, 2, 32), lambda: b.shl(X, 2, 32) + 4),
    "mask is a cut": (lambda: X & 0xFF, lambda: wide(b.trunc(X, 8))),
    "shift is a cut": (lambda: b.lshr(X, 24, 32), lambda: wide(b.extract(X, 31, 24))),
    "promotion undone": (lambda: b.trunc(wide(B0) + wide(B1), 8), lambda: b.add(B0, B1, 8)),
    "bytes assembled": (
        lambda: b.or_(b.shl(wide(B1), 8, 32), wide(B0), 32),
        lambda: b.zext(b.concat(B1, 8, B0, 8), 16, 32),
    ),
    "adjacent cuts": (lambda: b.concat(b.extract(X, 31, 8), 24, b.extract(X, 7, 0), 8), lambda: X),
    "cut of concat": (lambda: b.extract(b.concat(B1, 8, B0, 8), 15, 8), lambda: B1),
    "zext twice": (lambda: b.zext(b.zext(B0, 8, 16), 16, 32), lambda: wide(B0)),
    "sext of zext": (lambda: b.sext(b.zext(B0, 8, 16), 16, 32), lambda: wide(B0)),
    "eq moves constants": (lambda: b.eq(X + 3, 5, 32), lambda: b.eq(X, 2, 32)),
    "eq cancels": (lambda: b.eq(X + Y, X + 1, 32), lambda: b.eq(Y, 1, 32)),
    "eq of difference": (lambda: b.eq(X - Y, 0, 32), lambda: b.eq(X, Y, 32)),
    "eq unit factor": (lambda: b.eq(X * 3, 6, 32), lambda: b.eq(X, 2, 32)),
    "eq of extension": (lambda: b.eq(wide(B0), 65, 32), lambda: b.eq(B0, 65, 8)),
    "eq out of range": (lambda: b.eq(wide(B0), 300, 32), lambda: False),
    "eq of pieces": (
        lambda: b.eq(b.concat(B1, 8, B0, 8), 0x0102, 16),
        lambda: b.land(b.eq(B1, 1, 8), b.eq(B0, 2, 8)),
    ),
    "flag tested": (lambda: b.ne(b.bool_to_bv(P, 32), 0, 32), lambda: P),
    "flag extended": (lambda: b.eq(b.zext(b.bool_to_bv(P, 8), 8, 32), 0, 32), lambda: b.lnot(P)),
    "flag truncated": (lambda: b.trunc(b.bool_to_bv(P, 8), 1), lambda: P),
    "bit tested": (lambda: b.eq(b.and_(X, 8, 32), 8, 32), lambda: b.ne(b.and_(X, 8, 32), 0, 32)),
    "below one": (lambda: b.ult(X, 1, 32), lambda: b.eq(X, 0, 32)),
    "le is lt": (lambda: b.ule(X, 4, 32), lambda: b.ult(X, 5, 32)),
    "gt is not lt": (lambda: b.ugt(X, 4, 32), lambda: b.lnot(b.ult(X, 5, 32))),
    "sign flip": (
        lambda: b.ult(b.xor(X, 1 << 31, 32), b.xor(Y, 1 << 31, 32), 32),
        lambda: b.slt(X, Y, 32),
    ),
    "signed of bytes": (lambda: b.slt(wide(B0), wide(B1), 32), lambda: b.ult(B0, B1, 8)),
    "signed of signed": (lambda: b.slt(b.sext(B0, 8, 32), b.sext(B1, 8, 32), 32), lambda: b.slt(B0, B1, 8)),
    "always below": (lambda: b.ult(wide(B0), 256, 32), lambda: True),
    "increment overflow": (lambda: b.sadd_overflow(X, 1, 32), lambda: b.eq(X, 0x7FFFFFFF, 32)),
    "char sum cannot overflow": (lambda: b.sadd_overflow(wide(B0), wide(B1), 32), lambda: False),
    "terms of both sums": (
        lambda: b.slt(b.sext(X, 32, 64) + b.sext(Y, 32, 64), b.sext(Y, 32, 64) + b.sext(Z, 32, 64), 64),
        lambda: b.slt(X, Z, 32),
    ),
    "sum of longs cannot overflow": (
        lambda: b.sadd_overflow(b.sext(X, 32, 64) + b.sext(Y, 32, 64), b.sext(Z, 32, 64), 64),
        lambda: False,
    ),
    "offsets of both": (lambda: b.ult(wide(B0) + 7, wide(B1) + 7, 32), lambda: b.ult(B0, B1, 8)),
    "same arms": (lambda: b.ite(P, X, X, bv(32)), lambda: X),
    "negated condition": (lambda: b.ite(b.lnot(P), X, Y, bv(32)), lambda: b.ite(P, Y, X, bv(32))),
    "nested condition": (lambda: b.ite(P, b.ite(P, X, Y, bv(32)), Z, bv(32)), lambda: b.ite(P, X, Z, bv(32))),
    "choice compared": (lambda: b.eq(choose(3, 5), 5, 32), lambda: b.lnot(P)),
    "complement": (lambda: b.land(P, b.lnot(P)), lambda: False),
    "excluded middle": (lambda: b.lor(P, b.lnot(P)), lambda: True),
    "absorption": (lambda: b.land(P, b.lor(P, Q)), lambda: P),
    "resolution": (lambda: b.land(P, b.lor(b.lnot(P), Q)), lambda: b.land(P, Q)),
    "flipped complement": (lambda: b.land(b.ult(X, Y, 32), b.ule(Y, X, 32)), lambda: False),
    "no conjuncts": (lambda: b.conjunction([]), lambda: True),
    "no disjuncts": (lambda: b.disjunction([]), lambda: False),
    "divide by power": (lambda: b.udiv(X, 16, 32), lambda: b.lshr(X, 4, 32)),
    "remainder by power": (lambda: b.urem(X, 16, 32), lambda: X & 15),
    "swap twice": (lambda: b.bswap(b.bswap(X, 32), 32), lambda: X),
    "reverse twice": (lambda: b.bitreverse(b.bitreverse(X, 32), 32), lambda: X),
    "xor twice": (lambda: (X ^ Y) ^ Y, lambda: X),
    "rotation by constant": (
        lambda: b.fshl(X, X, 8, 32),
        lambda: b.concat(b.extract(X, 23, 0), 24, b.extract(X, 31, 24), 8),
    ),
    "float through memory": (lambda: b.fp_from_bits(b.fp_to_bits(F, F64), F64), lambda: F),
    "widened and back": (lambda: b.fp_to_fp(b.fp_to_fp(F, F64, F64), F64, F64), lambda: F),
    "int through double": (lambda: b.fp_to_sbv(b.fp_from_sbv(X, 32, F64), F64, 32), lambda: X),
    "ints compared as doubles": (
        lambda: b.flt(b.fp_from_sbv(X, 32, F64), b.fp_from_sbv(Y, 32, F64)),
        lambda: b.slt(X, Y, 32),
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_same_form(name: str) -> None:
    left, right = (side() for side in SAME[name])
    assert left is right or (left == right and type(left) is type(right)), f"{show(left)}  is not  {show(right)}"


@pytest.mark.parametrize("extend", [b.zext, b.sext])
@pytest.mark.parametrize("compare", [b.ult, b.slt])
@pytest.mark.parametrize("width", [3, 4, 5])
def test_sums_compare_without_common_terms_only_if_none_overflows(extend: Any, compare: Any, width: int) -> None:
    """For all numbers of three bits, in sums that may, or may not, leave their range."""
    symbols = x, y, z = tuple(b.symbol(f"three {name}", bv(3)) for name in "xyz")
    wide_x, wide_y, wide_z = (extend(each, 3, width) for each in symbols)
    for offset in (0, 1, (1 << width) - 3):
        left, right = b.add(b.add(wide_x, wide_y, width), offset, width), b.add(wide_y, wide_z, width)
        found = compare(left, right, width)
        for at in range(512):
            model = Model({x: at & 7, y: at >> 3 & 7, z: at >> 6})
            assert model.eval(found) == compare(model.eval(left), model.eval(right), width)


def test_long_sums_stay_cheap_and_right() -> None:
    symbols = [b.symbol(f"t{i}", bv(32)) for i in range(100)]
    total: Value = 0
    for symbol in symbols:
        total = total + symbol + 1
    model = Model({symbol: i for i, symbol in enumerate(symbols)})
    assert model.eval(total) == sum(range(100)) + 100


def test_division_by_zero_follows_smt_lib() -> None:
    assert b.udiv(7, 0, 8) == 255
    assert b.urem(7, 0, 8) == 7
    assert b.sdiv(7, 0, 8) == 255
    assert b.sdiv(0xF9, 0, 8) == 1
    assert b.srem(0xF9, 0, 8) == 0xF9
    assert b.sdiv(0x80, 0xFF, 8) == 0x80


def test_one_bit_is_a_boolean() -> None:
    assert b.trunc(3, 1) is True
    bit: Any = b.trunc(X, 1)
    assert bit.sort is BOOL
    assert b.zext(True, 1, 8) == 1 and type(b.zext(True, 1, 8)) is int
    assert b.sext(True, 1, 8) == 255
    assert b.sext(P, 1, 8) is b.ite(P, 255, 0, bv(8))


def test_arrays_fold() -> None:
    data = b.array_from_bytes(b"hello", 32)
    assert b.select(data, 1) == ord("e")
    assert b.select(data, 99) == 0
    written = b.store(b.store(data, X, B0), X + 1, B1)
    assert b.select(written, X) is B0
    assert b.select(written, X + 1) is B1
    unknown: Any = b.select(written, X + 2)
    assert unknown.op is Op.SELECT
    assert b.select(b.store(data, 2, B0), 1) == ord("e")
    assert b.store(b.store(data, X, B0), X, B1) is b.store(data, X, B1)
    assert b.select(b.const_array(7, 32, 8), X) == 7


def test_ranges() -> None:
    assert interval(wide(B0) + 1) == (1, 256)
    assert interval(5) == (5, 5)
    shifted = b.shl(wide(B0), 2, 32)
    assert interval(shifted) == (0, 1020)
    odd, extended = b.or_(shifted, 1, 32), b.sext(B0, 8, 32)
    assert isinstance(odd, Expr) and isinstance(extended, Expr)
    zeros, ones = known_bits(odd)
    assert ones == 1 and zeros == 0xFFFFFC02
    assert signed_interval(extended) == (-128, 127)


def test_substitute_simplifies() -> None:
    e = b.ite(b.ult(X, Y, 32), X + Y, 0, bv(32))
    assert substitute(e, {X: 1, Y: 2}) == 3
    assert substitute(e, {X: 5}) is b.ite(b.ult(5, Y, 32), Y + 5, 0, bv(32))
    assert substitute(X + Y, {X: Y, Y: X}) is X + Y
    assert substitute(7, {X: 1}) == 7


def test_float_corner_cases() -> None:
    assert b.fdiv(1.0, 0.0, F64) == float("inf")
    assert b.fdiv(-1.0, 0.0, F64) == float("-inf")
    assert b.fisnan(b.fdiv(0.0, 0.0, F64)) is True
    assert b.fisnan(b.fsqrt(-1.0, F64)) is True
    assert b.fadd(1e308, 1e308, F64) == float("inf")
    assert b.fmul(1e30, 1e30, F32) == float("inf")
    assert b.frem(-5.5, 2.0, F64) == -1.5
    assert b.fisnan(b.frem(1.0, 0.0, F64)) is True
    assert b.fp_to_sbv(-1.9, F64, 32) == 0xFFFFFFFF
    assert b.fp_to_sbv(1e20, F64, 32) == 0
    assert b.fp_from_ubv(2**64 - 1, 64, F32) == 2.0**64
    assert b.fp_from_sbv(16777217, 32, F32) == 16777216.0
    assert b.ffma(1e308, 10.0, float("-inf"), F64) == float("-inf")
    # The product needs 106 bits: rounding it first would lose the last one.
    assert b.ffma(1.0 + 2.0**-52, 1.0 - 2.0**-52, -1.0, F64) == -(2.0**-104)
    assert b.fround(2.5, "rne", F64) == 2.0 and b.fround(2.5, "rna", F64) == 3.0
    assert b.fp_to_bits(float("nan"), F32) == 0x7FC00000
    assert b.fmin(float("nan"), 2.0, F64) == 2.0 and b.fmax(1.0, float("nan"), F64) == 1.0
    assert b.fp_to_fp(1e300, F64, F32) == float("inf")
    with pytest.raises(Unsupported):
        b.frem(F, 2.0, F64)
    with pytest.raises(ValueError):
        b.fround(F, "up", F64)


def test_model() -> None:
    assert EMPTY_MODEL.eval(X + 3) == 3
    assert EMPTY_MODEL.eval(P) is False
    assert EMPTY_MODEL.eval(F) == 0.0
    assert EMPTY_MODEL.eval(7) == 7
    model = Model({X: 4})
    newer = model.updated({Y: 2})
    assert (model.eval(X + Y), newer.eval(X + Y)) == (4, 6)
    with pytest.raises(TypeError):
        model.values[X] = 5  # type: ignore[index]
    cells = newer.eval(b.store(b.array_from_bytes(b"ab", 32), X, B0))
    assert (cells[0], cells[4], cells[9]) == (97, 0, 0)


def test_show() -> None:
    assert show(b.eq(X + 3, Y, 32)) in ("(x + 3) == y", "y == (x + 3)", "x == (y + -3)", "(y + -3) == x")
    assert show(b.lor(P, Q)) in ("p || q", "q || p")
    assert show(b.ne(X, 0, 32)) == "x != 0"
    assert show(5) == "5"
    e: Value = X
    for _ in range(200):
        e = e * e
    assert len(show(e, 100)) < 2000
