"""Plans: for which inputs a loop runs how often."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.techniques.summaries.generic_iteration import Iteration
from clew.techniques.summaries.induction import Added, InductionForm, form_of
from clew.techniques.summaries.integer_sum import Whole, of
from clew.techniques.summaries.loop_records import LoopRecords, SkippedIterations
from clew.techniques.summaries.summary import LoopSummary, SummaryPlan, summarize
from clew.techniques.summaries.tables import Variable

K = build.symbol("K", bv(32))
N, M, P = (build.symbol(name, bv(32)) for name in "nmp")
ODD = build.symbol("odd", bv(32))
VARIABLE = Variable(0, 0, 32, 0, 1)


def iteration(*conditions: Any, **more: Any) -> Iteration:
    model = Model({K: 1, N: 200, M: 100, P: 100})
    assert all(model.eval(condition) for condition in conditions)
    steady = Added(InductionForm(1, 0, 32))
    return Iteration(conditions, model, 7, ((VARIABLE, steady),), {K: InductionForm(0, 1, 32)}, **more)


def summary(*conditions: Any, **more: Any) -> LoopSummary:
    found = summarize(iteration(*conditions, **more))
    assert isinstance(found, LoopSummary)
    return found


def plan(found: LoopSummary, *path: Any, **inputs: int) -> SummaryPlan | None:
    return found.plan(Model({{"n": N, "m": M, "p": P}[name]: value for name, value in inputs.items()}), path)


def made(found: LoopSummary, *path: Any, **inputs: int) -> SummaryPlan:
    plan_ = plan(found, *path, **inputs)
    assert plan_ is not None
    return plan_


BELOW_N, BELOW_M = build.slt(K, N, 32), build.slt(K, M, 32)


def test_one_guard() -> None:
    found = made(summary(BELOW_N), n=5)
    assert found.last == of(N, 32, True).plus(Whole.number(-1))
    assert found.conditions == (build.slt(0, N, 32),)
    assert found.last.at(32) is build.sub(N, 1, 32)
    assert Model({N: 1}).eval(found.last.is_zero()) is True and Model({N: 2}).eval(found.last.is_zero()) is False


def test_the_guard_that_fails_first_ends_it() -> None:
    both = summary(BELOW_N, BELOW_M)
    by_n, by_m = made(both, n=5, m=9), made(both, n=9, m=5)
    assert by_n.last.eval(Model({N: 5})) == 4 and by_m.last.eval(Model({M: 5})) == 4
    assert build.sle(N, M, 32) in by_n.conditions and build.sle(M, N, 32) in by_m.conditions
    assert build.slt(0, M, 32) in by_n.conditions and build.slt(0, N, 32) in by_n.conditions


def test_what_does_not_depend_on_the_number_must_hold() -> None:
    found = summary(build.ult(P, 300, 32), BELOW_N)
    assert found.invariants == (build.ult(P, 300, 32),)
    assert made(found, n=5, p=9).conditions[0] is build.ult(P, 300, 32)
    assert plan(found, n=5, p=300) is None


def test_inputs_with_which_the_first_iteration_goes_another_way() -> None:
    assert plan(summary(BELOW_N), n=0) is None
    assert plan(summary(BELOW_N, build.ult(K, M, 32)), n=1, m=0) is None


def test_steps_of_more_than_one() -> None:
    found = made(summary(build.ult(build.mul(K, 3, 32), N, 32)), n=10)
    assert [found.last.eval(Model({N: n})) for n in (1, 3, 4, 6, 7, 10)] == [0, 0, 1, 1, 2, 3]


def test_steps_that_the_input_says() -> None:
    i = build.mul(K, M, 32)
    found = made(summary(build.slt(i, N, 32)), n=10, m=4)
    assert build.slt(0, M, 32) in found.conditions
    model = Model({N: 100, M: 7})
    assert all(model.eval(condition) for condition in found.conditions) and found.last.eval(model) == 14


def test_steps_over_a_value_that_is_not_to_be_met() -> None:
    """i += 3 while i != n and K < m: it ends at n, or passes n and goes on."""
    found = summary(build.ne(build.mul(K, 3, 32), N, 32), build.ult(K, M, 32))
    meets, passes = made(found, n=99, m=1000), made(found, n=100, m=1000)
    assert meets.last.eval(Model({N: 99, M: 1000})) == 32 and passes.last.eval(Model({N: 100, M: 1000})) == 999

    def covers(some: SummaryPlan, n: int) -> bool:
        return all(Model({N: n, M: 1000}).eval(condition) for condition in some.conditions)

    assert [covers(meets, n) for n in (96, 97, 98, 99)] == [True, False, False, True]
    assert [covers(passes, n) for n in (96, 97, 98, 99)] == [False, True, True, False]


@pytest.mark.parametrize("sign", [1, -1])
def test_what_passed_a_value_may_meet_it_after_it_wraps(sign: int) -> None:
    step, n = (sign * value & 0xFFFFFFFF for value in (3, 100))
    found = made(summary(build.ne(build.mul(K, step, 32), N, 32), build.ult(K, M, 32)), n=n, m=0xFFFFFFFF)
    assert found.last.eval(Model({N: n, M: 0xFFFFFFFF})) <= 0xFFFFFFFF // 3


def test_counts_that_are_known() -> None:
    found = made(summary(build.ult(K, 17, 32)))
    assert found.last == Whole.number(16) and found.conditions == ()
    by_three = made(summary(build.ult(build.mul(K, 3, 32), 17, 32)))
    assert by_three.last == Whole.number(5)


def test_a_path_makes_conditions_needless() -> None:
    both = summary(BELOW_N, build.slt(K, 1000, 32))
    small = build.slt(N, 50, 32)
    assert len(made(both, n=5).conditions) == 2
    assert made(both, small, n=5).conditions == (build.slt(0, N, 32),)


def test_nothing_ends_it() -> None:
    assert plan(summary(build.ult(P, 300, 32)), p=1) is None


def test_conditions_outside_of_the_theory() -> None:
    square = build.ult(build.mul(K, K, 32), N, 32)
    assert summarize(iteration(BELOW_N, square)) is square
    opaque = build.ult(ODD, N, 32)
    assert isinstance(opaque, Expr)
    assert summarize(iteration(BELOW_N, opaque, opaque=frozenset((ODD,)))) is opaque


def test_sums_hold_as_long_as_their_parts_do_not_wrap() -> None:
    """s += a byte that goes up: the byte wraps before the guard fails, for large n."""
    narrow, byte = build.symbol("K.8", bv(8)), build.symbol("byte", bv(8))
    added = form_of(build.zext(build.add(narrow, byte, 8), 8, 32), 32, {narrow: InductionForm(0, 1, 8)})
    assert added is not None
    motions = ((VARIABLE, Added(InductionForm(1, 0, 32))), (Variable(1, 0, 32, 0, 0), Added(added)))
    found = summarize(replace(iteration(BELOW_N), motions=motions))
    assert isinstance(found, LoopSummary) and len(found.spans) == 2
    by_guard = found.plan(Model({N: 5, byte: 250}), ())
    by_span = found.plan(Model({N: 50, byte: 250}), ())
    assert by_guard is not None and by_span is not None
    assert by_guard.last.eval(Model({N: 5})) == 4 and by_span.last.eval(Model({byte: 250})) == 5


def test_instructions_of_skipped_iterations() -> None:
    records = LoopRecords(iterations=(SkippedIterations(of(N, 32, True), 7),))
    assert records.skipped(Model({N: 6})) == 42
    assert records.skipped(Model({N: 0xFFFFFFFF})) == 0
