"""What was refuted, seen from places of the path."""

from __future__ import annotations

from clew.expr import build
from clew.expr.node import Expr, as_bool
from clew.expr.sort import bv
from clew.solver.chain import SolverChain, build_chain
from clew.solver.interface import SolverOptions
from clew.solver.path import EMPTY_PATH
from clew.solver.stats import SolverStats
from clew.techniques.merging.clauses import clause
from clew.techniques.merging.limits import USUAL

X, Y = (build.symbol(name, bv(8)) for name in "xy")


def below(symbol: Expr, limit: int) -> Expr:
    return as_bool(build.ult(symbol, limit, 8))


def chain() -> SolverChain:
    return build_chain(SolverOptions(), SolverStats())


def test_only_what_came_after_a_place_is_part_of_the_formula_there() -> None:
    path = EMPTY_PATH.add(below(X, 100)).add(below(X, 50)).add(below(Y, 5))
    event = as_bool(build.ult(60, X, 8))
    found = clause(path, (event,))
    assert [position for position, _ in found.reasons] == [1, 2], "y has nothing to do with it"
    assert found.since(0) == (below(X, 100), below(X, 50), event)
    assert found.since(1) == (below(X, 50), event)
    assert found.rests_on(1) and not found.rests_on(0)


def test_a_fact_of_the_path_is_reason_enough() -> None:
    path = EMPTY_PATH.add(below(X, 100)).add(below(X, 50))
    found = clause(path, (as_bool(build.lnot(below(X, 50))),))
    assert [reason for _, reason in found.reasons] == [below(X, 50)]


def test_a_core_that_is_known_is_used() -> None:
    path = EMPTY_PATH.add(below(X, 100)).add(below(X, 50))
    event = as_bool(build.ult(60, X, 8))
    assert [p for p, _ in clause(path, (event,), None, frozenset((below(X, 50), event))).reasons] == [2]


def test_many_reasons_are_minimized_the_oldest_first() -> None:
    path = EMPTY_PATH
    for limit in range(200, 200 - USUAL.short_clause - 2, -1):
        path = path.add(below(X, limit))
    path = path.add(below(X, 20))
    found = clause(path, (as_bool(build.eq(X, 240, 8)),))
    assert len(found.reasons) == USUAL.short_clause + 3
    found.minimize(chain(), 0)
    assert len(found.reasons) == 1
    kept = found.reasons
    found.minimize(chain(), 0)
    assert found.reasons == kept


def test_a_clause_that_is_contradictory_in_itself_asks_nothing_of_states() -> None:
    made = build.symbol("made", bv(8))
    path = EMPTY_PATH.add(as_bool(build.eq(made, 3, 8)))
    found = clause(path, (as_bool(build.ult(7, made, 8)),))
    assert found.rests_on(1)
    assert not found.spelled_out({made: 3}).rests_on(1)
