"""Every backend and the chain give the same, right answer on one corpus of formulas."""

from __future__ import annotations

import pytest

from clew.expr.build import ne
from clew.expr.node import Expr, postorder, symbol
from clew.expr.op import Op
from clew.expr.sort import bv
from clew.solver.backends.bitwuzla import BitwuzlaSolver, PoolLimits
from clew.solver.backends.registry import BACKENDS
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, CoreSolver, Solver, SolverOptions
from clew.solver.path import EMPTY_PATH
from clew.solver.stats import SolverStats
from support.exhaustive import ExhaustiveSolver
from unit.solver.corpus import CORPUS, Formula

# One object of each for all formulas: what a query leaves behind must not spoil the next.
SOLVERS: dict[str, Solver] = {
    **{entry.name: entry.item(SolverOptions(), SolverStats()) for entry in BACKENDS},
    "bitwuzla-fresh": BitwuzlaSolver(limits=PoolLimits(instances=1, checks=1, terms=0)),
    "exhaustive": ExhaustiveSolver(),
    "chain": build_chain(SolverOptions(), SolverStats()),
    "chain-validated": build_chain(SolverOptions(validate=True), SolverStats()),
}
CORE_SOLVERS: dict[str, CoreSolver] = {
    "bitwuzla": BitwuzlaSolver(),
    "exhaustive": ExhaustiveSolver(),
    "chain": build_chain(SolverOptions(), SolverStats()),
}

REFUTED = [formula for formula in CORPUS if formula.answer is Answer.UNSAT]
formulas = pytest.mark.parametrize("formula", CORPUS, ids=[formula.name for formula in CORPUS])


def test_the_corpus_uses_every_operator() -> None:
    used = {node.op for formula in CORPUS for node in postorder(formula.constraints)}
    assert used == set(Op) - {Op.COMPREHENSION}, "reading takes comprehensions off before a solver sees them"


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", SOLVERS)
@formulas
def test_answer(name: str, formula: Formula) -> None:
    result = SOLVERS[name].check(formula.constraints)
    if name == "exhaustive" and result.answer is Answer.UNKNOWN:
        assert result.reason
        return
    assert result.answer is formula.answer
    assert (result.model is not None) == (formula.answer is Answer.SAT)
    if result.model is not None:
        for constraint in formula.constraints:
            assert result.model.eval(constraint) is True
            assert constraint.symbols <= result.model.values.keys()
    if result.core is not None:
        assert result.core <= formula.constraints


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("pair", [("\0a", "\0b"), ("a\0", "a\0b"), ("", " "), ("ä", "a"), ("|a|", "a")])
def test_symbols_are_told_apart_by_their_whole_names(name: str, pair: tuple[str, str]) -> None:
    first, second = (symbol(text, bv(2)) for text in pair)
    differ = ne(first, second, 2)
    assert isinstance(differ, Expr)
    assert SOLVERS[name].check(frozenset((differ,))).answer is Answer.SAT


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", CORE_SOLVERS)
@pytest.mark.parametrize("formula", REFUTED, ids=[formula.name for formula in REFUTED])
def test_core_and_unsat_assumptions(name: str, formula: Formula) -> None:
    if name == "exhaustive" and SOLVERS[name].check(formula.constraints).answer is Answer.UNKNOWN:
        return
    constraints = sorted(formula.constraints, key=lambda c: c.key)
    core = CORE_SOLVERS[name].unsat_assumptions((), constraints)
    assert core is not None
    assert [c for c in constraints if c in core] == core
    assert SOLVERS["bitwuzla"].check(frozenset(core)).answer is Answer.UNSAT
    blamed = CORE_SOLVERS[name].unsat_assumptions(constraints[:1], constraints[1:])
    assert blamed is not None
    assert set(blamed) <= set(constraints[1:])
    assert SOLVERS["bitwuzla"].check(frozenset((constraints[0], *blamed))).answer is Answer.UNSAT


@pytest.mark.parametrize("name", CORE_SOLVERS)
def test_no_core_of_what_is_satisfiable(name: str) -> None:
    for formula in CORPUS[:20]:
        if formula.answer is Answer.SAT:
            constraints = list(formula.constraints)
            assert CORE_SOLVERS[name].unsat_assumptions((), constraints) is None
            assert CORE_SOLVERS[name].unsat_assumptions(constraints[:1], constraints[1:]) is None


@formulas
def test_feasible_one_constraint_at_a_time(formula: Formula) -> None:
    chain = build_chain(SolverOptions(validate=True), SolverStats())
    path, model = EMPTY_PATH, None
    for constraint in sorted(formula.constraints, key=lambda c: c.key):
        result = chain.feasible(path, constraint, model)
        if result.answer is Answer.UNSAT:
            assert formula.answer is Answer.UNSAT
            return
        path, model = path.add(constraint), result.model
        assert model is not None
        assert all(model.eval(c) for c in path)
    assert formula.answer is Answer.SAT
