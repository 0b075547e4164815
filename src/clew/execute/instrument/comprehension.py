"""Calls by which a changed program writes many elements of arrays at once, each a function of its number.

    %j = clew.index()                     the number of an element: a symbol, which ``clew.fill`` binds
    ...                                   straight-line code that computes the element from it; loads by ``clew.peek``
    clew.fill(%n, %start, stride, %v)     %v(0) at %start, %v(1) at %start + stride, and so on, %n of them

No path may decide anything on a value that the index is in: ``clew.choose`` is a select that looks at nothing, and
``clew.instance`` gives such a value for one number, without the index. Nothing here checks bounds: who uses it sees to
it that elements out of bounds are never read, and that the program's own accesses are checked elsewhere.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from clew.analysis.model_effect import ENDS, PURE, READS, WRITES_ARGUMENTS
from clew.base.bits import signed
from clew.base.location import Location
from clew.execute.ends import Lost
from clew.execute.inputs import read_series
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.execute.values import choose, from_bits, to_bits
from clew.expr import build
from clew.expr.comprehension import at_index
from clew.expr.node import BV, Expr, index
from clew.expr.walk import instantiate, substitute
from clew.memory.base_object import base_of
from clew.memory.object import MemoryObject
from clew.memory.offsets import places
from clew.memory.symbolic import fill_at, load_at
from clew.program import instructions as ir
from clew.program.editing import call_to
from clew.program.values import Register, Value

INDEX = "clew.index"
PEEK = "clew.peek"
CHOOSE = "clew.choose"
INSTANCE = "clew.instance"
EXCHANGE = "clew.exchange"
SERIES = "clew.series"
FILL = "clew.fill"
GIVE_UP = "clew.give_up"

_SPELLINGS = {8: "signed char", 16: "short", 32: "int", 64: "long long"}
UNCLEAR = "a loop over an array whose elements are not where they were expected to be"
"""What is lost where ``clew.give_up`` is reached."""


def element_index(result: Register) -> ir.Call:
    """The call that gives the number of an element, of as many bits as pointers have."""
    return call_to(INDEX, result=result)


def peek(result: Register, address: Value) -> ir.Call:
    """The call that reads memory, and checks nothing."""
    return call_to(PEEK, address, result=result)


def choice(result: Register, condition: Value, yes: Value, no: Value) -> ir.Call:
    """The call that is a ``select``."""
    return call_to(CHOOSE, condition, yes, no, result=result)


def instance(result: Register, value: Value, number: Value) -> ir.Call:
    """The call that gives a value for one number in place of the index."""
    return call_to(INSTANCE, value, number, result=result)


def exchange(result: Register, value: Value, known: Value, equal: Value) -> ir.Call:
    """The call that gives a value with ``equal`` in place of ``known``, which are the same where it is made."""
    return call_to(EXCHANGE, value, known, equal, result=result)


def series(result: Register, count: Value, location: Location | None) -> ir.Call:
    """The call that reads ``count`` inputs at once, and gives the one whose number is the index."""
    return call_to(SERIES, count, result=result, location=location)


def fill(count: Value, *arrays: Value) -> ir.Call:
    """The call that writes ``count`` elements of each of some arrays: start, stride (a constant) and element of each.

    Its model gives the path up where arrays may overlap, or nobody knows where one is.
    """
    return call_to(FILL, count, *arrays)


def give_up() -> ir.Call:
    """The call that ends a path as a loss."""
    return call_to(GIVE_UP)


@model(INDEX, overrides=True, effect=PURE)
def _index(call: Invocation) -> Any:
    return index(call.result_bits)


@model(CHOOSE, overrides=True, effect=PURE)
def _choose(call: Invocation, condition: Any, yes: Any, no: Any) -> Any:
    return choose(condition, yes, no, call.call.type.result, call.pointer_bits)


@model(INSTANCE, overrides=True, effect=PURE)
def _instance(call: Invocation, value: Any, number: Any) -> Any:
    return instantiate(value, index(call.pointer_bits), _narrowed(call, number))


@model(EXCHANGE, overrides=True, effect=PURE)
def _exchange(call: Invocation, value: Any, known: Any, equal: Any) -> Any:
    return substitute(value, {known: equal}) if isinstance(known, Expr) else value


@model(SERIES, overrides=True, effect=READS.but(reads_input=True))
def _series(call: Invocation, count: Any) -> Any:
    bits, width = call.result_bits, call.pointer_bits
    data = read_series(call.state, "input", _SPELLINGS[bits], bits, _narrowed(call, count), call.location)
    return build.select_word(data, build.mul(index(width), bits // 8, width), bits // 8)


@model(GIVE_UP, overrides=True, effect=ENDS)
def _give_up(call: Invocation) -> None:
    raise Lost("unsupported", UNCLEAR)


def _narrowed(call: Invocation, number: Any) -> BV:
    """A number of 64 bits in as many as pointers have."""
    bits: BV = build.extract(number, call.pointer_bits - 1, 0) if call.pointer_bits < 64 else number
    return bits


class _Place(NamedTuple):
    """A place that an address was computed for: an object, and the offset in it or out of it."""

    object: MemoryObject
    offset: BV


def _place(call: Invocation, address: Any) -> _Place | None:
    """Where an address leads; None if there is no object any more."""
    memory, run = call.state.memory, call.state.run
    if run.lazy:
        raise Lost("unsupported", UNCLEAR)
    if isinstance(address, Expr):
        base = base_of(memory, address)
        if base is None:
            raise Lost("unsupported", UNCLEAR)
        found = base.object
    else:
        near = memory.find(address)
        found = None if near is None else near[0]
    if found is None:
        return None
    if found.kind == "function":
        raise Lost("unsupported", UNCLEAR)
    return _Place(found, build.sub(address, found.base, call.pointer_bits))


@model(PEEK, overrides=True, effect=READS)
def _peek(call: Invocation, address: Any) -> Any:
    """What cannot be read is any value: the program would fail there."""
    type, layout = call.call.type.result, call.state.run.layout
    size = layout.store_size(type)
    place = _place(call, address)
    bits: BV = 0
    if place is not None and size <= place.object.size:
        found, offset = place
        last = found.size - size
        if not isinstance(offset, Expr):
            bits = call.state.memory.load_bits(found.base + offset, size) if offset <= last else 0
        elif places(offset, last):
            loaded = load_at(call.state.memory, found, offset, size)
            assert isinstance(loaded, int | Expr)
            bits = loaded
    return from_bits(bits, type, layout)


class _Array(NamedTuple):
    """Elements to be written, the first one at a place."""

    object: MemoryObject
    offset: BV
    stride: int
    element: BV
    size: int


@model(FILL, overrides=True, effect=WRITES_ARGUMENTS)
def _fill(call: Invocation, count: Any, *parts: Any) -> None:
    number = _narrowed(call, count)
    arrays = [_array(call, position, *parts[position : position + 3]) for position in range(0, len(parts), 3)]
    if not all(_are_apart(one, other, call.pointer_bits) for one, other in combinations(arrays, 2)):
        raise Lost("unsupported", UNCLEAR)
    for array in arrays:
        _write(call, array, number)


def _array(call: Invocation, position: int, start: Any, stride: int, element: Any) -> _Array:
    type = call.argument(position + 3).type
    place = _place(call, start)
    if place is None or place.object.constant:
        raise Lost("unsupported", UNCLEAR)
    layout = call.state.run.layout
    return _Array(*place, signed(stride, 64), to_bits(element, type, layout), layout.store_size(type))


def _are_apart(one: _Array, other: _Array, width: int) -> bool:
    """Whether no element of one array overlaps any of another."""
    if one.object.base != other.object.base:
        return True
    distance = build.sub(other.offset, one.offset, width)
    if isinstance(distance, Expr) or one.stride != other.stride or one.stride == 0:
        return False
    between = signed(distance, width) % abs(one.stride)
    return one.size <= between and between + other.size <= abs(one.stride)


def _write(call: Invocation, array: _Array, count: BV) -> None:
    width = call.pointer_bits
    found, offset, stride, element, size = array
    if stride == 0:  # the last one stays
        element = at_index(element, build.sub(count, 1, width), width)
        count, stride = build.bool_to_bv(build.ne(count, 0, width), width), size
    elif stride < 0:
        last = build.sub(count, 1, width)
        element = at_index(element, build.sub(last, index(width), width), width)
        offset = build.add(offset, build.mul(last, stride % (1 << width), width), width)
        stride = -stride
    current = call.state.memory.pages[found.base >> call.state.memory.page_bits]
    fill_at(call.state.memory, current, offset, count, stride, element, size, width)
