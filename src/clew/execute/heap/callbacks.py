"""Calls of functions that a function is given: code outside, of which only the type is known.

It gives back anything, and may change everything that its arguments, variables with external linkage, and what it was
shown before lead to: these cells are new inputs afterwards. Behind a pointer that is not bound yet lies whatever it
may point to, each under the condition that it does. Nothing is changed through pointers to ``const``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from clew.base.dataclass import dataclass
from clew.execute.ends import Lost
from clew.execute.forking import fork_at
from clew.execute.frame import Frame
from clew.execute.heap.allocation import (
    Whence,
    cells_of,
    declare,
    inside,
    load,
    new_pointer,
    new_values,
    padding_of,
    spans_in,
    store,
    surroundings_of,
)
from clew.execute.heap.binding import guessing_null, is_input, known, one_arm, settled
from clew.execute.heap.facts import KnownObject, LazyPointer
from clew.execute.heap.given import change_memory, learn_objects, returned
from clew.execute.heap.shapes import Cell, CellKind
from clew.execute.inputs import HeapFact, InputKind, InputRead, new_input
from clew.execute.made_up import leads_nowhere
from clew.execute.state import InputRecord, State
from clew.execute.values import assemble, from_bits
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.expr.op import ITE
from clew.expr.sort import bv
from clew.memory.storage import UNSET
from clew.program import instructions as ir
from clew.program.ctypes import CFunction, CPointer
from clew.program.types import PointerType, Type, VoidType
from clew.report.values import HeapByte, Route

Live = tuple[Any, ...]

REENTRY = "callbacks that call the program's own functions"


def called(s: State, f: Frame, point: int, live: Live, address: Any) -> Any:
    """The function that a pointer stands for: an address of the program's, or an expression for one outside."""
    while isinstance(address := known(s, address), Expr) and address.op is ITE:
        address = one_arm(s, f, point, live, address)
    pointer = _pointer(s, address) if isinstance(address, Expr) else None
    if pointer is None:
        return settled(s, f, point, live, address)
    region, bits = surroundings_of(s).region, s.run.pointer_bits
    outside = build.land(build.ule(region.functions, address, bits), build.ult(address, region.high, bits))
    if s.model.eval(outside):
        if not s.implies_all(outside):
            before = s.heap
            s.heap = guessing_null(s, pointer)
            fork_at(s, f, point, live, build.eq(address, 0, bits))
            s.heap = before
            s.path = s.path.add(outside)
        return address
    fork_at(s, f, point, live, outside)
    return settled(s, f, point, live, address)


def is_outside(s: State, address: Any) -> bool:
    """Whether a function that was called is none of the program's. (One out of a table of the program's is, whatever
    input tells which one.)"""
    if isinstance(address, Expr):
        return is_input(s, address) or leads_nowhere(s, address)
    region = surroundings_of(s).region
    return bool(region.functions <= address < region.high)


def _pointer(s: State, address: Any) -> LazyPointer | None:
    """What is known about a pointer to a function outside."""
    for pointer in s.run.lazy.values():
        if isinstance(pointer, LazyPointer) and (pointer.term is address or pointer.home == address):
            return pointer
    return None


def call_outside(
    s: State, f: Frame, point: int, live: Live, address: Any, call: ir.Call, arguments: tuple[Any, ...]
) -> Any:
    """Run a function that nobody defines; yields what it gives back."""
    settle = [
        settled(s, f, point, live, value) if isinstance(argument.value.type, PointerType) else value
        for argument, value in zip(call.arguments, arguments, strict=True)
    ]
    number = s.heap.calls + 1
    s.heap = replace(s.heap, calls=number)
    if s.run.given is not None:
        return _replayed(s, number, call, settle)
    pointer = _pointer(s, address)
    kind = surroundings_of(s).shapes.strip(pointer.target) if pointer is not None else None
    outside = _Outside(s, number, f"{pointer.name if pointer else 'callback'}()", kind, call)
    outside.note(address)
    outside.change(settle)
    return outside.result()


def _replayed(s: State, number: int, call: ir.Call, arguments: list[Any]) -> Any:
    """The same with what a test says it does."""
    around, given, layout = surroundings_of(s), s.run.given, s.run.layout
    assert given is not None
    if not given.of_call(number, "call"):
        raise Lost("bounded", "the function calls callbacks more often than the test has")
    learn_objects(given, s, number, arguments)
    change_memory(given, s, around, number)
    pieces = iter(returned(given, s, around, number))
    if isinstance(call.type.result, VoidType):
        return None
    return assemble(call.type.result, layout, lambda type, offset: from_bits(next(pieces, 0), type, layout))


@dataclass(slots=True)
class _Reached:
    """An object that code outside can get at, under a condition."""

    known: KnownObject
    condition: Bool
    writable: Bool
    """The condition under which it may be changed."""
    route: Route | None
    looks: int = 0
    """How often it was looked into."""


class _Outside:
    """One call."""

    def __init__(self, s: State, number: int, name: str, kind: Any, call: ir.Call) -> None:
        self._s = s
        self._around = surroundings_of(s)
        self._number = number
        self._name = name
        self._type = kind if isinstance(kind, CFunction) else None
        self._call = call
        self._reached: dict[int, _Reached] = {}
        self._queue: list[int] = []

    def note(self, address: Any) -> None:
        """That there is a call, of which function, and of which machine type."""
        s, layout = self._s, self._s.run.layout
        types = [self._call.type.result, *(argument.value.type for argument in self._call.arguments)]
        result, *parameters = ["ptr" if isinstance(type, PointerType) else str(type) for type in types]
        fact = HeapFact(call=self._number)
        signature = f"{result}({','.join(parameters)})".replace(" ", "")
        read = InputRead(self._name, signature, InputKind.CALL, layout.pointer_bits, (address,), None, heap=fact)
        s.inputs = InputRecord(s.inputs, read)
        if self._around.calls_back:
            s.run.note_loss("bounded", REENTRY, s)

    # What it can get at

    def change(self, arguments: list[Any]) -> None:
        """Give new contents to everything that the call can get at."""
        params = self._type.params if self._type is not None else ()
        for position, (argument, value) in enumerate(zip(self._call.arguments, arguments, strict=True)):
            if isinstance(argument.value.type, PointerType):
                ctype = params[position] if len(params) == len(arguments) else -1
                kind = self._around.shapes.strip(ctype)
                target = kind.to if isinstance(kind, CPointer) else -1
                self._follow(value, target, True, ("argument", position, ()))
            else:
                self._follow_number(value)
        for variable in self._around.changeable:
            self._reach(variable, True, True, ("global", variable.name, (0,)))
        for shown in self._s.heap.objects:
            if not self._around.region.holds(shown.base):
                self._reach(shown, True, shown.base not in self._s.heap.only_read, None)
        for (pointer, target), condition in self._s.heap.told.items():
            self._follow(pointer, target, condition, None)
        while self._queue:
            reached = self._reached[self._queue.pop(0)]
            # What leads to an object that was looked into already is not followed through to what lies behind it: the
            # second time, that counts as reached wherever pointers lead there. More would be exact, and take forever.
            reached.looks += 1
            if reached.looks <= 2:
                self._look_into(reached, reached.condition if reached.looks == 1 else True)
        for reached in list(self._reached.values()):
            if reached.writable is not False:
                self._renew(reached)
            elif reached.known.number < 0 and self._s.memory.find(reached.known.base) is not None:
                # It cannot change it, but give its address back.
                obj = self._numbered(reached.known, reached.route)
                self._s.heap = replace(self._s.heap, only_read=self._s.heap.only_read | {obj.base})

    def _follow_number(self, value: Any) -> None:
        """A number, or a struct in pieces, may hold addresses as well."""
        if isinstance(value, tuple):
            for part in value:
                self._follow_number(part)
        elif isinstance(value, Expr) and value.sort is bv(self._s.run.pointer_bits) and is_input(self._s, value):
            self._follow(value, -1, True, None)
        elif isinstance(value, int) and not isinstance(value, bool):
            for word in (value & (1 << self._s.run.pointer_bits) - 1, value >> self._s.run.pointer_bits):
                self._follow(word, -1, True, None)

    def _follow(self, value: Any, target: int, condition: Bool, route: Route | None) -> None:
        """A pointer leads on: ``target`` is what its type says it points to."""
        s, around = self._s, self._around
        value = known(s, value)
        if around.shapes.is_function(target):
            return
        writable = not around.shapes.is_constant(target)
        if isinstance(value, Expr) or around.region.holds(value):
            s.heap = s.heap.tell(value, target, condition)
        if not isinstance(value, Expr):
            found = s.memory.find(value)
            if found is not None and found[0].kind != "function" and not found[0].constant:
                s.heap = replace(s.heap, shown=s.heap.shown | {found[0].base})
                at = None if route is None else (route[0], route[1], (*route[2], -found[1]))
                obj = self._typed(found[0].base, found[0].size, found[0].name, target)
                self._reach(obj, condition, writable, at)
            return
        for obj in (*s.heap.objects, *around.variables):
            spans = spans_in(around, target, obj)
            points = build.disjunction([inside(value, obj.base, span, s.run.pointer_bits) for span in spans])
            self._reach(obj, build.land(condition, points), writable, None)

    def _typed(self, base: int, size: int, name: str, target: int) -> KnownObject | None:
        """The object at an address with its type, or the one that a pointer to it has; None if nobody knows it."""
        around, s = self._around, self._s
        for obj in (*s.heap.objects, *s.heap.learned, *around.variables):
            if obj.base == base:
                return obj
        step = around.shapes.size(target)
        if not step or base in s.memory.extents:
            what = f"what {self._name} changes in {name or 'an object'}, whose type is not known"
            s.run.note_loss("bounded", what, s, self._call.location)
            return None
        return KnownObject(base, target, size // step, size, name)

    def _reach(self, obj: KnownObject | None, condition: Bool, writable: bool, route: Route | None) -> None:
        """Code outside can get at an object; by a pointer through which it may write, or one through which it reads."""
        if obj is None or condition is False or (obj.number < 0 and self._is_constant(obj)):
            return
        obj = next((learned for learned in self._s.heap.learned if learned.base == obj.base), obj)
        before = self._reached.get(obj.base)
        if before is None:
            self._reached[obj.base] = _Reached(obj, condition, condition if writable else False, route)
        else:
            wider = build.lor(before.condition, condition)
            before.writable = build.lor(before.writable, condition) if writable else before.writable
            if before.route is None and route is not None:
                before.route = route
            if wider is before.condition or before.condition is True:
                return
            before.condition = wider
        self._queue.append(obj.base)

    def _is_constant(self, obj: KnownObject) -> bool:
        found = self._s.memory.find(obj.base)
        return found is None or found[0].constant

    def _look_into(self, reached: _Reached, condition: Bool) -> None:
        """Follow the pointers in an object."""
        found = self._s.memory.find(reached.known.base)
        if found is None:
            return  # it was freed
        for cell, target in self._words(reached.known):
            if not self._is_unset(found[0].shadow, cell):
                route = reached.route
                onward = None
                if route is not None:
                    onward = (route[0], route[1], (*route[2][:-1], route[2][-1] + cell.offset))
                (value,) = load(self._s, reached.known.base, cell)
                if cell.kind is CellKind.POINTER or self._may_be_address(value):
                    self._follow(value, target, condition, onward)

    def _words(self, obj: KnownObject) -> Iterator[tuple[Cell, int]]:
        """The pointers in an object, and everything else that is as large, with the types that they point to."""
        shapes, bits = self._around.shapes, self._s.run.pointer_bits
        step, pointers = bits // 8, set[int]()
        for cell, _ in cells_of(self._around, obj):
            kind = shapes.strip(cell.ctype)
            if cell.kind is CellKind.POINTER and isinstance(kind, CPointer):
                pointers.add(cell.offset)
                yield cell, kind.to
            else:
                for at in range(0, cell.count * cell.bits // 8 - step + 1, step):
                    pointers.add(cell.offset + at)
                    yield Cell(cell.offset + at, CellKind.BYTES, -1, bits), shapes.pointer_in_union(cell.ctype, at)
        for at in range(0, obj.size - step + 1, step):
            if at not in pointers:
                yield Cell(at, CellKind.BYTES, -1, bits), -1

    def _may_be_address(self, value: Any) -> bool:
        """Whether a number may be a pointer's, or that of an object."""
        if isinstance(value, Expr):
            return is_input(self._s, value)
        return isinstance(value, int) and self._s.memory.find(value) is not None

    @staticmethod
    def _is_unset(shadow: Any, cell: Cell) -> bool:
        return shadow is not None and UNSET in bytes(shadow[cell.offset : cell.offset + cell.bits // 8])

    # What it does there

    def _renew(self, reached: _Reached) -> None:
        """New inputs for the cells of an object, where they are not constant."""
        s, obj = self._s, reached.known
        s.heap = replace(s.heap, only_read=s.heap.only_read - {obj.base})
        if s.memory.find(obj.base) is None:
            return
        if obj.number < 0:
            obj = self._numbered(obj, reached.route)
        cells = [(cell, name) for cell, name in cells_of(self._around, obj) if not cell.constant]
        for cell, name in (*cells, *(padding_of(self._around, obj) if cells else ())):
            whence = Whence(HeapByte(obj.number, cell.offset), self._number, obj.depth)
            old = load(s, obj.base, cell) if reached.writable is not True else ()
            new = new_values(s, cell, name, whence)
            if old:
                new = tuple(
                    build.ite(reached.writable, fresh, kept, bv(cell.bits))
                    for fresh, kept in zip(new, old, strict=True)
                )
                assert s.inputs is not None
                s.inputs = InputRecord(s.inputs.previous, replace(s.inputs.read, values=new))
            store(s, obj.base, cell, new)
            self._keep(cell, new)

    def _keep(self, cell: Cell, values: tuple[Any, ...]) -> None:
        """It may use the pointers again that it leaves behind."""
        kind = self._around.shapes.strip(cell.ctype)
        if cell.kind is CellKind.POINTER and isinstance(kind, CPointer):
            self._s.heap = self._s.heap.tell(values[0], kind.to)

    def _numbered(self, obj: KnownObject, route: Route | None) -> KnownObject:
        """An object that tests have no number for yet, with one."""
        s = self._s
        is_variable = any(obj.base == variable.base for variable in self._around.variables)
        if is_variable:
            route = ("global", obj.name, (0,))
        obj = replace(obj, number=s.heap.numbers)
        declare(s, obj, self._number, route, shared=not is_variable)
        if is_variable:
            s.heap = replace(s.heap, learned=(*s.heap.learned, obj))
        return obj

    def result(self) -> Any:
        """What it gives back."""
        s, type = self._s, self._call.type.result
        if isinstance(type, VoidType):
            return None
        ctype = self._type.result if self._type is not None else -1
        layout, shapes = s.run.layout, self._around.shapes

        def piece(element: Type, offset: int) -> Any:
            whence = Whence(None, self._number, 0, InputKind.RETURNED)
            if isinstance(element, PointerType):
                kind = shapes.strip(ctype)
                target = kind.to if isinstance(kind, CPointer) else -1
                pointer = new_pointer(s, self._name, target, whence)
                s.heap = s.heap.tell(pointer, target)
                return pointer
            bits = (layout.bits(element) + 7) // 8 * 8
            spelling = shapes.ctypes.spell(ctype) if ctype >= 0 and element == type else str(element)
            fact = HeapFact(call=self._number)
            (value,) = new_input(s, self._name, spelling, bits, 1, InputKind.RETURNED, fact)
            return from_bits(value, element, layout)

        return assemble(type, layout, piece)
