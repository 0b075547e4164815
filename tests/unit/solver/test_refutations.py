"""Contradictions that are looked up by path and constraint."""

from __future__ import annotations

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.solver.path import EMPTY_PATH
from clew.solver.refutations import Refutations
from clew.solver.stats import SolverStats

X, Y = build.symbol("x", bv(8)), build.symbol("y", bv(8))


def below(term: Expr, bound: int) -> Expr:
    found = build.ult(term, bound, 8)
    assert isinstance(found, Expr)
    return found


def equal(term: Expr, value: object) -> Expr:
    found = build.eq(term, value, 8)  # type: ignore[arg-type]
    assert isinstance(found, Expr)
    return found


SMALL, SEVEN, OTHER = below(X, 5), equal(X, 7), below(Y, 9)


def test_a_path_that_states_the_rest_is_found() -> None:
    known = Refutations(8)
    core = frozenset((SMALL, SEVEN))
    known.add(core)
    assert known.find(EMPTY_PATH.add(OTHER).add(SMALL), SEVEN) == core
    assert known.find(EMPTY_PATH.add(OTHER), SEVEN) is None
    assert known.find(EMPTY_PATH.add(SMALL), OTHER) is None


def test_parts_of_a_conjunction_count() -> None:
    known = Refutations(8)
    known.add(frozenset((SMALL, SEVEN)))
    both = build.land(SEVEN, OTHER)
    assert isinstance(both, Expr)
    assert known.find(EMPTY_PATH.add(SMALL), both) is not None
    assert known.find(EMPTY_PATH.add(below(X, 9)), both) is None


def test_what_is_only_implied_does_not_count() -> None:
    known = Refutations(8)
    known.add(frozenset((SMALL, SEVEN)))
    assert known.find(EMPTY_PATH.implying(SMALL), SEVEN) is None


def test_the_older_half_goes() -> None:
    known = Refutations(4)
    pairs = [(below(Y, n), equal(Y, n + 1)) for n in range(10, 16)]
    for pair in pairs:
        known.add(frozenset(pair))
    found = [known.find(EMPTY_PATH.add(bound), value) is not None for bound, value in pairs]
    assert found[-1] and not found[0]
    known.clear()
    assert known.find(EMPTY_PATH.add(pairs[-1][0]), pairs[-1][1]) is None


def test_the_chain_learns_from_its_answers() -> None:
    chain = build_chain(SolverOptions(), SolverStats())
    product = equal(build.mul(X, Y, 8), 12)  # type: ignore[arg-type]
    path = EMPTY_PATH.add(product)
    model = Model({X: 2, Y: 6})
    odd = equal(build.and_(build.mul(X, Y, 8), 15, 8), 7)  # type: ignore[arg-type]
    assert chain.refutation(path, odd) is None
    assert chain.feasible(path, odd, model).answer is Answer.UNSAT
    core = chain.refutation(path.add(OTHER), odd)
    chain.repeating = True  # a path that is followed again forks as it did when nothing was known
    assert chain.refutation(path.add(OTHER), odd) is None
    chain.repeating = False
    assert core == {product, odd}
    again = chain.feasible(path.add(OTHER), odd, model)
    assert again.answer is Answer.UNSAT and again.core == core
    chain.clear()
    assert chain.refutation(path, odd) is None
