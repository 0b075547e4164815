"""``--function``: call one function with every parameter an input.

Scalars are symbolic. A pointer gets a fresh object of ``array_length`` elements filled with inputs,
or is null: which, is an input too. Structs are filled field by field, pointers inside them again
with fresh objects, down to a fixed depth where they are null. C types come from debug info; without
it the LLVM types have to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clew.base.errors import UserError
from clew.execute.inputs import InputKind, read_input
from clew.execute.values import assemble, from_bits, low_bit
from clew.expr import build
from clew.expr.sort import bv
from clew.program.ctypes import CArray, CBase, CEnum, CFunction, CPointer, CRecord
from clew.program.instructions import Argument
from clew.program.module import Function
from clew.program.types import PointerType, Type

if TYPE_CHECKING:
    from clew.execute.state import State

MAX_DEPTH = 3
"""Pointers behind pointers that still get an object."""


class Harness:
    """Makes the arguments of one call."""

    def __init__(self, state: State, array_length: int) -> None:
        self.state = state
        self.length = array_length
        self.layout = state.run.layout
        self.ctypes = state.run.program.ctypes

    def arguments(self, function: Function) -> tuple[Any, ...]:
        """A value for every parameter of the function, in order."""
        if function.type.varargs:
            raise UserError(f"{function.source_name} takes variable arguments; write a main that calls it instead")
        kind = self.ctypes.strip(function.ctype)
        types = kind.params if isinstance(kind, CFunction) else ()
        if len(types) == len(function.parameters):
            names = parameter_names(function)
        else:
            # A struct passed in pieces: LLVM's parameters are not C's, but those that are bear their names.
            names = [getattr(parameter.value, "name", f"p{n}") for n, parameter in enumerate(function.parameters)]
            known = _parameter_types(function)
            types = tuple(known.get(name, -1) for name in names)
        return tuple(
            self._argument(parameter, names[position], types[position])
            for position, parameter in enumerate(function.parameters)
        )

    def _argument(self, parameter: Argument, name: str, ctype: int) -> Any:
        held = parameter.byval or parameter.sret
        if held is not None:
            size = self.layout.size(held)
            address = self.state.memory.allocate(size, "argument", name, 16, None, b"")
            if parameter.byval is not None:
                self._fill_bytes(address, size, name)
            return address
        type = parameter.value.type
        target = self.ctypes.strip(ctype)
        if isinstance(type, PointerType) and isinstance(target, CRecord):
            # Some ABIs pass a large struct as the address of a copy, without saying so as ``byval`` does.
            address = self.state.memory.allocate(self._size(ctype), "argument", name, 16, None, b"")
            self._fill(address, ctype, name, 0)
            return address
        if isinstance(type, PointerType):
            return self._pointer(target.to if isinstance(target, CPointer) else -1, name, 0)
        return self._scalar(type, name, ctype)

    def _scalar(self, type: Type, name: str, ctype: int) -> Any:
        spelling = self.ctypes.spell(ctype) if ctype >= 0 else str(type)

        def piece(element: Type, offset: int) -> Any:
            bits = (self.layout.bits(element) + 7) // 8 * 8
            whole = element == type
            value = self._input(name if whole else f"{name}+{offset}", spelling if whole else str(element), bits)
            return from_bits(value, element, self.layout)

        return assemble(type, self.layout, piece)

    def _input(self, name: str, spelling: str, bits: int) -> Any:
        return read_input(self.state, name, spelling, bits, InputKind.PARAMETER)

    # Pointers and what they point to

    def _pointer(self, target: int, name: str, depth: int) -> Any:
        """Null, or the address of a fresh object; an input of one byte says which."""
        bits = self.layout.pointer_bits
        if depth >= MAX_DEPTH or isinstance(self.ctypes.strip(target), CFunction):
            return 0
        is_null = self._input(f"{name} is null", "_Bool", 8)
        size = self._size(target)
        address = self.state.memory.allocate(size * self.length, "argument", f"*{name}", 16, None, b"")
        for index in range(self.length):
            element = f"*{name}" if self.length == 1 else f"{name}[{index}]"
            self._fill(address + index * size, target, element, depth + 1)
        return build.ite(low_bit(is_null), 0, address, bv(bits))

    def _size(self, ctype: int) -> int:
        match self.ctypes.strip(ctype):
            case CBase(bits=bits) | CPointer(bits=bits) | CArray(bits=bits) | CRecord(bits=bits) | CEnum(bits=bits):
                return max(1, bits // 8)
        return 1

    def _fill(self, address: int, ctype: int, name: str, depth: int) -> None:
        """Inputs for an object of a C type."""
        match self.ctypes.strip(ctype):
            case CBase(bits=bits) | CEnum(bits=bits) if bits in (8, 16, 32, 64):
                value = self._input(name, self.ctypes.spell(ctype), bits)
                self.state.memory.store_bits(address, value, bits // 8)
            case CPointer(to=to, bits=bits):
                value = self._pointer(to, name, depth)
                self.state.memory.store_bits(address, value, bits // 8)
            case CArray(element=element, count=count) if count > 0:
                size = self._size(element)
                for index in range(count):
                    self._fill(address + index * size, element, f"{name}[{index}]", depth)
            case CRecord(union=False, members=members, bits=bits) if not any(m.bitfield for m in members):
                for member in members:
                    self._fill(address + member.offset // 8, member.ctype, f"{name}.{member.name}", depth)
            case _:
                self._fill_bytes(address, self._size(ctype), name)

    def _fill_bytes(self, address: int, size: int, name: str) -> None:
        """Inputs byte by byte: unions, bit-fields, and types nothing is known of."""
        for index in range(size):
            value = self._input(f"{name}+{index}" if size > 1 else name, "unsigned char", 8)
            self.state.memory.store_bits(address + index, value, 1)


def _parameter_types(function: Function) -> dict[str, int]:
    """C types of the parameters by name."""
    updates = [update.variable for block in function.blocks[:1] for update in block.updates]
    return {variable.name: variable.ctype for variable in updates if variable.parameter}


def parameter_names(function: Function) -> list[str]:
    """C names of the parameters, in order; LLVM's names where debug info is missing."""
    names = [getattr(parameter.value, "name", f"p{n}") for n, parameter in enumerate(function.parameters)]
    for block in function.blocks[:1]:
        for update in block.updates:
            place = update.variable.parameter - 1
            if 0 <= place < len(names):
                names[place] = update.variable.name
    return names
