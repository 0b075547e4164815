"""What the nodes and edges of a graph do to abstract states.

``after`` takes a state through the instructions of a node, ``along`` over an edge: the condition of a branch, phis,
loop counters, arguments and results of calls. What is not understood is forgotten: registers that get a value, and the
memory cells that may be written, as ``clew.analysis.mod_ref`` has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from clew.analysis.absint.arithmetic import Arithmetic
from clew.analysis.absint.conditions import Conditions
from clew.analysis.absint.counting import Counting
from clew.analysis.absint.domain import Abstract
from clew.analysis.absint.frames import Edge, EdgeKind, FlowNode, Supergraph
from clew.analysis.absint.known_pointers import CellAddress, Places, initial_value
from clew.analysis.absint.linear import Constraint, Linear, Variable, at_least, at_most, equal
from clew.analysis.absint.numbers import Numbers, in_view
from clew.analysis.absint.variables import Cell, Held, Initial
from clew.analysis.absint.views import is_number, overflow_operation
from clew.analysis.callees import CalleeKind
from clew.analysis.escape import Object
from clew.analysis.mod_ref import ModRef
from clew.base.memo import remembered
from clew.program import instructions as ir
from clew.program.types import IntType
from clew.program.values import ConstInt, Register, Value

Kept = Callable[[str, str], frozenset[str]]
"""Registers of a function that are worth knowing at the start of a block, beside those that are live."""

Bottom = (Constraint(Linear.number(-1)),)
"""Constraints that nothing satisfies."""


def _same_choice(instructions: Sequence[ir.Instruction], index: int, end: int) -> list[ir.Select]:
    """The selects from an index on that have the same condition, as far as they follow each other."""
    found: list[ir.Select] = []
    for instruction in instructions[index:end]:
        if not isinstance(instruction, ir.Select) or (found and instruction.condition != found[0].condition):
            break
        found.append(instruction)
    return found


class Transfer:
    """The semantics of one graph."""

    def __init__(self, graph: Supergraph, effects: ModRef, kept: Kept) -> None:
        self._program = effects.program
        self._layout = effects.program.layout
        self._graph = graph
        self.effects = effects
        self._kept = kept
        self.places = Places(effects.program, graph)
        self.numbers = Numbers(effects.program, graph, self.places)
        self._arithmetic = Arithmetic(self.numbers)
        self._conditions = Conditions(graph, self.numbers, self._arithmetic)
        self.counting = Counting(graph)
        self.ghosts: dict[Held | Initial, None] = {}
        """Values of inputs, which stay known for ever."""
        self._masks = [(effects.bit(thing), thing) for thing in self.places.cells]
        self._find_inputs()
        self._view_cells()

    # Setting up

    def _find_inputs(self) -> None:
        """Registers and cells that get inputs at places that run once."""
        for frame in self._graph.frames:
            if frame.parent is None:
                for parameter in frame.function.parameters:
                    assert isinstance(parameter.value, Register)
                    if is_number(parameter.value.type):
                        self.ghosts[Held(frame.number, parameter.value.name)] = None
        for node in self._graph.nodes:
            if self._graph.may_repeat(node.frame, node.block.name):
                continue
            for index in range(node.first, node.stop):
                instruction = node.block.instructions[index]
                if not isinstance(instruction, ir.Call):
                    continue
                effect = self.effects.callees.resolve(instruction).effect
                if effect.is_input and instruction.result is not None:
                    held = self.numbers.held(node.frame, instruction.result)
                    if held is not None:
                        self.ghosts[held] = None
                elif effect.makes_object:
                    cell = self._filled(node.frame, instruction)
                    if cell is not None:
                        ghost = Initial(node.frame, node.block.name, index)
                        self.numbers.initial(ghost, cell)
                        self.ghosts[ghost] = None

    def _filled(self, frame: int, call: ir.Call) -> Cell | None:
        """The one cell that an object consists of, which a call fills with an input."""
        place = self.places.of(frame, call.arguments[0].value)
        size = call.arguments[1].value
        if place is None or not isinstance(size, ConstInt):
            return None
        cell = Cell(place.frame, place.object, place.offset, size.value)
        return cell if cell in self.places.cells.get(place.object, ()) else None

    def _view_cells(self) -> None:
        """Cells are read as most of the registers are that they are loaded to and stored from."""
        votes: dict[tuple[Object, int, int], int] = {}
        for node in self._graph.nodes:
            for instruction in node.block.instructions[node.first : node.stop]:
                match instruction:
                    case ir.Load(pointer=pointer, result=Register() as register):
                        pass
                    case ir.Store(pointer=pointer, value=Register() as register):
                        pass
                    case _:
                        continue
                cell = self.places.cell(node.frame, pointer, register.type)
                if cell is not None:
                    held = self.numbers.held(node.frame, register)
                    key = (cell.object, cell.offset, cell.size)
                    votes[key] = votes.get(key, 0) + (1 if held is None or self.numbers.is_signed(held) else -1)
        for key, vote in votes.items():
            self.numbers.cell_view(*key, vote >= 0)

    def start(self, top: Abstract, initialized: bool) -> Abstract:
        """The state at the entry: globals have their initial values, if nothing has run before."""
        known: list[Constraint] = []
        for thing, cells in self.places.cells.items():
            variable = self._program.globals.get(thing) if isinstance(thing, str) else None
            if variable is None or not (initialized or variable.constant):
                continue
            for cell in cells:
                value = initial_value(self._layout, variable.initializer, cell.offset, cell.size)
                if value is not None:
                    number = in_view(value, 8 * cell.size, self.numbers.is_signed(cell))
                    known.append(equal(Linear.of(cell), number))
        return top.assume(known) if known else top

    # Nodes

    def after(self, state: Abstract, node: FlowNode, stop: int | None = None) -> Abstract:
        """The state behind the instructions of a node (of those before ``stop``), before its way out."""
        instructions = node.block.instructions
        index, end = node.first, node.stop if stop is None else stop
        while index < end and not state.is_bottom:
            instruction = instructions[index]
            if isinstance(instruction, ir.Select):
                choices = _same_choice(instructions, index, end)
                state = self._select(state, node.frame, choices)
                index += len(choices)
                continue
            if not isinstance(instruction, ir.Phi | ir.Terminator):
                state = self._step(state, node.frame, node.block.name, index, instruction)
            index += 1
        return state

    def _step(self, state: Abstract, frame: int, block: str, index: int, i: ir.Instruction) -> Abstract:
        match i:
            case ir.Store():
                return self._store(state, frame, i)
            case ir.Call():
                return self._call(state, frame, block, index, i)
        held = None if i.result is None else self.numbers.held(frame, i.result)
        if held is None:
            return self._written(state, frame, i)
        match i:
            case ir.Binary():
                return self._arithmetic.binary(state, frame, held, i)
            case ir.Cast():
                return self._arithmetic.cast(state, frame, held, i)
            case ir.Freeze(operand=operand):
                return self._arithmetic.same(state, frame, held, operand)
            case ir.Load():
                return self._load(state, frame, held, i)
            case ir.ExtractValue(aggregate=Register(name=name), indices=(0,)):
                operation = overflow_operation(self._graph.frame_outline(frame).definitions.get(name))
                if operation is None or operation[0] == "mul":
                    return state.forget((held,))
                op, signed, left, right = operation
                return self.numbers.write(state, held, self._arithmetic.sum(frame, op, left, right, signed))
        return self._written(state, frame, i).forget((held,))

    def _select(self, state: Abstract, frame: int, choices: Sequence[ir.Select]) -> Abstract:
        """After selects with one condition: what they choose belongs together."""
        condition = choices[0].condition
        results = [(self.numbers.held(frame, i.result), i) for i in choices if i.result is not None]
        looked_at = [(held, i) for held, i in results if held is not None]
        if condition.type != IntType(1) or not looked_at:
            return state.forget([held for held, _ in looked_at]) if looked_at else state
        yes = self._conditions.assume(state, frame, condition, True)
        no = self._conditions.assume(state, frame, condition, False)
        for held, i in looked_at:
            yes = yes if yes.is_bottom else self._arithmetic.same(yes, frame, held, i.if_true)
            no = no if no.is_bottom else self._arithmetic.same(no, frame, held, i.if_false)
        return yes.join(no)

    # Memory

    def _load(self, state: Abstract, frame: int, held: Held, i: ir.Load) -> Abstract:
        assert i.result is not None
        cell = None if i.volatile else self.places.cell(frame, i.pointer, i.result.type)
        known = cell is not None and self._whole(i.result.type)
        return self.numbers.write(state, held, Linear.of(cell) if known else None)

    def _store(self, state: Abstract, frame: int, i: ir.Store) -> Abstract:
        place = self.places.of(frame, i.pointer)
        if place is None:
            return self._written(state, frame, i)
        state = self._overwritten(state, place, self._layout.store_size(i.value.type))
        cell = self.places.cell(frame, i.pointer, i.value.type)
        if cell is None or not self._whole(i.value.type):
            return state
        value = self.numbers.own(frame, i.value, self.numbers.is_signed(cell))
        return self.numbers.write(state, cell, value)

    @staticmethod
    def _whole(type: object) -> bool:
        """Whether an integer fills its bytes, so that a cell's bits are its own."""
        return isinstance(type, IntType) and type.width % 8 == 0

    def _overwritten(self, state: Abstract, place: CellAddress, size: int) -> Abstract:
        cells = self.places.overlapping(place, size)
        return state.forget(cells) if cells else state

    def _written(self, state: Abstract, frame: int, i: ir.Instruction) -> Abstract:
        """Forget what an instruction may write."""
        mask = self.effects.written_by(self._graph.frames[frame].function.name, i)
        if not mask:
            return state
        cells = [cell for bit, thing in self._masks if mask & bit for cell in self.places.cells[thing]]
        return state.forget(cells) if cells else state

    # Calls that are not followed

    def _call(self, state: Abstract, frame: int, block: str, index: int, call: ir.Call) -> Abstract:
        target = self.effects.callees.resolve(call)
        name, effect, is_intrinsic = target.name, target.effect, target.kind is CalleeKind.INTRINSIC
        if effect.is_end:
            return state.assume(Bottom)
        if (effect.assumes and call.arguments) or (is_intrinsic and name == "llvm.assume"):
            return self._conditions.assume(state, frame, call.arguments[0].value, True)
        held = None if call.result is None else self.numbers.held(frame, call.result)
        if is_intrinsic and name.startswith("llvm.expect.") and held is not None:
            return self._arithmetic.same(state, frame, held, call.arguments[0].value)
        if is_intrinsic and name.startswith("llvm.lifetime.") and call.arguments:
            place = self.places.of(frame, call.arguments[-1].value)
            cells = [] if place is None else self.places.cells.get(place.object, [])
            return state.forget(cells) if cells else state
        state = self._written(state, frame, call)
        if effect.makes_object:
            state = self._made_input(state, frame, block, index, call)
        if held is None:
            return state
        return state.forget((held,)) if effect.result is None else self.numbers.within(state, held, *effect.result)

    def _made_input(self, state: Abstract, frame: int, block: str, index: int, call: ir.Call) -> Abstract:
        ghost = Initial(frame, block, index)
        if ghost not in self.ghosts:
            return state
        cell = self._filled(frame, call)
        assert cell is not None
        return state.forget((ghost, cell)).assume((equal(Linear.of(ghost), Linear.of(cell)),))

    # Edges

    def along(self, state: Abstract, edge: Edge) -> Abstract:
        """The state at the start of an edge's target, from that behind the instructions of its source."""
        if state.is_bottom:
            return state
        source, target = self._graph.nodes[edge.source], self._graph.nodes[edge.target]
        if edge.kind is EdgeKind.FLOW:
            state = self.chosen(state, source, target.block.name)
            return state if state.is_bottom else self.arrived(state, source, target)
        if edge.kind is EdgeKind.CALL:
            return self._entered(state, source, target)
        return self._returned(state, source, target)

    def chosen(self, state: Abstract, source: FlowNode, target: str) -> Abstract:
        """The part of a state that goes on to one of a block's successors."""
        frame = source.frame
        match source.block.terminator:
            case ir.Branch(condition=condition, if_true=yes, if_false=no) if yes != no:
                return self._conditions.assume(state, frame, condition, target == yes)
            case ir.Switch(value=value, default=default, cases=cases):
                return self._switched(state, frame, value, [number for number, to in cases if to == target],
                                      [number for number, _ in cases], target == default)  # fmt: skip
        return state

    def _switched(
        self, state: Abstract, frame: int, value: Value, wanted: list[int], cases: list[int], default: bool
    ) -> Abstract:
        view = self.numbers.view_of(frame, value)
        own = self.numbers.own(frame, value)
        if own is None or view is None or not isinstance(value.type, IntType):
            return state
        width = value.type.width
        numbers = [in_view(number, width, view) for number in cases]
        if default:
            if wanted:
                return state
            for number in sorted(numbers):
                if state.bounds(own)[0] == number:
                    state = state.assume((at_least(own, number + 1),))
            for number in sorted(numbers, reverse=True):
                if state.bounds(own)[1] == number:
                    state = state.assume((at_most(own, number - 1),))
            return state
        wanted = [in_view(number, width, view) for number in wanted]
        if len(wanted) == 1:
            return state.assume((equal(own, wanted[0]),))
        return state.assume((at_least(own, min(wanted)), at_most(own, max(wanted))))

    def arrived(self, state: Abstract, source: FlowNode, target: FlowNode) -> Abstract:
        """After phis and counters of the edge between two blocks; what is not needed any more is forgotten."""
        frame = source.frame
        given = (
            (phi.result, value)
            for phi in target.block.phis
            for value, name in phi.incoming
            if name == source.block.name
        )
        values, lost = self._passed(state, frame, frame, given)
        values.update(self.counting.updates(frame, source.block.name, target.block.name))
        if values:
            state = state.assign(values)
        dead = self._dead_on(source.number, target.number)
        return state.forget((*lost, *dead)) if lost or dead else state

    @remembered
    def _dead_on(self, before: int, after: int) -> tuple[Variable, ...]:
        """What is not needed any more on the edge between two nodes."""
        source, target = self._graph.nodes[before], self._graph.nodes[after]
        frame = source.frame
        name = self._graph.frames[frame].function.name
        alive = self._alive(name, source.block.name)
        defined = (i.result.name for i in source.block.instructions if i.result)
        gone = (alive | set(defined)) - self._alive(name, target.block.name)
        looked_at = (Held(frame, register) for register in sorted(gone) if self.numbers.is_held(frame, register))
        variables = [held for held in looked_at if held not in self.ghosts]
        return (*variables, *self.counting.dropped(frame, source.block.name, target.block.name))

    def _alive(self, function: str, block: str) -> frozenset[str]:
        return self._graph.outlines[function].live_in[block] | self._kept(function, block)

    def _entered(self, state: Abstract, source: FlowNode, target: FlowNode) -> Abstract:
        """After the arguments of a call that is followed have become parameters."""
        call = source.block.instructions[source.stop]
        assert isinstance(call, ir.Call)
        parameters = self._graph.frames[target.frame].function.parameters
        given = ((one.value, other.value) for one, other in zip(parameters, call.arguments, strict=True))
        values, lost = self._passed(state, source.frame, target.frame, given)
        state = state.assign(values) if values else state
        return state.forget(lost) if lost else state

    def _passed(
        self, state: Abstract, source: int, target: int, given: Iterable[tuple[Value | None, Value]]
    ) -> tuple[dict[Variable, Linear], list[Variable]]:
        """What registers of a frame get from values of the same widths, and those of which that is not known."""
        values: dict[Variable, Linear] = {}
        lost: list[Variable] = []
        for register, value in given:
            held = self.numbers.held(target, register) if isinstance(register, Register) else None
            if held is None:
                continue
            linear = self.numbers.own(source, value, self.numbers.is_signed(held))
            fitting = None if linear is None else self.numbers.fitting(state, held, linear)
            if fitting is None:
                lost.append(held)
            else:
                values[held] = fitting
        return values, lost

    def _returned(self, state: Abstract, source: FlowNode, target: FlowNode) -> Abstract:
        """After a function that was followed into has returned: its result is the call's, its variables are gone."""
        call = target.block.instructions[target.first - 1]
        terminator = source.block.terminator
        assert isinstance(call, ir.Call) and isinstance(terminator, ir.Return)
        given = [] if terminator.value is None else [(call.result, terminator.value)]
        values, lost = self._passed(state, source.frame, target.frame, given)
        state = state.assign(values) if values else state
        return state.forget((*lost, *self._locals(source.frame)))

    @remembered
    def _locals(self, frame: int) -> tuple[Variable, ...]:
        """All variables of a frame that end with it."""
        outline = self._graph.frame_outline(frame)
        registers = [p.value for p in outline.function.parameters]
        registers += [i.result for i in outline.definitions.values() if i.result is not None]
        found: list[Variable] = [
            held
            for register in registers
            if isinstance(register, Register)
            and (held := self.numbers.held(frame, register)) is not None
            and held not in self.ghosts
        ]
        found += [cell for cells in self.places.cells.values() for cell in cells if cell.frame == frame]
        return (*found, *self.counting.all(frame))
