"""``--function``: call one function with every parameter an input, as far as it is not said what it is.

Scalars are symbols. Pointers are symbols, too, until it matters what they point to: see ``clew.execute.heap``. C types
come from debug info; without it the LLVM types have to do. A test that is run again gives all of this, with nothing
left open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.specification import Area, Bound, Length, Promise
from clew.execute.decide import assume
from clew.execute.ends import Dropped, Lost
from clew.execute.heap.allocation import Whence, declare, fill, new_object, new_pointer
from clew.execute.heap.facts import KnownObject, LazyPointer, RawBytes
from clew.execute.heap.given import make_objects, mark_exact, parameter_value, spot_address
from clew.execute.heap.promises import members_of, promises_of
from clew.execute.heap.sayings import ONE
from clew.execute.heap.subjects import Member, Parameter, Subject, parameters_of
from clew.execute.heap.surroundings import Surroundings
from clew.execute.inputs import HeapFact, InputKind, read_input
from clew.execute.state import InputRecord, State
from clew.execute.values import assemble, from_bits
from clew.expr import build
from clew.expr.node import Bool
from clew.expr.sort import bv
from clew.program.ctypes import CPointer
from clew.program.module import Function
from clew.program.types import PointerType, Type
from clew.report.values import HeapByte


@dataclass(frozen=True, slots=True)
class Place:
    """Memory that is promised: how much, the pointer to it (which may be null), and its address."""

    area: Area
    term: Any
    home: int


class Harness:
    """Makes the arguments of one call."""

    def __init__(self, state: State, around: Surroundings) -> None:
        self.state = state
        self.around = around
        self.layout = state.run.layout
        self.shapes = around.shapes
        self._pointers = self._copies = 0
        self._places: dict[str, Place] = {}
        """Arrays and strings that are promised, by parameter or member."""

    def arguments(self, function: Function) -> tuple[Any, ...]:
        """A value for every parameter of the function, in order."""
        if function.type.varargs:
            raise UserError(f"{function.source_name} takes variable arguments; write a main that calls it instead")
        given = self.state.run.given
        if given is not None:
            make_objects(given, self.state, self.around)
        parameters = parameters_of(function, self.shapes)
        promises = promises_of(function, self.shapes, self.around.options)
        made, numbers = [], dict[int, Any]()
        for position, parameter in enumerate(parameters):
            promise = promises[position].promise if position in promises else None
            made.append(self._argument(parameter, promise))
            if promise is not None and promise.spans:
                assert self.state.inputs is not None
                numbers[position] = self.state.inputs.read.values[0]
        members = [(member, each.promise) for member, each in members_of(function, self.shapes, self.around.options)]
        for member, promise in members:
            if not promise.spans:
                self._member(member, promise)
        for position, number in numbers.items():
            self._keep_within(number, parameters[position], promises[position].promise)
        for member, promise in members:
            place = self._places[member.holder]
            if promise.spans and place.home:
                number = self.state.memory.load_bits(place.home + member.offset, self.shapes.size(member.ctype))
                self._keep_within(number, member, promise, place)
        return tuple(made)

    def _argument(self, parameter: Parameter, promise: Promise | None) -> Any:
        argument, name, ctype = parameter.argument, parameter.name, parameter.ctype
        held = argument.byval or argument.sret
        if argument.sret is not None:
            return self.state.memory.allocate(self.layout.size(argument.sret), "argument", name, 16, None, b"")
        if held is not None or (
            isinstance(argument.value.type, PointerType) and parameter.pointee(self.shapes) is None
        ):
            # Some ABIs pass a large struct as the address of a copy, without saying so as ``byval`` does.
            size = self.layout.size(held) if held is not None else self.shapes.size(ctype)
            return self._copy(name, ctype if self.shapes.size(ctype) == size else -1, size)
        target = parameter.pointee(self.shapes)
        if target is None:
            return self._scalar(argument.value.type, name, ctype)
        if promise is None:
            return self._pointer(name, target, self.shapes.is_restrict(ctype))
        return self._promised_pointer(promise, target, self.shapes.is_restrict(ctype))

    # What is promised

    def _promised_pointer(self, promise: Promise, target: int, alone: bool) -> Any:
        """A pointer of which something is known."""
        return self._kept(self._pointer(promise.parameter, target, alone, promise.area), target, promise)

    def _member(self, member: Member, promise: Promise) -> None:
        """A pointer in a struct of which something is known."""
        state, place, size = self.state, self._places[member.holder], self.layout.pointer_bytes
        target = member.pointee(self.shapes)
        assert target is not None
        if not place.home:  # a test in which nothing leads to it
            self._places[member.name] = Place(promise.area or ONE, 0, 0)
            return
        address = place.home + member.offset
        term = state.memory.load_bits(address, size)
        if state.run.given is None and promise.area is not None:
            symbol, pointer = next(each for each in state.run.lazy.items() if getattr(each[1], "term", None) is term)
            assert isinstance(pointer, LazyPointer)
            state.run.lazy[symbol] = replace(pointer, area=promise.area)
        kept = self._kept(term, target, promise)
        if kept is not term:
            state.memory.store_bits(address, kept, size)
        if member.name in self._places:
            held, bits = self._places[member.name], state.run.pointer_bits
            there = build.ite(build.eq(place.term, 0, bits), 0, held.term, bv(bits))
            self._places[member.name] = replace(held, term=there)

    def _kept(self, term: Any, target: int, promise: Promise) -> Any:
        """A pointer as it is promised: an array or a string of its own is there from the start."""
        state, area, bits = self.state, promise.area, self.state.run.pointer_bits
        if area is not None and area.own:
            self._places[promise.parameter] = Place(area, term, term)
        if state.run.given is not None:
            if area is not None and area.exact and term:
                mark_exact(state, term)
            return term
        null = build.eq(term, 0, bits)
        if area is None or not area.own:
            self._hold(null if promise.null else build.lnot(null), promise)
            return term
        pointer = next(each for each in state.run.lazy.values() if isinstance(each, LazyPointer) and each.term is term)
        new_object(state, pointer.home, target, pointer)
        self._places[promise.parameter] = Place(area, term, pointer.home)
        if area.text and not area.exact:  # by a guess: it may be another string as well
            self._hold(True if promise.null else build.lnot(null), promise)
            return term
        self._hold(build.lor(build.eq(term, pointer.home, bits), null if promise.null else False), promise)
        if promise.null:
            return term
        self._places[promise.parameter] = Place(area, pointer.home, pointer.home)
        return pointer.home

    def _keep_within(self, number: Any, subject: Subject, promise: Promise, place: Place | None = None) -> None:
        """A number is in one of the spans that are promised, if something leads to the place where it is."""
        limits = subject.limits(self.shapes)
        assert limits is not None
        bits = 8 * self.shapes.size(subject.ctype)
        if isinstance(subject, Parameter):
            bits = (self.layout.bits(subject.argument.value.type) + 7) // 8 * 8
        at_most, mask = build.sle if limits[0] < 0 else build.ule, (1 << bits) - 1
        cases: list[Bool] = []
        for span in promise.spans:
            assert span.low is not None and span.high is not None
            for (first, low), (second, high) in product(self._values(span.low), self._values(span.high)):
                least, most = max(low, limits[0]), min(high, limits[1])
                inside = build.land(at_most(least & mask, number, bits), at_most(number, most & mask, bits))
                cases += [build.conjunction([first, second, inside])] if least <= most else []
        if place is not None:
            cases.append(build.eq(place.term, 0, self.state.run.pointer_bits))
        self._hold(build.disjunction(cases), promise)

    def _values(self, bound: Bound) -> list[tuple[Bool, int]]:
        """What a bound may be, each with the condition under which it is that."""
        if not isinstance(bound, Length):
            assert isinstance(bound, int)
            return [(True, bound)]
        place, bits = self._places[bound.parameter], self.state.run.pointer_bits
        null = build.eq(place.term, 0, bits)
        cases: list[tuple[Bool, int]] = [(null, bound.plus)]
        if null is not True:
            cases += [(build.land(build.lnot(null), held), count + bound.plus) for held, count in self._lengths(place)]
        return [(condition, number) for condition, number in cases if condition is not False]

    def _lengths(self, place: Place) -> Iterator[tuple[Bool, int]]:
        """The lengths of an array or a string, each with its condition."""
        if not place.area.text:
            yield True, place.area.count
            return
        before: list[Bool] = []
        for count in range(place.area.count + 1):
            byte = self.state.memory.load_bits(place.home + count, 1)
            yield build.conjunction([*before, build.eq(byte, 0, 8)]), count
            before.append(build.ne(byte, 0, 8))

    def _hold(self, condition: Bool, promise: Promise) -> None:
        """A promise is kept by all inputs of the run; UserError if none can keep it."""
        if self.state.run.given is not None and not self.around.options.of_tests:
            return
        try:
            assume(self.state, condition)
        except Dropped:
            if self.state.run.given is not None:
                raise Lost("bounded", f"the test is not as --function says: {promise}") from None
            raise UserError(f"--function: {promise} cannot be, with the rest that is asked for") from None

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

    def _pointer(self, name: str, target: int, alone: bool = False, area: Area | None = None) -> Any:
        given, number = self.state.run.given, self._pointers
        self._pointers += 1
        if given is not None:
            return parameter_value(given, self.state, self.around, number)
        return new_pointer(self.state, name, target, Whence(), alone, area)

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
