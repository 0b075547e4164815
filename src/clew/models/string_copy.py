"""string.h: functions that write strings.

Where the source is symbolic the number of bytes written is, too: every byte of the destination that may be
written becomes ``ite(the terminator has not been passed, byte of the source, old byte)``. One requirement says
that the terminator is found in the source and has room in the destination. An old byte nobody ever wrote takes
the source's byte instead of a choice: its value is arbitrary, and the copy stays as plain as the original.

Their arguments are ``restrict``: none of the bytes that are written may be one of those that are read.

The ``__*_chk`` variants get the room the compiler knows of as one more argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.analysis.model_effect import COPIES, WRITES_ARGUMENTS, WRITES_OWN
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import BV, Bool
from clew.expr.rewrite.choice import ite_bv
from clew.memory.storage import UNSET
from clew.models.alloc import unless_it_fails
from clew.models.cstrings import (
    Reach,
    Span,
    cut,
    earlier,
    first,
    insist,
    int_of,
    length,
    limit_of,
    settle,
    settle_whole,
)
from clew.models.spans import place, reach, text

APPEND_LIMIT = 1 << 14
"""Choices of (end of the destination, byte of the source); with more, lengths are told apart by forking."""
_OVERFLOW = ("out-of-bounds", "write past the end of a buffer, as the compiler knows its size")


def target(call: Invocation, pointer: Any, room: Any = None) -> Reach:
    """The memory to write to. ``room`` is what a checked variant says there is."""
    whole = reach(call, place(call, pointer, write=True), True)
    if isinstance(room, int) and room < whole.length:
        return replace(whole, length=room, beyond=_OVERFLOW)
    return whole


def _old(call: Invocation, to: Reach, start: int, count: int, new: Sequence[BV]) -> list[BV]:
    """The bytes at ``start`` that a write may leave alone."""
    found = call.state.memory.find(int_of(to.address))
    assert found is not None
    obj, offset = found
    if obj.shadow is None:
        return call.read_bytes(to.address + start, count, sized=True)
    codes = obj.shadow[offset + start : offset + start + count]
    return [
        new[start + index] if code == UNSET else call.read_bytes(to.address + start + index, 1, sized=True)[0]
        for index, code in enumerate(codes)
    ]


def write_where(call: Invocation, to: Reach, values: Sequence[BV], written: Sequence[Bool]) -> None:
    """Store the bytes whose condition holds."""
    count = len(values)
    while count and written[count - 1] is False:
        count -= 1
    sure = 0
    while sure < count and written[sure] is True:
        sure += 1
    kept = _old(call, to, sure, count - sure, values) if sure < count else []
    result: list[Any] = list(values[:sure])
    for index, old in enumerate(kept, sure):
        result.append(ite_bv(written[index], values[index], old, 8))
    call.write_bytes(int_of(to.address), result, sized=True)


def _size(span: Span, bits: int) -> BV:
    """The bytes of a string, with its terminator, or those that were read of it."""
    return build.umin(build.add(length(span, span.length, bits), 1, bits), span.length, bits)


def _copy(call: Invocation, to: Reach, source: Span, *read: Reach, looked_at: BV | None = None) -> None:
    """Copy a string with its terminator; ``read`` are the spans whose end matters besides the destination's. Of the
    memory that it comes from, ``looked_at`` bytes are read, or all of it."""
    count = min(source.length, to.length)
    settle(call, source.zero[:count], [*read, to])
    size = _size(source, call.pointer_bits)
    call.require_apart(to.address, size, source.address, size if looked_at is None else looked_at)
    write_where(call, to, source.values[:count], earlier(source.zero[:count]))


@model("strcpy", "__strcpy_chk", effect=COPIES)
def strcpy(call: Invocation, pointer: Any, source: Any, room: Any = None) -> Any:
    to, span = target(call, pointer, room), text(call, source)
    _copy(call, to, span, span)
    return to.address


@model("stpcpy", "__stpcpy_chk", effect=COPIES)
def stpcpy(call: Invocation, pointer: Any, source: Any, room: Any = None) -> Any:
    to, span = target(call, pointer, room), text(call, source)
    _copy(call, to, span, span)
    return build.add(to.address, length(span, span.length - 1, call.pointer_bits), call.pointer_bits)


@model("strncpy", "__strncpy_chk", effect=COPIES)
def strncpy(call: Invocation, pointer: Any, source: Any, count: Any, room: Any = None) -> Any:
    """Exactly ``count`` bytes are written: zeros follow the terminator."""
    return _fill_from(call, pointer, source, count, room)[0]


@model("stpncpy", "__stpncpy_chk", effect=COPIES)
def stpncpy(call: Invocation, pointer: Any, source: Any, count: Any, room: Any = None) -> Any:
    address, span = _fill_from(call, pointer, source, count, room)
    bits = call.pointer_bits
    end = build.umin(length(span, span.length, bits), count, bits)
    return build.add(address, end, bits)


def _fill_from(call: Invocation, pointer: Any, source: Any, count: BV, room: Any) -> tuple[Any, Span]:
    if limit_of(count) == 0:
        return pointer, Span(0, 0, None)
    bits = call.pointer_bits
    to = target(call, pointer, room)
    span = text(call, source, count)
    settle(call, span.zero, [span], count)
    settle_whole(call, to, count)
    call.require_apart(to.address, count, span.address, build.umin(_size(span, bits), count, bits))
    most = min(to.length, limit_of(count))
    live = earlier(span.zero)
    values: list[Any] = [0] * most
    for index in range(min(most, span.length)):
        values[index] = ite_bv(live[index], span.values[index], 0, 8)
    write_where(call, to, values, [build.ult(index, count, bits) for index in range(most)])
    return to.address, span


@model("strlcpy", "__strlcpy_chk", effect=WRITES_ARGUMENTS)
def strlcpy(call: Invocation, pointer: Any, source: Any, count: Any, room: Any = None) -> Any:
    """What fits into ``count`` bytes, terminated; yields the length of the source."""
    bits = call.pointer_bits
    span = text(call, source)
    settle(call, span.zero, [span])
    size = call.pointer(count)
    if size:
        _copy(call, target(call, pointer, room), cut(call, span, size - 1), looked_at=_size(span, bits))
    return length(span, span.length - 1, bits)


@model("strxfrm", effect=WRITES_ARGUMENTS)
def strxfrm(call: Invocation, pointer: Any, source: Any, count: Any) -> Any:
    """In the C locale a copy; like glibc's, of a prefix without terminator if ``count`` is too small."""
    bits = call.pointer_bits
    span = text(call, source)
    settle(call, span.zero, [span])
    if limit_of(count):
        to = target(call, pointer)
        size = min(span.length, to.length)
        settle(call, span.zero[:size], [to], count)
        whole = _size(span, bits)
        call.require_apart(to.address, build.umin(whole, count, bits), span.address, whole)
        inside = [build.ult(index, count, bits) for index in range(size)]
        written = [build.land(on, live) for on, live in zip(inside, earlier(span.zero), strict=False)]
        write_where(call, to, span.values[:size], written)
    return length(span, span.length - 1, bits)


# Appending


@model("strcat", "__strcat_chk", effect=COPIES)
def strcat(call: Invocation, pointer: Any, source: Any, room: Any = None) -> Any:
    to, span = target(call, pointer, room), text(call, source)
    settle(call, span.zero, [span])
    _append(call, to, span, _size(span, call.pointer_bits))
    return to.address


@model("strncat", "__strncat_chk", effect=COPIES)
def strncat(call: Invocation, pointer: Any, source: Any, count: Any, room: Any = None) -> Any:
    to, span = target(call, pointer, room), text(call, source, count)
    settle(call, span.zero, [span], count)
    bits = call.pointer_bits
    _append(call, to, cut(call, span, count), build.umin(_size(span, bits), count, bits))
    return to.address


@model("strlcat", "__strlcat_chk", effect=WRITES_ARGUMENTS)
def strlcat(call: Invocation, pointer: Any, source: Any, count: Any, room: Any = None) -> Any:
    """Yields the length it tried to make; where the destination has no terminator, ``count`` is its length."""
    bits, size = call.pointer_bits, call.pointer(count)
    span = text(call, source)
    settle(call, span.zero, [span])
    more = length(span, span.length - 1, bits)
    before = text(call, pointer, size)
    settle(call, before.zero, [before], size)
    used = call.pointer(length(before, before.length, bits))
    if used < size:
        limit = None if room is None else room - used
        shorter = cut(call, span, size - used - 1)
        _copy(call, target(call, before.address + used, limit), shorter, looked_at=_size(span, bits))
    return build.add(more, used, bits)


def _append(call: Invocation, to: Reach, source: Span, looked_at: BV) -> None:
    """Write a string over the terminator of another. Of the memory that it comes from, ``looked_at`` bytes are read."""
    bits = call.pointer_bits
    before = text(call, to.address)
    settle(call, before.zero, [before])
    ends = [build.land(on, zero) for on, zero in zip(earlier(before.zero), before.zero, strict=False)]
    possible = [index for index, end in enumerate(ends) if end is not False]
    used = first(ends, before.length - 1, bits)
    if len(possible) * source.length > APPEND_LIMIT or len(possible) == 1:
        used = call.pointer(used)
        rest = replace(to, address=to.address + used, offset=to.offset + used, length=to.length - used)
        _copy(call, rest, source, looked_at=looked_at)
        return
    _check_append(call, to, source, ends, possible)
    call.require_apart(build.add(to.address, used, bits), _size(source, bits), source.address, looked_at)
    live = earlier(source.zero)
    count = min(to.length, possible[-1] + source.length)
    old = _old(call, to, 0, count, [0] * count)
    for end in possible:
        for index in range(min(source.length, count - end)):
            here = build.land(ends[end], live[index])
            old[end + index] = ite_bv(here, source.values[index], old[end + index], 8)
    call.write_bytes(int_of(to.address), old, sized=True)


def _check_append(call: Invocation, to: Reach, source: Span, ends: Sequence[Bool], possible: Sequence[int]) -> None:
    """The terminator of the source must land in the destination."""
    terms: list[Bool] = []
    for end in possible:
        room = enumerate(source.zero[: max(0, to.length - end)], end)
        fits = [build.land(zero, to.valid(index, call.pointer_bits)) for index, zero in room]
        terms.append(build.land(ends[end], build.disjunction(fits)))
    message = f"{call.name}() writes past {call.state.memory.describe(to.address + to.length)}"
    insist(call, build.disjunction(terms), "out-of-bounds", message)


# New strings


@model("strdup", "__strdup", effect=WRITES_OWN)
def strdup(call: Invocation, source: Any) -> int:
    span = text(call, source)
    settle(call, span.zero, [span])
    return unless_it_fails(call, lambda: _duplicate(call, span))


@model("strndup", "__strndup", effect=WRITES_OWN)
def strndup(call: Invocation, source: Any, count: Any) -> int:
    span = text(call, source, count)
    settle(call, span.zero, [span], count)
    shorter = cut(call, span, count)
    return unless_it_fails(call, lambda: _duplicate(call, shorter))


def _duplicate(call: Invocation, span: Span) -> int:
    """A heap object of exactly the size of the string, which may be symbolic."""
    bits = call.pointer_bits
    size = build.add(length(span, span.length - 1, bits), 1, bits)
    address = call.allocate(size)
    found = call.state.memory.find(address) if address else None
    if found is not None:
        count = min(span.length, found[0].size)
        live = earlier(span.zero)
        whole = Reach(address, count, None)
        write_where(call, whole, span.values[:count], live[:count])
    return address
