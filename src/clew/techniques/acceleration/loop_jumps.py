"""Jumps of states over iterations of loops: which loops that can be done with, and the values that it needs and sets.

Loops with loops or calls of functions in them are left: what happens in these, the relation of the loop does not tell
apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.analysis.callees import CalleeKind
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.loops.closure import Fixed, LoopVariable, Place
from clew.analysis.loops.reading import Loops
from clew.analysis.loops.relation import LoopRelation, Piece
from clew.analysis.loops.stepping import Stepping
from clew.analysis.mod_ref import ModRef
from clew.base.bits import as_number
from clew.base.memo import remembered
from clew.execute import engine
from clew.execute.helpers import build_machine
from clew.execute.state import State
from clew.memory.errors import AccessError
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.values import GlobalRef, Register
from clew.techniques.acceleration.statistics import AccelerationStatistics

AHEAD = 16
"""Iterations that are worked out before others are skipped."""


class LoopJumps:
    """Over the loops of one program, without what techniques have added to it."""

    def __init__(self, program: Program) -> None:
        self._program = program
        machine = build_machine(program, all_models())
        self._callees = machine.callees
        self._loops = Loops(ModRef(machine.program, machine.callees))

    def next_pieces(self, state: State, function: str, header: str) -> tuple[Piece, ...]:
        """What the next iterations of a state at a header are, which a slice is enough for; none if nobody knows."""
        stepping = self._stepping(function, header)
        values = None if stepping is None else _Scene(state).values(stepping.needed)
        return () if stepping is None or values is None else stepping.pieces(values, AHEAD)

    def move(self, state: State, function: str, header: str, run: tuple[Piece, ...]) -> bool:
        """Move a state at a header to the first iteration that is none of some pieces; whether that could be done."""
        stepping = self._stepping(function, header)
        scene = _Scene(state)
        values = None if stepping is None else scene.values(stepping.needed)
        found = None if stepping is None or values is None else stepping.last(values, run)
        if found is None:
            return False
        scene.put(found)
        state.run.statistics.of(AccelerationStatistics).jumps += 1
        return True

    @remembered
    def _stepping(self, function: str, header: str) -> Stepping | None:
        """Of a loop that may be jumped over; None if it may not."""
        if function not in self._program.functions or not self._is_plain(function, header):
            return None
        relation = self._loops.relation(function, header)
        if not isinstance(relation, LoopRelation) or not relation.exact or relation.reads_inputs:
            return None
        return Stepping(relation) if relation.pieces else None

    def _is_plain(self, function: str, header: str) -> bool:
        """Whether there is a loop with this header that is not too long, without loops and calls in it."""
        body = self._program.functions[function]
        graph = control_flow(body)
        forest = loop_forest(graph)
        loop = forest.headed_by(graph.numbers[header]) if header in graph.numbers else None
        if loop is None or any(other.parent == loop.index for other in forest.loops):
            return False
        code = [i for number in loop.blocks for i in body.blocks[number].instructions]
        if len(code) * AHEAD > engine.SLICE:
            return False  # a slice is not enough for the iterations that are looked at
        calls = (self._callees.resolve(i).kind for i in code if isinstance(i, ir.Call))
        return all(kind in (CalleeKind.MODEL, CalleeKind.INTRINSIC) for kind in calls)


class _Scene:
    """The values that a state has at a header."""

    def __init__(self, state: State) -> None:
        assert state.frame is not None
        self._state = state
        self._frame = state.frame
        function = state.frame.function
        self._numbers = function.context.numbers
        self._live = function.plan.points[state.frame.at].live

    def values(self, wanted: tuple[LoopVariable | Fixed, ...]) -> dict[LoopVariable | Fixed, int] | None:
        """The numbers that are wanted; None if one of them is none, or is not there."""
        found: dict[LoopVariable | Fixed, int] = {}
        for variable in wanted:
            value = self._value(variable.place, variable.width)
            if not isinstance(value, int):
                return None
            found[variable] = as_number(int(value), variable.width, variable.signed)
        return found

    def put(self, values: Mapping[LoopVariable, int]) -> None:
        """Give variables other values."""
        live = list(self._frame.live)
        for variable, value in values.items():
            raw: int | bool = value & ((1 << variable.width) - 1)
            place = variable.place
            if isinstance(place, Register):
                live[self._live.index(self._numbers[place.name])] = bool(raw) if variable.width == 1 else raw
            else:
                address = self._address(place.object)
                assert address is not None
                self._state.memory.store_bits(address + place.offset, raw, place.size)
        self._state.frame = self._frame.suspended(self._state.owner, self._frame.at, tuple(live))

    def _value(self, place: Place, width: int) -> Any:
        if isinstance(place, Register):
            return self._register(place.name)
        address = self._address(place.object)
        try:
            return None if address is None else self._state.memory.load_bits(address + place.offset, place.size)
        except AccessError:  # it is gone by now, or not there yet
            return None

    def _register(self, name: str) -> Any:
        number = self._numbers.get(name)
        return self._frame.live[self._live.index(number)] if number in self._live else None

    def _address(self, thing: object) -> int | None:
        if isinstance(thing, str):
            value: Any = self._state.run.globals.evaluate_constant(GlobalRef(thing))
        else:
            assert isinstance(thing, tuple)
            value = self._register(thing[1])
        return value if isinstance(value, int) else None
