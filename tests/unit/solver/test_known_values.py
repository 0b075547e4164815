"""Rewriting a query by what its constraints say: over stubs, and beside enumeration."""

from __future__ import annotations

import random
from typing import Any

import pytest

from clew.expr import build as b
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import BOOL, bv
from clew.solver.interface import Answer, Query, Result, unknown
from clew.solver.layers import known_values
from clew.solver.layers.known_values import NAME
from clew.solver.layers.worth import SELDOM
from clew.solver.stats import SolverStats
from support.exhaustive import ExhaustiveSolver

W = 4
X, Y, Z = (b.symbol(name, bv(W)) for name in "xyz")
P = b.symbol("p", BOOL)


@pytest.fixture(autouse=True)
def anything_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_values, "WORTH", 9.0)


class Asked:
    """A solver that notes what it is asked."""

    def __init__(self) -> None:
        self.queries: list[Query] = []
        self._oracle = ExhaustiveSolver()

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        self.queries.append(constraints)
        return self._oracle.check(constraints, hint)


class Refuses:
    """A solver that must not be asked."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        raise AssertionError(constraints)


def layer_over(below: Any, rewritten: Any, stats: SolverStats | None = None) -> known_values.KnownValues:
    return known_values.KnownValues(below, rewritten, stats or SolverStats())


def query(*constraints: Any) -> Query:
    assert all(isinstance(c, Expr) for c in constraints)
    return frozenset(constraints)


def urem(a: Any, n: Any) -> Any:
    return b.urem(a, n, W)


def ite(c: Any, then: Any, other: Any) -> Any:
    return b.ite(c, then, other, bv(W))


def test_values_of_symbols_and_terms_are_used() -> None:
    rewritten = Asked()
    low = b.eq(urem(Y, Z), 2, W)
    result = layer_over(Refuses(), rewritten).check(
        query(b.eq(X, 3, W), low, b.ult(urem(Z, X), 2, W), b.ult(ite(b.eq(urem(Y, Z), 2, W), Z, Y), 9, W))
    )
    assert result.answer is Answer.SAT
    assert rewritten.queries == [query(low, b.ult(urem(Z, 3), 2, W), b.ult(Z, 9, W))]


def test_only_what_fails_in_the_hint_is_asked() -> None:
    rewritten = Asked()
    chosen = ite(b.eq(X, 1, W), Y, Z)
    wanted = query(b.eq(X, 1, W), b.ult(7, chosen, W), b.ult(Z, urem(9, X) + 5, W))
    result = layer_over(Refuses(), rewritten).check(wanted, Model({X: 1, Y: 2, Z: 3, P: True}))
    assert rewritten.queries == [query(b.ult(7, Y, W))]
    assert result.model is not None and all(result.model.eval(c) for c in wanted)
    assert result.model.eval(Z) == 3 and result.model.eval(P) is True


def test_a_contradiction_has_its_reasons() -> None:
    """Of the sides of a choice, the one that is not taken gives none."""
    reasons = query(b.eq(X, 1, W), b.eq(ite(b.eq(X, 1, W), 5, urem(Y, Z)), 4, W))
    other = b.eq(urem(Y, Z), 4, W)
    result = layer_over(Refuses(), Refuses()).check(reasons | {other})
    assert result.answer is Answer.UNSAT and result.core == reasons and result.source == NAME


def test_cores_of_what_is_left_go_back_to_the_query() -> None:
    known, choice = b.eq(X, 1, W), b.ult(ite(b.eq(X, 1, W), Y, Z), 3, W)
    others = query(b.ult(5, Y, W), b.ult(Z, 9, W))
    result = layer_over(Refuses(), Asked()).check(query(known, choice) | others)
    assert result.answer is Answer.UNSAT
    assert result.core is not None and query(known, choice) <= result.core <= query(known, choice) | others


def test_bounds_may_leave_one_value() -> None:
    rewritten = Asked()
    bounds = query(b.ult(X, 3, W), b.ne(X, 0, W), b.ne(X, 1, W))
    layer_over(Refuses(), rewritten).check(bounds | query(b.eq(urem(Y, X), 1, W), b.ule(urem(Y, X), urem(Z, X), W)))
    (asked,) = rewritten.queries
    assert {c for c in asked if X in c.symbols} <= bounds and b.eq(urem(Y, 2), 1, W) in asked


def test_what_is_left_has_to_be_much_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    below, constraints = Asked(), query(b.eq(X, 3, W), b.ult(urem(Y, Z), urem(Z, X), W))
    monkeypatch.setattr(known_values, "WORTH", 0.5)
    assert layer_over(below, Refuses()).check(constraints).answer is Answer.SAT
    assert below.queries == [constraints]


def test_a_query_that_stays_as_it_is_goes_below() -> None:
    below = Asked()
    constraints = query(b.eq(b.mul(X, Y, W), 6, W), b.ult(X, Z, W))
    assert layer_over(below, Refuses()).check(constraints).answer is Answer.SAT
    assert below.queries == [constraints]


def test_without_gain_few_queries_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Query] = []
    monkeypatch.setattr(known_values, "PATIENCE", 20)
    made = known_values._Rewriting
    monkeypatch.setattr(known_values, "_Rewriting", lambda constraints: looked.append(constraints) or made(constraints))
    stats = SolverStats()
    layer, vain = layer_over(Asked(), Asked(), stats), query(b.eq(b.mul(X, Y, W), urem(Y, Z), W))
    first = made(vain)
    assert first.result() is None
    at_once = -(-20 // first.looked_at)
    for _ in range(at_once + 2 * (SELDOM + 1)):
        layer.check(vain)
    assert len(looked) == at_once + 2
    assert stats.nodes == len(looked) * (first.looked_at // known_values.PER_NODE)
    pays = query(b.eq(X, 1, W), b.ult(ite(b.eq(X, 1, W), Y, b.mul(Z, Y, W)), 3, W))
    for _ in range(SELDOM + 3):
        layer.check(pays)
    assert len(looked) == at_once + 2 + 3


def test_an_unknown_stays_one() -> None:
    class Unknown:
        def check(self, constraints: Query, hint: Model | None = None) -> Result:
            return unknown("no time", "stub")

    constraints = query(b.eq(X, 1, W), b.ult(ite(b.eq(X, 1, W), Y, b.mul(Z, Y, W)), 3, W))
    result = layer_over(Refuses(), Unknown()).check(constraints, Model({Y: 7}))
    assert result.answer is Answer.UNKNOWN and result.reason == "no time"


def term(draw: random.Random, depth: int) -> Any:
    if depth == 0 or draw.random() < 0.25:
        return draw.choice([X, Y, Z, draw.randrange(16)])
    a, c = term(draw, depth - 1), term(draw, depth - 1)
    binary = [b.add, b.sub, b.mul, b.udiv, b.urem, b.and_, b.xor, b.shl]
    return ite(truth(draw, depth - 1), a, c) if draw.random() < 0.3 else draw.choice(binary)(a, c, W)


def truth(draw: random.Random, depth: int) -> Any:
    if draw.random() < 0.1:
        return P
    compare = draw.choice([b.eq, b.eq, b.ne, b.ult, b.ule, b.slt])
    return compare(term(draw, depth), draw.choice([draw.randrange(16), term(draw, depth)]), W)


@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_enumeration(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms are few and occur again, so that there is something to rewrite."""
    monkeypatch.setattr(known_values, "PATIENCE", 10**9)
    draw = random.Random(seed)
    below, rewritten, oracle = Asked(), Asked(), ExhaustiveSolver()
    layer = layer_over(below, rewritten)
    decided = 0
    for _ in range(40):
        parts = [term(draw, 2) for _ in range(3)]
        constraints = frozenset(
            c
            for _ in range(draw.randrange(2, 6))
            if isinstance(
                c := draw.choice([b.eq, b.ne, b.ult])(
                    draw.choice([*parts, X, Y]), draw.choice([*parts, draw.randrange(16), draw.randrange(4)]), W
                )
                if draw.random() < 0.8
                else b.lor(truth(draw, 1), truth(draw, 1)),
                Expr,
            )
        )
        if not constraints:
            continue
        hint = Model({s: draw.randrange(16) for s in (X, Y, Z)}) if draw.random() < 0.5 else None
        asked = len(below.queries)
        result = layer.check(constraints, hint)
        decided += len(below.queries) == asked
        assert result.answer is oracle.check(constraints).answer
        if result.model is not None:
            assert all(result.model.eval(c) for c in constraints)
        if result.core is not None:
            assert result.core <= constraints and oracle.check(result.core).answer is Answer.UNSAT
    assert decided >= 3
