"""Large queries in a process of their own: the same answers, and none where there is no time."""

from __future__ import annotations

import ctypes

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, symbol
from clew.expr.sort import bv
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, Query, Result, SolverOptions, sat, unknown
from clew.solver.layers import forked
from clew.solver.layers.forked import Apart, weight_of
from clew.solver.stats import SolverStats

X, Y = symbol("x", bv(32)), symbol("y", bv(32))
BARE = {"recent_models": 0, "repair_attempts": 0}


def bound(x: Expr, most: int) -> Expr:
    found = build.ult(x, most, 32)
    assert isinstance(found, Expr)
    return found


def equal(x: object, y: object) -> Expr:
    found = build.eq(x, y, 32)  # type: ignore[arg-type]
    assert isinstance(found, Expr)
    return found


class Here:
    """Stands in for the solvers of this process."""

    def __init__(self) -> None:
        self.asked = 0

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        self.asked += 1
        return sat(Model({X: 1, Y: 1}), "here")

    def unsat_assumptions(self, base: object, assumptions: object, seconds: float | None = None) -> None:
        self.asked += 1


class Interrupted(Here):
    """Lets go of questions at first."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._left = times

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        found = super().check(constraints, hint)
        return found if self.asked > self._left else unknown("stopped", "here")

    def next_turn(self) -> bool:
        """Whether it has let go of a question."""
        return 0 < self.asked <= self._left


def layer(here: Here, there: object, **options: object) -> Apart:
    return Apart(here, here, lambda: there, SolverOptions(**options), SolverStats())  # type: ignore[arg-type]


def test_what_was_let_go_of_is_asked_again() -> None:
    here = Interrupted(2)
    assert layer(here, None, next_turn=here.next_turn).check(frozenset((bound(X, 3),))).answer is Answer.SAT
    assert here.asked == 3
    here = Interrupted(2)
    assert layer(here, None).check(frozenset((bound(X, 3),))).answer is Answer.UNKNOWN  # that was for good
    assert here.asked == 1


def test_answers_come_back() -> None:
    chain = build_chain(SolverOptions(large=0, **BARE), SolverStats())  # type: ignore[arg-type]
    product = equal(X * Y, 221)
    found = chain.check(frozenset((product, bound(X, 20), bound(Y, 20))), Model({symbol("z", bv(8)): 3}))
    assert found.answer is Answer.SAT and found.model is not None
    assert found.model.eval(product) and found.model.eval(symbol("z", bv(8))) == 3
    odd, twice = equal(X & 1, 1), equal(X, Y + Y)
    assert chain.check(frozenset((odd, twice, bound(X, 50)))).answer is Answer.UNSAT


def test_cores_come_back() -> None:
    chain = build_chain(SolverOptions(large=0, **BARE), SolverStats())  # type: ignore[arg-type]
    odd, twice = equal(X & 1, 1), equal(X, Y + Y)
    assert chain.unsat_assumptions((bound(Y, 9),), (bound(X, 50), odd, twice)) == [odd, twice]
    assert chain.unsat_assumptions((), (bound(X, 50), odd)) is None


class Stuck:
    """Native code that does not listen."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        ctypes.PyDLL(None).sleep(1000)
        raise AssertionError


def test_no_answer_in_time_is_none() -> None:
    here = Here()
    apart = layer(here, Stuck(), large=0, time_limit=0.05, second_opinion=False)
    query = frozenset((equal(X * Y, 77),))
    for _ in range(2):  # what was not decided stays large
        assert apart.check(query).answer is Answer.UNKNOWN
    assert here.asked == 0


class There:
    """Decides, in the other process."""

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        return sat(Model({X: 7, Y: 11}), "there")


def test_what_was_decided_is_asked_here_from_then_on() -> None:
    here = Here()
    apart = layer(here, There(), large=50)
    first, more = equal(X * Y, 77), bound(X, 1000)
    assert apart.check(frozenset((first,))).source == "there"
    assert apart.check(frozenset((first, more))).source == "here"
    apart.clear()
    assert apart.check(frozenset((first, more))).source == "there"
    assert apart.check(frozenset((bound(Y, 12),))).source == "here"


def test_a_sum_of_many_products_is_large() -> None:
    here = Here()
    total: object = 0
    for number in range(200):
        total = total + (X ^ number) * (Y + number)  # type: ignore[operator]
    assert layer(here, There()).check(frozenset((equal(total, 12345),))).source == "there"
    assert layer(here, There()).check(frozenset((equal(X * Y, 77), bound(X, 50)))).source == "here"


def test_products_weigh_more() -> None:
    assert weight_of(X * Y) > weight_of(X * 3) > weight_of(X + Y) == 1


@pytest.mark.parametrize("large", [0, 1 << 40], ids=["apart", "here"])
def test_steps_of_a_hard_query_are_counted(monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    """Wherever it is asked; those of an easy one do not make it hard."""
    monkeypatch.setattr(forked, "EASY", 16)
    stats = SolverStats()
    chain = build_chain(SolverOptions(stop=lambda: False, large=large, **BARE), stats)  # type: ignore[arg-type]
    assert chain.check(frozenset((equal(build.add(X, Y, 32), 7), bound(X, 3)))).answer is Answer.SAT
    assert stats.hard == 0
    asked, limits = stats.questions, [build.ult(1, x, 32) for x in (X, Y)]
    product = equal(build.mul(X, Y, 32), 4_194_301)  # which is a prime
    query = frozenset((product, *limits, bound(X, 1 << 12), bound(Y, 1 << 12)))
    assert chain.check(query).answer is Answer.UNSAT  # type: ignore[arg-type]
    assert stats.hard == stats.questions - asked - 16 > 0
