"""The chain: who answers what, models along a path, groups, statistics, limits, determinism."""

from __future__ import annotations

from typing import Any

import pytest

from clew.expr import build as b
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.solver.chain import SolverChain, build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.solver.path import EMPTY_PATH, PathCondition
from clew.solver.stats import SolverStats

X, Y, Z = (b.symbol(name, bv(16)) for name in "xyz")


def new_chain(**options: Any) -> SolverChain:
    return build_chain(SolverOptions(**options), SolverStats())


def path_of(*constraints: Any) -> PathCondition:
    path = EMPTY_PATH
    for constraint in constraints:
        path = path.add(constraint)
    return path


def explore(chain: SolverChain, conditions: list[Any]) -> list[Model]:
    """All feasible ways through a sequence of branches, as the engine walks them."""
    leaves: list[Model] = []
    stack = [(0, EMPTY_PATH, EMPTY_MODEL)]
    while stack:
        depth, path, model = stack.pop()
        if depth == len(conditions):
            leaves.append(model)
            continue
        condition = conditions[depth]
        here, there = (condition, b.lnot(condition)) if model.eval(condition) else (b.lnot(condition), condition)
        result = chain.feasible(path, there, model)
        if result.answer is Answer.SAT:
            assert result.model is not None
            stack.append((depth + 1, path.add(there), result.model))
        stack.append((depth + 1, path.add(here), model))
    return leaves


@pytest.mark.parametrize("several", [False, True], ids=["one-symbol", "several-symbols"])
def test_independent_bits_need_no_solver(several: bool) -> None:
    chain = new_chain(validate=True)
    symbols = [b.symbol(f"s{i}", bv(16)) if several else X for i in range(8)]
    leaves = explore(chain, [b.ne(b.and_(s, 1 << i, 16), 0, 16) for i, s in enumerate(symbols)])
    assert len(leaves) == 256
    assert len({tuple(sorted((str(s.value), v) for s, v in leaf.values.items())) for leaf in leaves}) == 256
    assert chain.stats.solver_checks == 0
    assert chain.stats.queries == 255 and not chain.stats.answered.keys() & {"bitwuzla", "z3"}


def test_infeasible_branches_are_found() -> None:
    chain = new_chain(validate=True)
    leaves = explore(chain, [b.ult(X, k, 16) for k in (100, 50, 200, 75)])
    assert len(leaves) == 5


def test_who_answers() -> None:
    chain = new_chain()
    path = path_of(b.ult(X, 10, 16), b.eq(Y, b.mul(X, X, 16), 16))
    model = Model({X: 2, Y: 4})
    ask = chain.feasible
    assert ask(path, True, model).source == "constant"
    assert ask(path, False, model).answer is Answer.UNSAT
    assert ask(path, b.ult(X, 10, 16), model).source == "model"
    assert ask(path, b.uge(X, 10, 16), model).source == "path"
    assert ask(path, b.ugt(X, 11, 16), model).source == "shortcuts"
    assert ask(path, b.ugt(Z, 11, 16), model).source == "repair"
    hard = b.eq(b.and_(Y, 3, 16), 2, 16)
    assert (ask(path, hard, model).source, ask(path, hard, model).source) == ("bitwuzla", "cache")
    assert chain.stats.queries == 8
    assert chain.stats.answered["model"] == 1
    chain.clear()
    assert ask(path, hard, model).source == "bitwuzla"


def test_values_outside_the_slice_are_kept() -> None:
    path = path_of(b.ult(X, 10, 16), b.ult(Y, 10, 16))
    for condition in (b.eq(X, 7, 16), b.eq(b.mul(X, X, 16), 49, 16)):
        result = new_chain().feasible(path, condition, Model({X: 1, Y: 3, Z: 8}))
        assert result.model is not None
        assert dict(result.model.values) == {X: 7, Y: 3, Z: 8}


def test_without_a_model_the_whole_path_is_solved() -> None:
    path = path_of(b.eq(b.mul(X, X, 16), 49, 16), b.ugt(Y, 5, 16))
    result = new_chain().feasible(path, b.ugt(Z, 7, 16), None)
    assert result.model is not None
    assert all(result.model.eval(c) for c in path)
    assert result.model.eval(b.ugt(Z, 7, 16))
    infeasible = path.add(b.eq(b.mul(Y, Y, 16), 3, 16))
    assert new_chain().feasible(infeasible, b.ugt(Z, 7, 16), None).answer is Answer.UNSAT
    assert new_chain().model_of(infeasible).answer is Answer.UNSAT


def test_a_group_left_open_makes_the_whole_unknown() -> None:
    chain = new_chain(stop=lambda: True, second_opinion=False, repair_attempts=1)
    path = path_of(b.eq(b.mul(b.mul(X, Y, 16), Y, 16), 4321, 16), b.ugt(Z, 5, 16))
    result = chain.model_of(path)
    assert result.answer is Answer.UNKNOWN
    assert result.reason


def test_a_limit_is_unknown() -> None:
    query = frozenset((b.eq(b.mul(X, Y, 16), 4321, 16), b.ugt(X, 1, 16), b.ult(X, Y, 16)))
    assert all(isinstance(c, Expr) for c in query)
    alone = new_chain(stop=lambda: True, second_opinion=False, repair_attempts=1)
    result = alone.check(query)  # type: ignore[arg-type]
    assert result.answer is Answer.UNKNOWN
    assert result.reason
    assert alone.stats.unknowns == 1


def test_an_unknown_answer_is_not_remembered() -> None:
    stop = True
    chain = new_chain(stop=lambda: stop, second_opinion=False, repair_attempts=1)
    query: Any = frozenset((b.eq(b.mul(X, Y, 16), 4321, 16), b.ugt(X, 1, 16), b.ult(X, Y, 16)))
    assert chain.check(query).answer is Answer.UNKNOWN
    stop = False
    assert chain.check(query).answer is Answer.SAT


def test_cores() -> None:
    chain = new_chain()
    constraints: list[Any] = [b.ult(X, 10, 16), b.ult(Y, 5, 16), b.ugt(X, 20, 16)]
    assert chain.unsat_assumptions([], constraints) == [constraints[0], constraints[2]]
    assert chain.unsat_assumptions([], constraints[:2]) is None
    assert chain.unsat_assumptions(constraints[:1], constraints[1:]) == [constraints[2]]
    assert chain.unsat_assumptions(constraints, []) == []


@pytest.mark.slow
def test_the_same_questions_give_the_same_models() -> None:
    def run() -> list[dict[str, int]]:
        total: Any = 0
        conditions: list[Any] = []
        for i in range(5):
            total = b.add(b.mul(total, 7, 16), b.mul(b.symbol(f"s{i}", bv(16)), X, 16), 16)
            conditions.append(b.ult(b.urem(total, 11, 16), 5, 16))
        leaves = explore(new_chain(), conditions)
        return [{str(symbol.value): value for symbol, value in leaf.values.items()} for leaf in leaves]

    assert run() == run()
