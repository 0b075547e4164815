"""The unknowns of a closure: how many bits they need."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.loops.box import Box
from clew.analysis.loops.closure import After, Before, Closure, Congruence, Disjunct, Fixed, Unknown

UNKNOWNS = (8, 16, 32, 64, 128)
"""Bits that one may have."""
Shapes = dict[Unknown, tuple[int, bool]]
"""How many bits unknowns need, and whether they are signed."""
_HUGE = 1 << 400


def shapes_of(closure: Closure) -> Shapes | None:
    """Of the unknowns of all disjuncts, which may share them; None if one has no bounds."""
    shapes: Shapes = {}
    for disjunct, congruences in ways_of(closure):
        mentioned = mentioned_in(disjunct, congruences)
        box = _box(disjunct, mentioned)
        for unknown in (variable for variable in mentioned if isinstance(variable, Unknown)):
            shape = _shape(*box.of(Linear.of(unknown)))
            if shape is None:
                return None
            width, signed = shapes.get(unknown, shape)
            shapes[unknown] = (max(width, shape[0]) if signed == shape[1] else 128, signed or shape[1])
    return shapes


def _shape(low: int, high: int) -> tuple[int, bool] | None:
    """The least width that holds all numbers in a range, and whether they are signed there."""
    signed = low < 0
    needed = max(high.bit_length(), (-low - 1).bit_length() if signed else 0) + signed
    width = next((width for width in UNKNOWNS if needed <= width), None)
    return None if width is None else (width, signed)


def ways_of(closure: Closure) -> Iterator[tuple[Disjunct, tuple[Congruence, ...]]]:
    """The disjuncts, each with its congruences."""
    return zip(closure.disjuncts, closure.congruences or ((),) * len(closure.disjuncts), strict=True)


def mentioned_in(disjunct: Disjunct, congruences: tuple[Congruence, ...]) -> set[Variable]:
    """All variables of a disjunct."""
    found = {variable for constraint in disjunct for variable in constraint.variables}
    return found | {variable for each in congruences for _, variables in each.terms for variable in variables}


def _box(disjunct: Disjunct, variables: set[Variable]) -> Box:
    """Between what variables lie where a conjunction holds."""
    box = Box()
    for variable in variables:
        match variable:
            case Before(of=known) | After(of=known) | (Fixed() as known):
                box.add(variable, known.least, known.greatest)
            case _:
                box.add(variable, -_HUGE, _HUGE)
    box.narrow(disjunct)
    return box
