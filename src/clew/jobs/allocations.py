"""Which outcomes of branches are for allocations that fail.

Runs take allocations to succeed unless they are told otherwise (``--malloc-may-fail``), so that such an outcome is not
taken by any test of theirs, although machines may take it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from clew.analysis.callees import Callee, CalleeKind, Callees
from clew.analysis.callgraph import CallGraph, accepts
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.values import ConstInt, ConstNull, Register, Value
from clew.report.driver import ALLOCATING

_NULL = {"eq": 0, "ne": 1}
"""The successor for null of a branch that compares so."""


class Allocations:
    """What the functions of a program allocate. A call through a pointer does where all that it may go to do."""

    def __init__(self, program: Program, callees: Callees) -> None:
        self._program = program
        self._callees = callees
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

    def _allocator(self, function: Function, value: Value, seen: frozenset[str]) -> str:
        """The function whose memory a value is, on some way to it; empty where it is none."""
        if not isinstance(value, Register) or value.name in seen:
            return ""
        made, seen = self._definitions(function).get(value.name), seen | {value.name}
        match made:
            case ir.Call():
                allocators = [self._of_callee(one) for one in self._possible(made)]
                return " or ".join(dict.fromkeys(allocators)) if all(allocators) else ""
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
        place = self._place(function, load.pointer)
        for one in _before(function, load):
            if isinstance(one, ir.Store):
                return one.value if self._place(function, one.pointer) == place else None
            if isinstance(one, ir.Call):
                return None
        return None

    def _place(self, function: Function, pointer: Value) -> object:
        """Equal for pointers that lead to the same place by their spelling."""
        made = self._definitions(function).get(pointer.name) if isinstance(pointer, Register) else None
        if isinstance(made, ir.GetElementPtr) and all(isinstance(index, ConstInt) for index in made.indices):
            return self._place(function, made.base), made.source_type, made.indices
        return pointer


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
