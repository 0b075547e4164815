"""Each layer alone, over a stub that notes what reaches it."""

from __future__ import annotations

from typing import Any

import pytest

from clew.base.errors import InternalError
from clew.expr import build as b
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import BOOL, bv
from clew.solver.interface import Answer, Query, Result, sat, unknown, unsat
from clew.solver.layers.cache import Cache
from clew.solver.layers.decide import Decide
from clew.solver.layers.reuse import ModelReuse
from clew.solver.layers.shortcuts import Shortcuts, bound_of, no_value_left
from clew.solver.layers.validate import Validate
from clew.solver.stats import SolverStats
from support.exhaustive import ExhaustiveSolver

X, Y, Z = (b.symbol(name, bv(8)) for name in "xyz")
P = b.symbol("p", BOOL)


def query(*constraints: Any) -> frozenset[Expr]:
    assert all(isinstance(c, Expr) for c in constraints)
    return frozenset(constraints)


class Stub:
    """Answers what it is told to, and notes the queries."""

    def __init__(self, *results: Result) -> None:
        self.results = list(results) or [unknown("stub", "stub")]
        self.asked: list[Query] = []

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        self.asked.append(constraints)
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]


# -- shortcuts ------------------------------------------------------------------------------------


def test_shortcuts_empty_query_is_sat() -> None:
    assert Shortcuts(Stub()).check(frozenset()).answer is Answer.SAT


@pytest.mark.parametrize("hint", [None, Model({X: 5}), Model({X: 200})])
@pytest.mark.parametrize(
    "constraints",
    [
        query(b.ult(X, 10, 8), b.ugt(X, 20, 8), b.ult(X, Y, 8)),
        query(b.ult(X, Y, 8), b.uge(X, Y, 8)),
        query(b.eq(X, 3, 8), b.eq(X, 4, 8)),
        query(b.eq(X, 3, 8), b.ne(X, 3, 8)),
        query(b.ult(X, 2, 8), b.ne(X, 0, 8), b.ne(X, 1, 8)),
        query(b.slt(X, 0, 8), b.ult(X, 5, 8)),
        query(b.sgt(X, 5, 8), b.slt(X, 250, 8)),
        query(b.slt(X, 0, 8), b.ult(X, 129, 8), b.ne(X, 128, 8)),
    ],
)
def test_shortcuts_contradictions(constraints: Query, hint: Model | None) -> None:
    below = Stub()
    result = Shortcuts(below).check(constraints, hint)
    assert result.answer is Answer.UNSAT
    assert below.asked == []
    assert result.core is not None and result.core <= constraints
    assert ExhaustiveSolver(16).check(result.core).answer is Answer.UNSAT


def test_shortcuts_pass_on_what_may_have_a_value() -> None:
    below = Stub()
    layer = Shortcuts(below)
    passed = [
        query(b.ult(X, 10, 8), b.ugt(X, 8, 8)),
        query(b.ult(X, 2, 8), b.ne(X, 0, 8)),
        query(b.slt(X, 0, 8), b.ugt(X, 5, 8)),
        query(b.ult(X, 10, 8), b.ugt(Y, 20, 8)),
        query(P, b.ult(X, Y, 8)),
    ]
    for constraints in passed:
        assert layer.check(constraints).answer is Answer.UNKNOWN
    assert below.asked == passed


def test_bounds_are_exact_on_all_small_combinations() -> None:
    term = b.symbol("t", bv(3))
    atoms = [f(term, k, 3) for f in (b.ult, b.ule, b.slt, b.sle, b.eq, b.ne) for k in range(8)]
    atoms += [f(k, term, 3) for f in (b.ult, b.sle) for k in range(8)]
    expressions = [atom for atom in dict.fromkeys(atoms) if isinstance(atom, Expr)]
    models = [Model({term: value}) for value in range(8)]
    for first in expressions:
        for second in expressions:
            bounds = [bound for bound in map(bound_of, (first, second)) if bound is not None]
            possible = any(model.eval(first) and model.eval(second) for model in models)
            if len(bounds) == 2:
                assert no_value_left(term, bounds) == (not possible)


# -- model reuse ----------------------------------------------------------------------------------


def test_reuse_takes_the_hint() -> None:
    below, hint = Stub(), Model({X: 5})
    result = ModelReuse(below, 2).check(query(b.ult(X, 10, 8)), hint)
    assert result.model is hint
    assert below.asked == []


def test_reuse_takes_recent_models_but_only_the_symbols_of_the_query() -> None:
    below = Stub(sat(Model({X: 50, Y: 7}), "stub"), unknown("", "stub"))
    layer = ModelReuse(below, 2)
    layer.check(query(b.ugt(X, 40, 8)), Model({X: 1, Y: 2}))
    result = layer.check(query(b.ugt(X, 45, 8)), Model({X: 1, Y: 2}))
    assert result.source == "reuse"
    assert result.model is not None
    assert dict(result.model.values) == {X: 50, Y: 2}
    assert len(below.asked) == 1
    layer.clear()
    assert layer.check(query(b.ugt(X, 45, 8)), Model({X: 1})).answer is Answer.UNKNOWN


def test_reuse_forgets_old_models() -> None:
    found = [sat(Model({X: value}), "stub") for value in (10, 20, 30)]
    layer = ModelReuse(Stub(*found, unknown("", "stub")), 2)
    for value in (10, 20, 30):
        layer.check(query(b.eq(X, value, 8)), Model({X: 0}))
    assert layer.check(query(b.eq(X, 20, 8)), Model({X: 0})).answer is Answer.SAT
    assert layer.check(query(b.eq(X, 10, 8)), Model({X: 0})).answer is Answer.UNKNOWN


# -- cache ----------------------------------------------------------------------------------------

A, B, C = b.ult(X, Y, 8), b.ult(Y, Z, 8), b.ult(Z, X, 8)


def test_cache_knows_supersets_of_cores() -> None:
    stats = SolverStats()
    below = Stub(unsat("stub", query(A, B)))
    cache = Cache(below, 8, stats)
    cache.check(query(A, B, C))
    for constraints in (query(A, B, C), query(A, B), query(A, B, P)):
        result = cache.check(constraints)
        assert (result.answer, result.core) == (Answer.UNSAT, query(A, B))
    assert len(below.asked) == 1
    assert stats.cache_hits == 3
    cache.check(query(A, C))
    assert len(below.asked) == 2


def test_cache_knows_subsets_of_satisfiable_sets() -> None:
    below = Stub(sat(Model({X: 1, Y: 2, Z: 3}), "stub"), unknown("", "stub"))
    cache = Cache(below, 8, SolverStats())
    cache.check(query(A, B))
    result = cache.check(query(A), Model({X: 9, Z: 9}))
    assert result.model is not None
    assert dict(result.model.values) == {X: 1, Y: 2, Z: 9}
    assert cache.check(query(A, B)).answer is Answer.SAT
    assert len(below.asked) == 1
    assert cache.check(query(A, C)).answer is Answer.UNKNOWN


def test_cache_stores_neither_unknown_nor_cheap_answers() -> None:
    below = Stub(unknown("", "stub"), sat(Model({X: 1, Y: 2}), "repair"), sat(Model({X: 1, Y: 2}), "stub"))
    cache = Cache(below, 8, SolverStats(), cheap=frozenset(("repair",)))
    for _ in range(4):
        cache.check(query(A))
    assert len(below.asked) == 3


def test_cache_is_bounded_and_keeps_the_newer_half() -> None:
    below = Stub(unsat("stub"))
    cache = Cache(below, 4, SolverStats())
    sets = [query(b.eq(X, k, 8), A) for k in range(9)]
    for constraints in sets:
        cache.check(constraints)
    assert len(cache._cores.entries) <= 4
    asked = len(below.asked)
    cache.check(sets[-1])
    cache.check(sets[-2])
    assert len(below.asked) == asked
    cache.check(sets[0])
    assert len(below.asked) == asked + 1
    cache.clear()
    cache.check(sets[-1])
    assert len(below.asked) == asked + 2


# -- decide ---------------------------------------------------------------------------------------


def test_decide_asks_the_second_backend_only_where_the_first_gives_up() -> None:
    made: list[str] = []
    second = Stub(unsat("second"))

    def make_second() -> Stub:
        made.append("second")
        return second

    first = Stub(sat(Model({X: 1, Y: 2}), "first"), unknown("too hard", "first"))
    decide = Decide([lambda: first, make_second])
    assert decide.check(query(A)).source == "first"
    assert made == []
    assert decide.check(query(A)).source == "second"
    assert made == ["second"]


def test_decide_asks_nobody_when_the_time_is_over() -> None:
    decide = Decide([lambda: Stub(unknown("stopped", "first")), lambda: Stub(unsat("second"))], stop=lambda: True)
    assert decide.check(query(A)).reason == "stopped"


def test_decide_does_not_believe_a_wrong_model() -> None:
    decide = Decide([lambda: Stub(sat(Model({X: 2, Y: 1}), "liar")), lambda: Stub(unknown("too hard", "other"))])
    result = decide.check(query(A))
    assert result.answer is Answer.UNKNOWN
    assert "liar" in result.reason and "too hard" in result.reason


# -- validate -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        sat(Model({X: 2, Y: 1}), "liar"),
        Result(Answer.SAT, None, "", "liar"),
        sat(Model({Y: 1}), "liar"),
        unsat("liar"),
        unsat("liar", query(B)),
    ],
    ids=["model", "no-model", "open-symbol", "unsat", "foreign-core"],
)
def test_validate_catches(wrong: Result) -> None:
    with pytest.raises(InternalError, match="liar"):
        Validate(Stub(wrong), ExhaustiveSolver(16)).check(query(A))


@pytest.mark.slow
def test_validate_passes_right_answers() -> None:
    for right in (sat(Model({X: 1, Y: 2}), "stub"), unknown("reason", "stub")):
        assert Validate(Stub(right), ExhaustiveSolver(16)).check(query(A)) is right
    contradiction = query(A, b.ult(Y, X, 8))
    assert Validate(Stub(unsat("stub")), ExhaustiveSolver(16)).check(contradiction).answer is Answer.UNSAT
