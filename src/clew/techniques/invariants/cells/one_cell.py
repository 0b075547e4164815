"""A program that remembers one cell of its arrays: the one with an index that is any number, the same for all of them.

    for (i = 0; i < n; i++) if (a[i] > max) max = a[i];         any i == k: the cell; else any value, every time
    for (i = 0; i < n; i++) assert(a[i] <= max);                an error counts if the last value came from the cell

    k < i ==> cell <= max                                       is what numbers alone can say then

Whatever the index is, the program can do what it did before: it is told any values where it asks for other cells. And
in a run that ends with an error there was a last access that read something: for one index, that was the cell. So it is
enough that no run ends with an error behind one that has read the cell (cell abstraction; Monniaux and Gonnord 2016).

Values that are read twice, with nothing written between, are the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from clew.analysis.loops.loop_code import signed_value
from clew.checks.properties import FAILING
from clew.execute.instrument.havoc import assume, havoc_register
from clew.program import instructions as ir
from clew.program.editing import Draft, rewritten
from clew.program.module import Block, Function, GlobalVariable, Program
from clew.program.operands import function_references
from clew.program.types import I1, I8, I32, I64, PTR, IntType
from clew.program.values import ConstInt, ConstZero, GlobalRef, Register, Value
from clew.techniques.invariants.cells.arrays import Access, Array, FunctionArrays, arrays_of
from clew.techniques.invariants.cells.known_values import KnownValues, revived

OWN = "clew.cell."
CHOSEN = OWN + "chosen"
"""The register that has the index."""
_SLOT = OWN + "of."
_INDEX, _SEEN = GlobalRef(OWN + "index"), GlobalRef(OWN + "seen")


def is_cell(register: str) -> bool:
    """Whether a register has the contents of a cell."""
    return register.startswith(_SLOT)


def with_one_cell(program: Program, entry: str) -> Program | None:
    """The program with its arrays as one cell each; None if it has none that can be, or may run other code first."""
    if program.constructors or _users(program, entry):
        return None
    shared, arrays = arrays_of(program)
    used = {name: own for name, own in arrays.items() if own.accesses}
    if not used:
        return None
    index, unsigned = _index_type(program, used)
    private = {array for array in shared if _users(program, array.name) <= {entry}}
    slots: dict[Array, GlobalRef] = {array: GlobalRef(OWN + array.name) for array in shared if array not in private}
    reading = _leading_to(program, used)
    asking = reading | _leading_to(program, FAILING)
    functions = dict(program.functions)
    for name, function in program.functions.items():
        if function.blocks:
            own = {array: shared[array] for array in private} if name == entry else {}
            functions[name] = _Rewriting(
                function, arrays[name], slots, own, index, unsigned, name == entry, reading, asking
            ).done()
    added = [GlobalVariable(slot.name, shared[array], ConstZero(shared[array]), False, 8, internal=True)
             for array, slot in slots.items()]  # fmt: skip
    added.append(GlobalVariable(_INDEX.name, index, ConstZero(index), False, 8, internal=True))
    added.append(GlobalVariable(_SEEN.name, I8, ConstInt(I8, 1), False, 1, internal=True))
    variables = {**program.globals, **{variable.name: variable for variable in added}}
    return dataclasses.replace(program, functions=functions, globals=variables)


def _users(program: Program, name: str) -> set[str]:
    return {user for user, function in program.functions.items() if name in function_references(function)}


def _leading_to(program: Program, targets: Iterable[str]) -> frozenset[str]:
    """The functions that may come to some others, and these."""
    named = {name: set(function_references(function)) for name, function in program.functions.items()}
    found = set(targets)
    while more := {name for name, others in named.items() if name not in found and not found.isdisjoint(others)}:
        found |= more
    return frozenset(found)


def _index_type(program: Program, arrays: Mapping[str, FunctionArrays]) -> tuple[IntType, bool]:
    """Of numbers as they are before they are made wider, if all are in the same way; whether they have no sign then."""
    ways: set[str] = set()
    for name, found in arrays.items():
        made = program.functions[name].definitions()
        ways |= {_way(access.index, made) for access in found.accesses.values()}
    is_narrow = len(ways - {""}) == 1 and "wide" not in ways
    return I32 if is_narrow else I64, is_narrow and "zext" in ways


def _way(index: Value, made: Mapping[str, ir.Instruction]) -> str:
    """How a number of 32 bits was made an index; empty for a small constant."""
    if isinstance(index, ConstInt):
        return "" if index.value < 1 << 31 else "wide"
    if index.type == I32:
        return "sext"
    cast = made.get(index.name) if isinstance(index, Register) else None
    if isinstance(cast, ir.Cast) and cast.op in ("sext", "zext") and cast.operand.type == I32:
        return cast.op
    return "wide"


class _Rewriting:
    """Of one function."""

    def __init__(
        self,
        function: Function,
        arrays: FunctionArrays,
        slots: Mapping[Array, GlobalRef],
        private: Mapping[Array, IntType],
        index: IntType,
        unsigned: bool,
        is_entry: bool,
        reading: frozenset[str],
        asking: frozenset[str],
    ) -> None:
        """``reading``: functions that may read arrays; ``asking``: those and what may end with an error."""
        self._function = function
        self._reading = reading
        self._asking = asking
        self._arrays = arrays
        self._private = private
        self._local = {**arrays.local, **private}
        self._slots: dict[Array, Value] = {
            **slots,
            **{array: Register(f"{_SLOT}{number}", PTR) for number, array in enumerate(self._local)},
        }
        self._index = index
        self._unsigned = unsigned
        self._is_entry = is_entry
        self._definitions = function.definitions()
        self._chosen = Register(CHOSEN, index)
        self._seen = Register(OWN + "own.seen", PTR)
        """Whether the last value that was read came from the cell, as far as this function knows."""
        self._serial = 0
        self._known = KnownValues(function, arrays)

    def done(self) -> Function:
        """The function with all that changes."""
        blocks = [self._rewritten(block) for block in self._function.blocks]
        first = tuple(self._beginning()) if self._is_entry or self._arrays.accesses else ()
        if first:
            blocks[0] = blocks[0].inserted({0: first})
        return dataclasses.replace(self._function, blocks=tuple(blocks))

    def _beginning(self) -> Iterator[ir.Instruction]:
        if self._is_entry:
            yield havoc_register(self._chosen)
            if not self._unsigned:  # what lies before an array is not one of its cells
                flag, number = Register(self._name(), I1), Register(self._name(), I32)
                yield ir.Compare(flag, None, "sge", self._chosen, ConstInt(self._index, 0))
                yield ir.Cast(number, None, "zext", flag, I32)
                yield assume(number)
            yield ir.Store(None, None, self._chosen, _INDEX, 8)
        else:
            yield ir.Load(self._chosen, None, _INDEX, 8)
        yield ir.Alloca(self._seen, None, I8, ConstInt(I32, 1), 1)
        yield from self._copied(_SEEN, self._seen)
        for array, type in self._local.items():
            slot = self._slots[array]
            assert isinstance(slot, Register)
            yield ir.Alloca(slot, None, type, ConstInt(I32, 1), 8)
            if array in self._private:
                yield ir.Store(None, None, ConstInt(type, 0), slot, 8)

    def _copied(self, source: Value, to: Value) -> tuple[ir.Instruction, ...]:
        value = Register(self._name(), I8)
        return ir.Load(value, None, source, 1), ir.Store(None, None, value, to, 1)

    def _name(self) -> str:
        self._serial += 1
        return f"{OWN}at.{self._serial}"

    def _rewritten(self, block: Block) -> Block:
        changed = rewritten(block, partial(self._instruction, block.name))
        gone = self._arrays.addresses
        return dataclasses.replace(
            changed,
            updates=tuple(
                update
                for update in changed.updates
                if not (isinstance(update.value, Register) and update.value.name in gone)
            ),
        )

    def _instruction(self, block: str, draft: Draft, number: int, i: ir.Instruction) -> None:
        access = self._arrays.accesses.get((block, number))
        if access is not None:
            self._access(draft, block, number, access, i)
        elif i.result is not None and i.result in self._arrays.local:
            draft.add(_smaller(i, self._arrays.local[i.result]))
            self._renew(draft, i.result)
        elif i.result is None or i.result.name not in self._arrays.addresses:
            self._passed_on(draft, i)
            for array in revived(i, self._arrays.local):
                self._renew(draft, array)

    def _passed_on(self, draft: Draft, i: ir.Instruction) -> None:
        """An instruction that is no access, with what others have to know before it, and what they know then."""
        reads = bool(self._arrays.accesses)
        called = i.callee.name if isinstance(i, ir.Call) and isinstance(i.callee, GlobalRef) else ""
        if called in FAILING:
            seen = draft.add(ir.Load(Register(self._name(), I8), None, self._seen if reads else _SEEN, 1))
            draft.add(assume(draft.add(ir.Cast(Register(self._name(), I32), None, "zext", seen, I32))))
        elif reads and (called in self._asking or self._is_return(i) or _is_unknown_call(i)):
            draft.instructions += self._copied(self._seen, _SEEN)
        draft.add(i)
        if reads and (called in self._reading or _is_unknown_call(i)):
            draft.instructions += self._copied(_SEEN, self._seen)

    def _is_return(self, i: ir.Instruction) -> bool:
        """Whether a caller goes on from here."""
        return isinstance(i, ir.Return) and not self._is_entry

    def _renew(self, draft: Draft, array: Array) -> None:
        value = draft.add(havoc_register(Register(self._name(), self._local[array])))
        draft.add(ir.Store(None, None, value, self._slots[array], 8))

    def _access(self, draft: Draft, block: str, number: int, access: Access, i: ir.Instruction) -> None:
        known = self._known.value(block, number)
        slot = self._slots[access.array]
        if known is not None:
            assert isinstance(i, ir.Load)
            draft.add(ir.Binary(i.result, i.location, "or", known, ConstInt(known.type, 0)))
            return
        is_cell = Register(self._name(), I1)
        draft.add(ir.Compare(is_cell, i.location, "eq", self._root(draft, access.index), self._chosen))
        if isinstance(i, ir.Store):
            old = draft.add(ir.Load(Register(self._name(), i.value.type), i.location, slot, 8))
            new = draft.add(ir.Select(Register(self._name(), i.value.type), i.location, is_cell, i.value, old))
            draft.add(ir.Store(None, i.location, new, slot, 8))
            return
        assert i.result is not None
        other = draft.add(havoc_register(Register(self._name(), i.result.type)))
        cell = draft.add(ir.Load(Register(self._name(), i.result.type), i.location, slot, 8))
        draft.add(ir.Select(i.result, i.location, is_cell, cell, other))
        seen = draft.add(ir.Cast(Register(self._name(), I8), None, "zext", is_cell, I8))
        draft.add(ir.Store(None, i.location, seen, self._seen, 1))

    def _root(self, draft: Draft, index: Value) -> Value:
        """The number that is compared with the chosen one."""
        if isinstance(index, ConstInt):
            return ConstInt(self._index, signed_value(index) % (1 << self._index.width))
        if index.type == self._index:
            return index
        if self._index == I64:
            return draft.add(ir.Cast(Register(self._name(), I64), None, "sext", index, I64))
        assert isinstance(index, Register)
        cast = self._definitions[index.name]
        assert isinstance(cast, ir.Cast)
        return cast.operand


def _smaller(i: ir.Instruction, type: IntType) -> ir.Instruction:
    """What makes an array, with room for one element: nobody looks into it any more."""
    if isinstance(i, ir.Alloca):
        return dataclasses.replace(i, allocated=type, count=ConstInt(I32, 1))
    assert isinstance(i, ir.Call)
    return dataclasses.replace(i, arguments=(ir.Argument(ConstInt(i.arguments[0].value.type, 8)),))


def _is_unknown_call(i: ir.Instruction) -> bool:
    return isinstance(i, ir.Call) and not isinstance(i.callee, GlobalRef)
