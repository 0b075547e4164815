"""One iteration of a loop, from header to header, as a relation between the states before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from clew.analysis.absint.linear import Constraint, Linear
from clew.analysis.loops.closure import Before, LoopVariable


@dataclass(frozen=True, slots=True)
class Piece:
    """The iterations that take one path through the body, and wrap around in the same places.

    Both are over ``Before``, ``Fixed`` and ``Unknown`` (inputs, and parts of numbers). The value of a variable is the
    remainder of its update by two to the power of its width, as the variable is read: what the guards do not keep in
    range wraps around. Unknowns are told apart within one piece.
    """

    guards: tuple[Constraint, ...]
    updates: tuple[tuple[LoopVariable, Linear], ...]
    """Of all variables that the relation changes and does not havoc, in their order."""

    def update(self, variable: LoopVariable) -> Linear:
        """The value of a variable after the iteration."""
        return dict(self.updates).get(variable, Linear.of(Before(variable)))


@dataclass(frozen=True, slots=True)
class LoopRelation:
    """All complete iterations of a loop are in one of its pieces; if it is exact, nothing else is."""

    function: str
    header: str
    variables: tuple[LoopVariable, ...]
    """What iterations change, and the updates tell how."""
    pieces: tuple[Piece, ...]
    exact: bool
    reason: str
    """Why it is not exact; empty if it is."""
    reads_inputs: bool
    havocked: tuple[LoopVariable, ...] = ()
    """What iterations change in ways that nothing is said about: whole objects, pointers, no integers."""
