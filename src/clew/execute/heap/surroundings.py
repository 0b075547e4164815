"""What surrounds a function that is called by somebody unknown: where its memory lies, and which variables and
functions of the program others can get at.

The memory that a function is given lies in a part of the address space of its own: a pointer from outside is null,
lies there, or points to a variable whose address others may have. It cannot be the address of a local variable, nor
of anything that the function allocates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from clew.analysis.callgraph import referenced
from clew.analysis.effects import Effects
from clew.analysis.origins import ModelEffect
from clew.base.errors import Unsupported
from clew.execute.codegen.callees import Callees
from clew.execute.heap.facts import KnownObject
from clew.execute.heap.shapes import Shapes
from clew.memory.globals import Globals
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.operands import operands
from clew.program.types import OpaqueType, PointerType
from clew.program.values import Value

VOID_SIZE = 256
"""Bytes of an object whose type does not tell its size."""


@dataclass(frozen=True, slots=True)
class HeapOptions:
    """How far the memory that a function is given goes."""

    array_length: int = 1
    aliases: bool = True
    """Whether two pointers may point to the same object."""
    nulls: bool = True
    depth: int | None = None
    """Pointers behind more pointers than this are null."""


class Region:
    """Addresses of what a function is given: places for objects, and behind them places for functions."""

    def __init__(self, pointer_bits: int) -> None:
        wide = pointer_bits == 64
        self.low = 1 << 62 if wide else 0x80000000
        self.functions = self.low + (1 << 61 if wide else 0x60000000)
        self.high = self.functions + (1 << 61 if wide else 0x10000000)
        self._shift = 38 if wide else 16

    def object(self, number: int, size: int = 0) -> int:
        """The address of an object."""
        address = self.low + (number << self._shift)
        if address + size >= self.functions or size >= 1 << self._shift:
            raise Unsupported("so much memory behind the pointers of a function")
        return address

    def holds(self, address: int) -> bool:
        """Whether an object at an address was made for the function."""
        return self.low <= address < self.functions

    def function(self, number: int) -> int:
        """The address of a function that nobody defines."""
        return self.functions + (number << self._shift - 8)

    def function_number(self, address: int) -> int:
        """The inverse."""
        return (address - self.functions) >> self._shift - 8

    def page(self, address: int) -> int:
        """A number that two addresses share if one object may have both."""
        return address >> self._shift


class Surroundings:
    """Facts about the program that hold for every path."""

    def __init__(
        self,
        program: Program,
        addresses: Globals,
        callees: Callees,
        entry: Function,
        options: HeapOptions,
        effect_of: Callable[[str], ModelEffect],
    ) -> None:
        self.program = program
        self.options = options
        self.shapes = Shapes(program.ctypes, program.layout)
        self.region = Region(program.layout.pointer_bits)
        self._addresses = addresses
        self._callees = callees
        self._effect_of = effect_of
        self.entry = entry
        self.pointees = self.shapes.pointees([entry.ctype])
        """Types of objects that the function may come to."""

    @cached_property
    def effects(self) -> Effects:
        return Effects(self.program, self._callees, self._effect_of)

    @cached_property
    def variables(self) -> tuple[KnownObject, ...]:
        """Variables whose address others may have: with external linkage, or where the program gives it away."""
        found = []
        for variable in self.program.globals.values():
            if variable.name not in self._addresses.addresses or variable.name.startswith((".", "llvm.", "__clew")):
                continue
            if variable.internal and not (variable.ctype >= 0 and self._escapes(variable.name)):
                continue
            size = 0 if isinstance(variable.type, OpaqueType) else self.program.layout.size(variable.type)
            known = self.shapes.size(variable.ctype) == size
            ctype, count = (variable.ctype, 1) if known else (-1, size)
            base = self._addresses.addresses[variable.name]
            if size:
                found.append(KnownObject(base, ctype, count, size, variable.name))
        return tuple(found)

    def _escapes(self, name: str) -> bool:
        return self.effects.is_escaped(name) or self.program.globals[name].constant

    @cached_property
    def changeable(self) -> tuple[KnownObject, ...]:
        """Variables that code elsewhere may change."""
        return tuple(known for known in self.variables if not self.is_constant(known))

    def variable_at(self, address: int) -> KnownObject | None:
        """The variable that an address is in."""
        return next((known for known in self.variables if known.base <= address <= known.base + known.size), None)

    def is_constant(self, known: KnownObject) -> bool:
        """Whether this is a variable that cannot be written."""
        return known.number < 0 and self.program.globals[known.name].constant

    def functions(self, ctype: int) -> list[int]:
        """Addresses of the program's functions that a pointer to a function of this type may be."""
        key = self.shapes.key(ctype)
        return [
            self._addresses.addresses[function.name]
            for function in self.program.functions.values()
            if function.name not in self.program.runtime
            and self.shapes.key(function.ctype) == key
            and (not function.internal or function.name in self._given_away)
        ]

    @cached_property
    def _given_away(self) -> frozenset[str]:
        """Names that the program uses for more than to call them, and to compare other addresses with them."""
        program = self.program
        values: list[Value] = [
            variable.initializer for variable in program.globals.values() if variable.initializer is not None
        ]
        for function in program.functions.values():
            for block in function.blocks:
                for instruction in block.instructions:
                    if isinstance(instruction, ir.Call):
                        values += [argument.value for argument in instruction.arguments]
                    elif not isinstance(instruction, ir.Compare):
                        values += operands(instruction)
        return frozenset(name for value in values for name in referenced(value, program))

    @cached_property
    def measures(self) -> bool:
        """Whether code that the function can get to asks for the order or the distance of two pointers."""
        reachable = self.effects.calls.reachable(self.entry.name)
        return any(_measures(self.program.functions[name]) for name in reachable)

    def function_at(self, address: int) -> str | None:
        """The program's function at an address."""
        return self._addresses.functions.get(address)

    def _used(self) -> set[str]:
        """Variables that only this file can name, and that the function, with all it calls, makes use of."""
        used: set[str] = set()
        for name in self.effects.calls.reachable(self.entry.name):
            for block in self.program.functions[name].blocks:
                for instruction in block.instructions:
                    for value in operands(instruction):
                        used.update(referenced(value, self.program))
        variables = [self.program.globals[name] for name in used if name in self.program.globals]
        return {variable.name for variable in variables if variable.internal and not variable.constant}

    @cached_property
    def hidden_writes(self) -> bool:
        """Whether a callback that calls back into the program may change a variable that it has no address of."""
        mask = 0
        for name in self._used():
            mask |= self.effects.bit(name)
        if not mask:
            return False
        outside = (f for f in self.program.functions.values() if not f.internal and not f.is_declaration)
        return any(
            self.effects.written_by_function(function.name) & mask
            for function in outside
            if function.name not in self.program.runtime
        )


def _measures(function: Function) -> bool:
    """Whether a function compares the order of pointers, or subtracts one from another."""
    instructions = [instruction for block in function.blocks for instruction in block.instructions]
    numbers = {i.result for i in instructions if isinstance(i, ir.Cast) and i.op == "ptrtoint"}
    for i in instructions:
        match i:
            case ir.Compare(predicate=predicate, left=left, right=right, floating=False):
                found = predicate not in ("eq", "ne")
            case ir.Binary(op="sub", left=left, right=right):
                found = True
            case _:
                continue
        if found and (isinstance(left.type, PointerType) or (left in numbers and right in numbers)):
            return True
    return False
