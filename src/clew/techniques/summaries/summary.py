"""The summary of a loop from one visit of its header on: for which inputs it runs how often, and what it does.

Sits on a table of induction variables that a generic iteration has confirmed. The conditions of that iteration are of
two kinds: those without K hold for all iterations or for none; those with K are the *guards*, as lines. Under a model,
the guard that fails first says how often the loop runs; the plan for all inputs with which it is that guard has

- ``last``: the number of the last iteration that goes the way of the generic one, as an expression over the inputs;
- ``conditions``: the precondition, part by part. Each can be turned round for inputs of another plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV, Bool, Expr
from clew.expr.op import LNOT, SLE, SLT, ULE, ULT
from clew.expr.walk import substitute
from clew.techniques.summaries.forms import depends
from clew.techniques.summaries.generic import Iteration
from clew.techniques.summaries.limits import Limits
from clew.techniques.summaries.lines import Line, lines_of, span_lines
from clew.techniques.summaries.motion import Motion, Summed
from clew.techniques.summaries.tables import Variable
from clew.techniques.summaries.whole import NOTHING, Whole, of


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on the number of an iteration: lines that imply it, and what must hold for iteration 0."""

    condition: Expr
    lines: tuple[Line, ...]
    first: tuple[Bool, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """Iterations that a state did not run: how many, and the instructions of each."""

    count: Whole
    steps: int

    def instructions(self, model: Model) -> int:
        return max(self.count.eval(model), 0) * self.steps


@dataclass(frozen=True, slots=True)
class Plan:
    """How a loop goes on for the inputs that fulfil the conditions."""

    last: Whole
    conditions: tuple[Expr, ...]

    def of(self, width: int) -> BV:
        """The low bits of ``last``."""
        return self.last.at(width)

    def is_zero(self) -> Bool:
        return build.land(self.last.not_negative(), NOTHING.plus(self.last, -1).not_negative())


@dataclass(frozen=True, slots=True)
class Summary:
    """What a loop does, from the visit on that its table starts with."""

    motions: tuple[tuple[Variable, Motion], ...]
    invariants: tuple[Expr, ...]
    guards: tuple[Guard, ...]
    spans: tuple[Line, ...]
    """What must not wrap for sums to be what they are taken for."""
    steps: int
    """Instructions of an iteration."""

    def plan(self, model: Model, path: Iterable[Expr]) -> Plan | None:
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
            conditions.append(ending.falls(Limits(path)))
        if ending.unequal and not ending.is_steady:
            conditions.append(build.lnot(ending.missing(Limits(path))))
        limits = Limits([*path, *(condition for condition in conditions if isinstance(condition, Expr))])
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
        return Plan(last, tuple(unique))


def summarize(iteration: Iteration) -> Summary | Expr:
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
    spans = [line for _, motion in iteration.motions if isinstance(motion, Summed) for line in span_lines(motion.added)]
    return Summary(iteration.motions, tuple(invariants), tuple(guards), tuple(spans), iteration.steps)


def first_conditions(condition: Expr, lines: list[Line], iteration: Iteration) -> tuple[Bool, ...]:
    """What must hold for iteration 0: the condition itself, where lines say the same."""
    compared = condition.args[0] if condition.op is LNOT else condition
    if compared.op in (ULT, ULE, SLT, SLE):
        start: Any = substitute(condition, {symbol: form.base for symbol, form in iteration.symbols.items()})
        return (start,)
    return tuple(line.start.not_negative() for line in lines if not line.is_range)


def _first_to_fail(lines: list[Line], model: Model) -> Line | None:
    best: tuple[int, Line] | None = None
    for line in lines:
        pace = line.pace.eval(model)
        if pace < 0 and not line.bends and not line.misses(model):
            last = line.start.eval(model) // -pace
            if best is None or last < best[0]:
                best = last, line
    return None if best is None else best[1]


def _last(ending: Line, limits: Limits) -> Whole:
    """The last iteration that fulfils a line which falls, and holds at first: start / -pace."""
    if ending.pace == Whole({}, -1):
        return ending.start
    if not ending.pace.terms and not ending.start.terms:
        return Whole({}, ending.start.constant // -ending.pace.constant)
    width = max(ending.start.width(limits), ending.pace.width(limits)) + 1  # the pace, turned round, may need one more
    quotient = build.udiv(ending.start.at(width), NOTHING.plus(ending.pace, -1).at(width), width)
    return of(quotient, width, False)
