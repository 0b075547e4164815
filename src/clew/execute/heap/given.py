"""Memory that a test gives to a function: the objects, pointers and callbacks it names, with nothing left open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.execute.ends import Lost
from clew.execute.heap.facts import GivenHeap, KnownObject
from clew.execute.heap.surroundings import Surroundings
from clew.execute.state import State
from clew.report.values import HeapByte, InputValue, Pointee


def make_objects(given: GivenHeap, s: State, around: Surroundings) -> None:
    """Make all objects that are there from the start, and fill them."""
    for number, value in given.objects.items():
        if not value.call:
            base = around.region.object(number)
            size = int(value.value)
            sized = not value.type.startswith("unsigned char[")
            known = KnownObject(base, -1, size, size, value.name, number, sized)
            s.memory.place(base, size, "input", value.name, known)
            s.heap = replace(s.heap, objects=(*s.heap.objects, known), numbers=max(s.heap.numbers, number + 1))
    change_memory(given, s, around, 0)


def mark_exact(s: State, address: int) -> None:
    """It was said how large the object at an address is."""
    found = s.memory.find(address)
    if found is not None and isinstance(found[0].site, KnownObject):
        s.memory.owned(found[0]).site = replace(found[0].site, exact=True)


def change_memory(given: GivenHeap, s: State, around: Surroundings, call: int) -> None:
    """Fill cells, or give them the values that a call leaves there."""
    new = [(spot_address(given, s, value.at), value) for value in given.of_call(call, "cell") if value.at is not None]
    for address, value in new:
        if value.points is not None:
            s.memory.store_bits(address, pointer_value(given, s, around, value.points), value.bits // 8)
        else:
            s.memory.write_bytes(address, value.to_bytes())


def learn_objects(given: GivenHeap, s: State, call: int, arguments: list[Any]) -> None:
    """Objects that a callback comes to know by its call."""
    for value in given.of_call(call, "memory"):
        if value.route is None or value.at is None:
            continue
        start, which, steps = value.route
        base = int(arguments[int(which)]) if start == "argument" else s.run.globals.addresses.get(str(which), 0)
        for step in steps[:-1]:
            found = s.memory.load_bits(base + step, s.run.layout.pointer_bytes)
            base = found if isinstance(found, int) else 0
        known = KnownObject(base + steps[-1], -1, 1, int(value.value), value.name, value.at.object)
        s.heap = replace(s.heap, objects=(*s.heap.objects, known))


def spot_address(given: GivenHeap, s: State, at: HeapByte) -> int:
    """The address of a spot."""
    known = next((obj for obj in s.heap.objects if obj.number == at.object), None)
    if known is None:
        raise Lost("bounded", "the test names an object that it does not have")
    return known.base + at.offset


def pointer_value(given: GivenHeap, s: State, around: Surroundings, pointee: Pointee) -> int:
    """A pointer as a number."""
    match pointee.kind:
        case "object":
            assert isinstance(pointee.which, int)
            base = spot_address(given, s, HeapByte(pointee.which))
        case "callback":
            assert isinstance(pointee.which, int)
            base = around.region.function(pointee.which)
        case "global" | "function":
            base = s.run.globals.addresses.get(str(pointee.which), 0)
        case "number":
            assert isinstance(pointee.which, int)
            base = pointee.which
        case _:
            return 0
    return base + pointee.offset


def parameter_value(given: GivenHeap, s: State, around: Surroundings, position: int) -> int:
    """The pointer that is the next parameter; ``position`` counts those that are pointers."""
    if position >= len(given.pointers):
        raise Lost("bounded", "the function has more pointers for parameters than the test")
    points = given.pointers[position].points
    return 0 if points is None else pointer_value(given, s, around, points)


def stream_of(inputs: Sequence[InputValue]) -> tuple[InputValue, ...]:
    """The inputs that the program reads when it gets to them."""
    return tuple(value for value in inputs if not value.in_heap)


def returned(given: GivenHeap, s: State, around: Surroundings, call: int) -> list[Any]:
    """The numbers that a call gives back, piece by piece."""
    pieces = given.of_call(call, "returned")
    return [
        pointer_value(given, s, around, value.points)
        if value.points is not None
        else int.from_bytes(value.to_bytes(), "little")
        for value in pieces
    ]
