"""Inputs that may lead over a branch edge: integer points of the invariant that holds there.

The invariant of an edge, which has the branch's condition in it, relates inputs to loop counters and other variables.
A point of it that is small in the counters is the shortest way it knows to the edge. An invariant may have points that
no run shows, so these are candidates: they have to be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.linear import Linear, Variable, equal
from clew.analysis.absint.variables import Count, Held, Initial, Total
from clew.base.location import Location
from clew.execute.coverage import Edge
from clew.execute.harness import parameter_names
from clew.execute.inputs import Wishes
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.values import ConstBytes, GlobalRef, Register

Taste = Callable[[int | None, int | None], int]
"""Which value to take between two bounds."""
MOST_INPUTS = 24
"""Inputs that get values; others are left to the engine."""


class Candidates:
    """Makes inputs from the invariants of one program."""

    def __init__(self, program: Program, invariants: Invariants) -> None:
        self._program = program
        self._invariants = invariants

    def of(self, edge: Edge) -> Iterator[Wishes]:
        """Inputs to try for an edge that may depend on loops; none if the invariants know nothing of that kind."""
        function, source, target = edge
        seen: list[Wishes] = []
        for frame in self._invariants.frames_of(function):
            if self._invariants.frames[frame].general:
                continue
            state = self._invariants.on_edge(frame, source, target)
            if state.is_bottom:
                continue
            mentioned = {variable for constraint in state.constraints() for variable in constraint.variables}
            counters = [v for v in mentioned if isinstance(v, Count | Total)]
            ghosts = [ghost for ghost in self._invariants.ghosts if ghost in mentioned][:MOST_INPUTS]
            if not counters or not ghosts:
                continue
            counters.sort(key=lambda v: (isinstance(v, Total), v.frame, v.header))
            for taste in (_nearest, _greatest, _least):
                wishes = self._wishes(_point(state, counters, ghosts, taste))
                if wishes not in seen:
                    seen.append(wishes)
                    yield wishes

    def _wishes(self, point: dict[Variable, int]) -> Wishes:
        wishes: Wishes = {}
        for ghost, value in point.items():
            assert isinstance(ghost, Held | Initial)
            wishes.setdefault(self._source(ghost), []).append(value)
        return wishes

    def _source(self, ghost: Held | Initial) -> Location | str:
        """How the engine knows an input where it is read."""
        outline = self._invariants.outline(ghost.frame)
        if isinstance(ghost, Initial):
            call = outline.blocks[ghost.block].instructions[ghost.index]
            assert isinstance(call, ir.Call)
            return self._text(call) or ""
        definition = outline.definitions.get(ghost.register)
        if definition is not None:
            return definition.location or ""
        for parameter, name in zip(outline.function.parameters, parameter_names(outline.function), strict=True):
            if isinstance(parameter.value, Register) and parameter.value.name == ghost.register:
                return name
        return ""

    def _text(self, call: ir.Call) -> str | None:
        """The name that a call gives to an input in memory."""
        name = call.arguments[2].value if len(call.arguments) > 2 else None
        variable = self._program.globals.get(name.name) if isinstance(name, GlobalRef) else None
        if variable is None or not isinstance(variable.initializer, ConstBytes):
            return None
        return variable.initializer.data.partition(b"\0")[0].decode("utf-8", "replace")


def _point(
    state: Abstract, counters: list[Count | Total], ghosts: list[Held | Initial], taste: Taste
) -> dict[Variable, int]:
    """Values for inputs, with as few iterations as can be."""
    for counter in counters:
        low, _ = state.bounds(Linear.of(counter))
        if low is not None:
            state = _fixed(state, counter, low)
    point: dict[Variable, int] = {}
    for ghost in ghosts:
        value = taste(*state.bounds(Linear.of(ghost)))
        state = _fixed(state, ghost, value)
        point[ghost] = value
    return point


def _fixed(state: Abstract, variable: Variable, value: int) -> Abstract:
    """With a value for a variable, unless that leaves nothing."""
    fixed = state.assume((equal(Linear.of(variable), value),))
    return state if fixed.is_bottom else fixed


def _nearest(low: int | None, high: int | None) -> int:
    """To zero."""
    if low is not None and low > 0:
        return low
    return high if high is not None and high < 0 else 0


def _greatest(low: int | None, high: int | None) -> int:
    return high if high is not None else _nearest(low, high)


def _least(low: int | None, high: int | None) -> int:
    return low if low is not None else _nearest(low, high)
