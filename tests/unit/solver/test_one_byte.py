"""Queries about one byte: answered like trying all its values does, with cores that do without any other."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, as_bool
from clew.expr.sort import bv
from clew.solver.interface import Answer, Query, Result, unknown
from clew.solver.layers.one_byte import NAME, OneByte

A, B = (build.symbol(name, bv(8)) for name in "ab")
WIDE = build.symbol("w", bv(16))


class Below:
    """Knows nothing."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        return unknown("asked below", "below")


def ask(*constraints: Any, hint: Model | None = None) -> Result:
    return OneByte(Below()).check(frozenset(as_bool(c) for c in constraints), hint)


def drawn(random: Random, byte: Expr) -> Any:
    """A comparison of what a byte gives with a number."""
    width = byte.width
    number, mask = random.randrange(1 << width), (1 << width) - 1
    term = random.choice((byte, build.add(byte, number, width), build.and_(byte, number, width)))
    if random.random() < 0.3:
        term = build.ite(build.ult(byte, number, width), term, number ^ mask, byte.sort)
    compared = random.choice((build.eq, build.ne, build.ult, build.ule, build.slt))(
        term, random.randrange(1 << width), width
    )
    return build.lnot(compared) if random.random() < 0.5 else compared


@pytest.mark.parametrize("seed", range(40))
def test_the_same_as_trying_all_values(seed: int) -> None:
    random = Random(seed)
    byte = build.symbol("byte", bv(random.choice((2, 3, 5, 8))))
    for _ in range(10):
        query = frozenset(as_bool(drawn(random, byte)) for _ in range(random.randrange(1, 7)))
        if not all(constraint.symbols for constraint in query):
            continue
        hint = random.choice((None, Model({byte: random.randrange(1 << byte.width), B: 7})))
        result = OneByte(Below()).check(query, hint)
        models = [Model({byte: value}) for value in range(1 << byte.width)]

        def holds(model: Model, constraints: Query) -> bool:
            return all(model.eval(constraint) for constraint in constraints)

        assert result.source == NAME
        assert (result.answer is Answer.SAT) == any(holds(model, query) for model in models)
        if result.model is not None:
            assert holds(result.model, query)
            assert hint is None or result.model.eval(B) == 7
        else:
            core = result.core
            assert core is not None and core <= query
            assert not any(holds(model, core) for model in models)
            assert all(any(holds(model, core - {one}) for model in models) for one in core)


def test_a_hint_that_fits_is_kept() -> None:
    hint = Model({A: 9})
    assert ask(build.ult(A, 10, 8), hint=hint).model is hint


def test_what_is_no_query_about_one_byte_is_asked_below() -> None:
    small = build.ult(A, 10, 8)
    for other in (build.ult(B, 10, 8), build.ult(WIDE, 10, 16), build.eq(A, B, 8)):
        assert ask(small, other).source == "below"


def test_what_is_too_deep_for_a_table_is_asked_below() -> None:
    term: Any = A
    for number in range(100):
        term = build.add(build.xor(build.mul(term, 3, 8), number, 8), A, 8)
    assert ask(build.eq(term, 1, 8)).source == "below"
