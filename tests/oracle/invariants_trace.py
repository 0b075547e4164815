"""A concrete run of a program, watched from instruction to instruction: registers, counters of loops, memory.

The program is changed so that it tells a model of our own, after the phis of each block and before each other
instruction, what the registers defined since hold. So nothing of what is known depends on what the engine still needs:
the value of a register that is dead, or of a function that has returned, is there as well. A ``Watcher`` is told of
every such moment.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from clew.analysis.callees import LibraryModel
from clew.analysis.graph import NONE, ControlFlow, Loop, LoopForest, control_flow, loop_forest
from clew.execute.ends import Lost
from clew.execute.helpers import build_machine
from clew.execute.invocation import Invocation
from clew.jobs.reexecution import ConcreteOutcome, execute, find_entry
from clew.memory.storage import PLAIN
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.types import METADATA, VOID, FunctionType, IntType, PointerType
from clew.program.values import GlobalRef, MetadataArg, Register
from clew.report.values import InputValue

NOTE = "oracle.note"


@dataclass(frozen=True)
class Note:
    """A place that announces itself, with the registers defined since the one before it."""

    function: str
    block: str
    index: int
    """Of the instruction that comes next."""
    starts: bool
    """Whether control has just come to the block; the registers are those of its phis."""
    registers: tuple[Register, ...]


@dataclass
class Record:
    """What registers, counters and inputs in memory held last."""

    values: dict[str, int] = field(default_factory=dict)
    """Of registers, without a sign; those that have no definite value are left out."""
    counts: dict[str, int] = field(default_factory=dict)
    """Per header of a loop: how often its body was entered, since the loop was."""
    totals: dict[str, int] = field(default_factory=dict)
    """The same, since the outermost loop around it was entered."""
    initial: dict[tuple[str, int], int] = field(default_factory=dict)
    """What calls of ``klee_make_symbolic`` put into memory, without a sign."""


@dataclass
class Activation(Record):
    """A function that is running, or waits for one it has called."""

    function: str = ""
    frame: int | None = None
    """Its number, as a watcher gives it."""
    caller: Activation | None = None
    """The one that called it, if the watcher counts its number from there."""
    ended: dict[int | None, Record] = field(default_factory=dict)
    """By number: what functions that were called from here, directly or not, held last."""
    block: str = ""
    index: int = 0

    @property
    def site(self) -> tuple[str, int]:
        """While it waits: the call."""
        return self.block, self.index

    def records(self, frame: int) -> Iterator[Record]:
        """Where to look for what belongs to a number, the latest first."""
        one: Activation | None = self
        while one is not None:
            if one.frame == frame:
                yield one
            if frame in one.ended:
                yield one.ended[frame]
            one = one.caller

    def written(self) -> Iterator[Record]:
        """Where to write down what happens here."""
        yield self
        caller = self.caller
        while caller is not None:
            yield caller.ended.setdefault(self.frame, Record())
            caller = caller.caller


class Watcher(Protocol):
    """Is told what happens. ``stack`` has the innermost activation last."""

    def numbered(self, parent: Activation | None, function: str) -> tuple[int | None, bool]:
        """A number for a new activation, and whether that is for a call from just this parent."""

    def edge(self, trace: Trace, stack: Sequence[Activation], source: str, target: str) -> None:
        """Control goes from a block to another. The target's phis have no new values yet."""

    def reached(self, trace: Trace, stack: Sequence[Activation], starts: bool) -> None:
        """Control is before an instruction; ``starts``: it has just come to the block."""


@dataclass(frozen=True)
class Shape:
    """Control flow of a function."""

    graph: ControlFlow
    forest: LoopForest


class Trace:
    """Follows one run."""

    def __init__(self, program: Program, watcher: Watcher, most: int) -> None:
        self.program = program
        self.watcher = watcher
        self.memory: Any = None
        """The state's memory as it is now."""
        self.globals: Any = None
        self._left = most
        self._stack: dict[int, Activation] = {}
        self._shapes: dict[str, Shape] = {}

    def shape(self, function: str) -> Shape:
        known = self._shapes.get(function)
        if known is None:
            graph = control_flow(self.program.functions[function])
            known = self._shapes[function] = Shape(graph, loop_forest(graph))
        return known

    # What the program tells

    def told(self, call: Invocation, note: Note, values: Sequence[Any]) -> None:
        self._left -= 1
        if self._left < 0:
            raise Lost("bounded", "enough was seen")
        self.memory, self.globals = call.state.memory, call.state.run.globals
        depth = call.frame.depth
        if note.starts and note.block == self.program.functions[note.function].blocks[0].name:
            self._enter(depth, note.function)
        self._stack = {level: one for level, one in self._stack.items() if level <= depth}
        stack = [self._stack[level] for level in sorted(self._stack)]
        top = stack[-1]
        assert top.function == note.function, f"{note} in an activation of {top.function}"
        if note.starts and top.block:
            self.watcher.edge(self, stack, top.block, note.block)
            self._follow(top, top.block, note.block)
        for register, value in zip(note.registers, values, strict=True):
            self._define(top, register.name, value)
        if not note.starts:
            self._read_input(top, note)
        top.block, top.index = note.block, note.index
        self.watcher.reached(self, stack, note.starts)

    def _enter(self, depth: int, function: str) -> None:
        parent = self._stack.get(depth - 1)
        number, linked = self.watcher.numbered(parent, function)
        self._stack = {level: one for level, one in self._stack.items() if level < depth}
        self._stack[depth] = Activation(function=function, frame=number, caller=parent if linked else None)

    @staticmethod
    def _define(activation: Activation, register: str, value: Any) -> None:
        for record in activation.written():
            if isinstance(value, int):
                record.values[register] = int(value)
            else:
                record.values.pop(register, None)

    def _follow(self, activation: Activation, source: str, target: str) -> None:
        """Counters on the way from a block to the next."""
        shape = self.shape(activation.function)
        names = shape.graph.names
        begin, end = shape.graph.numbers[source], shape.graph.numbers[target]
        for loop in shape.forest.loops:
            outside = begin not in loop.blocks and end in loop.blocks
            for record in activation.written():
                if outside:
                    record.counts[names[loop.header]] = 0
                if outside and loop.parent == NONE:
                    record.totals.update({names[i.header]: 0 for i in shape.forest.loops if i.blocks <= loop.blocks})
        for loop in shape.forest.loops:
            if _counts(loop, begin, end):
                for record in activation.written():
                    for counters in (record.counts, record.totals):
                        counters[names[loop.header]] = counters.get(names[loop.header], 0) + 1

    def _read_input(self, activation: Activation, note: Note) -> None:
        """Where the instruction before was ``klee_make_symbolic``, its object is an input."""
        block = next(b for b in self.program.functions[note.function].blocks if b.name == note.block)
        before = block.instructions[note.index - 1]
        match before:
            case ir.Call(callee=GlobalRef(name="klee_make_symbolic")):
                address = self.value_of(activation, before.arguments[0].value)
                size = self.value_of(activation, before.arguments[1].value)
                value = self.peek(address, size) if address is not None and size in (1, 2, 4, 8) else None
                if value is not None:
                    for record in activation.written():
                        record.initial[note.block, note.index - 1] = value

    # Values

    def value_of(self, activation: Activation, operand: Any) -> int | None:
        """Of an operand: a register, a number, or the address of a global."""
        match operand:
            case Register(name=name):
                return activation.values.get(name)
            case _:
                value = self.globals.evaluate_constant(operand)
                return value if isinstance(value, int) else None

    def peek(self, address: int, size: int) -> int | None:
        """The bytes at an address as a number; None where there is no object, or no definite value."""
        found = self.memory.find(address)
        if found is None or found[1] + size > found[0].size:
            return None
        thing, offset = found
        if thing.shadow is not None and set(thing.shadow[offset : offset + size]) != {PLAIN}:
            return None
        return int.from_bytes(thing.data[offset : offset + size], "little")


def _counts(loop: Loop, begin: int, end: int) -> bool:
    """Whether the way from a block to another goes into the body of a loop.

    A head that may leave the loop is no part of its body, unless it is all there is.
    """
    if loop.header in (block for block, _ in loop.exits) and loop.header not in loop.latches:
        return begin == loop.header and end in loop.blocks
    return end == loop.header


# The program that tells


def watched(program: Program) -> tuple[Program, list[Note]]:
    """The program with notes, and what each of them stands for."""
    notes: list[Note] = []
    functions = {
        name: function
        if function.is_declaration
        else dataclasses.replace(function, blocks=tuple(_noted(function, block, notes) for block in function.blocks))
        for name, function in program.functions.items()
    }
    return dataclasses.replace(program, functions=functions), notes


def _noted(function: Function, block: Block, notes: list[Note]) -> Block:
    first = next(index for index, i in enumerate(block.instructions) if not isinstance(i, ir.Phi))
    added: dict[int, tuple[ir.Instruction, ...]] = {}
    for index in range(first, len(block.instructions)):
        starts = index == first
        before = block.instructions[:first] if starts else block.instructions[index - 1 : index]
        defined = [i.result for i in before if i.result is not None and _is_number(i.result)]
        if starts and block is function.blocks[0]:
            defined += [p.value for p in function.parameters if isinstance(p.value, Register) and _is_number(p.value)]
        note = Note(function.name, block.name, index, starts, tuple(defined))
        added[index] = (_call(len(notes), note.registers),)
        notes.append(note)
    return block.inserted(added)


def _is_number(register: Register) -> bool:
    return isinstance(register.type, IntType | PointerType)


def _call(number: int, registers: tuple[Register, ...]) -> ir.Call:
    passed = (MetadataArg(str(number)), *registers)
    kind = FunctionType(VOID, (METADATA, *(register.type for register in registers)))
    return ir.Call(None, None, GlobalRef(NOTE), kind, tuple(ir.Argument(value) for value in passed))


class Runner:
    """A program made ready to be run with many inputs, watched."""

    def __init__(self, program: Program, entry: str | None = None) -> None:
        self.program = program
        changed, notes = watched(program)
        self._trace: Trace | None = None

        def note(call: Invocation, _: Any, *values: Any) -> None:
            number = call.argument(0)
            assert isinstance(number, MetadataArg) and self._trace is not None
            self._trace.told(call, notes[int(number.text)], values)

        self._machine = build_machine(changed, {**all_models(), NOTE: LibraryModel(NOTE, note, True)})
        self._entry = find_entry(changed, entry)

    def run(self, inputs: Sequence[int], watcher: Watcher, most: int = 200_000) -> ConcreteOutcome:
        """Once, with numbers for its inputs; at most so many instructions."""
        self._trace = Trace(self.program, watcher, most)
        values = [InputValue("", "long long", 64, value) for value in inputs]
        return execute(self._machine, self._entry, values)
