"""What is known to hold whenever control is at the header of a loop, by the invariants of the program.

A relation that may assume it has fewer pieces: what cannot wrap around does not.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.linear import Constraint, Variable
from clew.analysis.absint.variables import GLOBAL, Cell, Held
from clew.analysis.graph import Loop
from clew.analysis.loops.closure import Fixed, Memory
from clew.program import instructions as ir
from clew.program.operands import registers
from clew.program.types import IntType
from clew.program.values import Register

Facts = Callable[[str, str], tuple[Constraint, ...]]
"""What holds at a header, by function and header, over ``Fixed`` places as they are there."""

_MOST = 24
"""Constraints of one header ..."""
_FACTOR = 100
"""... with factors that are not larger: others are accidents, which closures get complicated by."""


def facts_of(invariants: Invariants) -> Facts:
    """What invariants say, of functions that are called in one way only."""

    def facts(function: str, header: str) -> tuple[Constraint, ...]:
        frames = invariants.frames_of(function)
        return _facts(invariants, frames[0], header) if len(frames) == 1 else ()

    return facts


def _facts(invariants: Invariants, frame: int, header: str) -> tuple[Constraint, ...]:
    outline = invariants.outline(frame)
    loop = outline.forest.headed_by(outline.graph.numbers[header])
    state = invariants.before(frame, header)
    if loop is None or state.is_bottom:
        return ()
    used = _used(invariants, frame, loop)
    mentioned = state.variables()
    places = {v: place for v in mentioned if (place := _place(invariants, frame, v, used)) is not None}
    state = state.forget(sorted(mentioned.keys() - places.keys(), key=repr))
    simple = [each for each in state.constraints() if all(abs(c) <= _FACTOR for c in each.linear.terms.values())]
    return tuple(each.about(each.linear.renamed(lambda v: places[v])) for each in simple[:_MOST])


def _used(invariants: Invariants, frame: int, loop: Loop) -> frozenset[str]:
    """Registers that are there at the header and that the loop uses; its phis among them."""
    outline = invariants.outline(frame)
    made: set[str] = set()
    used: set[str] = set()
    for number in loop.blocks:
        for i in outline.blocks[outline.graph.names[number]].instructions:
            if i.result is not None and not (number == loop.header and isinstance(i, ir.Phi)):
                made.add(i.result.name)
            elif i.result is not None:
                used.add(i.result.name)
            used.update(register.name for register in registers(i))
    return frozenset(used - made)


def _place(invariants: Invariants, frame: int, variable: Variable, used: frozenset[str]) -> Fixed | None:
    match variable:
        case Held(frame=of, register=name) if of == frame and name in used:
            width = invariants.width(variable)
            return Fixed(Register(name, IntType(width)), width, width > 1 and invariants.signed(variable))
        case Cell(frame=of, object=thing, offset=offset, size=size) if of in (GLOBAL, frame):
            return Fixed(Memory(thing, offset, size), 8 * size, invariants.signed(variable))
    return None
