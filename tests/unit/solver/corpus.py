"""One corpus of small formulas with known answers, for every backend, every layer and the chain.

Together they use every operator there is (a test holds that).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from clew.expr import build as b
from clew.expr.node import Expr
from clew.expr.sort import BOOL, F32, F64, array, bv
from clew.solver.interface import Answer, Query

SAT, UNSAT = Answer.SAT, Answer.UNSAT


@dataclass(frozen=True)
class Formula:
    """A query and its answer."""

    name: str
    constraints: Query
    answer: Answer


def _formula(name: str, answer: Answer, *constraints: Any) -> Formula:
    assert all(isinstance(c, Expr) for c in constraints), f"{name} folds to a constant"
    return Formula(name, frozenset(constraints), answer)


X, Y, Z = (b.symbol(name, bv(4)) for name in "xyz")
W = b.symbol("w", bv(8))
P, Q = b.symbol("p", BOOL), b.symbol("q", BOOL)
F, G = b.symbol("f", F32), b.symbol("g", F32)
D = b.symbol("d", F64)
A = b.symbol("a", array(4, 8))
TABLE = b.array_from_bytes(bytes(range(100, 112)), 4)


def _ite(c: Any, then: Any, other: Any) -> Any:
    return b.ite(c, then, other, bv(4))


def _integers() -> Iterator[Formula]:
    yield _formula("sum", SAT, b.eq(b.add(X, b.add(Y, 3, 4), 4), 1, 4), b.ult(X, Y, 4))
    yield _formula("product-of-neighbours", UNSAT, b.eq(b.extract(b.mul(X, b.add(X, 1, 4), 4), 0, 0), 1, 1))
    yield _formula("difference", UNSAT, b.eq(b.mul(b.neg(X, 4), Y, 4), 5, 4), b.ult(b.sub(X, Y, 4), 3, 4))
    yield _formula("negation", SAT, b.eq(b.neg(b.mul(X, Y, 4), 4), 5, 4))
    yield _formula("square", UNSAT, b.eq(b.mul(X, X, 4), 3, 4))
    yield _formula("square-of-three", SAT, b.eq(b.mul(X, X, 4), 9, 4), b.ugt(X, 3, 4))
    yield _formula("udiv", SAT, b.eq(b.udiv(X, Y, 4), 3, 4), b.ugt(Y, 2, 4))
    yield _formula("udiv-by-zero", SAT, b.eq(b.udiv(X, Y, 4), 15, 4), b.eq(X, 2, 4))
    yield _formula("sdiv", SAT, b.eq(b.sdiv(X, Y, 4), 13, 4), b.sgt(Y, 1, 4))
    yield _formula("sdiv-bound", UNSAT, b.sgt(b.sdiv(X, 2, 4), 3, 4))
    yield _formula("urem", UNSAT, b.uge(b.urem(X, Y, 4), Y, 4), b.ne(Y, 0, 4))
    yield _formula("srem", SAT, b.eq(b.srem(X, 3, 4), 14, 4))
    yield _formula("srem-bound", UNSAT, b.slt(b.srem(X, 3, 4), 13, 4), b.sgt(Y, X, 4))
    yield _formula("signed-order", UNSAT, b.slt(X, Y, 4), b.slt(Y, Z, 4), b.sle(Z, X, 4))
    yield _formula("unsigned-order", UNSAT, b.ult(X, Y, 4), b.ule(Y, Z, 4), b.ult(Z, X, 4))
    yield _formula("sle", SAT, b.sle(X, Y, 4), b.ult(Y, X, 4))


def _bits() -> Iterator[Formula]:
    yield _formula("xor", SAT, b.eq(b.xor(X, Y, 4), 9, 4), b.ult(X, Y, 4))
    yield _formula("and-or", UNSAT, b.ne(b.and_(b.xor(X, Y, 4), b.or_(X, Y, 4), 4), b.xor(X, Y, 4), 4))
    yield _formula("not", UNSAT, b.eq(b.and_(X, b.not_(b.or_(X, Y, 4), 4), 4), 2, 4))
    yield _formula("shl", SAT, b.eq(b.shl(X, Y, 4), 8, 4), b.ugt(Y, 1, 4))
    yield _formula("shl-too-far", UNSAT, b.ne(b.shl(X, Y, 4), 0, 4), b.uge(Y, 4, 4))
    yield _formula("lshr", UNSAT, b.uge(b.lshr(X, Y, 4), 8, 4), b.ne(Y, 0, 4))
    yield _formula("ashr", SAT, b.eq(b.ashr(X, Y, 4), 15, 4), b.uge(Y, 4, 4))
    yield _formula("zext", UNSAT, b.eq(b.add(b.zext(X, 4, 8), b.zext(Y, 4, 8), 8), 30, 8), b.ult(X, Y, 4))
    yield _formula("sext", SAT, b.eq(b.add(b.sext(X, 4, 8), b.zext(Y, 4, 8), 8), 255, 8), b.sle(X, 12, 4))
    yield _formula("concat", SAT, b.eq(b.mul(b.concat(X, 4, Y, 4), b.zext(Z, 4, 8), 8), 0x3F, 8))
    yield _formula("extract", UNSAT, b.eq(b.extract(b.mul(W, W, 8), 1, 0), 2, 2))


def _booleans() -> Iterator[Formula]:
    yield _formula("disjunction", UNSAT, b.lor(P, Q), b.lnot(P), b.lnot(Q))
    yield _formula("conjunction", SAT, b.lor(b.land(P, b.lnot(Q)), b.land(Q, b.ult(X, 2, 4))), b.lor(b.lnot(P), Q))
    yield _formula("iff", SAT, b.iff(P, b.ult(X, Y, 4)), b.iff(P, b.lnot(Q)), Q)
    yield _formula("ite", UNSAT, b.eq(_ite(P, X, Y), 3, 4), b.ult(X, 3, 4), b.ugt(Y, 3, 4))
    yield _formula("ite-sat", SAT, b.eq(_ite(b.ult(X, Y, 4), b.mul(X, Y, 4), 1), 6, 4))


def _arrays() -> Iterator[Formula]:
    yield _formula("table", SAT, b.eq(b.select(TABLE, X), 105, 8))
    yield _formula("table-miss", UNSAT, b.eq(b.select(TABLE, X), 99, 8))
    yield _formula("table-outside", SAT, b.eq(b.select(TABLE, X), 0, 8), b.ult(X, 13, 4))
    stored: Any = b.store(b.store(b.const_array(W, 4, 8), X, 1), Y, 2)
    yield _formula("stores", SAT, b.eq(b.select(stored, Z), 1, 8), b.eq(W, 7, 8))
    yield _formula("stores-unsat", UNSAT, b.eq(b.select(stored, X), 9, 8))
    yield _formula("store-over-table", SAT, b.eq(b.select(b.store(TABLE, X, W), Y), 100, 8), b.ne(Y, 0, 4))
    yield _formula("array-symbol", SAT, b.ult(b.select(A, X), b.select(A, Y), 8), b.ugt(b.select(A, Z), 200, 8))
    yield _formula("array-congruence", UNSAT, b.ne(b.select(A, X), b.select(A, Y), 8), b.eq(X, Y, 4))
    chosen: Any = b.ite(P, b.store(A, X, 5), TABLE, array(4, 8))
    yield _formula("array-ite", SAT, b.eq(b.select(chosen, Y), 5, 8))
    yield _formula("array-ite-bytes", UNSAT, b.eq(b.select(chosen, X), 6, 8), b.ult(X, 12, 4))


def _floats() -> Iterator[Formula]:
    yield _formula("fadd", SAT, b.feq(b.fadd(F, 1.5, F32), 4.0))
    yield _formula("fsub-fmul", SAT, b.flt(b.fsub(b.fmul(F, F, F32), 2.0, F32), 0.0), b.flt(1.0, F))
    yield _formula("fdiv", SAT, b.feq(b.fdiv(F, G, F32), 1.0), b.feq(F, 3.0), b.feq(G, F))
    yield _formula("fdiv-zero", SAT, b.fisinf(b.fdiv(1.0, F, F32)), b.feq(F, 0.0))
    yield _formula("square-negative", UNSAT, b.flt(b.fmul(F, F, F32), 0.0))
    yield _formula("nan-compare", UNSAT, b.fisnan(F), b.fle(F, G))
    yield _formula("fneg-fabs", UNSAT, b.flt(b.fabs(F, F32), b.fneg(G, F32)), b.fle(0.0, G))
    yield _formula("fsqrt", SAT, b.feq(b.fsqrt(F, F32), 3.0))
    yield _formula("fma", SAT, b.feq(b.ffma(F, 2.0, 1.0, F32), 7.0))
    for mode in ("rne", "rtz", "rtp", "rtn", "rna"):
        yield _formula(f"round-{mode}", SAT, b.feq(b.fround(F, mode, F32), 3.0), b.lnot(b.feq(F, 3.0)))
    yield _formula("round-up", UNSAT, b.flt(b.fround(F, "rtp", F32), F))
    yield _formula("bits-of-float", SAT, b.eq(b.and_(b.fp_to_bits(F, F32), 0xFF, 32), 0x42, 32), b.flt(1.0, F))
    yield _formula("bits-of-nan", UNSAT, b.fisnan(F), b.ne(b.fp_to_bits(F, F32), 0x7FC00000, 32))
    word = b.symbol("bits", bv(32))
    yield _formula("float-of-bits", SAT, b.feq(b.fadd(b.fp_from_bits(word, F32), 1.0, F32), 3.0))
    yield _formula("nan-of-bits", SAT, b.fisnan(b.fp_from_bits(word, F32)), b.ult(word, 0x7FC00000, 32))
    yield _formula("widen", UNSAT, b.flt(b.fp_to_fp(F, F32, F64), 1e-60), b.flt(0.0, b.fp_to_fp(F, F32, F64)))
    yield _formula("narrow", SAT, b.fisinf(b.fp_to_fp(D, F64, F32)), b.flt(D, math.inf), b.lnot(b.fisinf(D)))
    yield _formula("to-signed", SAT, b.eq(b.fp_to_sbv(F, F32, 16), 0xFFFE, 16), b.flt(F, -2.5))
    yield _formula("to-unsigned", SAT, b.eq(b.fp_to_ubv(F, F32, 16), 7, 16), b.flt(7.0, F))
    yield _formula("from-signed", SAT, b.flt(b.fp_from_sbv(W, 8, F32), -3.0))
    yield _formula("from-unsigned", UNSAT, b.flt(b.fp_from_ubv(W, 8, F32), 2.5), b.ugt(W, 2, 8))


CORPUS: list[Formula] = [*_integers(), *_bits(), *_booleans(), *_arrays(), *_floats()]
