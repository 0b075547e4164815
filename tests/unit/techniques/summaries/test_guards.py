"""Conditions as integer inequalities in the number of an iteration."""

from __future__ import annotations

from typing import Any

import pytest

from clew.expr import build
from clew.expr.evaluate import EMPTY_MODEL, Model
from clew.expr.node import Expr
from clew.expr.sort import BOOL, bv
from clew.techniques.summaries.guards import GuardInequality, lines_of
from clew.techniques.summaries.induction import InductionForm, Symbols
from clew.techniques.summaries.integer_sum import ANYTHING, NOTHING, Whole, of

K8, K16 = build.symbol("K8", bv(8)), build.symbol("K16", bv(16))
N, START = build.symbol("n", bv(8)), build.symbol("i", bv(8))
S = build.symbol("s", bv(8))
SYMBOLS: Symbols = {K8: InductionForm(0, 1, 8), K16: InductionForm(0, 1, 16), S: InductionForm(START, 1, 8, 2)}


def lines(condition: Any, model: Model = EMPTY_MODEL) -> list[GuardInequality]:
    found = lines_of(condition, model, SYMBOLS)
    assert found is not None
    return found


def main_line(condition: Any, model: Model = EMPTY_MODEL) -> tuple[Whole, Whole]:
    """The inequality itself; it comes first."""
    first, *others = lines(condition, model)
    assert not first.is_range and all(other.is_range for other in others)
    return first.start, first.pace


def signed(value: Expr, factor: int = 1) -> Whole:
    return NOTHING.plus(of(value, value.width, True), factor)


def unsigned(value: Expr, factor: int = 1) -> Whole:
    return NOTHING.plus(of(value, value.width, False), factor)


@pytest.mark.parametrize(
    ("condition", "start", "pace"),
    [
        (build.slt(build.add(K8, START, 8), N, 8), signed(N).plus(signed(START), -1).plus(Whole.number(-1)), -1),
        (build.sle(build.add(K8, START, 8), N, 8), signed(N).plus(signed(START), -1), -1),
        (build.ult(build.add(K8, START, 8), N, 8), unsigned(N).plus(unsigned(START), -1).plus(Whole.number(-1)), -1),
        (build.uge(N, build.sub(START, K8, 8), 8), unsigned(N).plus(unsigned(START), -1), 1),
        (build.sgt(build.mul(K8, 3, 8), N, 8), signed(N, -1).plus(Whole.number(-1)), 3),
    ],
)
def test_orders(condition: Expr, start: Whole, pace: int) -> None:
    assert main_line(condition) == (start, Whole.number(pace))


def test_a_value_that_its_bound_holds_back_needs_no_range() -> None:
    assert len(lines(build.slt(build.add(K8, START, 8), N, 8))) == 1
    below, floor = lines(build.slt(build.sub(START, K8, 8), N, 8))
    assert below.pace == Whole.number(1) and floor == GuardInequality(
        signed(START).plus(Whole.number(128)), Whole.number(-1), is_range=True
    )


def test_steps_that_are_not_known_may_go_either_way() -> None:
    _, ceiling, floor = lines(build.ult(build.mul(K8, START, 8), N, 8))
    assert (ceiling.start, ceiling.pace) == (Whole.number(255), signed(START, -1))
    assert (floor.start, floor.pace) == (NOTHING, signed(START))
    assert ceiling.is_range and floor.is_range


def test_unequal_values_are_ordered_as_the_model_has_them() -> None:
    apart = build.ne(build.add(K8, START, 8), N, 8)
    behind = Model({START: 3, N: 9})
    start, pace = main_line(apart, behind)
    assert (start.eval(behind), pace) == (5, Whole.number(-1))
    ahead = Model({START: 9, N: 3})
    start, pace = main_line(apart, ahead)
    assert (start.eval(ahead), pace) == (5, Whole.number(1))
    below_zero = Model({START: 0xFE, N: 3})  # -2 comes to 3 as a signed number, 254 never does
    start, pace = main_line(apart, below_zero)
    assert (start.eval(below_zero), pace) == (4, Whole.number(-1))


def test_equal_values_stay_equal() -> None:
    both = [
        line
        for line in lines(build.eq(build.add(K8, START, 8), build.add(build.mul(K8, 3, 8), N, 8), 8))
        if not line.is_range
    ]
    assert [line.pace.constant for line in both] in ([2, -2], [-2, 2])
    assert both[0].start.plus(both[1].start) == NOTHING


@pytest.mark.parametrize("operation", ["sadd", "ssub"])
def test_sums_that_do_not_overflow(operation: str) -> None:
    i = build.add(K8, START, 8)
    fine = build.lnot(getattr(build, f"{operation}_overflow")(i, N, 8))
    low, high = (line for line in lines(fine) if not line.is_range)
    sign = 1 if operation == "sadd" else -1
    total = signed(START).plus(signed(N), sign)
    assert (low.start, low.pace) == (total.plus(Whole.number(128)), Whole.number(1))
    assert (high.start, high.pace) == (Whole.number(127).plus(total, -1), Whole.number(-1))


def test_overflow_itself_has_no_lines() -> None:
    assert lines_of(build.sadd_overflow(build.add(K8, START, 8), N, 8), EMPTY_MODEL, SYMBOLS) is None


def test_conjunctions_need_lines_for_all_parts() -> None:
    one, two = build.slt(K8, N, 8), build.ult(K8, START, 8)
    assert len(lines(build.land(one, two))) == len(lines(one)) + len(lines(two))
    assert lines_of(build.land(one, build.ult(START, N, 8)), EMPTY_MODEL, SYMBOLS) is None
    assert lines_of(build.land(one, build.eq(build.xor(K8, START, 8), 3, 8)), EMPTY_MODEL, SYMBOLS) is None


def test_of_a_disjunction_the_part_that_holds() -> None:
    one, two = build.slt(K8, N, 8), build.ult(K8, START, 8)
    assert main_line(build.lor(one, two), Model({N: 5})) == main_line(one)
    assert main_line(build.lor(one, two), Model({START: 5})) == main_line(two)
    odd = build.eq(build.xor(K8, START, 8), 3, 8)
    assert main_line(build.lor(odd, two), Model({START: 3})) == main_line(two)
    assert lines_of(build.lor(odd, one), Model({START: 3}), SYMBOLS) is None


@pytest.mark.parametrize(
    "condition",
    [
        build.ult(build.mul(K8, K8, 8), N, 8),
        build.ne(build.and_(build.add(K8, START, 8), 1, 8), 0, 8),
        build.eq(build.and_(build.add(K8, START, 8), 1, 8), 0, 8),
        build.iff(build.ult(K8, N, 8), build.symbol("p", BOOL)),
    ],
)
def test_conditions_without_lines(condition: Expr) -> None:
    assert lines_of(condition, Model({START: 1, N: 3}), SYMBOLS) is None


def test_what_narrow_values_are_made_of_must_not_wrap() -> None:
    wide = build.zext(build.add(K8, START, 8), 8, 16)
    limit = build.symbol("limit", bv(16))
    main, ceiling, floor = lines(build.ult(wide, limit, 16))
    assert (main.start, main.pace) == (
        unsigned(limit).plus(unsigned(START), -1).plus(Whole.number(-1)),
        Whole.number(-1),
    )
    assert (ceiling.start, ceiling.pace) == (Whole.number(255).plus(unsigned(START), -1), Whole.number(-1))
    assert floor.rises


def test_spans_count_even_where_steps_cancel_out() -> None:
    """The difference is 0 until the narrow one wraps, and something else from then on."""
    difference = build.sub(build.sext(K8, 8, 16), K16, 16)
    found = lines(build.sle(0, difference, 16))
    assert found[0].pace == NOTHING
    assert GuardInequality(Whole.number(127), Whole.number(-1), is_range=True) in found


def test_lines_that_bend_must_go_one_way() -> None:
    """s is i at first and goes up by 1, 3, 5 ..."""
    below, ceiling, _ = lines(build.slt(S, N, 8))
    assert below.bends and (below.pace, below.bend) == (Whole.number(-1), Whole.number(-2)) and not below.rises
    assert below.at(Whole.number(4), ANYTHING) == signed(N).plus(signed(START), -1).plus(Whole.number(-17))
    assert all(condition is True for condition in below.one_way(Whole.number(4), EMPTY_MODEL, ANYTHING))
    assert ceiling.is_range and ceiling.bends
    turning = GuardInequality(NOTHING, Whole.number(3), Whole.number(-2))
    assert [turning.one_way(Whole.number(n), EMPTY_MODEL, ANYTHING)[1] for n in (1, 2)] == [True, False]
    falling = GuardInequality(NOTHING, Whole.number(-3), Whole.number(2))
    assert [falling.one_way(Whole.number(n), EMPTY_MODEL, ANYTHING)[1] for n in (1, 2)] == [True, False]


def test_at_an_iteration_whose_number_depends_on_the_input() -> None:
    line = GuardInequality(signed(START), signed(N), Whole.number(3))
    for i, n in ((0, 0), (5, 1), (200, 7), (128, 128)):
        model = Model({START: i, N: n})
        count = of(N, 8, False)
        expected = signed(START).eval(model) + signed(N).eval(model) * n + 3 * (n * (n - 1) // 2)
        assert line.at(count, ANYTHING).eval(model) == expected
