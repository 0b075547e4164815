"""Which outcomes of branches are for allocations that fail.

Runs take allocations to succeed unless they are told otherwise (``--malloc-may-fail``), so that such an outcome is not
taken by any test of theirs, although machines may take it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from clew.analysis.absint.known_pointers import offset_of
from clew.analysis.callees import Callee, CalleeKind, Callees
from clew.analysis.callgraph import CallGraph, accepts
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.values import ConstInt, ConstNull, GlobalRef, Register, Value
from clew.report.driver import ALLOCATING

_NULL = {"eq": 0, "ne": 1}
"""The successor for null of a branch that compares so."""
_FILLING = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")


class Allocations:
    """What the functions of a program allocate.

    A call through a pointer does where all that it may go to do, and a parameter is memory where all calls of its
    function pass some: none of ``entry``, for which inputs stand.
    """

    def __init__(self, program: Program, callees: Callees, entry: str) -> None:
        self._program = program
        self._callees = callees
        self._entry = entry
        self._defined: dict[str, dict[str, ir.Instruction]] = {}
        self._gives: dict[str, bool] = {}

    def failing(self, function: Function, block: Block, successor: int) -> str:
        """Of an outcome that a null takes which an allocation gives: what allocates, as C names it; else empty."""
        branch = block.terminator
        if not isinstance(branch, ir.Branch):
            return ""
        made = self._definitions(function)
        compare = made.get(branch.condition.name) if isinstance(branch.condition, Register) else None
        if not isinstance(compare, ir.Compare) or _NULL.get(compare.predicate) != successor:
            return ""
        values = [side for side in (compare.left, compare.right) if not isinstance(side, ConstNull)]
        return self._allocator(function, values[0], frozenset()) if len(values) == 1 else ""

    def _definitions(self, function: Function) -> dict[str, ir.Instruction]:
        if function.name not in self._defined:
            made = {one.result.name: one for one in function.instructions() if one.result is not None}
            self._defined[function.name] = made
        return self._defined[function.name]

    def _allocator(self, function: Function, value: Value, seen: frozenset[tuple[str, str]]) -> str:
        """The function whose memory a value is, on some way to it; empty where it is none."""
        if not isinstance(value, Register) or (function.name, value.name) in seen:
            return ""
        made, seen = self._definitions(function).get(value.name), seen | {(function.name, value.name)}
        match made:
            case None:
                return _all(self._allocator(*one, seen) for one in self._passed(function, value))
            case ir.Call():
                return _all(self._of_callee(one) for one in self._possible(made))
            case ir.Phi():
                ways = (self._allocator(function, one, seen) for one, _ in made.incoming)
                return next(filter(None, ways), "")
            case ir.Load():
                stored = self._stored(function, made)
                return "" if stored is None else self._allocator(function, stored, seen)
        return ""

    @cached_property
    def _graph(self) -> CallGraph:
        return CallGraph(self._program, self._callees)

    def _possible(self, call: ir.Call) -> list[Callee]:
        """What a call may go to; through a pointer, all whose types let it through."""
        target = self._callees.resolve(call)
        if target.kind is not CalleeKind.INDIRECT:
            return [target]
        functions = self._program.functions
        return [
            one
            for one in self._graph.possible_targets(call)
            if one.name not in functions or accepts(functions[one.name], call)
        ]

    def _passed(self, function: Function, parameter: Register) -> Iterator[tuple[Function, Value]]:
        """What calls pass for a parameter, each in its function; nothing where others might pass something, too."""
        if function.name == self._entry or function.name in self._graph.taken:
            return
        position = next(at for at, one in enumerate(function.parameters) if one.value == parameter)
        for caller, call in self._calls.get(function.name, ()):
            yield caller, call.arguments[position].value

    @cached_property
    def _calls(self) -> dict[str, list[tuple[Function, ir.Call]]]:
        """Where functions of the program are called by their names."""
        found: dict[str, list[tuple[Function, ir.Call]]] = {}
        for caller in self._program.functions.values():
            for call in () if caller.is_declaration else self._graph.calls(caller.name):
                target = self._callees.resolve(call)
                if target.kind is CalleeKind.FUNCTION and accepts(self._program.functions[target.name], call):
                    found.setdefault(target.name, []).append((caller, call))
        return found

    def _of_callee(self, callee: Callee) -> str:
        """The callee, as C names it, if it gives memory; else empty."""
        if callee.kind is CalleeKind.FUNCTION:
            return self._program.functions[callee.name].source_name if self._gives_memory(callee.name) else ""
        return callee.name if callee.name in ALLOCATING else ""

    def _gives_memory(self, name: str) -> bool:
        """Whether a function returns what it has allocated, on some way."""
        if name not in self._gives:
            self._gives[name] = False  # of one that calls itself, the other ways tell
            function = self._program.functions[name]
            returned = [block.terminator.value for block in function.blocks if isinstance(block.terminator, ir.Return)]
            self._gives[name] = any(
                self._allocator(function, value, frozenset()) for value in returned if value is not None
            )
        return self._gives[name]

    def _stored(self, function: Function, load: ir.Load) -> Value | None:
        """What was stored last at the place of a load, with nothing between that might have changed it; else None."""
        assert load.result is not None
        place = self._place(function, load.pointer, self._program.layout.size(load.result.type))
        for one in _before(function, load):
            written = self._written(function, one)
            if isinstance(one, ir.Store) and written == place:
                return one.value
            if isinstance(one, ir.Store | ir.Call) and (written is None or not written.is_apart_from(place)):
                return None
        return None

    def _written(self, function: Function, instruction: ir.Instruction) -> _Place | None:
        """The bytes that a store, or a copy of so many bytes, writes; None of others."""
        match instruction:
            case ir.Store():
                return self._place(function, instruction.pointer, self._program.layout.size(instruction.value.type))
            case ir.Call(callee=GlobalRef(name=name)) if name.startswith(_FILLING):
                target, _, size = (one.value for one in instruction.arguments[:3])
                return self._place(function, target, size.value) if isinstance(size, ConstInt) else None
        return None

    def _place(self, function: Function, pointer: Value, size: int) -> _Place:
        offset = 0
        while isinstance(pointer, Register):
            made = self._definitions(function).get(pointer.name)
            if not isinstance(made, ir.GetElementPtr):
                break
            step = offset_of(self._program.layout, made.source_type, made.indices)
            if step is None:
                break
            pointer, offset = made.base, offset + step
        return _Place(pointer, offset, size)


class _Place(NamedTuple):
    """Bytes: how far they are from a pointer, and how many."""

    base: Value
    offset: int
    size: int

    def is_apart_from(self, other: _Place) -> bool:
        """Whether they have no byte in common for sure."""
        first, last = sorted((self, other), key=lambda one: one.offset)
        return self.base == other.base and first.offset + first.size <= last.offset


def _all(allocators: Iterable[str]) -> str:
    """Their names; empty if one of them is, or if there is none."""
    names = list(dict.fromkeys(allocators))
    return " or ".join(names) if all(names) else ""


def _before(function: Function, instruction: ir.Instruction) -> Iterator[ir.Instruction]:
    """What has run before an instruction, the last first, up to where several ways meet."""
    leading: dict[str, list[Block]] = {}
    for block in function.blocks:
        for target in dict.fromkeys(ir.successors(block.terminator)):
            leading.setdefault(target, []).append(block)
    at = next(block for block in function.blocks if any(one is instruction for one in block.instructions))
    own = next(number for number, one in enumerate(at.instructions) if one is instruction)
    yield from reversed(at.instructions[:own])
    seen = {at.name}
    while len(leading.get(at.name, ())) == 1 and (at := leading[at.name][0]).name not in seen:
        seen.add(at.name)
        yield from reversed(at.instructions)
