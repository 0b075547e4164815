"""Which outcomes of branches are for allocations that fail.

Runs take allocations to succeed unless they are told otherwise (``--malloc-may-fail``), so that such an outcome is not
taken by any test of theirs, although machines may take it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from clew.analysis.callees import Callee, CalleeKind, Callees
from clew.analysis.callgraph import CallGraph, accepts
from clew.base.memo import remembered
from clew.execute.names import Names
from clew.program import instructions as ir
from clew.program.layout import offset_of
from clew.program.module import Block, Function, Program
from clew.program.values import ConstInt, ConstNull, GlobalRef, Register, Value
from clew.report.driver import ALLOCATING

_NULL = {"eq": 0, "ne": 1}
"""The successor for null of a branch that compares so."""
_FILLING = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")


_Nulls = tuple[str, ...] | None
"""What allocates where a value is null, as C names it; empty of values that never are; None if others may be null, too.
"""


class Allocations:
    """Which values of a program are null only where an allocation fails.

    The result of a call through a pointer is where that of all it may go to is, a parameter where all that is passed
    for it is (but for those of ``entry``, for which inputs stand), and where ways meet, what all of them bring is: a
    null only from ways for failed allocations.
    """

    def __init__(self, program: Program, callees: Callees, entry: str) -> None:
        self._program = program
        self._callees = callees
        self._entry = entry
        self._names = Names()
        self._given: dict[str, _Nulls] = {}
        self._asked: set[tuple[str, str, int]] = set()

    def failing(self, function: Function, block: Block, successor: int) -> str:
        """Of an outcome that is for a null which only failed allocations give: what allocates; else empty."""
        return " or ".join(self._failing(function, block, successor) or ())

    def _failing(self, function: Function, block: Block, successor: int) -> _Nulls:
        """Of an outcome of a branch; None, too, if it is not for a null at all."""
        branch, asked = block.terminator, (function.name, block.name, successor)
        if not isinstance(branch, ir.Branch) or asked in self._asked:
            return None
        null, value = self._comparison(function, branch)
        if value is None or null != successor:
            return None
        self._asked.add(asked)
        try:
            return self._nulls(function, value, frozenset())
        finally:
            self._asked.discard(asked)

    def _comparison(self, function: Function, branch: ir.Branch) -> tuple[int, Value | None]:
        """The value that a branch compares with null, if it does, and its successor for null."""
        compare = self._definition(function, branch.condition)
        if not isinstance(compare, ir.Compare) or compare.predicate not in _NULL:
            return 0, None
        values = [side for side in (compare.left, compare.right) if not isinstance(side, ConstNull)]
        return _NULL[compare.predicate], values[0] if len(values) == 1 else None

    def _definition(self, function: Function, value: Value) -> ir.Instruction | None:
        return self._names.definition(function, value.name) if isinstance(value, Register) else None

    def _nulls(self, function: Function, value: Value, seen: frozenset[tuple[str, str]]) -> _Nulls:
        if not isinstance(value, Register):
            return () if isinstance(value, GlobalRef) else None
        if (function.name, value.name) in seen:
            return ()  # the other ways tell
        seen |= {(function.name, value.name)}
        match made := self._definition(function, value):
            case None:
                return self._all(self._nulls(*one, seen) for one in self._passed(function, value))
            case ir.Alloca():
                return ()
            case ir.Call():
                return self._all(map(self._given_by, self._possible(made)))
            case ir.Phi():
                return self._all(self._coming(function, block, one, seen) for one, block in made.incoming)
            case ir.Load():
                stored = self._stored(function, made)
                return None if stored is None else self._nulls(function, stored, seen)
        return None

    def _coming(self, function: Function, block: str, value: Value, seen: frozenset[tuple[str, str]]) -> _Nulls:
        """Of a value that comes from the end of a block."""
        if isinstance(value, ConstNull):
            return self._behind_failures(function, block)
        return () if self._is_checked(function, block, value) else self._nulls(function, value, seen)

    def _is_checked(self, function: Function, name: str, value: Value) -> bool:
        """Whether control comes to a block only if a value is not null."""
        leading, seen = self._leading(function.name), set[str]()
        while len(leading.get(name, ())) == 1 and name not in seen:
            seen.add(name)
            (block,) = leading[name]
            if isinstance(block.terminator, ir.Branch):
                null, compared = self._comparison(function, block.terminator)
                if compared == value and ir.successors(block.terminator)[null] != name:
                    return True
            name = block.name
        return False

    def _all(self, parts: Iterable[_Nulls]) -> _Nulls:
        """Of a value that may be any of some."""
        found: dict[str, None] | None = None
        for names in parts:
            if names is None:
                return None
            found = (found or {}) | dict.fromkeys(names)
        return None if found is None else tuple(found)

    def _behind_failures(self, function: Function, name: str) -> _Nulls:
        """What allocates, of a block to which control comes only by outcomes for failed allocations."""
        leading, found = self._leading(function.name), list[str]()
        work, seen = [name], {name}
        while work:
            target = work.pop()
            if not leading.get(target):
                return None  # the function begins there
            for block in leading[target]:
                ways = [at for at, way in enumerate(ir.successors(block.terminator)) if way == target]
                failing = self._failing(function, block, ways[0]) if len(ways) == 1 else None
                if failing:
                    found += failing
                elif block.name not in seen:
                    seen.add(block.name)
                    work.append(block.name)
        return tuple(dict.fromkeys(found))

    @remembered
    def _leading(self, name: str) -> Mapping[str, list[Block]]:
        """The blocks that lead to each block of a function."""
        leading: dict[str, list[Block]] = {}
        for block in self._program.functions[name].blocks:
            for target in dict.fromkeys(ir.successors(block.terminator)):
                leading.setdefault(target, []).append(block)
        return leading

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

    def _given_by(self, callee: Callee) -> _Nulls:
        """Of what a call gives back."""
        if callee.kind is not CalleeKind.FUNCTION:
            return (callee.name,) if callee.name in ALLOCATING else None
        if callee.name not in self._given:
            self._given[callee.name] = None  # of one that calls itself
            function = self._program.functions[callee.name]
            self._given[callee.name] = self._returned(function) and (function.source_name,)
        return self._given[callee.name]

    def _returned(self, function: Function) -> _Nulls:
        ends = [(block.name, block.terminator) for block in function.blocks]
        return self._all(
            self._coming(function, name, end.value, frozenset())
            for name, end in ends
            if isinstance(end, ir.Return) and end.value is not None
        )

    def _stored(self, function: Function, load: ir.Load) -> Value | None:
        """What was stored last at the place of a load, with nothing between that might have changed it; else None."""
        assert load.result is not None
        place = self._place(function, load.pointer, self._program.layout.size(load.result.type))
        for one in _before(function, load, self._leading(function.name)):
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
            made = self._definition(function, pointer)
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


def _before(
    function: Function, instruction: ir.Instruction, leading: Mapping[str, list[Block]]
) -> Iterator[ir.Instruction]:
    """What has run before an instruction, the last first, up to where several ways meet; ``leading``: the blocks that
    lead to each block."""
    at = next(block for block in function.blocks if any(one is instruction for one in block.instructions))
    own = next(number for number, one in enumerate(at.instructions) if one is instruction)
    yield from reversed(at.instructions[:own])
    seen = {at.name}
    while len(leading.get(at.name, ())) == 1 and (at := leading[at.name][0]).name not in seen:
        seen.add(at.name)
        yield from reversed(at.instructions)
