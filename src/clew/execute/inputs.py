"""Inputs of the program: symbols while exploring, given values while re-executing a test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.execute.context import GivenInputs
from clew.execute.ends import Lost
from clew.execute.heap.given import pointer_value
from clew.execute.history import PathStep, StepKind
from clew.execute.state import InputRecord, State
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import BOOL, array, bv
from clew.report.values import HeapByte, InputValue, Route, is_floating


class InputKind(Enum):
    """Where an input came from."""

    NONDET = "nondet"
    OBJECT = "object"
    PARAMETER = "parameter"
    MADE_UP = "made-up"
    """What a function returns, or a variable holds, that nobody defines."""
    HAVOC = "havoc"
    SERIES = "series"
    """What a changed program makes up where it is more general than the one it was made of."""
    MEMORY = "memory"
    CELL = "cell"
    POINTER = "pointer"
    CALL = "call"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class HeapFact:
    """What an input says about the memory that a function is given: see ``InputValue``, which tells it."""

    at: HeapByte | None = None
    call: int = 0
    base: int = 0
    """Of memory: its address."""
    route: Route | None = None
    target: int | None = None
    """Of a pointer: the bytes of what it points to, if that is told; None for anything else."""


@dataclass(frozen=True, slots=True)
class InputRead:
    """One read of an input: its name, its C type, and the value or symbols that stand for it."""

    name: str
    ctype: str
    kind: InputKind
    bits: int
    values: tuple[Any, ...]
    """One integer of ``bits`` bits, or the bytes of an object."""
    place: Location | None = None
    """The call that read it."""
    signed: bool | None = None
    """Whether the value reads as a signed number; None: as its type says."""
    made_up: str = ""
    """What a failure rests on that depends on it, if no program would read it: see ``execute.assumptions``."""
    heap: HeapFact | None = None
    """What it says about the memory that a function is given, if it does."""


def read_input(
    s: State, name: str, ctype: str, bits: int, kind: InputKind, place: Location | None = None, made_up: str = ""
) -> Any:
    """A new scalar input: an integer of ``bits`` bits, or a bool if that is 1."""
    return _read(s, name, ctype, bits, 1, kind, place, made_up)[0]


def upcoming_input(s: State, name: str, bits: int, kind: InputKind) -> Any:
    """The value that ``read_input`` will give, which does not count as read yet."""
    position = s.inputs.count if s.inputs is not None else 0
    if s.run.replayed is None:
        return _symbols(s, name, position, bits, 1, kind)[0]
    made_up = s.inputs.made_up if s.inputs is not None and s.run.anything_made_up else 0
    return _given(s, s.run.replayed, position - made_up, bits, 1)[0]


def read_object(
    s: State, name: str, ctype: str, size: int, kind: InputKind = InputKind.OBJECT, made_up: str = ""
) -> tuple[Any, ...]:
    """A new input of ``size`` bytes."""
    return _read(s, name, ctype, 8, size, kind, None, made_up)


def _read(
    s: State,
    name: str,
    ctype: str,
    bits: int,
    count: int,
    kind: InputKind,
    place: Location | None = None,
    made_up: str = "",
) -> tuple[Any, ...]:
    run = s.run
    position = s.inputs.count if s.inputs is not None else 0
    if run.replayed is not None and not (made_up and run.anything_made_up):
        given = position if not run.anything_made_up or s.inputs is None else position - s.inputs.made_up
        values: tuple[Any, ...] = _given(s, run.replayed, given, bits, count)
    else:
        values = tuple(_symbols(s, name, position, bits, count, kind))
        if made_up:
            run.made_up.update(values)
        start = _proposed(s, name, place, position, _size(bits, count))
        if start is None:
            start = run.start_value(name, position, bits if is_floating(ctype) else 0)
        if start is not None and values[0] not in s.model.values:
            s.model = s.model.updated(_assignment(values, start, bits))
    read = InputRead(name, ctype, kind, bits, values, place, _is_signed(s, ctype), made_up)
    s.inputs = InputRecord(s.inputs, read)
    return values


def _proposed(s: State, name: str, place: Location | None, position: int, size: int) -> int | None:
    """The value that somebody has proposed for an input about to be read."""
    start: int | None
    if s.following is not None:
        start = s.following.hint(position)
    else:
        hints = s.input_hints
        start = _hinted(s.inputs, hints, name, place, size) if hints else None
    if start is not None:
        s.history = PathStep(s.history, StepKind.HINT, position, None, start)
    return start


def _is_signed(s: State, ctype: str) -> bool | None:
    """The target decides about a plain ``char`` alone."""
    return s.run.target.signed_char if ctype in ("char", "const char") else None


def read_series(s: State, name: str, ctype: str, bits: int, count: Any, place: Location | None) -> Expr:
    """As many inputs of so many bits as ``count`` says, one after the other: the array of their bytes.

    They are one input of a path, whose values are that array and the count.
    """
    run, position = s.run, s.inputs.count if s.inputs is not None else 0
    width = run.pointer_bits
    if run.replayed is None:
        run.has_inputs = True
        values = build.symbol(f"{name}@{position}[]", array(width, 8))
    else:
        made_up = s.inputs.made_up if s.inputs is not None and run.anything_made_up else 0
        if position - made_up >= len(run.replayed):
            raise Lost("bounded", "the program reads more inputs than the test has")
        values = build.array_from_bytes(run.replayed[position - made_up].to_bytes(), width)
    s.inputs = InputRecord(s.inputs, InputRead(name, ctype, InputKind.SERIES, bits, (values, count), place))
    return values


def new_input(
    s: State, name: str, ctype: str, bits: int, count: int, kind: InputKind, heap: HeapFact, place: str = ""
) -> tuple[Any, ...]:
    """Symbols for a new input in the memory that a function is given; the user may have a value for it.

    Their names say at which ``place`` it is, too: what is known about a symbol must hold on every path that has it.
    """
    position = s.inputs.count if s.inputs is not None else 0
    values = tuple(_symbols(s, name + place, position, bits, count, kind))
    start = s.run.start_value(name, position, bits if is_floating(ctype) else 0)
    if start is not None:
        s.model = s.model.updated(_assignment(values, start, bits))
    s.inputs = InputRecord(s.inputs, InputRead(name, ctype, kind, bits, values, None, _is_signed(s, ctype), heap=heap))
    return values


def hinted_values(inputs: InputRecord | None, hints: GivenInputs) -> dict[Any, int | bool]:
    """The values of the symbols that inputs of a path stand for, if these had been read with such hints."""
    found: dict[Any, int | bool] = {}
    while inputs is not None:
        read, inputs = inputs.read, inputs.previous
        value = _hinted(inputs, hints, read.name, read.place, _size(read.bits, len(read.values)))
        if value is not None and read.heap is None:
            found.update(_assignment(read.values, value, read.bits))
    return found


def _hinted(before: InputRecord | None, hints: GivenInputs, name: str, place: Location | None, size: int) -> int | None:
    """The value that an input about to be read, which has so many bytes, should have after those read ``before``."""
    if isinstance(hints, bytes):
        start = sum(_size(read.bits, len(read.values)) for read in reads(before))
        return int.from_bytes(hints[start : start + size], "little")
    key = place if place in hints else name
    values = hints.get(key)
    if values is None:
        return None
    count = sum((read.place if key is place else read.name) == key for read in reads(before))
    return values[min(count, len(values) - 1)]


def _size(bits: int, count: int) -> int:
    return (bits + 7) // 8 * count


def reads(last: InputRecord | None) -> Iterator[InputRead]:
    """The inputs of a path, newest first."""
    while last is not None:
        yield last.read
        last = last.previous


def _symbols(s: State, name: str, position: int, bits: int, count: int, kind: InputKind) -> list[Any]:
    # The position makes the name unique on a path; paths that read the same inputs share symbols.
    s.run.has_inputs = True
    if bits == 1:
        return [build.symbol(f"{name}@{position}", BOOL)]
    if count == 1 and kind is not InputKind.OBJECT:
        return [build.symbol(f"{name}@{position}", bv(bits))]
    return [build.symbol(f"{name}@{position}[{index}]", bv(bits)) for index in range(count)]


def _assignment(symbols: tuple[Any, ...], value: int, bits: int) -> dict[Any, int | bool]:
    """The symbols of an input with the value that it should have."""
    if bits == 1:
        return {symbols[0]: bool(value & 1)}
    mask = (1 << bits) - 1
    return {symbol: value >> (bits * index) & mask for index, symbol in enumerate(symbols)}


def _given(s: State, replayed: Sequence[InputValue], position: int, bits: int, count: int) -> tuple[int | bool, ...]:
    if position >= len(replayed):
        raise Lost("bounded", "the program reads more inputs than the test has")
    points, heap = replayed[position].points, s.run.given
    if points is not None and heap is not None and s.run.surroundings is not None:
        return (pointer_value(heap, s, s.run.surroundings, points),)
    if bits == 1:
        return (bool(replayed[position].to_bytes()[0] & 1),)
    step = bits // 8
    data = replayed[position].to_bytes()[: count * step].ljust(count * step, b"\0")
    return tuple(int.from_bytes(data[at : at + step], "little") for at in range(0, len(data), step))
