"""Where paths meet, and what may make them differ there: the static analysis before the first path.

Decisions that input takes part in separate paths; where these come together again, and after library functions that
may go several ways, states are compared. What does not depend on input is the same for all of them, or tells places
apart (a loop's counter): it is compared, and never replaced by a symbol.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from clew.analysis.callees import CalleeKind, Callees, LibraryModel
from clew.analysis.divergence import Influence
from clew.analysis.escape import Area, Object
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.mod_ref import ModRef
from clew.execute.frame import Frame
from clew.execute.instrument.merge_points import Places, merge_point_name
from clew.execute.state import State
from clew.models.registry import effect_of
from clew.program import instructions as ir
from clew.program.module import Program
from clew.techniques.merging.snapshot import Extent, Holder, InMemory, InRegister, ResumePoint
from clew.techniques.merging.variables import Variables


def possible_places(program: Program, callees: Callees) -> dict[str, Places]:
    """Where the merge points of each function may be, as far as a glance at its text tells: more than there are."""

    @cache
    def has_several_ends(name: str) -> bool:
        return sum(type(block.terminator) is ir.Return for block in program.functions[name].blocks) > 1

    def parts(call: ir.Call) -> bool:
        target = callees.resolve(call)
        if target.kind is CalleeKind.FUNCTION:
            return has_several_ends(target.name)
        return target.kind is CalleeKind.INDIRECT or (target.kind is CalleeKind.MODEL and _may_fork(target.name))

    found: dict[str, Places] = {}
    for name in _own(program):
        blocks = program.functions[name].blocks
        ways = Counter(to for block in blocks for to in ir.successors(block.terminator))
        places: list[tuple[str, int]] = []
        for block in blocks:
            if ways[block.name] > 1:
                places.append((block.name, len(block.phis)))
            for after, each in enumerate(block.instructions, 1):
                if type(each) is ir.Call and parts(each):
                    places.append((block.name, after))
        found[name] = tuple(places)
    return found


def _own(program: Program) -> list[str]:
    return [
        name
        for name, function in program.functions.items()
        if not function.is_declaration and name not in program.runtime
    ]


class MergePoints:
    """The places of one program, and what may differ there."""

    def __init__(self, program: Program, models: Mapping[str, LibraryModel], entry: str, closing: bool = False) -> None:
        self._program = program
        callees = Callees(program, models)
        effects = ModRef(program, callees)
        self._influence = Influence(effects, _is_source, _may_fork, entry)
        self.variables = Variables(program, callees)
        self._numbers: dict[str, list[str]] = {}
        self._fixed: dict[ResumePoint, tuple[int, ...]] = {}
        own = _own(program)
        self.places: dict[str, Places] = {name: self._influence.merge_points(name) for name in own}
        heads = {name: self._influence.heads(name) if closing else () for name in own}
        self.heads = frozenset(merge_point_name(name, place) for name in own for place in heads[name])
        """Merge points at the heads of loops that no counter ends, by name."""
        for name in own:
            self.places[name] = (*self.places[name], *(at for at in heads[name] if at not in self.places[name]))

    def line(self, name: str) -> int | None:
        """The line of the loop that no counter ends around a merge point, the innermost one."""
        function, block, _ = name.rsplit(":", 2)
        code = self._program.functions[function]
        graph = control_flow(code)
        for loop in loop_forest(graph).around(graph.numbers[block]):
            header = code.blocks[loop.header]
            if merge_point_name(function, (header.name, len(header.phis))) in self.heads:
                return next((each.location.line for each in header.instructions if each.location is not None), None)
        return None

    def attach(self, addresses: Mapping[str, int]) -> None:
        """``addresses``: of global variables."""
        self.variables.attach(addresses)

    def may_differ(self, state: State, frame: Frame, point: int, holder: Holder) -> bool:
        """Whether inputs may decide what is held there, for a state that is at a point of its innermost frame."""
        match holder:
            case InRegister(frame=number, place=place):
                at = point
                for _ in range(number):
                    assert frame.parent is not None
                    frame = frame.parent
                    at = frame.at
                where = frame.function.plan.points[at]
                register = self._register(frame, where.live[place])
                return self._influence.depends(frame.function.name, register, where.block)
            case InMemory(address=address):
                return self._object_differs(state, address)
            case Extent(base=base):
                return self._object_differs(state, base)
        return False

    def fixed(self, frame: Frame, point: int, live: tuple[Any, ...]) -> tuple[Any, ...]:
        """What no input decides of the registers of a state that is at a point of its innermost frame."""
        found: list[Any] = []
        at, values, current = point, live, frame
        while True:
            name = current.function.name
            places = self._fixed.get((name, at))
            if places is None:
                where = current.function.plan.points[at]
                places = self._fixed[name, at] = tuple(
                    place
                    for place, number in enumerate(where.live)
                    if not self._influence.depends(name, self._register(current, number), where.block)
                )
            found += [values[place] for place in places]
            if current.parent is None:
                return tuple(found)
            current = current.parent
            at, values = current.at, current.live

    def _object_differs(self, state: State, address: int) -> bool:
        found = state.memory.find(address)
        if found is None:
            return False
        obj = found[0]
        thing: Object | None = None
        if obj.kind == "global":
            thing = self.variables.global_at(obj.base)
        elif obj.kind == "heap":
            thing = Area.HEAP
        return thing is None or self._influence.object_depends(thing)

    def _register(self, frame: Frame, number: int) -> str:
        names = self._numbers.get(frame.function.name)
        if names is None:
            names = self._numbers[frame.function.name] = list(frame.function.plan.liveness.numbers)
        return names[number]


def _is_source(name: str) -> bool:
    return effect_of(name).is_input or effect_of(name).reads_input


def _may_fork(name: str) -> bool:
    return not effect_of(name).is_simple
