"""What looking ahead needs to know of a program, whatever the state it looks from: found once per run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from clew.analysis.callees import CalleeKind
from clew.analysis.liveness import Liveness
from clew.analysis.loops.closure import Closure, Refusal
from clew.analysis.mod_ref import ModRef
from clew.base.errors import Unsupported
from clew.base.memo import remembered
from clew.checks.properties import Site
from clew.execute.coverage import Edge
from clew.execute.machine import Machine
from clew.execute.values import sort_of
from clew.explain.arithmetic import Arithmetic
from clew.expr.sort import Sort
from clew.program import instructions as ir
from clew.program.module import FINISH
from clew.program.types import Type
from clew.program.values import Register
from clew.techniques.chains.acyclic import AcyclicFunction
from clew.techniques.chains.limits import USUAL, Limits
from clew.techniques.chains.memory import Cell
from clew.techniques.chains.relevance import Relevance
from clew.techniques.unmodelled import Unmodelled

if TYPE_CHECKING:
    from clew.analysis.loops.reading import Loops


class ProgramFacts:
    """Functions, effects, and where the target is: ``aim`` says that, and may say something else later."""

    def __init__(self, machine: Machine, limits: Limits = USUAL) -> None:
        self.machine = machine
        self.limits = limits
        self.program = machine.program
        self.layout = machine.layout
        self.callees = machine.callees
        self.effects = ModRef(machine.program, machine.callees)
        self.spots: frozenset[tuple[str, str, int]] = frozenset()
        """The target's places: function, block, index."""
        self.edges: frozenset[Edge] = frozenset()
        """Choices that are the target."""
        self.evaluated = 0
        """Blocks that were evaluated ahead of states."""
        self.uses_closures = False
        """Whether systems have what closures of loops say: that takes a while, and is not needed for most targets."""
        self.is_over: Callable[[], bool] = lambda: False
        """Whether the search has no time left."""
        self._holding: frozenset[str] = frozenset()
        self._goals: dict[str, frozenset[str]] = {}
        self._relevance: Relevance | None = None
        self._loops: Loops | None = None
        self.unmodelled = Unmodelled(machine.program, machine.callees, self.effects.calls)

    # Functions

    @remembered
    def outline(self, function: str) -> AcyclicFunction:
        return AcyclicFunction(self.program.functions[function])

    @remembered
    def arithmetic(self, function: str) -> Arithmetic:
        return Arithmetic(self.machine.compiler.function(function))

    def liveness(self, function: str) -> Liveness:
        return self.machine.compiler.function(function).plan.liveness

    @remembered
    def needed(self, function: str, block: str) -> tuple[tuple[str, Sort], ...]:
        """Registers that are needed from the start of a block on, its phis' results included, with their sorts."""
        liveness = self.liveness(function)
        types = self._types(function)
        live = [name for name, number in liveness.numbers.items() if number in liveness.live_in[block]]
        return tuple((name, sort) for name in live if (sort := self.sort(types[name])) is not None)

    @remembered
    def _types(self, function: str) -> dict[str, Type]:
        body = self.program.functions[function]
        values = [parameter.value for parameter in body.parameters]
        values += [i.result for i in body.instructions() if i.result is not None]
        return {register.name: register.type for register in values if isinstance(register, Register)}

    def sort(self, type: Type) -> Sort | None:
        """The sort of the values of a type; None if they are no single expressions."""
        try:
            return sort_of(type, self.layout.pointer_bits)
        except Unsupported:
            return None

    def matters(self, function: str, place: str | Cell, mask: int) -> bool:
        """Whether something depends on a register, or on a cell in an object of the mask."""
        if self._relevance is None:
            self._relevance = Relevance(self.effects)
        if isinstance(place, str):
            return place in self._relevance.registers(function)
        return bool(mask & self._relevance.objects)

    @property
    def loops(self) -> Loops:
        """The relations and closures of the program's loops."""
        if self._loops is None:
            from clew.analysis.loops.reading import Loops  # which takes a while

            self._loops = Loops(self.effects)
        return self._loops

    @remembered
    def closure(self, function: str, header: str) -> Closure | None:
        """The closure of a loop, if nothing is missing in the relation that it is of."""
        relation = self.loops.relation(function, header)
        if isinstance(relation, Refusal) or not relation.exact:
            return None
        closure = self.loops.closure(function, header)
        return None if isinstance(closure, Refusal) else closure

    # What is not foreseen

    def hidden_ways(self, entry: str) -> str:
        """Why control may go where the control flow here does not show it; empty if it cannot."""
        for name in sorted(self.effects.calls.reachable(entry)):
            for instruction in self.program.functions[name].instructions():
                if isinstance(instruction, ir.UnsupportedInstruction):
                    return f"an instruction that is not supported: {instruction.text}"
        return ""

    # The target

    def aim(self, spots: Iterable[Site], edges: Iterable[Edge] = ()) -> None:
        """Make some places and choices the target."""
        self.spots = frozenset((spot.function, spot.block, spot.index) for spot in spots)
        self.edges = frozenset(edges)
        self._goals.clear()
        self._holding = self._functions_with_target()

    def goals(self, function: str) -> frozenset[str]:
        """The blocks of a function that contain the target, or a call that may lead to it."""
        known = self._goals.get(function)
        if known is None:
            blocks = self.program.functions[function].blocks
            known = self._goals[function] = frozenset(
                block.name
                for block in blocks
                for index, instruction in enumerate(block.instructions)
                if (function, block.name, index) in self.spots
                or (isinstance(instruction, ir.Call) and self.may_reach(instruction))
            ) | {block for name, block, _ in self.edges if name == function}
        return known

    def may_reach(self, call: ir.Call) -> bool:
        """Whether the target may be reached before a call returns."""
        return any(
            target.kind is CalleeKind.FUNCTION and target.name in self._holding
            for target in self.effects.calls.possible_targets(call)
        )

    def _functions_with_target(self) -> frozenset[str]:
        calls = self.effects.calls
        direct = {function for function, _, _ in (*self.spots, *self.edges)}
        holding = frozenset(
            name
            for name, function in self.program.functions.items()
            if not function.is_declaration and calls.reachable(name) & direct
        )
        # Handlers of atexit and signals, comparisons of qsort, threads: called by what is no code of the program.
        others = {*calls.taken, *self.program.destructors, FINISH} & holding
        if others:
            name = self.program.functions[min(others)].source_name
            raise Unsupported(f"a target that may be reached through a pointer to {name}()")
        return holding
