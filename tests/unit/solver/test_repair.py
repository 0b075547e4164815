"""The repair layer: which queries it answers without a solver, and that it never answers wrongly."""

from __future__ import annotations

from typing import Any

import pytest

from clew.expr import build as b
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.sort import BOOL, F32, F64, bv
from clew.solver.interface import Answer, Query, Result, unknown
from clew.solver.layers.repair import Repair

X, Y = b.symbol("x", bv(32)), b.symbol("y", bv(32))
C = [b.symbol(f"c{i}", bv(8)) for i in range(4)]
P = b.symbol("p", BOOL)
F, D = b.symbol("f", F32), b.symbol("d", F64)
WORD = b.concat(C[3], 8, b.concat(C[2], 8, b.concat(C[1], 8, C[0], 8), 16), 24)
TABLE = b.array_from_bytes(b"no needle in the haystack", 32)


class GivesUp:
    """The layer below: says it was needed."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        return unknown("needs a solver", "below")


def repaired(constraints: list[Any], hint: Model | None = EMPTY_MODEL) -> Model | None:
    assert all(isinstance(c, Expr) for c in constraints)
    result = Repair(GivesUp(), 12).check(frozenset(constraints), hint)
    if result.answer is Answer.SAT:
        assert result.model is not None
        assert all(result.model.eval(c) is True for c in constraints)
    return result.model


def _ite(c: Any, then: Any, other: Any) -> Any:
    return b.ite(c, then, other, bv(32))


ANSWERED: dict[str, list[Any]] = {
    "equal": [b.eq(X, 5, 32)],
    "different": [b.ne(X, 0, 32)],
    "bit": [b.ne(b.and_(X, 8, 32), 0, 32)],
    "char": [b.ugt(C[0], ord("a"), 8), b.ult(C[0], ord("z"), 8)],
    "signed": [b.slt(X, 0, 32)],
    "signed-range": [b.sgt(X, 100, 32), b.sle(X, 200, 32)],
    "sum": [b.eq(b.add(X, 17, 32), 3, 32)],
    "negated": [b.eq(b.mul(b.neg(X, 32), 3, 32), 27, 32)],
    "scaled": [b.eq(b.mul(X, 12, 32), 48, 32)],
    "two-symbols": [b.eq(X, Y, 32), b.eq(Y, 9, 32)],
    "chain": [b.eq(X, b.add(Y, 4, 32), 32), b.ugt(Y, 100, 32), b.ult(X, 200, 32)],
    "mask": [b.eq(b.and_(X, 0xFF00, 32), 0x4200, 32), b.eq(b.and_(X, 0xFF, 32), 0x17, 32)],
    "or": [b.eq(b.or_(X, 0xF0, 32), 0xF7, 32)],
    "xor": [b.eq(b.xor(X, 0x1234, 32), 0x4321, 32)],
    "not": [b.eq(b.mul(b.not_(X, 32), 5, 32), 10, 32)],
    "shift-left": [b.eq(b.shl(X, 4, 32), 0x70, 32)],
    "shift-right": [b.eq(b.lshr(X, 4, 32), 0x70, 32)],
    "arithmetic-shift": [b.eq(b.ashr(X, 4, 32), 0xFFFFFFF0, 32)],
    "shift-amount": [b.eq(b.shl(1, X, 32), 0x40, 32)],
    "shift-amount-right": [b.eq(b.lshr(0x40, X, 32), 2, 32)],
    "quotient": [b.eq(b.udiv(X, 10, 32), 7, 32)],
    "remainder": [b.eq(b.urem(X, 10, 32), 7, 32), b.ugt(X, 50, 32)],
    "signed-quotient": [b.eq(b.sdiv(X, 10, 32), 0xFFFFFFFD, 32)],
    "signed-remainder": [b.eq(b.srem(X, 10, 32), 3, 32)],
    "zero-extended": [b.eq(b.add(b.zext(C[0], 8, 32), b.zext(C[1], 8, 32), 32), 400, 32), b.ugt(C[0], 190, 8)],
    "sign-extended": [b.eq(b.add(b.sext(C[0], 8, 32), 5, 32), 0xFFFFFFFF, 32)],
    "word-of-bytes": [b.eq(WORD, 0x464C457F, 32)],
    "bit-of-word": [b.ne(b.and_(WORD, 0x10000, 32), 0, 32)],
    "sum-of-word": [b.eq(b.add(WORD, 1, 32), 0x464C457F, 32)],
    "condition": [b.eq(_ite(b.ult(X, 10, 32), 1, b.add(Y, 3, 32)), 8, 32)],
    "flip": [b.eq(_ite(P, 5, 6), 5, 32)],
    "either": [b.lor(b.eq(X, 3, 32), b.eq(Y, 4, 32)), b.ne(X, 3, 32)],
    "both": [b.lor(b.land(P, b.eq(X, 3, 32)), b.eq(Y, 9, 32)), b.ne(Y, 9, 32)],
    "iff": [b.iff(P, b.ult(X, 5, 32)), b.lnot(b.iff(P, b.ult(Y, 5, 32)))],
    "table": [b.eq(b.select(TABLE, X), ord("k"), 8)],
    "store": [b.eq(b.select(b.store(b.const_array(0, 32, 8), X, C[0]), Y), 7, 8)],
    "float-equal": [b.feq(F, 2.5)],
    "float-order": [b.flt(1.0, D), b.fle(D, 3.0)],
    "float-sum": [b.feq(b.fadd(D, 1.5, F64), 4.0)],
    "float-product": [b.feq(b.fmul(D, 4.0, F64), 1.0)],
    "float-nan": [b.fisnan(F)],
    "float-inf": [b.fisinf(D)],
    "float-bits": [b.eq(b.and_(b.fp_to_bits(F, F32), 0x7F800000, 32), 0x3F800000, 32)],
    "bits-as-float": [b.flt(1.0, b.fp_from_bits(X, F32))],
    "integer-as-float": [b.feq(b.fp_from_sbv(X, 32, F64), -7.0)],
    "float-as-integer": [b.eq(b.fp_to_sbv(D, F64, 32), 12, 32)],
    "single-as-double": [b.feq(b.fp_to_fp(F, F32, F64), 0.5)],
}


@pytest.mark.parametrize("name", ANSWERED)
def test_answered_without_a_solver(name: str) -> None:
    assert repaired(ANSWERED[name]) is not None


@pytest.mark.parametrize("name", ANSWERED)
def test_without_a_hint_the_model_names_every_symbol(name: str) -> None:
    model = repaired(ANSWERED[name], None)
    assert model is not None
    for constraint in ANSWERED[name]:
        assert constraint.symbols <= model.values.keys()


def test_one_branch_after_the_other_along_a_path() -> None:
    branches: list[Any] = [
        b.ugt(C[0], ord("a"), 8),
        b.ult(C[0], ord("z"), 8),
        b.ne(b.and_(WORD, 0x8000, 32), 0, 32),
        b.eq(b.select(TABLE, b.zext(C[2], 8, 32)), 0, 8),
        b.eq(b.add(X, b.zext(C[0], 8, 32), 32), 200, 32),
        b.ugt(Y, X, 32),
        b.ult(Y, b.mul(X, 3, 32), 32),
        b.ne(b.urem(Y, 4, 32), 0, 32),
        b.eq(C[3], C[0], 8),
    ]
    model: Model | None = EMPTY_MODEL
    for count in range(1, len(branches) + 1):
        model = repaired(branches[:count], model)
        assert model is not None


def test_other_symbols_keep_their_values() -> None:
    found = repaired([b.eq(X, 5, 32), b.ult(Y, 100, 32)], Model({X: 1, Y: 42, P: True}))
    assert found is not None
    assert dict(found.values) == {X: 5, Y: 42, P: True}


@pytest.mark.parametrize(
    "constraints",
    [
        [b.eq(b.mul(X, X, 32), 3, 32)],
        [b.ult(X, Y, 32), b.ult(Y, X, 32)],
        [b.eq(b.and_(X, 6, 32), 2, 32), b.eq(b.and_(X, 3, 32), 1, 32)],
        [b.eq(b.mul(X, 2, 32), Y, 32), b.eq(b.and_(Y, 1, 32), 1, 32)],
    ],
)
def test_impossible_queries_are_passed_on(constraints: list[Any]) -> None:
    assert repaired(constraints) is None


def test_a_patch_that_breaks_much_else_is_no_answer() -> None:
    symbols = [b.symbol(f"s{i}", bv(32)) for i in range(6)]
    tied = [b.eq(b.mul(s, s, 32), b.mul(X, X, 32), 32) for s in symbols]
    assert repaired([*tied, b.eq(b.mul(X, X, 32), 3, 32)]) is None


@pytest.mark.slow
def test_a_deep_expression_needs_no_recursion() -> None:
    value: Any = X
    for k in range(10_000):
        value = b.xor(b.add(value, 7, 32), k, 32)
    assert repaired([b.eq(value, 1234, 32)]) is not None
