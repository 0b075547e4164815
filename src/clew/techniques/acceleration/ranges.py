"""The ranges of unknowns that a conjunction of linear constraints allows, by propagation of intervals."""

from __future__ import annotations

from clew.analysis.absint.linear import Constraint, Variable
from clew.analysis.loops.closure import After, Before, Disjunct, Fixed, Unknown

Range = tuple[int | None, int | None]
"""The least and the greatest value; None where nothing is known."""
ANY: Range = (None, None)


def unknown_ranges(disjunct: Disjunct, rounds: int) -> dict[Unknown, tuple[int, int]] | None:
    """Between which numbers the unknowns are; None if one of them could be any number, as far as this can tell.

    Where nothing satisfies the constraints, the ranges are any.
    """
    ranges: dict[Variable, Range] = {v: _given(v) for constraint in disjunct for v in constraint.variables}
    parts = [part for constraint in disjunct for part in constraint.inequalities()]
    for _ in range(rounds):
        before = dict(ranges)
        for part in parts:
            _narrow(part, ranges)
        if ranges == before:
            break
    found: dict[Unknown, tuple[int, int]] = {}
    for variable, (low, high) in ranges.items():
        if isinstance(variable, Unknown):
            if low is None or high is None:
                return None
            found[variable] = (min(low, high), max(low, high))
    return found


def _given(variable: Variable) -> Range:
    if isinstance(variable, Before | After):
        return variable.of.least, variable.of.greatest
    return (variable.least, variable.greatest) if isinstance(variable, Fixed) else ANY


def _narrow(part: Constraint, ranges: dict[Variable, Range]) -> None:
    """Use ``c1*v1 + ... + constant >= 0`` for each of its variables: the others are as large as they can be."""
    most = {variable: _most(factor, ranges[variable]) for variable, factor in part.linear.terms.items()}
    unlimited = [variable for variable, value in most.items() if value is None]
    if len(unlimited) > 1:
        return
    known = part.linear.constant + sum(value for value in most.values() if value is not None)
    for variable in unlimited or most:
        factor = part.linear.terms[variable]
        rest = known - (most[variable] or 0)
        low, high = ranges[variable]
        if factor > 0:
            least = -(rest // factor)
            ranges[variable] = (least if low is None else max(low, least), high)
        else:
            greatest = rest // -factor
            ranges[variable] = (low, greatest if high is None else min(high, greatest))


def _most(factor: int, range: Range) -> int | None:
    """The greatest value of a term."""
    end = range[1] if factor > 0 else range[0]
    return None if end is None else factor * end
