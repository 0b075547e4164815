"""Rows of values tried together: never wrong, and many only where that is worth it."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, as_bool
from clew.expr.sort import F64, bv
from clew.solver.interface import Answer, Result, symbols_of
from clew.solver.layers import rows
from clew.solver.layers.narrowing import Narrowing
from clew.solver.stats import SolverStats
from clew.solver.value_tables import ValueTables

DIGITS = [build.symbol(f"d{number}", bv(8)) for number in range(5)]
ARE_DIGITS = [build.land(build.ule(48, digit, 8), build.ult(digit, 58, 8)) for digit in DIGITS]


def tried(conditions: list[Any], hint: Model) -> Result | None:
    """What rows say once narrowing has looked at a query."""
    query = frozenset(as_bool(condition) for condition in conditions)
    narrowing = Narrowing(ValueTables())
    assert narrowing.contradiction(list(query)) is None
    return rows.by_rows(narrowing, query, hint, SolverStats())


def number(digits: list[Expr]) -> Any:
    """What digits say, as ``atoi`` reads them."""
    value: Any = 0
    for digit in digits:
        value = build.add(build.mul(value, 10, 32), build.sub(build.zext(digit, 8, 32), 48, 32), 32)
    return value


def squared(digits: list[Expr]) -> Any:
    """The square of what digits say."""
    return build.mul(number(digits), number(digits), 32)


def hint_of(text: bytes) -> Model:
    return Model(dict(zip(DIGITS, text, strict=False)))


def root(digits: list[Expr]) -> Any:
    """The square root of what digits say."""
    return build.fsqrt(build.fp_from_ubv(number(digits), 32, F64), F64)


def test_many_rows_where_a_backend_has_to_compute_with_floats() -> None:
    none = build.feq(root(DIGITS[:4]), 99.5)
    result = tried([*ARE_DIGITS[:4], none], hint_of(b"1234"))
    assert result is not None and result.answer is Answer.UNSAT
    assert result.core == frozenset((*ARE_DIGITS[:4], none))
    result = tried([*ARE_DIGITS[:4], build.feq(root(DIGITS[:4]), 97.0)], hint_of(b"1234"))
    assert result is not None and result.model is not None
    assert bytes(result.model.eval(digit) for digit in DIGITS[:4]) == b"9409"


def test_not_many_where_there_are_only_integers() -> None:
    wanted = build.eq(build.urem(squared(DIGITS[:4]), 10, 32), 7, 32)
    assert tried([*ARE_DIGITS[:4], wanted], hint_of(b"1234")) is None


def test_what_takes_too_long_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "FEW_ROWS", 100_000)
    monkeypatch.setattr(rows, "FIRST_STEPS", 1_000)
    stats = SolverStats()
    query = frozenset(as_bool(c) for c in (*ARE_DIGITS, build.eq(build.urem(squared(DIGITS), 10, 32), 7, 32)))
    narrowing = Narrowing(ValueTables())
    assert narrowing.contradiction(list(query)) is None
    assert rows.by_rows(narrowing, query, hint_of(b"12345"), stats) is None
    assert stats.nodes >= 1_000 // rows.PER_NODE


def test_numbers_that_no_double_is() -> None:
    """Two digits and an exponent of ten, as ``strtod`` reads ``12e3``: none is a whole number and a half."""
    exponent = DIGITS[2]
    power: Any = 1.0
    for value in range(1, 10):
        power = build.ite(build.eq(exponent, 48 + value, 8), 10.0**value, power, F64)
    read = build.fmul(build.fp_from_ubv(number(DIGITS[:2]), 32, F64), power, F64)
    whole = build.fp_from_sbv(build.fp_to_sbv(read, F64, 64), 64, F64)
    differs = build.lnot(build.feq(whole, read))
    result = tried([*ARE_DIGITS[:3], differs, build.flt(read, 1e12)], hint_of(b"123"))
    assert result is not None and result.answer is Answer.UNSAT and differs in (result.core or ())


def test_hundreds_of_symbols_that_are_known() -> None:
    many = [build.symbol(f"k{number}", bv(8)) for number in range(2_000)]
    known = [build.eq(symbol, 1, 8) for symbol in many]
    total: Any = build.zext(DIGITS[0], 8, 32)
    for symbol in many:
        total = build.add(total, build.zext(symbol, 8, 32), 32)
    wanted = build.eq(build.mul(total, total, 32), 2_055 * 2_055, 32)
    result = tried([*known, ARE_DIGITS[0], wanted], Model({**dict.fromkeys(many, 1), DIGITS[0]: 48}))
    assert result is not None and result.model is not None and result.model.eval(DIGITS[0]) == 55


def _value(random: Random, symbols: list[Expr], depth: int) -> Any:
    kind = random.randrange(7 if depth else 2)
    if kind == 0:
        return random.randrange(16)
    if kind == 1:
        return random.choice(symbols)
    one, two = (_value(random, symbols, depth - 1) for _ in range(2))
    if kind == 2:
        return build.ite(_condition(random, symbols, depth - 1), one, two, bv(4))
    if kind == 3:
        quotient = build.fdiv(build.fp_from_ubv(one, 4, F64), build.fp_from_ubv(two, 4, F64), F64)
        return build.fp_to_sbv(build.ite(build.flt(quotient, 7.0), quotient, 7.0, F64), F64, 4)
    return random.choice((build.add, build.mul, build.urem, build.sdiv, build.xor))(one, two, 4)


def _condition(random: Random, symbols: list[Expr], depth: int) -> Any:
    if depth and random.random() < 0.3:
        parts = [_condition(random, symbols, depth - 1) for _ in range(2)]
        return random.choice((build.land, build.lor))(*parts)
    one, two = (_value(random, symbols, depth) for _ in range(2))
    return random.choice((build.eq, build.ne, build.ult, build.sle))(one, two, 4)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [2_000, 1_000_000])
def test_never_wrong(seed: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random conditions on three symbols of four bits, against all their values."""
    monkeypatch.setattr(rows, "FEW_ROWS", 4_096)
    monkeypatch.setattr(rows, "MANY_STEPS", most)
    random = Random(seed)
    symbols = [build.symbol(f"q{number}", bv(4)) for number in range(3)]
    models = [Model(dict(zip(symbols, values, strict=True))) for values in product(range(16), repeat=3)]
    answers = {Answer.SAT: 0, Answer.UNSAT: 0}
    for _ in range(80):
        conditions = [_condition(random, symbols, 3) for _ in range(random.randint(3, 7))]
        query = frozenset(c for c in conditions if isinstance(c, Expr))
        narrowing = Narrowing(ValueTables())
        hint = random.choice(models)
        if False in conditions or narrowing.contradiction(list(query)) is not None or not hint.violated(query):
            continue
        result = rows.by_rows(narrowing, query, hint, SolverStats())
        if result is None:
            continue
        answers[result.answer] += 1
        if result.model is not None:
            assert all(result.model.eval(condition) for condition in query)
            assert all(result.model.eval(s) == hint.eval(s) for s in set(symbols) - symbols_of(hint.violated(query)))
        else:
            assert result.core is not None and result.core <= query
            assert not any(all(model.eval(condition) for condition in result.core) for model in models)
    assert answers[Answer.SAT] >= 5 and answers[Answer.UNSAT] >= (most > 2_000)
