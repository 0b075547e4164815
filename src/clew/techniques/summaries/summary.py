"""The summary of a loop from one visit of its header on: for which inputs it runs how often, and what it does.

Sits on a table of induction variables that a generic iteration has confirmed. The conditions of that iteration are of
two kinds: those without K hold for all iterations or for none; those with K are the *guards*, as lines. Under a model,
the guard that fails first says how often the loop runs; the plan for all inputs with which it is that guard has

- ``last``: the number of the last iteration that goes the way of the generic one, as an expression over the inputs;
- ``conditions``: the precondition, part by part. Each can be turned round for inputs of another plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV, Bool, Expr, postorder
from clew.expr.op import EQ, LNOT, MUL, NEG, SHL, SLE, SLT, ULE, ULT
from clew.expr.sort import BOOL
from clew.expr.walk import substitute
from clew.techniques.summaries.generic_iteration import Iteration
from clew.techniques.summaries.guards import GuardInequality, lines_of, span_lines
from clew.techniques.summaries.induction import Added, InductionForm, Motion, depends, form_of
from clew.techniques.summaries.integer_sum import Whole, of
from clew.techniques.summaries.path_ranges import PathRanges
from clew.techniques.summaries.tables import Variable

_ORDERS = (ULT, ULE, SLT, SLE)


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on the number of an iteration: lines that imply it, and what must hold for iteration 0."""

    condition: Expr
    lines: tuple[GuardInequality, ...]
    first: tuple[Bool, ...]


@dataclass(frozen=True, slots=True)
class SummaryPlan:
    """How a loop goes on for the inputs that fulfil the conditions."""

    last: Whole
    conditions: tuple[Expr, ...]
    most: int
    """What ``last`` is at most."""
    facts: tuple[Expr, ...] = ()
    """What follows from them: conditions that the program is about to decide, in its own words."""


@dataclass(frozen=True, slots=True)
class LoopSummary:
    """What a loop does, from the visit on that its table starts with."""

    motions: tuple[tuple[Variable, Motion], ...]
    invariants: tuple[Expr, ...]
    guards: tuple[Guard, ...]
    spans: tuple[GuardInequality, ...]
    """What must not wrap for sums to be what they are taken for."""
    steps: int
    """Instructions of an iteration."""
    symbols: Mapping[Expr, InductionForm]
    """What the guards' conditions are made of, as functions of the iteration's number."""

    def ends(self, model: Model) -> bool:
        """Whether a guard fails some time, if iterations go on like this."""
        return _first_to_fail([line for guard in self.guards for line in guard.lines], model) is not None

    def plan(self, model: Model, path: Iterable[Expr]) -> SummaryPlan | None:
        """The plan that holds for the inputs of a model, on a path; None if the loop goes another way with them."""
        if not all(model.eval(condition) for condition in self.invariants):
            return None
        if not all(model.eval(first) for guard in self.guards for first in guard.first):
            return None
        lines = [*(line for guard in self.guards for line in guard.lines), *self.spans]
        ending = _first_to_fail(lines, model)
        if ending is None:
            return None
        conditions: list[Any] = [*self.invariants, *(first for guard in self.guards for first in guard.first)]
        if ending.pace.terms:
            conditions.append(ending.falls(PathRanges(path)))
        if ending.unequal and not ending.is_steady:
            conditions.append(build.lnot(ending.missing(PathRanges(path))))
        limits = PathRanges([*path, *(condition for condition in conditions if isinstance(condition, Expr))])
        last = _last(ending, limits)
        for line in lines:
            if line is ending or line.rises:
                continue
            if line.misses(model) and line.pace.eval(model) < 0 > line.at(last, limits).eval(model):
                conditions += [line.falls(limits), line.missing(limits)]
            else:
                conditions += [*line.one_way(last, model, limits), line.at(last, limits).not_negative(limits)]
        if not all(model.eval(condition) for condition in conditions):
            return None
        unique = dict.fromkeys(condition for condition in conditions if isinstance(condition, Expr))
        plan = SummaryPlan(last, tuple(unique), last.bounds(limits)[1])
        return replace(plan, facts=tuple(self._facts(plan, ending, limits)))

    def _facts(self, plan: SummaryPlan, ending: GuardInequality, limits: PathRanges) -> Iterator[Expr]:
        """The guards hold in the last iteration; the one that ends the loop does not hold in the next."""
        last = {symbol: form.after(plan.last) for symbol, form in self.symbols.items()}
        for guard in self.guards:
            found: list[Any] = [substitute(guard.condition, last)]
            if guard.lines[0] is ending and _is_comparison(guard.condition) and ending.ends_in_range(limits):
                found.append(build.lnot(self._next(guard.condition, last)))
            yield from (fact for fact in found if isinstance(fact, Expr))

    def _next(self, condition: Expr, last: Mapping[Expr, BV]) -> Any:
        """A condition one iteration later, as a program that adds steps has it: ``s * n + s``, not ``s * (n + 1)``."""
        values: dict[Expr, Any] = {
            symbol: build.add(value, self.symbols[symbol].step, symbol.width) for symbol, value in last.items()
        }
        for node in postorder([condition]):
            if node.op in (MUL, SHL, NEG) and depends(node, self.symbols):
                form = form_of(node, node.width, self.symbols)
                if form is not None and not form.bends:
                    at_last: Any = substitute(node, last)
                    values[node] = build.add(at_last, form.step, node.width)
        return substitute(condition, values)


def summarize(iteration: Iteration) -> LoopSummary | Expr:
    """The summary; or the first condition of the iteration that is outside of the theory."""
    moving = {*iteration.symbols, *iteration.opaque}
    invariants: list[Expr] = []
    guards: list[Guard] = []
    for condition in iteration.conditions:
        if not depends(condition, moving):
            invariants.append(condition)
            continue
        known = not depends(condition, iteration.opaque)
        lines = lines_of(condition, iteration.model, iteration.symbols) if known else None
        if lines is None:
            return condition
        guards.append(Guard(condition, tuple(lines), first_conditions(condition, lines, iteration)))
    spans = [line for _, motion in iteration.motions if isinstance(motion, Added) for line in span_lines(motion.added)]
    return LoopSummary(
        iteration.motions, tuple(invariants), tuple(guards), tuple(spans), iteration.steps, iteration.symbols
    )


def _is_comparison(condition: Expr) -> bool:
    """Whether it says what its first line does: an order, or that two values differ."""
    inner = condition.args[0] if condition.op is LNOT else condition
    return inner.op in _ORDERS or (condition.op is LNOT and inner.op is EQ and inner.args[0].sort is not BOOL)


def first_conditions(condition: Expr, lines: list[GuardInequality], iteration: Iteration) -> tuple[Bool, ...]:
    """What must hold for iteration 0: the condition itself, where lines say the same."""
    compared = condition.args[0] if condition.op is LNOT else condition
    if compared.op in _ORDERS:
        start: Any = substitute(condition, {symbol: form.base for symbol, form in iteration.symbols.items()})
        return (start,)
    return tuple(line.start.not_negative() for line in lines if not line.is_range)


def _first_to_fail(lines: list[GuardInequality], model: Model) -> GuardInequality | None:
    best: tuple[int, GuardInequality] | None = None
    for line in lines:
        pace = line.pace.eval(model)
        if pace < 0 and not line.bends and not line.misses(model):
            last = line.start.eval(model) // -pace
            if best is None or last < best[0]:
                best = last, line
    return None if best is None else best[1]


def _last(ending: GuardInequality, limits: PathRanges) -> Whole:
    """The last iteration that fulfils a line which falls, and holds at first: start / -pace."""
    if ending.pace == Whole.number(-1):
        return ending.start
    if not ending.pace.terms and not ending.start.terms:
        return Whole.number(ending.start.constant // -ending.pace.constant)
    width = max(ending.start.width(limits), ending.pace.width(limits)) + 1  # the pace, turned round, may need one more
    quotient = build.udiv(ending.start.at(width), (-ending.pace).at(width), width)
    return of(quotient, width, False)
