"""Constraint propagation over the values of bytes: what it refutes, with which core, and that it is never wrong."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, as_bool
from clew.expr.rewrite import fpmath
from clew.expr.sort import F64, bv
from clew.solver.interface import Answer, Query, Result, symbols_of, unknown
from clew.solver.layers import propagation, rows
from clew.solver.layers.narrowing import Narrowing
from clew.solver.layers.propagation import NAME, Propagation
from clew.solver.stats import SolverStats
from clew.solver.value_tables import ValueTables

A, B, C = (build.symbol(name, bv(8)) for name in "abc")
WIDE = build.symbol("w", bv(32))


class Below:
    """Knows nothing."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        return unknown("asked below", "below")


def ask(*constraints: Any, hint: Model | None = None) -> Result:
    return Propagation(Below(), SolverStats()).check(frozenset(as_bool(c) for c in constraints), hint)


def length(*bytes_: Expr) -> Any:
    """The length of a string, as ``strlen`` gives it."""
    found: Any = len(bytes_)
    for number, byte in reversed(list(enumerate(bytes_))):
        found = build.ite(build.eq(byte, 0, 8), number, found, bv(64))
    return found


def test_values_of_one_byte_that_leave_nothing() -> None:
    digit = build.land(build.uge(A, 48, 8), build.ult(A, 58, 8))
    result = ask(digit, build.ult(build.add(A, 10, 8), 5, 8), build.ne(B, 3, 8))
    assert (result.answer, result.source) == (Answer.UNSAT, NAME)
    assert result.core is not None
    assert all(constraint.symbols == {A} for constraint in result.core)


def test_a_length_that_the_bytes_do_not_allow() -> None:
    short = build.ult(length(A, B, C), 2, 64)
    zero_free = [build.ne(A, 0, 8), build.eq(B, 61, 8)]
    result = ask(short, *zero_free, build.ne(C, 7, 8), build.ne(A, 9, 8))
    assert result.core == frozenset((short, *zero_free))


def test_what_a_length_says_about_bytes() -> None:
    result = ask(build.eq(length(A, B, C), 1, 64), build.eq(B, 92, 8))
    assert result.answer is Answer.UNSAT


def test_disjunctions_with_one_part_left() -> None:
    either = build.lor(build.eq(A, 1, 8), build.eq(B, 2, 8))
    assert ask(either, build.ne(A, 1, 8), build.ult(B, 2, 8)).answer is Answer.UNSAT


def test_numbers_from_digits() -> None:
    digits = [build.land(build.uge(x, 48, 8), build.ult(x, 58, 8)) for x in (A, B)]
    tens = build.mul(build.zext(build.sub(A, 48, 8), 8, 32), 10, 32)
    number = build.add(tens, build.zext(build.sub(B, 48, 8), 8, 32), 32)
    real = build.fp_from_ubv(number, 32, F64)
    assert ask(*digits, build.flt(99.5, real)).answer is Answer.UNSAT
    assert ask(*digits, build.flt(98.5, real)).answer is Answer.UNKNOWN


def test_zeros_of_either_sign_are_not_mixed_up() -> None:
    negative_zero = build.fp_to_bits(build.fmul(build.fp_from_sbv(A, 8, F64), -1.0, F64), F64)
    assert ask(build.eq(negative_zero, 1 << 63, 64)).answer is Answer.UNKNOWN


def test_wide_symbols_can_be_anything() -> None:
    assert ask(build.ult(WIDE, 3, 32), build.ult(4, WIDE, 32)).answer is Answer.UNKNOWN
    assert ask(build.ult(build.add(WIDE, build.zext(A, 8, 32), 32), 3, 32)).answer is Answer.UNKNOWN


def test_what_an_equation_tells_of_a_wide_symbol() -> None:
    three, less = build.eq(WIDE, 3, 32), build.ult(build.add(WIDE, 1, 32), 4, 32)
    assert ask(three, less, build.ne(C, 7, 8)).core == frozenset((three, less))
    assert ask(three, build.eq(WIDE, 4, 32)).answer is Answer.UNSAT
    assert ask(three, build.ult(build.add(WIDE, 1, 32), 5, 32)).answer is Answer.UNKNOWN


def test_a_wide_symbol_that_says_which_byte_is_meant() -> None:
    """An index that other paths have other numbers for."""
    other = build.symbol("v", bv(64))
    first, second = build.eq(other, build.add(build.zext(WIDE, 32, 64), 1, 64), 64), build.eq(WIDE, 1, 32)
    byte = build.ite(build.eq(other, 1, 64), A, build.ite(build.eq(other, 2, 64), B, C, bv(8)), bv(8))
    wanted, not_there = build.eq(byte, 34, 8), build.eq(B, 35, 8)
    result = ask(first, second, wanted, not_there, build.eq(A, 34, 8))
    assert result.core == frozenset((first, second, wanted, not_there))


def test_rows_with_a_wide_symbol_that_is_known() -> None:
    """A sum of two digits and a number that is told: none of them is 23."""
    sum_ = build.add(build.add(build.zext(A, 8, 32), build.zext(B, 8, 32), 32), WIDE, 32)
    square = build.eq(build.mul(sum_, sum_, 32), 23, 32)
    result = ask(*DIGITS, square, build.eq(WIDE, 5, 32), hint=Model({A: 50, B: 53, WIDE: 5}))
    assert result.answer is Answer.UNSAT and result.core is not None


def test_what_an_equation_tells_of_a_term() -> None:
    """The values of a product of bytes are too many to follow; that it is 12 is known all the same."""
    product_ = build.mul(build.zext(A, 8, 32), build.zext(B, 8, 32), 32)
    twelve = build.eq(product_, 12, 32)
    more = build.ult(13, build.add(product_, 1, 32), 32)
    assert ask(twelve, more, build.ne(C, 7, 8)).core == frozenset((twelve, more))
    assert ask(twelve, build.ult(12, build.add(product_, 1, 32), 32)).answer is Answer.UNKNOWN


def test_equations_about_one_term_that_differ() -> None:
    product_ = build.mul(build.zext(A, 8, 32), build.zext(B, 8, 32), 32)
    assert ask(build.eq(product_, 12, 32), build.eq(product_, 13, 32)).answer is Answer.UNSAT


def test_the_bits_of_a_float_tell_its_value() -> None:
    number = build.fneg(build.fdiv(build.fp_from_ubv(build.mul(A, B, 8), 8, F64), 10.0, F64), F64)
    bits = build.eq(build.fp_to_bits(number, F64), fpmath.to_bits(-1.3, F64), 64)
    assert ask(bits, build.flt(-1.2, number)).answer is Answer.UNSAT
    assert ask(bits, build.flt(-1.4, number)).answer is Answer.UNKNOWN


def test_bits_of_a_nan_and_of_a_zero_tell_nothing() -> None:
    """Sets tell neither apart: any NaN has these bits, and -0.0 equals 0.0."""
    number = build.fdiv(build.fp_from_sbv(A, 8, F64), build.fp_from_sbv(B, 8, F64), F64)
    bits = build.fp_to_bits(number, F64)
    assert ask(build.eq(bits, fpmath.to_bits(fpmath.NAN, F64), 64), build.flt(number, 1.0)).answer is Answer.UNKNOWN
    assert ask(build.eq(bits, 1 << 63, 64), build.feq(number, 0.0)).answer is Answer.UNKNOWN


DIGITS = [build.land(build.ule(48, x, 8), build.ult(x, 58, 8)) for x in (A, B)]


def test_values_that_do_not_go_together() -> None:
    """Each digit by itself can be anything; for no two of them is (a - 1) * (b - 1) the prime 23."""
    a, b = (build.zext(build.sub(x, 48, 8), 8, 32) for x in (A, B))
    prime = build.eq(build.mul(a, b, 32), build.add(build.add(a, b, 32), 22, 32), 32)
    even = build.eq(build.and_(C, 1, 8), 0, 8)
    result = ask(*DIGITS, prime, even, hint=Model({A: 50, B: 53}))
    assert (result.answer, result.source) == (Answer.UNSAT, rows.NAME)
    assert result.core is not None and C not in symbols_of(result.core)


def test_a_row_of_values_is_a_model_if_all_constraints_hold() -> None:
    factors = [build.zext(build.sub(x, 48, 8), 8, 32) for x in (A, B)]
    query = [*DIGITS, build.eq(build.urem(build.mul(*factors, 32), 11, 32), 7, 32), build.ult(A, B, 8)]
    result = ask(*query, build.ult(B, C, 8), hint=Model({A: 48, B: 49, C: 200}))
    assert (result.answer, result.source) == (Answer.SAT, rows.NAME)
    assert result.model is not None and all(result.model.eval(constraint) for constraint in query)
    assert result.model.eval(C) == 200


def test_rows_that_hold_but_for_other_symbols_say_nothing() -> None:
    """With the hint's C no row is a model; with A and C exchanged, there is one."""
    a, b = (build.zext(build.sub(x, 48, 8), 8, 32) for x in (A, B))
    digits = build.eq(build.mul(a, b, 32), 21, 32)
    both = build.eq(build.mul(build.zext(C, 8, 32), build.zext(A, 8, 32), 32), 50 * 51, 32)
    assert ask(*DIGITS, digits, both, hint=Model({A: 50, B: 53, C: 51})).source == "below"


def _condition(random: Random, symbols: list[Expr], depth: int) -> Any:
    if depth and random.random() < 0.5:
        one, two = (_condition(random, symbols, depth - 1) for _ in range(2))
        return random.choice((build.land, build.lor))(one, two)
    one, two = (_term(random, symbols, depth) for _ in range(2))
    compare = random.choice((build.eq, build.ne, build.ult, build.ule, build.slt, build.sle))
    return compare(one, two, 3)


def _term(random: Random, symbols: list[Expr], depth: int) -> Any:
    kind = random.randrange(6 if depth else 2)
    if kind == 0:
        return random.randrange(8)
    if kind == 1:
        return random.choice(symbols)
    one, two = (_term(random, symbols, depth - 1) for _ in range(2))
    if kind == 2:
        return build.ite(_condition(random, symbols, depth - 1), one, two, bv(3))
    operation = random.choice((build.add, build.sub, build.mul, build.and_, build.xor, build.udiv))
    return operation(one, two, 3)


@pytest.mark.parametrize("seed", range(4))
def test_never_wrong_about_wide_symbols(seed: int) -> None:
    """The same with a wide symbol of which the lowest bits count, and equations that tell its value: with sixteen
    values all that can happen does."""
    random = Random(seed)
    symbols = [build.symbol(f"t{number}", bv(3)) for number in range(2)]
    terms = [*symbols, build.trunc(WIDE, 3)]
    models = [
        Model(dict(zip((*symbols, WIDE), values, strict=True))) for values in product(range(8), range(8), range(16))
    ]
    refuted = 0
    for _ in range(60):
        equation = build.eq(WIDE, build.zext(_term(random, symbols, random.randrange(3)), 3, 32), 32)
        conditions = [equation, *(_condition(random, terms, 3) for _ in range(random.randint(2, 5)))]
        query = frozenset(c for c in conditions if isinstance(c, Expr))
        if False in conditions:
            continue
        answer = Propagation(Below(), SolverStats()).check(query, random.choice([None, models[0]]))
        if answer.answer is Answer.UNSAT:
            refuted += WIDE in symbols_of(answer.core or ())
            assert answer.core is not None and answer.core <= query
            assert not any(all(model.eval(c) for c in answer.core) for model in models), query
        elif answer.model is not None:
            assert all(answer.model.eval(c) for c in query), query
    assert refuted >= 3


def test_reasons_are_few_that_say_it_all() -> None:
    """Where many constraints take a value each, and one takes all of these, that one is the reason."""
    byte = build.symbol("byte", bv(8))
    others = [build.lnot(build.eq(byte, value, 8)) for value in range(10)]
    low, high = build.ult(byte, 20, 8), build.ule(30, byte, 8)
    query = [condition for condition in (*others, low, high) if isinstance(condition, Expr)]
    assert Narrowing(ValueTables()).contradiction(query) == {low, high}


@pytest.mark.parametrize("most", [0, 20, 100_000])
@pytest.mark.parametrize("seed", range(4))
def test_never_wrong_and_often_right(seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random conditions on three symbols of three bits, against all their values; whatever a smaller core may cost."""
    monkeypatch.setattr(propagation, "FOLD", 0)
    monkeypatch.setattr(propagation, "LEAST_LOOKS", most)
    random = Random(seed)
    symbols = [build.symbol(f"t{number}", bv(3)) for number in range(3)]
    models = [Model(dict(zip(symbols, values, strict=True))) for values in product(range(8), repeat=3)]
    refuted = found = 0
    for _ in range(60):
        conditions = [_condition(random, symbols, 3) for _ in range(random.randint(2, 6))]
        query = frozenset(c for c in conditions if isinstance(c, Expr))
        if False in conditions or not query:
            continue
        answer = Propagation(Below(), SolverStats()).check(query, random.choice([None, models[0]]))
        if answer.answer is Answer.UNSAT:
            refuted += 1
            assert answer.core is not None and answer.core <= query
            assert not any(all(model.eval(c) for c in answer.core) for model in models), query
        elif answer.model is not None:
            found += 1
            assert all(answer.model.eval(c) for c in query), query
    assert refuted >= 5 and found >= 5


def test_a_smaller_core_costs_no_more_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of eight numbers is below the next one, the first is too large for that and the last one too small: with
    them come conditions that no contradiction needs."""
    symbols = [build.symbol(f"r{number}", bv(8)) for number in range(8)]
    row = [build.ult(one, two, 8) for one, two in pairwise(symbols)]
    ends = [build.ugt(symbols[0], 3, 8), build.ult(symbols[7], 9, 8)]
    query = [*row, *ends, *(build.ne(symbol, 200, 8) for symbol in symbols)]
    small, stats = ask(*query).core, SolverStats()
    Propagation(Below(), stats).check(frozenset(query))
    monkeypatch.setattr(propagation, "FOLD", 0)
    monkeypatch.setattr(propagation, "LEAST_LOOKS", 0)
    hasty, less = ask(*query).core, SolverStats()
    Propagation(Below(), less).check(frozenset(query))
    assert small is not None and hasty is not None
    assert len(small) <= len(hasty) <= len(query) and less.nodes < stats.nodes
