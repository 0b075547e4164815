"""Values as functions of the number of an iteration."""

from __future__ import annotations

from typing import Any

import pytest

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.techniques.summaries.induction import DEEPEST, InductionForm, Span, depends, form_of
from clew.techniques.summaries.integer_sum import Whole

K8, K16 = build.symbol("K8", bv(8)), build.symbol("K16", bv(16))
SYMBOLS = {K8: InductionForm(0, 1, 8), K16: InductionForm(0, 1, 16)}
A, B = build.symbol("a", bv(8)), build.symbol("b", bv(8))


def form(e: Any) -> InductionForm | None:
    return form_of(e, e.width, SYMBOLS)


def test_what_does_not_depend_on_the_number_stays() -> None:
    for value in (7, A, build.xor(A, B, 8)):
        found = form_of(value, 8, SYMBOLS)
        assert found == InductionForm(value, 0, 8) and not found.moves and not found.bends
    assert depends(K8, SYMBOLS) and not depends(A, SYMBOLS) and not depends(7, SYMBOLS)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (K8, InductionForm(0, 1, 8)),
        (build.add(build.add(K8, A, 8), 3, 8), InductionForm(build.add(A, 3, 8), 1, 8)),
        (build.sub(A, K8, 8), InductionForm(A, 255, 8)),
        (build.sub(K8, K8, 8), None),
        (build.mul(build.add(K8, A, 8), 5, 8), InductionForm(build.mul(A, 5, 8), 5, 8)),
        (build.mul(K8, B, 8), InductionForm(0, B, 8)),
        (build.shl(K8, 3, 8), InductionForm(0, 8, 8)),
        (build.not_(K8, 8), InductionForm(255, 255, 8)),
        (build.trunc(build.add(K16, 300, 16), 8), InductionForm(44, 1, 8)),
    ],
)
def test_linear_values(value: Any, expected: InductionForm | None) -> None:
    if expected is None:
        assert value == 0
    else:
        assert form(value) == expected


def test_extended_values_are_linear_until_the_narrow_one_wraps() -> None:
    narrow = build.add(K8, A, 8)
    for extend, signed in ((build.zext, False), (build.sext, True)):
        found = form(build.mul(extend(narrow, 8, 16), 4, 16))
        assert found is not None and found.step == 4
        assert found.base is build.mul(extend(A, 8, 16), 4, 16)
        assert found.spans == (Span(InductionForm(A, 1, 8), signed),)


def test_steps_are_read_as_signed_numbers_where_values_are_extended() -> None:
    found = form(build.zext(build.sub(A, K8, 8), 8, 16))
    assert found is not None and found.step == 0xFFFF


def test_spans_of_inner_values_come_along() -> None:
    inner = build.trunc(build.mul(build.zext(K8, 8, 16), 3, 16), 12)
    found = form(build.sext(inner, 12, 16))
    assert found is not None
    assert [(span.form.width, span.signed) for span in found.spans] == [(8, False), (12, True)]


def test_a_choice_that_is_the_same_in_all_iterations() -> None:
    c = build.ult(A, B, 8)
    found = form(build.ite(c, K8, build.sub(5, K8, 8), bv(8)))
    assert found is not None and found.moves
    assert (found.base, found.step) == (build.ite(c, 0, 5, bv(8)), build.ite(c, 1, 255, bv(8)))
    assert form(build.ite(build.ult(K8, B, 8), K8, A, bv(8))) is None


@pytest.mark.parametrize(
    "value",
    [
        build.mul(K8, K8, 8),
        build.udiv(K8, 3, 8),
        build.xor(K8, A, 8),
        build.shl(K8, A, 8),
        build.shl(A, K8, 8),
        build.extract(K16, 11, 4),
        build.add(A, build.and_(K8, B, 8), 8),
        build.zext(build.udiv(K8, A, 8), 8, 16),
    ],
)
def test_values_that_have_no_form(value: Expr) -> None:
    assert form(value) is None


def test_a_single_bit_has_none() -> None:
    """Expressions of one bit are booleans."""
    odd = build.ne(build.and_(build.add(A, K8, 8), 1, 8), 0, 8)
    assert isinstance(odd, Expr)
    bit = next(arg for arg in odd.args if arg.symbols)
    assert bit.width == 1 and form_of(bit, 1, SYMBOLS) is None


def test_sums_bend() -> None:
    s = build.symbol("s", bv(8))
    symbols = {**SYMBOLS, s: InductionForm(A, B, 8, 2)}
    found = form_of(build.add(build.mul(s, 3, 8), K8, 8), 8, symbols)
    assert found is not None and found.bends
    assert (found.base, found.step, found.bend) == (build.mul(A, 3, 8), build.add(build.mul(B, 3, 8), 1, 8), 6)
    negative = form_of(build.neg(s, 8), 8, symbols)
    assert negative is not None and negative.bend == 254


def test_the_value_of_an_iteration() -> None:
    bent = InductionForm(10, 3, 8, 2)
    assert [bent.after(Whole.number(number)) for number in range(4)] == [10, 13, 18, 25]
    assert InductionForm(A, B, 8).after(Whole.number(2)) is build.add(A, build.mul(B, 2, 8), 8)
    assert InductionForm(250, 1, 8).after(Whole.number(300)) == 38


def test_expressions_that_are_too_deep_have_none() -> None:
    assert form_of(build.add(K8, A, 8), 8, SYMBOLS, DEEPEST - 1) is not None
    assert form_of(build.add(K8, A, 8), 8, SYMBOLS, DEEPEST) is None
