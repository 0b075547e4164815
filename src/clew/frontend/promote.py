"""Local variables in memory -> SSA registers, for the whole program.

    %x = alloca i32                           entry:
    store i32 0, ptr %x                         jump loop
    ...                              ->       loop:
    loop:                                       %x.1 = phi [0, entry], [%inc, loop]
      %0 = load i32, ptr %x                     %inc = add %x.1, 1
      %inc = add i32 %0, 1
      store i32 %inc, ptr %x

Our own instead of LLVM's SROA, which on the way deletes accesses out of bounds: undefined behaviour
to a compiler, and the very bugs Clew looks for. Here nothing else changes: branches, accesses
to memory that stays memory, and positions are those of the source.

A variable read before it was written has the value ``undef``. Its registers are named after it
(``x.1``), and debug info that named its address (``declares``) names its values instead.
"""

from __future__ import annotations

from dataclasses import field, replace

from clew.analysis.graph import ControlFlow, DominatorTree, control_flow, dominators
from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.frontend.placement import live_on_entry, members, place_phis
from clew.frontend.promotable import Slot, find_slots, marked_slot
from clew.frontend.substitute import Names, replaced, substitute
from clew.program.instructions import Alloca, Call, Instruction, Load, Phi, Store, lifetime_mark
from clew.program.module import Block, Function, Landmark, Program, VariableUpdate
from clew.program.values import ConstUndef, Register, Value


def promote(program: Program) -> Program:
    """The program with every function's promotable variables in registers."""
    functions = {name: promote_function(function) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def promote_function(function: Function) -> Function:
    """The function with its promotable variables in registers."""
    if function.is_declaration:
        return function
    slots = find_slots(function)
    if not slots:
        return function
    return _Promotion(function, slots).run()


@dataclass(slots=True)
class _Draft:
    """A block in the making. ``kept`` are its instructions but for the new phis."""

    kept: list[Instruction] = field(default_factory=list)
    updates: list[VariableUpdate] = field(default_factory=list)
    landmarks: list[Landmark] = field(default_factory=list)
    phis: dict[int, Register] = field(default_factory=dict)
    incoming: dict[int, list[tuple[Value, str]]] = field(default_factory=dict)

    def note(self, slot: Slot, value: Value, index: int) -> None:
        """From ``index`` on, the slot's C variables have ``value``; a later note at the same place wins."""
        for variable in slot.variables:
            last = self.updates[-1] if self.updates else None
            if last is not None and last.index == index and last.variable == variable and not last.declares:
                self.updates.pop()
            self.updates.append(VariableUpdate(index, variable, value))

    def keep(self, landmarks: list[Landmark], index: int) -> None:
        """Take over those that stand before an instruction of the old block."""
        while landmarks and landmarks[0].index <= index:
            self.landmarks.append(replace(landmarks.pop(0), index=len(self.kept)))

    def removed(self, instruction: Instruction) -> None:
        """An access is not kept: its place in the source is still one to speak of, if nothing else has it."""
        location = instruction.location
        if location is not None and location.line and type(instruction) is not Call:
            last = self.landmarks[-1] if self.landmarks else None
            if last is None or last.index != len(self.kept) or not _same_line(last.location, location):
                self.landmarks.append(Landmark(len(self.kept), location))

    def missing(self) -> list[Landmark]:
        """The landmarks, without those whose line begins with the very next instruction."""
        return [
            landmark
            for landmark in self.landmarks
            if landmark.label or not _same_line(landmark.location, _location(self.kept, landmark.index))
        ]


class _Promotion:
    """One function's promotion: place phis, rename along the dominator tree, put together."""

    def __init__(self, function: Function, slots: dict[str, Slot]) -> None:
        self.function = function
        self.slots = slots
        self.by_number = list(slots.values())
        self.graph: ControlFlow = control_flow(function)
        self.tree: DominatorTree = dominators(self.graph)
        self.drafts = [_Draft() for _ in function.blocks]
        self.replacement: dict[str, Value] = {}
        self.current: list[Value] = [ConstUndef(slot.type) for slot in self.by_number]

    def run(self) -> Function:
        self._place()
        self._rename()
        self._unreachable()
        blocks = tuple(self._finish(number) for number in range(len(self.graph)))
        return replace(self.function, blocks=blocks)

    def _place(self) -> None:
        reads, writes = [], []
        for block in self.function.blocks:
            read, write = self._accesses(block)
            reads.append(read)
            writes.append(write)
        live = live_on_entry(self.graph, reads, writes)
        names = Names(self.function)
        for number, bits in enumerate(place_phis(self.graph, self.tree, writes, live)):
            for member in members(bits):
                slot = self.by_number[member]
                self.drafts[number].phis[member] = Register(names.fresh(slot.name), slot.type)
                self.drafts[number].incoming[member] = []

    def _accesses(self, block: Block) -> tuple[int, int]:
        """Slots the block reads before it writes them, and slots it writes."""
        read = write = 0
        for instruction in block.instructions:
            slot = self._accessed(instruction)
            if slot is not None:
                bit = 1 << slot.number
                if type(instruction) is Load:
                    read |= bit & ~write
                elif type(instruction) is Store or lifetime_mark(instruction) == "start":
                    write |= bit
        return read, write

    def _accessed(self, instruction: Instruction) -> Slot | None:
        """The slot that an instruction about to be removed is about."""
        if type(instruction) is Load or type(instruction) is Store:
            pointer = instruction.pointer
            return self.slots.get(pointer.name) if type(pointer) is Register else None
        if type(instruction) is Alloca:
            return self.slots.get(instruction.result.name) if instruction.result else None
        if type(instruction) is Call and lifetime_mark(instruction):
            return marked_slot(instruction, self.slots)
        return None

    def _rename(self) -> None:
        """Walk the dominator tree; on leaving a subtree, the variables' values on entering it come back."""
        stack: list[tuple[int, dict[int, Value] | None]] = [(0, None)]
        while stack:
            number, saved = stack.pop()
            if saved is not None:
                for member, value in saved.items():
                    self.current[member] = value
                continue
            stack.append((number, self._rename_block(number)))
            stack.extend((child, None) for child in reversed(self.tree.children[number]))

    def _rename_block(self, number: int) -> dict[int, Value]:
        """Rename in one block. Returns the former values of the variables it gave new ones."""
        draft, block = self.drafts[number], self.function.blocks[number]
        saved: dict[int, Value] = {}
        leading = sum(1 for instruction in block.instructions if type(instruction) is Phi)
        for member, register in draft.phis.items():
            self._set(self.by_number[member], register, saved)
            draft.note(self.by_number[member], register, leading)
        updates = iter(block.updates)
        update = next(updates, None)
        landmarks = list(block.landmarks)
        for index, instruction in enumerate(block.instructions):
            if landmarks:
                draft.keep(landmarks, index)
            while update is not None and update.index <= index:
                self._carry(update, draft)
                update = next(updates, None)
            slot = self._accessed(instruction)
            if slot is None:
                draft.kept.append(instruction)
            else:
                draft.removed(instruction)
                self._execute(instruction, slot, draft, saved)
        while update is not None:
            self._carry(update, draft)
            update = next(updates, None)
        for target in self.graph.successors[number]:
            for member, incoming in self.drafts[target].incoming.items():
                incoming.append((self.current[member], block.name))
        return saved

    def _set(self, slot: Slot, value: Value, saved: dict[int, Value]) -> None:
        saved.setdefault(slot.number, self.current[slot.number])
        self.current[slot.number] = value

    def _execute(self, instruction: Instruction, slot: Slot, draft: _Draft, saved: dict[int, Value]) -> None:
        """Do what a removed instruction did."""
        if isinstance(instruction, Load):
            assert instruction.result is not None
            self.replacement[instruction.result.name] = self.current[slot.number]
        elif isinstance(instruction, Store):
            # The value was computed on every way here, so if it was a load, that is replaced already.
            value = replaced(instruction.value, self.replacement)
            self._set(slot, value, saved)
            draft.note(slot, value, len(draft.kept))
        elif lifetime_mark(instruction) == "start":
            self._set(slot, ConstUndef(slot.type), saved)
        elif lifetime_mark(instruction) == "end":
            draft.note(slot, ConstUndef(slot.type), len(draft.kept))

    def _carry(self, update: VariableUpdate, draft: _Draft) -> None:
        """Take over one piece of debug info, now at the place of the next instruction kept."""
        index = len(draft.kept)
        slot = self.slots.get(update.value.name) if type(update.value) is Register else None
        if slot is None:
            draft.updates.append(VariableUpdate(index, update.variable, update.value, update.declares))
        elif update.declares:
            draft.note(slot, self.current[slot.number], index)

    def _unreachable(self) -> None:
        """Blocks nothing leads to keep no access to slots: their loads are undefined."""
        for number, block in enumerate(self.function.blocks):
            if self.tree.reachable(number):
                continue
            draft, landmarks = self.drafts[number], list(block.landmarks)
            for index, instruction in enumerate(block.instructions):
                draft.keep(landmarks, index)
                slot = self._accessed(instruction)
                if slot is None:
                    draft.kept.append(instruction)
                    continue
                draft.removed(instruction)
                if type(instruction) is Load and instruction.result:
                    self.replacement[instruction.result.name] = ConstUndef(slot.type)
            for target in self.graph.successors[number]:
                for member, incoming in self.drafts[target].incoming.items():
                    incoming.append((ConstUndef(self.by_number[member].type), block.name))

    def _finish(self, number: int) -> Block:
        draft = self.drafts[number]
        phis: list[Instruction] = [
            Phi(register, None, tuple(draft.incoming[member])) for member, register in draft.phis.items()
        ]
        kept = [substitute(instruction, self.replacement) for instruction in draft.kept]
        updates = tuple(
            VariableUpdate(
                update.index + len(phis), update.variable, replaced(update.value, self.replacement), update.declares
            )
            for update in draft.updates
        )
        landmarks = tuple(replace(mark, index=mark.index + len(phis)) for mark in draft.missing())
        return Block(self.graph.names[number], (*phis, *kept), updates, landmarks)


def _location(instructions: list[Instruction], index: int) -> Location | None:
    return instructions[index].location if index < len(instructions) else None


def _same_line(one: Location, other: Location | None) -> bool:
    return other is not None and one.line == other.line and one.file == other.file
