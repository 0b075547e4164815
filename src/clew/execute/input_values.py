"""The inputs of a path as values of a test: numbers, bytes, and pointers into the memory that the test describes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.execute.heap.test_heap import Telling
from clew.execute.inputs import InputKind, InputRead, reads
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.report.values import InputValue

MOST_OF_SERIES = 1 << 22
"""Bytes of a series of inputs that are told."""


def input_values(s: State, model: Model | None = None) -> tuple[InputValue, ...]:
    """The inputs of a path under its model, or another one, in the order the program read them."""
    chosen, known = model or s.model, [*reads(s.inputs)][::-1]
    if s.run.surroundings is None:
        return tuple(_value(read, chosen) for read in known)
    telling = Telling(s.run.surroundings, known)
    for read in known:
        telling.look(read, chosen)
    return (*(_told(read, chosen, telling) for read in known), *telling.unseen())


def of_program(values: tuple[InputValue, ...]) -> tuple[InputValue, ...]:
    """Those that the program reads: without what a changed program makes up, and each one of a series."""
    return tuple(each for value in values if value.kind != InputKind.HAVOC.value for each in _single(value))


def _single(value: InputValue) -> Iterator[InputValue]:
    if value.kind != InputKind.SERIES.value:
        yield value
        return
    data, size = value.to_bytes(), value.bits // 8
    for start in range(0, len(data), size):
        number = int.from_bytes(data[start : start + size], "little")
        yield replace(InputValue.from_raw(value.name, value.type, value.bits, number), place=value.place)


def _told(read: InputRead, model: Model, telling: Telling) -> InputValue:
    """An input of a function, which may be a pointer."""
    fact = read.heap
    if fact is None:
        return _value(read, model)
    if read.kind is InputKind.CALL:
        number = telling.callback(int(model.eval(read.values[0])))
        return InputValue(read.name, read.ctype, read.bits, number, read.kind.value, call=fact.call)
    points = None if fact.target is None else telling.pointee(int(model.eval(read.values[0])))
    if read.kind is InputKind.PARAMETER and points is not None:
        # It may just as well be a number.
        return replace(_value(read, model), points=None if points.kind in ("null", "number") else points)
    if points is not None:
        value = InputValue(read.name, read.ctype, read.bits, 0, read.kind.value)
    else:
        value = _value(read, model)
    return replace(value, at=fact.at, points=points, call=fact.call, route=fact.route)


def _value(read: InputRead, model: Model) -> InputValue:
    if read.kind is InputKind.SERIES:
        array, count = (model.eval(value) for value in read.values)
        data = bytes(array[at] for at in range(min(count * read.bits // 8, MOST_OF_SERIES)))
        return InputValue(read.name, read.ctype, read.bits, data, read.kind.value, read.place)
    numbers = [int(model.eval(value)) for value in read.values]
    if read.kind is InputKind.OBJECT or len(numbers) > 1:
        data = b"".join(number.to_bytes(read.bits // 8, "little") for number in numbers)
        return InputValue(read.name, read.ctype, 8 * len(data), data, read.kind.value)
    number = numbers[0]
    if read.kind is InputKind.MADE_UP and read.ctype == "_Bool":
        number &= 1  # which is all of it that the program has
    value = InputValue.from_raw(read.name, read.ctype, read.bits, number, read.kind.value, read.signed)
    return replace(value, place=read.place)
