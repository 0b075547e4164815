"""``--function``: call one function with every parameter an input.

Scalars are symbols. Pointers are symbols, too, until it matters what they point to: see ``clew.execute.heap``. C types
come from debug info; without it the LLVM types have to do. A test that is run again gives all of this, with nothing
left open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clew.base.errors import UserError
from clew.execute.heap.allocation import Whence, declare, fill, new_pointer
from clew.execute.heap.facts import KnownObject, RawBytes
from clew.execute.heap.given import make_objects, parameter_value, spot_address
from clew.execute.heap.guesses import ELEMENTS, counted
from clew.execute.heap.surroundings import Surroundings
from clew.execute.inputs import HeapFact, InputKind, read_input
from clew.execute.state import InputRecord, State
from clew.execute.values import assemble, from_bits
from clew.expr import build
from clew.expr.node import Expr
from clew.program.ctypes import CFunction, CPointer, CRecord
from clew.program.instructions import Argument
from clew.program.module import Function
from clew.program.types import PointerType, Type
from clew.report.values import HeapByte


class Harness:
    """Makes the arguments of one call."""

    def __init__(self, state: State, around: Surroundings) -> None:
        self.state = state
        self.around = around
        self.layout = state.run.layout
        self.shapes = around.shapes
        self._pointers = self._copies = 0

    def arguments(self, function: Function) -> tuple[Any, ...]:
        """A value for every parameter of the function, in order."""
        if function.type.varargs:
            raise UserError(f"{function.source_name} takes variable arguments; write a main that calls it instead")
        kind = self.shapes.strip(function.ctype)
        types = kind.params if isinstance(kind, CFunction) else ()
        if len(types) == len(function.parameters):
            names = parameter_names(function)
        else:
            # A struct passed in pieces: LLVM's parameters are not C's, but those that are bear their names.
            names = [getattr(parameter.value, "name", f"p{n}") for n, parameter in enumerate(function.parameters)]
            known = _parameter_types(function)
            types = tuple(known.get(name, -1) for name in names)
        given = self.state.run.given
        if given is not None:
            make_objects(given, self.state, self.around)
        counts = counted(self.shapes, types, names) if self.around.options.guesses and given is None else {}
        arrays = frozenset(counts.values())
        made = [
            self._argument(parameter, names[position], types[position], ELEMENTS * (position in arrays))
            for position, parameter in enumerate(function.parameters)
        ]
        for position in counts:
            self._bound(made[position])
        return tuple(made)

    def _bound(self, count: Any) -> None:
        """A number of elements: no more than there are."""
        state = self.state
        if isinstance(count, Expr):
            state.path = state.path.add(build.ule(count, ELEMENTS, count.width))

    def _argument(self, parameter: Argument, name: str, ctype: int, elements: int = 0) -> Any:
        held = parameter.byval or parameter.sret
        if parameter.sret is not None:
            return self.state.memory.allocate(self.layout.size(parameter.sret), "argument", name, 16, None, b"")
        target = self.shapes.strip(ctype)
        if held is not None or (isinstance(parameter.value.type, PointerType) and isinstance(target, CRecord)):
            # Some ABIs pass a large struct as the address of a copy, without saying so as ``byval`` does.
            size = self.layout.size(held) if held is not None else self.shapes.size(ctype)
            return self._copy(name, ctype if self.shapes.size(ctype) == size else -1, size)
        if isinstance(parameter.value.type, PointerType):
            return self._pointer(
                name, target.to if isinstance(target, CPointer) else -1, self.shapes.is_restrict(ctype), elements
            )
        return self._scalar(parameter.value.type, name, ctype)

    def _copy(self, name: str, ctype: int, size: int) -> int:
        """A struct passed by value: the function's own, to which no pointer from outside leads."""
        state, number = self.state, self._copies
        self._copies += 1
        if state.run.given is not None:
            return spot_address(state.run.given, state, HeapByte(number))
        address = state.memory.allocate(size, "argument", name, 16, None, b"")
        known = KnownObject(address, ctype, 1 if ctype >= 0 else size, size, name, number)
        declare(state, known, shared=False)
        fill(state, known)
        return address

    def _pointer(self, name: str, target: int, alone: bool = False, elements: int = 0) -> Any:
        given, number = self.state.run.given, self._pointers
        self._pointers += 1
        if given is not None:
            return parameter_value(given, self.state, self.around, number)
        return new_pointer(self.state, name, target, Whence(), alone, elements)

    def _scalar(self, type: Type, name: str, ctype: int) -> Any:
        spelling = self.shapes.ctypes.spell(ctype) if ctype >= 0 else str(type)

        def piece(element: Type, offset: int) -> Any:
            bits = (self.layout.bits(element) + 7) // 8 * 8
            whole = element == type
            label = name if whole else f"{name}+{offset}"
            if isinstance(element, PointerType):
                return self._pointer(label, -1)
            held = self._held(ctype, offset) if not whole else None
            if held is not None and self.state.run.given is None:
                return new_pointer(self.state, label, held, Whence(kind=InputKind.PARAMETER))
            value = read_input(self.state, label, spelling if whole else str(element), bits, InputKind.PARAMETER)
            if (ctype < 0 or not whole) and bits == self.state.run.pointer_bits and self.state.run.given is None:
                self._may_be_pointer(value)
            return from_bits(value, element, self.layout)

        return assemble(type, self.layout, piece)

    def _held(self, ctype: int, offset: int) -> int | None:
        """What a pointer points to that is at an offset of a struct; None if there is none."""
        for cell in self.shapes.cells(ctype) if self.shapes.size(ctype) else ():
            kind = self.shapes.strip(cell.ctype)
            if cell.offset == offset and isinstance(kind, CPointer):
                return kind.to
        return None

    def _may_be_pointer(self, value: Any) -> None:
        """Part of a struct that is passed in pieces, without a type of its own."""
        state, last = self.state, self.state.inputs
        assert last is not None
        state.run.lazy[value] = RawBytes()
        state.inputs = InputRecord(last.previous, replace(last.read, heap=HeapFact(target=1)))


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
