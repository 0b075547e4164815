"""Long loops over plain numbers: the iterations to come are not run, if a closure tells where they lead.

A state that goes through a loop for many instructions without a decision is looked at where it happens to be between
two slices: at a loop's header, with all its values. If these are numbers, and the loop's relation is exact and reads no
inputs, the next iterations are worked out, to see which paths through the body they take. By the next slice these paths
have been run. Then the state goes to the first iteration that takes another path, or in which the loop or the program
ends: so nothing is skipped that has not been run before, no branch, and no failure.

Inputs of a path that are run once more jump in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from clew.base.memo import remembered
from clew.base.options import TestRequest
from clew.execute.codegen.plan import PointKind
from clew.execute.run import Run
from clew.execute.state import State
from clew.program.module import Program
from clew.techniques.registry import TECHNIQUES
from clew.techniques.technique import Exploration, Technique

if TYPE_CHECKING:  # that takes a while, and most runs do without
    from clew.analysis.loops.relation import Piece
    from clew.techniques.acceleration.loop_jumps import LoopJumps

PATIENCE = 3
"""Slices that a state must have been in a loop for."""


@dataclass(frozen=True, slots=True)
class _Stay:
    """How long a state has been in a loop."""

    state: int
    forks: int
    depth: int
    """Of the frame."""
    function: str
    header: str
    slices: int = field(default=1, compare=False)
    due: int = field(default=0, compare=False)
    """After how many slices it is looked at."""
    pieces: tuple[Piece, ...] = field(default=(), compare=False)
    """What the next iterations were, the last time."""


@TECHNIQUES.register("acceleration", "jumps over long loops that no input has a part in")
class Jumping(Technique):
    """Jumps over iterations of loops that no input has a part in."""

    @classmethod
    def make(cls, request: TestRequest) -> Jumping | None:
        """Not where iterations are counted."""
        return None if request.loop_bound is not None else cls()

    def prepare(self, program: Program, entry: str) -> Program:
        self._program = program
        return program

    def attach(self, exploration: Exploration) -> None:
        self._listen(exploration.run)

    def _listen(self, run: Run) -> None:
        run.events.slice_end.append(_Watching(self).slice_end)
        run.events.replay.append(self._listen)

    @remembered
    def jumps(self) -> LoopJumps:
        """Over the loops of the program; made when a state is in a loop for long."""
        from clew.techniques.acceleration.loop_jumps import LoopJumps

        return LoopJumps(self._program)


class _Watching:
    """Watches one run, whose states are run one at a time."""

    def __init__(self, jumping: Jumping) -> None:
        self._jumping = jumping
        self._stay: _Stay | None = None

    def slice_end(self, state: State) -> None:
        """See where a state is, and move it on if it has been there for long."""
        now = _stay(state)
        last, self._stay = self._stay, now
        if now is None or now != last:
            return
        slices, due, pieces = last.slices + 1, last.due or PATIENCE, last.pieces
        if slices > due:
            jumps, here = self._jumping.jumps(), (state, now.function, now.header)
            if pieces and jumps.move(*here, pieces):
                return
            pieces = () if pieces else jumps.next_pieces(*here)
            due = slices if pieces else 2 * slices  # what led nowhere is tried again, but rarely
        self._stay = replace(now, slices=slices, due=due, pieces=pieces)


def _stay(state: State) -> _Stay | None:
    """Where a state is, if that may be the header of a loop."""
    frame = state.frame
    if frame is None:
        return None
    point = frame.function.plan.points[frame.at]
    if point.kind is not PointKind.LABEL:
        return None
    return _Stay(state.id, state.depth, frame.depth, frame.function.name, point.block)
