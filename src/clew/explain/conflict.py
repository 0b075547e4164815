"""Why constraints of a path contradict each other: the choices to blame, as few as can be found cheaply.

Where the definitions alone make a condition constant, the reason is read off them, unless it hangs on
which of two values was selected: perhaps either makes it so. Otherwise the constraints to blame are
found by the solver among those of the path, then written once more as *labelled equations*: a new
symbol for every value that depends on a choice (a phi, a load behind a join), and for each an equation
that its choice stands for. The core over the labels is what is really needed, and is shrunk by leaving
labels out as long as the rest still contradicts itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic
from typing import Any

from clew.base.dataclass import dataclass
from clew.execute.values import choose
from clew.explain.definitions import Definition, Lost, Reason, reason_for, value_of
from clew.explain.trail import Constraint
from clew.explain.unrolled import Scope
from clew.expr import build
from clew.expr.node import Expr, postorder
from clew.expr.op import Op
from clew.expr.sort import BOOL, Sort, bv
from clew.program.layout import DataLayout
from clew.program.types import IntType, PointerType, Type
from clew.solver.chain import SolverChain

_HARD = frozenset({Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, Op.FMUL, Op.FDIV, Op.FSQRT, Op.FFMA})

Labels = tuple[frozenset[int], Any, frozenset[Scope]]
"""Choices, a prefix all of whose choices count (or None), and loops that were entered."""


@dataclass(frozen=True, slots=True)
class ReasonLimits:
    """What may be used to find a small reason for one contradiction."""

    labels: int = 400
    """Labels beyond which the solver is not asked for a better reason."""
    nodes: int = 20_000
    """Definitions that are written as equations."""
    shrink_tries: int = 12
    """Labels that are left out, one at a time, to see whether the rest still contradicts itself."""
    seconds: float = 2.0
    """For one question to the solver, and for all attempts to shrink its answer."""


USUAL_REASONS = ReasonLimits()


def plain_reason(constraints: Iterable[Constraint]) -> Reason:
    """Everything that the constraints and the values in them rest on."""
    reason = Reason()
    subjects = []
    for constraint in constraints:
        reason.literals.add(constraint.literal)
        subjects.append(constraint.definition)
    return reason_for(subjects, reason)


def refutation(
    solver: SolverChain, layout: DataLayout, constraint: Constraint, limits: ReasonLimits = USUAL_REASONS
) -> Reason:
    """The choices that make a constraint false whatever the inputs: mostly, those that its value rests on."""
    reason = reason_for([constraint.definition], Reason())
    if not reason.selected or len(reason.all_literals()) <= 1:
        return reason
    return contradiction(solver, layout, [constraint], limits)


def contradiction(
    solver: SolverChain, layout: DataLayout, constraints: list[Constraint], limits: ReasonLimits = USUAL_REASONS
) -> Reason:
    """The choices that make some constraints, known to contradict each other, do so."""
    plain = plain_reason(constraints)
    if plain.prefix is None and len(plain.literals) <= 1:
        return plain
    core, hardness = None, _hardness(_on_the_path(constraint) for constraint in constraints)
    for gated in (True, False):
        try:
            equations = Equations(layout, gated, limits.nodes)
            for constraint in constraints:
                says = constraint.says(equations.value(constraint.definition))
                equations.add((frozenset({constraint.literal}), None, frozenset()), says)
        except (Lost, _TooMuch):
            continue
        if _hardness(part for parts in equations.groups.values() for part in parts) > hardness:
            continue  # symbols where the path has numbers may make it much harder than the path was
        core = _core(solver, equations.groups, limits)
        if core is not None or not equations.gates:
            break
    if core is None:
        return plain
    reason = Reason()
    for literals, prefix, entered in core:
        reason.literals.update(literals)
        reason.entered.update(entered)
        if prefix is not None:
            reason.rest_on(prefix)
    return reason if len(reason.all_literals()) < len(plain.all_literals()) else plain


def _on_the_path(constraint: Constraint) -> Any:
    try:
        return constraint.says(value_of(constraint.definition))
    except Lost:
        return True


def _hardness(expressions: Iterable[Any]) -> int:
    """How many operations there are that solvers find hard."""
    nodes = postorder(expression for expression in expressions if isinstance(expression, Expr))
    products = sum(node.op is Op.MUL and all(argument.op is not Op.CONST for argument in node.args) for node in nodes)
    return products + sum(node.op in _HARD for node in nodes)


def _core(solver: SolverChain, groups: dict[Labels, list[Any]], limits: ReasonLimits) -> list[Labels] | None:
    """Labels whose equations contradict each other; None if the solver does not say so."""
    assumptions: dict[Labels, Expr] = {}
    for labels, parts in groups.items():
        together = build.conjunction(parts)
        if together is False:
            return [labels]
        if isinstance(together, Expr):
            assumptions[labels] = together
    if len(assumptions) > limits.labels:
        return None
    started = monotonic()
    core = _blamed(solver, assumptions, limits.seconds)
    if core is None:
        return None
    # The weightiest first: labels that stand for many choices.
    for labels in sorted(core, key=_weight, reverse=True)[: limits.shrink_tries]:
        if labels in core and len(core) > 1 and monotonic() - started < limits.seconds:
            others = {other: assumptions[other] for other in core if other != labels}
            smaller = _blamed(solver, others, limits.seconds)
            if smaller is not None:
                core = smaller
    return core


def _weight(labels: Labels) -> int:
    return len(labels[0]) + (labels[1].depth if labels[1] is not None else 0)


def _blamed(solver: SolverChain, assumptions: dict[Labels, Expr], seconds: float) -> list[Labels] | None:
    found = solver.unsat_assumptions((), list(assumptions.values()), seconds)
    if found is None:
        return None
    blamed = set(found)
    core = []
    for labels, expression in assumptions.items():
        if expression in blamed:
            blamed.discard(expression)
            core.append(labels)
    return core


class _TooMuch(Exception):
    """The equations grow beyond what is worth it."""


class Equations:
    """Labelled equations, grouped by label."""

    def __init__(self, layout: DataLayout, gated: bool, most: int) -> None:
        self._layout = layout
        self._most = most
        self._gated = gated
        self.gates = 0
        self._values: dict[int, Any] = {}
        self._keep: list[Definition] = []
        """Keeps the definitions alive whose identities are in use as keys."""
        self.groups: dict[Labels, list[Any]] = {}

    def add(self, labels: Labels, equation: Any) -> None:
        if equation is not True:
            self.groups.setdefault(labels, []).append(equation)

    def value(self, item: Any) -> Any:
        """The value in terms of inputs and of the symbols for what depends on choices."""
        if not isinstance(item, Definition):
            return item
        values, work = self._values, [item]
        while work:
            top = work[-1]
            if id(top) in values:
                work.pop()
                continue
            if top.prefix is not None or not top.arguments:  # an input, or nothing is known but the path
                self._set(top, self._guard(top, value_of(top)))
                work.pop()
                continue
            gate = top.gate if self._gated else None
            parts = top.arguments if gate is None else gate
            missing = [a for a in parts if isinstance(a, Definition) and id(a) not in values]
            if missing:
                work.extend(missing)
                continue
            work.pop()
            known = [values[id(a)] if isinstance(a, Definition) else a for a in parts]
            if gate is not None:
                assert top.type is not None
                self.gates += 1
                condition, yes, no = known
                self._set(top, choose(condition, yes, no, top.type, self._layout.pointer_bits))
            else:
                self._set(top, self._guard(top, known[0] if top.apply is None else top.apply(*known)))
        return values[id(item)]

    def _set(self, definition: Definition, value: Any) -> None:
        if len(self._values) > self._most:
            raise _TooMuch
        self._values[id(definition)] = value
        self._keep.append(definition)

    def _guard(self, top: Definition, value: Any) -> Any:
        """A value behind a choice, or without a history of operations: a symbol, and the choice says what it is."""
        depends = top.prefix is not None or top.literals or top.also or top.entered
        return self._labelled(top, value) if depends else value

    def _labelled(self, top: Definition, value: Any) -> Any:
        rest = Reason()
        if top.prefix is not None:
            rest.rest_on(top.prefix)
        # Addresses must stay what they are: everything they rest on comes with it.
        reason_for(list(top.also), rest)
        labels = (
            frozenset(rest.literals.union(top.literals)), rest.prefix, frozenset(rest.entered.union(top.entered)),
        )  # fmt: skip
        sort = _sort(top.type, value, self._layout)
        if sort is None:
            raise Lost
        symbol = build.symbol(f"choice.{len(self._values)}", sort)
        same = build.iff(symbol, value) if sort is BOOL else build.eq(symbol, value, sort.width)
        self.add(labels, same)
        return symbol


def _sort(type: Type | None, value: Any, layout: DataLayout) -> Sort | None:
    """The sort of a symbol for a value; None where there is none (floats, aggregates)."""
    if isinstance(value, Expr):
        return value.sort if value.sort is BOOL or value.sort is bv(value.width or 1) else None
    if isinstance(value, bool):
        return BOOL
    match type:
        case IntType(width=width):
            return bv(width)
        case PointerType():
            return bv(layout.pointer_bits)
    return None
