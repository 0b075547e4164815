"""The unknowns of a closure: how many bits they need."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.loops.box import Box
from clew.analysis.loops.closure import Closure, Congruence, Disjunct, Unknown

UNKNOWNS = (8, 16, 32, 64, 128)
"""Bits that one may have."""
Shapes = dict[Unknown, tuple[int, bool]]
"""How many bits unknowns need, and whether they are signed."""


def shapes_of(closure: Closure) -> Shapes | None:
    """Of the unknowns of all disjuncts, which may share them; None if one has no bounds."""
    ranges: dict[Unknown, tuple[int, int]] = {}
    for disjunct, congruences in ways_of(closure):
        box = Box()
        box.narrow(disjunct)
        for unknown in mentioned_in(disjunct, congruences):
            if isinstance(unknown, Unknown):
                low, high = box.bounds(Linear.of(unknown))
                least, greatest = ranges.get(unknown, (low, high))
                ranges[unknown] = (min(least, low), max(greatest, high))
    shapes = {unknown: shape for unknown, ends in ranges.items() if (shape := _shape(*ends)) is not None}
    return shapes if len(shapes) == len(ranges) else None


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
