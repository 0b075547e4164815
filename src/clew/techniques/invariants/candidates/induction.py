"""Which conditions hold at points that are passed again and again, by induction over all ways between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from clew.expr.node import Expr, postorder
from clew.expr.op import EQ, LAND, LNOT
from clew.expr.polynomials import Polynomial, plus, polynomial
from clew.expr.rewrite.boolean import negated
from clew.expr.sort import SortKind
from clew.expr.walk import is_product
from clew.solver.interface import Answer
from clew.techniques.invariants.candidates.checking import Checker
from clew.techniques.invariants.candidates.code import is_codable
from clew.techniques.invariants.candidates.conditions import conditions_of
from clew.techniques.invariants.candidates.equalities import equalities
from clew.techniques.invariants.candidates.heads import Point
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.candidates.runs import Setting, Values
from clew.techniques.invariants.candidates.segments import Segment
from clew.techniques.invariants.candidates.templates import Hints, Templates


class Induction:
    """One search for conditions: ``segments`` are all ways to the points, ``samples`` some states there."""

    def __init__(
        self,
        points: Sequence[Point],
        segments: Sequence[Segment],
        samples: Sequence[Sequence[Values]],
        hints: Sequence[Hints],
        setting: Setting,
        limits: Limits,
        likely: Sequence[Sequence[Values]] | None = None,
    ) -> None:
        """``likely``: states that templates look at, if not the samples; not all of them need be reached."""
        self._points = points
        self._segments = segments
        self._samples = samples
        self._likely = samples if likely is None else likely
        self._hints = hints
        self._solver = setting.solver
        self._poll = setting.budget.exhausted
        self._limits = limits

    def holding(self, facts: Sequence[Sequence[Expr]]) -> list[tuple[tuple[Expr, bool], ...]]:
        """For each point, the conditions that hold beside facts that are known, and whether they follow from these."""
        equal = self._equalities([() for _ in self._segments])
        easy = [list(filter(is_easy, own)) for own in equal]
        checker = Checker(self._points, self._segments, easy, self._solver, self._limits, self._poll)
        others = checker.surviving(self._candidates(equal))
        implied = checker.implied()
        if any(implied):
            equal = self._equalities(implied)
        return [
            tuple(self._needed([*equal[number], *others[number]], facts[number])) for number in range(len(self._points))
        ]

    def _equalities(self, implied: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
        found: list[list[Expr]] = [[] for _ in self._points]
        reached = {segment.head for segment in self._segments}
        for group in equalities(self._points, self._segments, self._samples, implied, self._limits):
            if group.head in reached:
                found[group.head] += filter(is_codable, conditions_of(group, self._points[group.head]))
        return found

    def _candidates(self, known: Sequence[Sequence[Expr]]) -> list[list[Expr]]:
        """What templates suggest, of what solvers are good at."""
        found = []
        for number, point in enumerate(self._points):
            made = Templates(point, self._likely[number], self._hints[number], self._limits).candidates()
            equal = [zero for condition in known[number] if (zero := _difference(condition)) is not None]
            new = (c for c in made if not any(_difference(part) in equal for part in _alternatives(c) if part.op is EQ))
            found.append([c for c in new if is_codable(c) and is_easy(c)])
        return found

    def _needed(self, conditions: Sequence[Expr], facts: Sequence[Expr]) -> Iterator[tuple[Expr, bool]]:
        """Without what follows from others; of two that say the same, the earlier one stays."""
        kept: list[Expr] = []
        for condition in conditions:
            if not is_easy(condition) or not self._follows(condition, kept):
                kept.append(condition)
        for condition in reversed(kept[:]):
            others = [other for other in kept if other is not condition]
            if is_easy(condition) and self._follows(condition, others):
                kept = others
        for condition in kept[: self._limits.kept]:
            others = [other for other in kept if other is not condition]
            yield condition, is_easy(condition) and self._follows(condition, (*others, *facts))

    def _follows(self, condition: Expr, known: Iterable[Expr]) -> bool:
        easy = filter(is_easy, known)
        return self._solver.check(frozenset((*easy, negated(condition)))).answer is Answer.UNSAT


def is_easy(condition: Expr) -> bool:
    """Whether nothing in a condition is multiplied but by numbers."""
    return not any(map(is_product, postorder([condition])))


def _alternatives(condition: Expr) -> Iterator[Expr]:
    """The parts of which one has to hold."""
    if condition.op is LNOT and condition.args[0].op is LAND:
        yield from (negated(part) for part in condition.args[0].args)
    else:
        yield condition


def _difference(condition: Expr) -> Polynomial | None:
    """What an equality of words says to be zero, in a form that does not depend on how it is written; else None."""
    if condition.op is not EQ or condition.args[0].sort.kind is not SortKind.BV:
        return None
    width = condition.args[0].width
    left, right = (polynomial(arg, width) for arg in condition.args)
    whole, other = plus(left, right, -1, width), plus(right, left, -1, width)
    return min(whole, other, key=lambda zero: sum(zero.values()))
