"""Iterations of a loop from one state of plain numbers: which pieces they are, and where many of them lead to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from clew.analysis.absint.linear import Constraint, Linear, Variable, within
from clew.analysis.loops.closing import close
from clew.analysis.loops.closure import After, Before, Fixed, LoopVariable
from clew.analysis.loops.limits import USUAL, Limits
from clew.analysis.loops.relation import LoopRelation, Piece
from clew.analysis.loops.sets import Sets, TooHard
from clew.base.memo import remembered

if TYPE_CHECKING:
    import islpy

Values = Mapping[LoopVariable | Fixed, int]
"""Of all variables of a relation, and of what its pieces need to know otherwise."""


class Stepping:
    """Of a relation that is exact and reads no inputs: every state has one successor at most."""

    def __init__(self, relation: LoopRelation, limits: Limits = USUAL) -> None:
        self._relation = relation
        self._limits = limits
        self._sets = Sets(relation.variables, relation.pieces, limits.operations)

    @property
    def needed(self) -> tuple[LoopVariable | Fixed, ...]:
        """What must be known of a state."""
        return (*self._relation.variables, *self._sets.fixed)

    def pieces(self, start: Values, rounds: int) -> tuple[Piece, ...]:
        """Those that the next iterations are; none if the question is too hard."""
        found: dict[Piece, None] = {}
        try:
            at = self._sets.bounded(lambda: self._point(start))
            for _ in range(rounds):
                for piece in self._relation.pieces:
                    there = self._sets.bounded(lambda at=at, piece=piece: at.apply(self._step(piece)))  # type: ignore[misc]
                    if not there.is_empty():
                        found[piece] = None
                        break
                else:
                    break
                at = there
        except TooHard:
            return ()
        return tuple(found)

    def last(self, start: Values, pieces: tuple[Piece, ...]) -> Mapping[LoopVariable, int] | None:
        """The state from which the first iteration begins that is none of these pieces, if it is complete at all.

        None if there is no such state, or nothing is known of it.
        """
        try:
            return self._sets.bounded(lambda: self._last(start, pieces))
        except TooHard:
            return None

    def _last(self, start: Values, pieces: tuple[Piece, ...]) -> Mapping[LoopVariable, int] | None:
        closed = self._closed(pieces)
        if closed is None:
            return None
        ends = self._point(start).apply(closed)
        for piece in pieces:
            ends = ends.subtract(self._step(piece).domain())
        if ends.is_empty():
            return None
        from islpy import dim_type  # which is loaded by now

        point = ends.sample_point()
        return {
            variable: int(str(point.get_coordinate_val(dim_type.set, place)))
            for place, variable in enumerate(self._relation.variables)
        }

    @remembered
    def _closed(self, pieces: tuple[Piece, ...]) -> islpy.Map | None:
        """One or more iterations of some pieces, if that is known exactly."""
        closure = close(replace(self._relation, pieces=pieces), self._limits)
        if not closure.exact or not closure.disjuncts:
            return None
        ranges = [each for v in self._relation.variables for each in within(After(v), v.least, v.greatest)]
        first, *rest = (self._sets.map([*disjunct, *ranges]) for disjunct in closure.disjuncts)
        for more in rest:
            first = first.union(more)
        return first

    @remembered
    def _step(self, piece: Piece) -> islpy.Map:
        return self._sets.wrapped(self._sets.piece(piece))

    def _point(self, start: Values) -> islpy.Set:
        """The one state."""
        known: dict[Variable, int] = {Before(v): start[v] for v in self._relation.variables}
        known |= {fixed: start[fixed] for fixed in self._sets.fixed}
        return self._sets.map([Constraint(Linear({v: 1}, -value), True) for v, value in known.items()]).domain()
