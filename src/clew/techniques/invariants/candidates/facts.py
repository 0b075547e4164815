"""What abstract interpretation knows at the heads of loops, as conditions over their terms."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.linear import Constraint, Variable
from clew.analysis.absint.variables import Cell, Held
from clew.analysis.graph import dominators
from clew.expr.build import add, eq, mul, sext, sge, zext
from clew.expr.node import BV, Expr
from clew.program.module import Program
from clew.techniques.invariants.candidates.heads import Head, Place, Term
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.loop_effects import Nameable


def facts_of(program: Program, invariants: Invariants, head: Head, limits: Limits) -> list[Expr]:
    """What holds whenever control is at a head, as far as its terms and a computation without overflow can say it."""
    outline = invariants.outline(invariants.frames_of(head.function)[0])
    nameable = Nameable(invariants, program.functions[head.function], dominators(outline.graph))
    state = nameable.always(head.loop, head.header)
    if state is None:
        return []
    terms = {term.what: term for term in head.terms}
    found = [
        condition
        for constraint in state.constraints()[: limits.facts]
        for condition in _conditions(constraint, terms, invariants)
    ]
    return [condition for condition in found if isinstance(condition, Expr)]


def _conditions(constraint: Constraint, terms: dict[str | Place, Term], invariants: Invariants) -> Iterator[object]:
    parts: list[tuple[Term, bool, int]] = []
    for variable, factor in sorted(constraint.linear.terms.items(), key=repr):
        term = terms.get(_what(variable))
        if term is None or not isinstance(variable, Held | Cell) or invariants.width(variable) != term.width:
            return
        parts.append((term, invariants.signed(variable), factor))
    largest = abs(constraint.linear.constant) + sum(abs(factor) << term.width for term, _, factor in parts)
    width = next((width for width in (32, 64, 128) if largest.bit_length() < width), None)
    if width is None:
        return
    total: BV = constraint.linear.constant % (1 << width)
    for term, signed, factor in parts:
        wide = term.symbol if term.width == width else (sext if signed else zext)(term.symbol, term.width, width)
        total = add(total, mul(wide, factor % (1 << width), width), width)
    yield eq(total, 0, width) if constraint.equality else sge(total, 0, width)


def _what(variable: Variable) -> str | Place:
    if isinstance(variable, Held):
        return variable.register
    return Place(variable.object, variable.offset) if isinstance(variable, Cell) else ""
