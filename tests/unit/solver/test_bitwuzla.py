"""The Bitwuzla backend: limits, failures, recycling, tables, deep terms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from clew.expr import build as b
from clew.expr.evaluate import Model
from clew.expr.node import Expr, postorder
from clew.expr.op import Op
from clew.expr.rewrite import fpmath
from clew.expr.sort import F16, F32, F64, F79, F128, Sort, bv
from clew.solver.backends import bitwuzla as backend
from clew.solver.backends.bitwuzla import BitwuzlaSolver, PoolLimits
from clew.solver.backends.bitwuzla_terms import MAX_STORES, Terms, stores_over_constant
from clew.solver.interface import Answer, SolverOptions
from clew.solver.stats import SolverStats
from unit.solver.corpus import CORPUS

X, Y = b.symbol("x", bv(32)), b.symbol("y", bv(32))


def query(*constraints: Any) -> frozenset[Expr]:
    assert all(isinstance(c, Expr) for c in constraints)
    return frozenset(constraints)


def hard() -> frozenset[Expr]:
    """Satisfiable, but not without search."""
    return query(b.eq(b.mul(X, Y, 32), 0x12345679, 32), b.ugt(X, 1000, 32), b.ugt(Y, X, 32))


def test_a_check_that_is_stopped_is_unknown_never_unsat() -> None:
    stopped = BitwuzlaSolver(SolverOptions(stop=lambda: True))
    for formula in CORPUS:
        result = stopped.check(formula.constraints)
        if result.answer is Answer.UNKNOWN:
            assert result.reason and result.model is None and result.core is None
        else:
            assert result.answer is formula.answer
    result = stopped.check(hard())
    assert result.answer is Answer.UNKNOWN
    assert "10 s" in result.reason
    assert stopped.unsat_assumptions((), list(hard())) is None


def test_a_stopped_instance_is_not_used_again() -> None:
    stop = True
    solver = BitwuzlaSolver(SolverOptions(stop=lambda: stop))
    assert solver.check(hard()).answer is Answer.UNKNOWN
    stop = False
    assert solver.check(hard()).answer is Answer.SAT


def test_both_attempts_get_their_share_of_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = BitwuzlaSolver(SolverOptions(time_limit=8.0, stop=lambda: True))
    shares: list[float] = []
    make = solver._fresh

    def noting(share: float) -> Any:
        shares.append(share)
        return make(share)

    monkeypatch.setattr(solver, "_fresh", noting)
    solver.check(hard())
    assert shares == [0.25, 0.75]


class _Broken:
    """A native instance that fails."""

    def check_sat(self, *terms: Any) -> Any:
        raise RuntimeError("out of luck")

    def assert_formula(self, *terms: Any) -> None:
        pass


def test_a_failing_instance_is_unknown() -> None:
    solver = BitwuzlaSolver()
    solver._fresh = lambda share: _Broken()  # type: ignore[method-assign]
    result = solver.check(hard())
    assert result.answer is Answer.UNKNOWN
    assert "out of luck" in result.reason
    assert solver.unsat_assumptions((), list(hard())) is None


def test_smaller_cores_are_asked_of_the_instance_that_gave_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = BitwuzlaSolver()
    made: list[Any] = []
    make = solver._fresh

    def noting(share: float) -> Any:
        made.append(make(share))
        return made[-1]

    monkeypatch.setattr(solver, "_fresh", noting)
    (small,) = query(b.ult(X, 5, 32))
    (large,) = query(b.ugt(X, 9, 32))
    (other,) = query(b.ult(Y, 3, 32))
    (equal,) = query(b.eq(Y, 7, 32))
    everybody = [small, large, other, equal]
    assert solver.unsat_assumptions((), everybody) in ([small, large], [other, equal])
    assert solver.unsat_assumptions((), [small, other, equal]) == [other, equal]
    assert solver.unsat_assumptions((), [small, other]) is None
    assert solver.unsat_assumptions((), [small, large, other]) == [small, large]
    assert len(made) == 1
    assert solver.unsat_assumptions((large,), [small, other]) == [small]
    assert solver.unsat_assumptions((), [small, other]) is None, "what was granted before is not any more"
    assert len(made) == 3
    assert solver.unsat_assumptions((), everybody) is not None, "more than were suspected before"
    assert len(made) == 4


def test_an_instance_that_was_stopped_gives_no_core() -> None:
    stop = True
    solver = BitwuzlaSolver(SolverOptions(stop=lambda: stop))
    impossible = [*hard(), *query(b.ult(Y, X, 32))]
    assert solver.unsat_assumptions((), list(hard())) is None
    stop = False
    assert solver.unsat_assumptions((), impossible) is not None


def test_counts_checks() -> None:
    stats = SolverStats()
    solver = BitwuzlaSolver(SolverOptions(), stats)
    solver.check(query(b.ult(X, Y, 32)))
    assert stats.solver_checks == 1
    assert stats.seconds > 0


def _walk(solver: BitwuzlaSolver, steps: int) -> list[tuple[Answer, Model | None]]:
    """Queries along one path, as the engine asks them."""
    constraints: list[Any] = []
    answers = []
    for k in range(steps):
        constraints.append(b.ult(b.add(b.mul(X, k + 3, 32), Y, 32), 0x80000000 + 977 * k, 32))
        result = solver.check(query(*constraints))
        answers.append((result.answer, result.model))
    return answers


@pytest.mark.parametrize(
    "limits",
    [PoolLimits(checks=3), PoolLimits(instances=1), PoolLimits(terms=20)],
    ids=["checks", "pool", "terms"],
)
def test_recycling_does_not_change_answers(limits: PoolLimits) -> None:
    expected = [answer for answer, _ in _walk(BitwuzlaSolver(), 12)]
    assert [answer for answer, _ in _walk(BitwuzlaSolver(limits=limits), 12)] == expected


def test_related_queries_share_an_instance_and_unrelated_ones_do_not() -> None:
    solver = BitwuzlaSolver()
    _walk(solver, 12)
    assert len(solver._pool) == 1
    others = [b.symbol(f"o{i}", bv(8)) for i in range(backend.FREE_SIZE)]
    solver.check(query(*[b.ult(left, right, 8) for left, right in pairwise(others)]))
    assert len(solver._pool) == 2


def test_the_same_queries_give_the_same_models() -> None:
    def values(answers: Sequence[tuple[Answer, Model | None]]) -> list[object]:
        return [None if model is None else dict(model.values) for _, model in answers]

    assert values(_walk(BitwuzlaSolver(), 8)) == values(_walk(BitwuzlaSolver(), 8))


def test_values_outside_the_query_come_from_the_hint() -> None:
    other = b.symbol("other", bv(8))
    result = BitwuzlaSolver().check(query(b.ugt(X, 7, 32)), Model({other: 5, X: 1}))
    assert result.model is not None
    assert result.model.values[other] == 5
    assert result.model.values[X] > 7


def test_reading_a_table_makes_no_array() -> None:
    table = b.array_from_bytes(bytes(i * 7 % 256 for i in range(200)), 64)
    index = b.zext(b.symbol("i", bv(8)), 8, 64)
    array = table
    for k in range(3):
        array = b.store(array, b.zext(b.symbol(f"k{k}", bv(8)), 8, 64), k)
    read = b.eq(b.select(array, index), 77, 8)
    assert isinstance(read, Expr)
    terms = Terms()
    terms.term(read)
    assert not any(node.op in (Op.ARRAY_BYTES, Op.STORE) for node in terms.memo)
    assert BitwuzlaSolver().check(query(read, b.ult(index, 199, 64))).answer is Answer.SAT


@pytest.mark.slow
def test_a_long_chain_of_stores_uses_the_array_theory() -> None:
    array: Any = b.const_array(0, 32, 8)
    for k in range(MAX_STORES + 5):
        array = b.store(array, b.add(X, k * k, 32), k + 1)
    read: Any = b.select(array, Y)
    [select] = [node for node in postorder([read]) if node.op is Op.SELECT]
    assert stores_over_constant(select) is None
    assert BitwuzlaSolver().check(query(b.eq(read, 60, 8))).answer is Answer.SAT


@pytest.mark.slow
def test_a_deep_term_needs_no_recursion() -> None:
    value: Any = X
    for k in range(10_000):
        value = b.xor(b.add(value, Y, 32), k, 32)
    constraint = b.ult(value, 5, 32)
    assert isinstance(constraint, Expr)
    terms = Terms()
    assert terms.term(constraint) is not None
    assert terms.side_conditions(constraint) == []


@pytest.mark.parametrize("sort", [F16, F32, F64, F79, F128])
def test_float_bits(sort: Sort) -> None:
    for value in (0.0, -0.0, 1.5, -2.25, float("inf")):
        assert str(fpmath.from_bits(fpmath.to_bits(value, sort), sort)) == str(value)
    bits = b.symbol("bits", bv(sort.width))
    nan = b.eq(bits, fpmath.to_bits(-float("nan"), sort), sort.width)
    assert BitwuzlaSolver().check(query(b.fisnan(b.fp_from_bits(bits, sort)), nan)).answer is Answer.SAT
