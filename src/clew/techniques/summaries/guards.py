"""Conditions of one iteration of a loop as integer inequalities in its number: ``E(K) >= 0``.

Sits on ``forms`` and ``whole``. E is linear in K, or made of terms that bend and rises or falls all the way; so a line
holds for all iterations 0 to n if it holds for 0 and for n. Comparisons of all kinds become lines, and so does what
must not wrap for them to mean what they say:

    i < n       n - i - 1 >= 0                   i != n      i - n - 1 >= 0, or n - i - 1 >= 0: as the model has it
    i + s does not overflow                      2**31 - 1 - i - s >= 0 and i + s + 2**31 >= 0
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.base.bits import as_number, range_of_width
from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV, Bool, Expr, lower
from clew.expr.op import EQ, LAND, LNOT, SLE, SLT, ULE, ULT
from clew.expr.sort import BOOL
from clew.techniques.summaries.induction import InductionForm, Symbols, depends, form_of
from clew.techniques.summaries.integer_sum import NOTHING, Whole, of
from clew.techniques.summaries.path_ranges import PathRanges


@dataclass(frozen=True, slots=True)
class Term:
    """A form read as a number, to be added or subtracted."""

    sign: int
    form: InductionForm
    signed: bool


@dataclass(frozen=True, slots=True)
class GuardInequality:
    """``start + pace * K + bend * K * (K - 1) / 2 >= 0``."""

    start: Whole
    pace: Whole
    bend: Whole = NOTHING
    is_range: bool = False
    """Says only that a value does not wrap: holds for iteration 0 by itself."""
    room: Whole | None = None
    """Where one term moves, towards the others: how far it is from wrapping one iteration after the line held last."""
    unequal: bool = False
    """Stands for an inequality: what passes 0 without being 0 does no harm. ``start`` is the distance less 1."""

    def misses(self, model: Model) -> bool:
        """Whether the distance of what must not be equal never becomes 0, since the pace steps over it."""
        pace = self.pace.eval(model)
        return self.unequal and not self.bends and pace != 0 and (self.start.eval(model) + 1) % pace != 0

    def missing(self, limits: PathRanges) -> Bool:
        """The condition for that, where the distance falls from above 0."""
        distance, pace = self.start + 1, -self.pace
        width = max(distance.width(limits), pace.width(limits)) + 1
        return build.ne(build.urem(distance.at(width), pace.at(width), width), 0, width)

    def ends_in_range(self, limits: PathRanges) -> bool:
        """Whether nothing has wrapped in the first iteration for which the line does not hold."""
        return self.room is not None and self.room.bounds(limits)[0] >= 0

    def falls(self, limits: PathRanges) -> Bool:
        """The condition that each iteration takes something away."""
        return (-self.pace - 1).not_negative(limits)

    @property
    def is_steady(self) -> bool:
        """Whether it falls by 1, and so comes to every number."""
        return self.pace == Whole.number(-1)

    @property
    def bends(self) -> bool:
        """Whether it may be other than linear."""
        return self.bend != NOTHING

    @property
    def rises(self) -> bool:
        """Whether it holds for all iterations by itself if it holds for the first."""
        return self.pace.bounds()[0] >= 0 and self.bend.bounds()[0] >= 0

    def at(self, number: Whole, limits: PathRanges) -> Whole:
        """The sum for an iteration."""
        total = self.start.plus(self.pace.times(number, limits))
        return total.plus(self.bend.times(_triangle(number, limits), limits)) if self.bends else total

    def one_way(self, number: Whole, model: Model, limits: PathRanges) -> list[Bool]:
        """That it only rises or only falls up to a number, as it does at first under the model. Linear ones do."""
        if not self.bends:
            return []
        sign = 1 if self.pace.eval(model) >= 0 else -1
        last = self.pace.plus(self.bend.times(number, limits))
        return [(pace * sign).not_negative(limits) for pace in (self.pace, last)]


def _line(terms: tuple[Term, ...], constant: int, is_range: bool = False) -> GuardInequality:
    start, pace, bend = Whole.number(constant), NOTHING, NOTHING
    for term in terms:
        form = term.form
        start = start.plus(of(form.base, form.width, term.signed), term.sign)
        pace = pace.plus(of(form.step, form.width, True), term.sign)
        bend = bend.plus(of(form.bend, form.width, True), term.sign)
    return GuardInequality(start, pace, bend, is_range)


def _triangle(number: Whole, limits: PathRanges) -> Whole:
    """number * (number - 1) / 2."""
    if not number.terms:
        return Whole.number(number.constant * (number.constant - 1) // 2)
    width = 2 * number.width(limits)
    twice = number.times(number - 1, limits).at(width)
    return of(build.lshr(twice, 1, width), width, True)


def lines_of(condition: Expr, model: Model, symbols: Symbols) -> list[GuardInequality] | None:
    """Lines that together imply ``condition``, which holds under the model; None if there are none."""
    positive = condition.op is not LNOT
    inner = condition if positive else condition.args[0]
    if inner.op is LAND:
        return (_all_of if positive else _one_of)(inner, model, symbols)
    if inner.op is EQ and inner.args[0].sort is BOOL:
        return _without_overflow(inner, positive, symbols)
    if inner.op is EQ:
        return _equality(inner, positive, model, symbols)
    if inner.op in (ULT, ULE, SLT, SLE):
        return _order(inner, positive, symbols)
    return None


def _all_of(conjunction: Expr, model: Model, symbols: Symbols) -> list[GuardInequality] | None:
    found: list[GuardInequality] = []
    for part in conjunction.args:
        lines = lines_of(part, model, symbols) if depends(part, symbols) else None
        if lines is None:
            return None
        found += lines
    return found


def _one_of(conjunction: Expr, model: Model, symbols: Symbols) -> list[GuardInequality] | None:
    """Of a negated conjunction: the first part whose negation the model has, and that has lines."""
    for part in conjunction.args:
        negation = build.lnot(part)
        if isinstance(negation, Expr) and depends(negation, symbols) and model.eval(negation):
            lines = lines_of(negation, model, symbols)
            if lines is not None:
                return lines
    return None


def _order(e: Expr, positive: bool, symbols: Symbols) -> list[GuardInequality] | None:
    small, large = _forms(e, symbols)
    if small is None or large is None:
        return None
    signed, strict = e.op in (SLT, SLE), e.op in (ULT, SLT)
    if not positive:
        small, large, strict = large, small, not strict
    return _lines((Term(1, large, signed), Term(-1, small, signed)), -1 if strict else 0)


def _equality(e: Expr, positive: bool, model: Model, symbols: Symbols) -> list[GuardInequality] | None:
    one, other = _forms(e, symbols)
    if one is None or other is None:
        return None
    if positive:
        return [
            *_lines((Term(1, one, True), Term(-1, other, True)), 0),
            *_lines((Term(1, other, True), Term(-1, one, True)), 0),
        ]
    # Read as signed numbers, if they approach each other like that.
    line = _line((Term(1, one, True), Term(-1, other, True)), 0)
    signed = line.start.eval(model) * line.pace.eval(model) < 0
    if not signed:
        line = _line((Term(1, one, False), Term(-1, other, False)), 0)
    start = line.start.eval(model)
    if start < 0 or (start == 0 and line.pace.eval(model) < 0):
        one, other = other, one
    first, *ranges = _lines((Term(1, one, signed), Term(-1, other, signed)), -1)
    for form in (one, other):
        # What passes the other is not held back by it.
        if form.moves and not first.is_steady:
            ranges += _range(form, signed, (1, -1))
    return [replace(first, unequal=True), *ranges]


def _without_overflow(e: Expr, positive: bool, symbols: Symbols) -> list[GuardInequality] | None:
    """``a + b`` or ``a - b`` stays in its range, written as the constructors of overflow conditions write that."""
    for plus, one, other in _sums(e, positive):
        width = one.width
        a, b = form_of(one, width, symbols), form_of(other, width, symbols)
        if a is not None and b is not None:
            sign = 1 if plus else -1
            half = 1 << (width - 1)
            return [
                *_lines((Term(1, a, True), Term(sign, b, True)), half),
                *_lines((Term(-1, a, True), Term(-sign, b, True)), half - 1),
            ]
    return None


def _sums(e: Expr, positive: bool) -> Iterator[tuple[bool, Expr, BV]]:
    """The ways to read an equality of two comparisons as "a + b does not overflow": (whether it is +, a, b)."""
    for test in e.args:
        if test.op not in (SLT, SLE):
            continue
        small, large = (lower(arg) for arg in test.args)
        total, one = (small, large) if test.op is SLT else (large, small)  # total < one, or one <= total: its negation
        if not isinstance(one, Expr):
            continue
        width = one.width
        for plus in (True, False):
            other = build.sub(total, one, width) if plus else build.sub(one, total, width)
            falls = build.slt(other, 0, width) if plus else build.sgt(other, 0, width)
            if build.iff(falls, build.slt(total, one, width)) is (e if positive else build.lnot(e)):
                yield plus, one, other


def _forms(e: Expr, symbols: Symbols) -> tuple[InductionForm | None, InductionForm | None]:
    one, other = e.args
    return form_of(lower(one), one.width, symbols), form_of(lower(other), other.width, symbols)


def _lines(terms: tuple[Term, ...], constant: int) -> list[GuardInequality]:
    """The inequality, and that none of its terms, nor what they are made of, wraps on the way.

    A term that moves towards the bound is held back by it if all others stay where they are.
    """
    moving = [term for term in terms if term.form.moves]
    found = [_line(terms, constant)]
    if len(moving) == 1 and not found[0].bends and not any(term.form.spans for term in terms):
        found = [replace(found[0], room=_room(moving[0], found[0]))]
    for term in terms:
        found += span_lines(term.form)
    for term in moving:
        step = term.form.step
        if isinstance(step, Expr) or term.form.bends:
            found += _range(term.form, term.signed, (1, -1))
            continue
        pace = 1 if as_number(step, term.form.width, True) > 0 else -1
        if len(moving) > 1 or pace * term.sign > 0:
            found += _range(term.form, term.signed, (pace,))
    return found


def _room(term: Term, line: GuardInequality) -> Whole:
    """How far a term that moves towards the others is from wrapping, one iteration after the line held last.

    With ``line`` = others + sign * term >= 0, a rising term is at most ``others`` as long as the line holds.
    """
    low, high = range_of_width(term.form.width, term.signed)
    others = line.start.plus(of(term.form.base, term.form.width, term.signed), -term.sign)
    # The pace of the line is sign * step, and negative: one step more takes that much room.
    limit = Whole.number(high if term.sign < 0 else -low)
    return limit.plus(others, -1).plus(line.pace)


def span_lines(form: InductionForm) -> list[GuardInequality]:
    """What must not wrap for the form to be what it says."""
    found = []
    for span in form.spans:
        found += span_lines(span.form) + _range(span.form, span.signed, (1, -1))
    return found


def _range(form: InductionForm, signed: bool, directions: tuple[int, ...]) -> list[GuardInequality]:
    """The form does not pass the largest (1) or the smallest (-1) number of its width."""
    low, high = range_of_width(form.width, signed)
    return [
        _line((Term(-direction, form, signed),), high if direction > 0 else -low, is_range=True)
        for direction in directions
    ]
