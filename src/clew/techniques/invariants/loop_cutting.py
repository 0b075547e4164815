"""Loops cut open at their invariants: iterations beyond a bound are one, from any state that the invariant allows.

Whatever a real execution does, the cut program can do (``clew.execute.instrument.loop_surgery``). So what no path of it
violates holds, at any number of iterations. The converse is not true: what a path of it shows may not be.

A loop is cut if all that it changes can be given new values (``changes``).
"""

from __future__ import annotations

from collections.abc import Mapping

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.linear import Variable
from clew.analysis.absint.variables import Cell, Held
from clew.analysis.escape import Object
from clew.analysis.graph import Loop, dominators
from clew.analysis.mod_ref import ModRef
from clew.execute.instrument.constraint_code import ConstraintCode, load_from, operand, place_in
from clew.execute.instrument.constraint_terms import Operand
from clew.execute.instrument.havoc import generalize, renew
from clew.execute.instrument.loop_surgery import LoopSurgery
from clew.program.editing import Draft
from clew.program.types import I1, IntType
from clew.program.values import ConstInt, Register, Value
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS, Lemmas
from clew.techniques.invariants.limits import USUAL, Limits
from clew.techniques.invariants.loop_effects import Changes, Nameable


class InvariantCutting:
    """Cuts the loops of one function that the analysis has been in."""

    def __init__(
        self,
        effects: ModRef,
        invariants: Invariants,
        surgery: LoopSurgery,
        name: str,
        lemmas: Lemmas = NO_LEMMAS,
        limits: Limits = USUAL,
    ) -> None:
        """``lemmas`` are assumed beside the invariants."""
        self._name = name
        self._invariants = invariants
        self._lemmas = lemmas
        self._limits = limits
        self._surgery = surgery
        self.outline = invariants.outline(invariants.frames_of(name)[0])
        tree = dominators(self.outline.graph)
        self._changes = Changes(effects, invariants, name, tree)
        self._nameable = Nameable(invariants, effects.program.functions[name], tree)

    def cut(self, loop: Loop, bound: int) -> bool:
        """Cut one loop; whether that was possible."""
        objects = self._changes.objects(loop)
        if objects is None or not self._surgery.can_cut(loop):
            return False
        self._surgery.cut(loop, bound, lambda rest: self._write(rest, loop, objects))
        return True

    def _write(self, rest: Draft, loop: Loop, objects: list[Object]) -> Mapping[str, Value]:
        rest.add(generalize())
        phis = self.outline.blocks[self.outline.graph.names[loop.header]].phis
        places = [(place_in(rest, self._surgery.name, thing, 0), self._changes.size(thing) or 0) for thing in objects]
        renewed = renew(rest, self._surgery.name, phis, places)
        self.assume(loop, rest, renewed)
        return renewed

    def assume(self, loop: Loop, rest: Draft, renewed: Mapping[str, Value]) -> None:
        """Write the assumption that the invariant holds, for phis that have new values, and for memory as it is now."""

        def value(variable: Variable) -> Operand[Value]:
            assert isinstance(variable, Held | Cell)
            return operand(self._value(rest, variable, renewed), self._invariants.signed(variable))

        code = ConstraintCode(rest, self._surgery.name, value)
        state = self._nameable.again(loop, self.outline.graph.names[loop.header])
        if state is None:
            code.assume(ConstInt(I1, 0))  # there is no second iteration
            return
        for constraint in state.constraints()[: self._limits.assumed]:
            for condition in code.holds(constraint):
                code.assume(condition)
        header = self.outline.graph.names[loop.header]
        self._lemmas.assume(rest, self._name, header, renewed, self._surgery.name)

    def _value(self, rest: Draft, variable: Held | Cell, renewed: Mapping[str, Value]) -> Value:
        if isinstance(variable, Cell):
            return load_from(rest, self._surgery.name, variable.object, variable.offset, variable.size)
        known = renewed.get(variable.register)
        return known if known is not None else Register(variable.register, IntType(self._invariants.width(variable)))
