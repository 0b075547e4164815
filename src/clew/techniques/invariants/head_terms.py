"""The invariant of a loop in terms that code at its head can name: registers that are defined there, and memory."""

from __future__ import annotations

import dataclasses

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.linear import Linear, Variable
from clew.analysis.absint.variables import GLOBAL, Cell, Held
from clew.analysis.graph import DominatorTree, Loop
from clew.program import instructions as ir
from clew.program.module import Function


class Nameable:
    """Of the loops of one function: what holds in all its frames, with the variables of the first one."""

    def __init__(self, invariants: Invariants, function: Function, tree: DominatorTree) -> None:
        self._invariants = invariants
        self._frames = invariants.frames_of(function.name)
        self._outline = invariants.outline(self._frames[0])
        self._tree = tree
        self._defined = {
            instruction.result.name: number
            for number, block in enumerate(function.blocks)
            for instruction in block.instructions
            if instruction.result is not None
        }

    def again(self, loop: Loop, header: str) -> Abstract | None:
        """What holds whenever control comes back to a header, over what can be named there; None if it never does."""
        result: Abstract | None = None
        for frame in self._frames:
            for latch in loop.latches:
                state = self._invariants.into(frame, self._outline.graph.names[latch], header)
                if state.is_bottom:
                    continue
                state = self._projected(state, frame, loop)
                result = state if result is None else result.join(state)
        return result

    def _projected(self, state: Abstract, frame: int, loop: Loop) -> Abstract:
        """Without what the code at the header cannot name; variables as those of the first frame."""
        mentioned = {variable for constraint in state.constraints() for variable in constraint.variables}
        gone = [variable for variable in mentioned if not self._is_nameable(variable, frame, loop)]
        state = state.forget(sorted(gone, key=repr))
        first = self._frames[0]
        if frame == first:
            return state
        moved = [v for v in mentioned if isinstance(v, Held | Cell) and v not in gone and v.frame == frame]
        renamed: dict[Variable, Linear] = {dataclasses.replace(v, frame=first): Linear.of(v) for v in moved}
        return state.assign(renamed).forget(moved) if moved else state

    def _is_nameable(self, variable: Variable, frame: int, loop: Loop) -> bool:
        if isinstance(variable, Held):
            if variable.frame != frame:
                return False
            definition = self._defined.get(variable.register)
            if definition is None:
                return True  # a parameter
            is_phi = isinstance(self._outline.definitions[variable.register], ir.Phi)
            if definition == loop.header:
                return is_phi
            return self._tree.dominates(definition, loop.header)
        if isinstance(variable, Cell):
            if variable.frame == GLOBAL:
                return isinstance(variable.object, str)
            thing = variable.object
            return variable.frame == frame and isinstance(thing, tuple) and self._defined.get(thing[1]) == 0
        return False
