"""Reads spans of bytes out of memory; see ``cstrings`` for what a span is.

A pointer may be symbolic. ``scan`` keeps the bytes where they are and says of each whether the string has started
yet, which suits functions that look at one string. ``text`` and ``block`` make every byte a choice among the
places it may come from, if there are few, and else tell the places apart by forking.
"""

from __future__ import annotations

from typing import Any

from clew.execute import pointers
from clew.execute.ends import ending
from clew.execute.invocation import Invocation
from clew.expr import build
from clew.expr.node import BV, Bool, Expr
from clew.memory.errors import AccessError
from clew.memory.object import MemoryObject
from clew.memory.offsets import places
from clew.memory.storage import PLAIN, UNSET_BYTE
from clew.memory.symbolic import load_at
from clew.models.cstrings import BOUND, END, FORMULA_LIMIT, SIZED, UNSET_END, Reach, Span, fault, is_zero, limit_of
from clew.solver.interface import Answer

SHIFT_LIMIT = 2048
"""Choices (places times bytes) that reading through a symbolic pointer may take before it forks instead."""
_PAST = ("out-of-bounds", "read past the end of an object")


def place(call: Invocation, pointer: Any, count: int = 1, write: bool = False) -> int:
    """A concrete address for a pointer through which ``count`` bytes are accessed; other targets are siblings."""
    if isinstance(pointer, Expr):
        _resolve(call, pointer, count, write)
    return call.pointer(pointer)


def _resolve(call: Invocation, pointer: Expr, count: int = 1, write: bool = False) -> tuple[MemoryObject, BV]:
    try:
        obj, offset = pointers.resolve(call.state, call.frame, call.point, call.live, pointer, count, write)
    except AccessError as error:
        raise pointers.failure(error) from None
    return obj, offset


def reach(call: Invocation, address: int, write: bool = False) -> Reach:
    """The memory from a concrete address to the end of its object."""
    memory = call.state.memory
    found = memory.find(address)
    if found is None or found[1] >= found[0].size:
        raise ending(*fault(call, address, write))
    obj, offset = found
    extent = memory.extent(obj)
    length = obj.size - offset
    if isinstance(extent, Expr):
        return Reach(address, length, SIZED, offset, extent, write)
    return Reach(address, length, END, offset, None, write)


def text(call: Invocation, pointer: Any, limit: BV | None = None) -> Span:
    """The string at a pointer, at most ``limit`` bytes of it, with its terminator."""
    return _read(call, pointer, limit, True)


def block(call: Invocation, pointer: Any, limit: BV) -> Span:
    """``limit`` bytes at a pointer, as far as they can be read."""
    return _read(call, pointer, limit, False)


def _read(call: Invocation, pointer: Any, limit: BV | None, is_text: bool) -> Span:
    most = limit_of(limit) if limit is not None else -1
    if most == 0:
        return Span(0, 0, None)
    if isinstance(pointer, Expr):
        shifted = _shifted(call, pointer, most, is_text)
        if shifted is not None:
            return shifted
    address = place(call, pointer)
    whole = reach(call, address)
    count, beyond = whole.length, whole.beyond
    if 0 <= most <= count:
        count, beyond = most, None
    count, beyond = _readable(call, address, count, beyond, is_text)
    values = call.read_bytes(address, count, sized=True)
    zero: list[Bool] = []
    symbolic = 0
    for index, value in enumerate(values):
        zero.append(is_text and is_zero(call, value))
        symbolic += isinstance(value, Expr)
        if zero[-1] is True:
            count, beyond = index + 1, None
            break
        if symbolic == FORMULA_LIMIT:
            count, beyond = index + 1, BOUND
            break
    return Span(whole.address, count, beyond, whole.offset, whole.extent, False, tuple(values[:count]), tuple(zero))


def _readable(
    call: Invocation, address: int, count: int, beyond: tuple[str, str] | None, is_text: bool
) -> tuple[int, tuple[str, str] | None]:
    """How many bytes to look at: to the first plain NUL, and not to a byte that was never written."""
    found = call.state.memory.find(address)
    assert found is not None
    obj, start = found
    shadow = obj.shadow
    if is_text:
        end = obj.data.find(b"\0", start, start + count)
        # The data under symbolic words is anything, also zero: only a plain byte is a NUL.
        while end >= 0 and shadow is not None and shadow[end] != PLAIN:
            end = obj.data.find(b"\0", end + 1, start + count)
        if end >= 0:
            count, beyond = end + 1 - start, None
    if shadow is not None:
        unset = shadow.find(UNSET_BYTE, start, start + count)
        if unset >= 0:
            return unset - start, UNSET_END
    return count, beyond


# Symbolic pointers


def _shifted(call: Invocation, pointer: Expr, most: int, is_text: bool) -> Span | None:
    """The bytes behind a symbolic pointer, each a choice; None if those are too many."""
    obj, offset = _resolve(call, pointer)
    if not isinstance(offset, Expr):
        return None
    at = places(offset, obj.size - 1)
    longest = obj.size - at[0]
    count = min(longest, most) if most >= 0 else longest
    if count * len(at) > SHIFT_LIMIT or (obj.shadow is not None and UNSET_BYTE in bytes(obj.shadow[at[0] :])):
        return None
    values: list[BV] = []
    zero: list[Bool] = []
    for index in range(count):
        value = load_at(call.state.memory, obj, _plus(offset, index), 1)
        assert isinstance(value, (int, Expr))
        values.append(value)
        zero.append(is_text and is_zero(call, value))
        if zero[-1] is True:
            break
    beyond = None if len(values) == most or zero[-1] is True else _PAST
    extent = call.state.memory.extent(obj)
    return Span(pointer, len(values), beyond, offset, extent, False, tuple(values), tuple(zero))


def _plus(offset: Expr, index: int) -> Expr:
    result = build.add(offset, index, offset.width)
    assert isinstance(result, Expr)
    return result


def scan(call: Invocation, pointer: Any) -> Span:
    """The string at a pointer, with the bytes before it where the pointer is symbolic."""
    if not isinstance(pointer, Expr):
        return text(call, pointer)
    obj, offset = _resolve(call, pointer)
    if not isinstance(offset, Expr):
        return text(call, call.pointer(pointer))
    bits = call.pointer_bits
    at = places(offset, obj.size - 1)
    base = obj.base + at[0]
    count = obj.size - at[0]
    beyond: tuple[str, str] | None = reach(call, base).beyond
    unset = obj.shadow.find(UNSET_BYTE, at[0]) if obj.shadow is not None else -1
    if unset >= 0:
        if not _surely_before(call, offset, unset):
            return text(call, call.pointer(pointer))
        count, beyond = unset - at[0], UNSET_END
    values = call.read_bytes(base, count, sized=True)
    start = build.sub(offset, at[0], bits)
    started = [build.ule(start, index, bits) for index in range(count)]
    zero: list[Bool] = []
    for on, value in zip(started, values, strict=True):
        zero.append(build.land(on, is_zero(call, value)))
        if zero[-1] is True:
            beyond = None
            break
        if len(zero) == FORMULA_LIMIT:
            beyond = BOUND
            break
    size = len(zero)
    whole = reach(call, base)
    shown, since = tuple(values[:size]), tuple(started[:size])
    return Span(base, size, beyond, whole.offset, whole.extent, False, shown, tuple(zero), start, since)


def _surely_before(call: Invocation, offset: Expr, end: int) -> bool:
    """Whether the path keeps an offset below a bound."""
    above = build.uge(offset, end, offset.width)
    if not isinstance(above, Expr):
        return not above
    return call.state.feasible(above).answer is Answer.UNSAT
