"""Arrays of a program all of whose accesses are plain to see: elements of one type, by an index from the beginning.

Their addresses are computed in registers, and go nowhere else: nothing but these loads and stores touches the contents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.operands import operands, references
from clew.program.types import I32, I64, ArrayType, IntType, Type, is_word
from clew.program.values import ConstExpr, ConstInt, ConstNull, ConstZero, GlobalRef, Register, Value

FEW = 4
"""Elements of an array that is left as it is: they can be looked at one by one."""
_ALLOCATING, _FREEING, _LIFETIME = "malloc", "free", "llvm.lifetime."
"""Functions that make arrays, and those that these may be given to."""

Array = Register | GlobalRef
"""A global, or the register of a function that has the address of the first element."""


@dataclass(frozen=True, slots=True)
class Access:
    """A load or store of an array's element."""

    array: Array
    index: Value


@dataclass(frozen=True, slots=True)
class FunctionArrays:
    """The arrays that a function uses."""

    local: Mapping[Array, IntType]
    """Those it makes itself, with the type of their elements."""
    accesses: Mapping[tuple[str, int], Access]
    """By block and position."""
    addresses: frozenset[str] = field(default_factory=frozenset)
    """Registers that nothing but these accesses needs."""


def arrays_of(program: Program) -> tuple[dict[Array, IntType], dict[str, FunctionArrays]]:
    """The global arrays, with the type of their elements, and what each function uses of these and its own."""
    functions = [function for function in program.functions.values() if function.blocks]
    own = {function.name for function in functions}
    shared: dict[Array, IntType] = dict(_global_arrays(program))
    spoiled = {array for function in functions for array in _Finder(function, shared, own).spoiled() if array in shared}
    shared = {array: type for array, type in shared.items() if array not in spoiled}
    return shared, {function.name: _Finder(function, shared, own).found() for function in functions}


def _global_arrays(program: Program) -> Iterator[tuple[Array, IntType]]:
    """Those that begin as zeros, and that no other variable has the address of."""
    initial = [variable.initializer for variable in program.globals.values() if variable.initializer is not None]
    known = {name for value in (*initial, *(a.target for a in program.aliases.values())) for name in references(value)}
    for name, variable in program.globals.items():
        type = _elements(variable.type)
        is_own = isinstance(variable.initializer, ConstZero) and not variable.constant and name not in known
        if type is not None and is_own:
            yield GlobalRef(name), type


def _elements(type: Type) -> IntType | None:
    return _plain(type.element) if isinstance(type, ArrayType) and type.count > FEW else None


def _plain(type: Type) -> IntType | None:
    return type if isinstance(type, IntType) and is_word(type) else None


class _Finder:
    """Finds the arrays of one function among its own and some of all."""

    def __init__(self, function: Function, shared: Mapping[Array, IntType], own: set[str]) -> None:
        """``own``: functions that the program defines."""
        self._function = function
        self._own = own
        self._types = {**dict(self._made()), **shared}
        self._shared = shared
        self._places: dict[Value, Access] = {array: Access(array, ConstInt(I64, 0)) for array in self._types}
        for i in function.instructions():
            if isinstance(i, ir.GetElementPtr) and i.result is not None and i.base in self._types:
                place = self._step(i.base, i.source_type, i.indices)
                if place is not None:
                    self._places[i.result] = place
        self._accesses: dict[tuple[str, int], Access] = {}
        self._spoiled: set[Array] = set()
        for block in function.blocks:
            for index, instruction in enumerate(block.instructions):
                access = self._access(instruction)
                if access is not None:
                    self._accesses[block.name, index] = access

    def spoiled(self) -> set[Array]:
        """The arrays that are used in other ways, too."""
        return self._spoiled

    def found(self) -> FunctionArrays:
        """The others."""
        good = self._types.keys() - self._spoiled
        return FunctionArrays(
            {array: self._types[array] for array in self._types if array in good and array not in self._shared},
            {place: access for place, access in self._accesses.items() if access.array in good},
            frozenset(
                value.name
                for value, access in self._places.items()
                if isinstance(value, Register) and access.array in good and value not in self._types
            ),
        )

    def _made(self) -> Iterator[tuple[Array, IntType]]:
        """Arrays that the function makes: of a type with elements, or as its accesses see them."""
        seen: dict[Value, IntType] = {}
        for i in self._function.instructions():
            if isinstance(i, ir.GetElementPtr) and len(i.indices) == 1 and (type := _plain(i.source_type)) is not None:
                seen.setdefault(i.base, type)
        for i in self._function.instructions():
            made: IntType | None = None
            if isinstance(i, ir.Alloca):
                made = _elements(i.allocated) if isinstance(i.count, ConstInt) else seen.get(i.result or i.count)
            elif isinstance(i, ir.Call) and self._library(i) == _ALLOCATING and i.result is not None:
                made = seen.get(i.result)
            if made is not None and i.result is not None:
                yield i.result, made

    def _library(self, call: ir.Call) -> str:
        """The function that is called, if the program does not define it."""
        name = call.callee.name if isinstance(call.callee, GlobalRef) else ""
        return name if name not in self._own else ""

    def _step(self, array: Value, source: Type, indices: tuple[Value, ...]) -> Access | None:
        """The element that is so far from the first one."""
        assert isinstance(array, Register | GlobalRef)
        element = self._types[array]
        if indices[-1].type not in (I32, I64):
            return None
        if len(indices) == 1 and source == element:
            return Access(array, indices[0])
        is_within = len(indices) == 2 and isinstance(indices[0], ConstInt) and indices[0].value == 0
        if is_within and isinstance(source, ArrayType) and source.element == element:
            return Access(array, indices[1])
        return None

    def _place(self, pointer: Value) -> Access | None:
        if isinstance(pointer, ConstExpr) and pointer.op == "getelementptr" and pointer.source_type is not None:
            base, *indices = pointer.operands
            return self._step(base, pointer.source_type, tuple(indices)) if base in self._types else None
        return self._places.get(pointer)

    def _access(self, i: ir.Instruction) -> Access | None:
        """The access that an instruction is; what it does else with addresses spoils their arrays."""
        pointer: Value | None = None
        rest = operands(i)
        match i:
            case ir.Load(pointer=pointer, volatile=False, result=Register(type=type)):
                rest = ()
            case ir.Store(value=value, pointer=pointer, volatile=False):
                type, rest = value.type, (value,)
            case ir.GetElementPtr(result=Register() as result) if result in self._places:
                return None
            case ir.Call() if self._library(i) == _FREEING or self._library(i).startswith(_LIFETIME):
                rest = tuple(value for value in rest if value not in self._types)
            case ir.Compare() if ConstNull() in rest:
                rest = tuple(value for value in rest if value not in self._types)
        if pointer is not None:
            place = self._place(pointer)
            if place is not None and type == self._types[place.array]:
                self._spoil(rest)
                return place
            rest = (*rest, pointer)
        self._spoil(rest)
        return None

    def _spoil(self, values: tuple[Value, ...]) -> None:
        for value in values:
            if value in self._places:
                self._spoiled.add(self._places[value].array)
            self._spoiled.update(GlobalRef(name) for name in references(value) if GlobalRef(name) in self._types)
