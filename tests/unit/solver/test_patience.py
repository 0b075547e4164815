"""Questions whose answers are welcome, but not needed."""

from __future__ import annotations

from clew.expr import build as b
from clew.expr.sort import bv
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.solver.patience import Patience
from clew.solver.stats import SolverStats

X, Y = b.symbol("x", bv(64)), b.symbol("y", bv(64))
PRODUCT = b.eq(b.mul(X, Y, 64), 18446743979220271189, 64)
"""4294967279 * 4294967291: two primes."""
SMALL = [b.ult(1, X, 64), b.ult(X, 1 << 32, 64), b.ult(1, Y, 64), b.ult(Y, 1 << 32, 64)]


def test_a_hard_question_is_given_up_after_so_many_counts() -> None:
    stats = SolverStats()
    chain = build_chain(SolverOptions(time_limit=60.0), stats)
    with chain.patience.of(500):
        result = chain.check(frozenset((PRODUCT, *SMALL)))
    assert result.answer is Answer.UNKNOWN and 500 <= stats.questions < 1000
    assert not chain.patience.is_over()


def test_easy_questions_are_answered_even_when_nothing_is_left() -> None:
    chain = build_chain(SolverOptions(), SolverStats())
    with chain.patience.of(0):
        assert chain.check(frozenset((b.eq(X, 3, 64),))).answer is Answer.SAT


def test_the_smaller_one_of_two_counts() -> None:
    stats = SolverStats()
    patience = Patience(stats)
    with patience.of(10):
        with patience.of(100):
            stats.questions = 10
            assert patience.is_over()
        with patience.of(5):
            assert patience.is_over()
    assert not patience.is_over()
    with patience.of(10), patience.of(5):
        stats.questions += 5
        assert patience.is_over()
