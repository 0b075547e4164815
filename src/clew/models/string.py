"""string.h and strings.h: blocks of memory, bits, and texts of errors. Strings proper are in the ``string_*`` modules.

Copies and fills of symbolic length are the engine's own business (``clew.execute.bulk``): the compiler
turns most of these calls into intrinsics, which do the same.
"""

from __future__ import annotations

import os
from typing import Any

from clew.analysis.model_effect import COPIES, PURE, WRITES_ARGUMENTS, WRITES_OWN
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.models.cstrings import insist
from clew.models.string_search import memchr

_OVERFLOW = "write past the end of a buffer, as the compiler knows its size"


def _check_room(call: Invocation, count: Any, room: Any) -> None:
    """What the ``__*_chk`` functions check before anything else."""
    if room is not None:
        insist(call, build.ule(count, room, call.pointer_bits), "out-of-bounds", _OVERFLOW)


@model("memcpy", "__memcpy_chk", effect=COPIES)
def memcpy(call: Invocation, target: Any, source: Any, count: Any, room: Any = None) -> Any:
    _check_room(call, count, room)
    call.copy(target, source, count, apart=True)
    return target


@model("memmove", "__memmove_chk", effect=COPIES)
def memmove(call: Invocation, target: Any, source: Any, count: Any, room: Any = None) -> Any:
    _check_room(call, count, room)
    call.copy(target, source, count)
    return target


@model("mempcpy", "__mempcpy", "__mempcpy_chk", effect=COPIES)
def mempcpy(call: Invocation, target: Any, source: Any, count: Any, room: Any = None) -> Any:
    memcpy(call, target, source, count, room)
    return build.add(target, count, call.pointer_bits)


@model("memset", "__memset_chk", effect=COPIES)
def memset(call: Invocation, target: Any, value: Any, count: Any, room: Any = None) -> Any:
    _check_room(call, count, room)
    call.fill(target, build.extract(value, 7, 0), count)
    return target


@model("explicit_bzero", "__explicit_bzero_chk", effect=WRITES_ARGUMENTS)
def explicit_bzero(call: Invocation, target: Any, count: Any, room: Any = None) -> None:
    _check_room(call, count, room)
    call.fill(target, 0, count)


@model("memccpy", effect=COPIES)
def memccpy(call: Invocation, target: Any, source: Any, char: Any, count: Any) -> Any:
    """Copies up to and including a character; the point after it, or null."""
    bits = call.pointer_bits
    size = call.pointer(count)
    hit = memchr(call, source, char, size)
    found = call.pointer(hit)
    length = found - call.pointer(source) + 1 if found else size
    call.copy(target, source, length, apart=True)
    return build.add(target, length, bits) if found else 0


@model("strerror", effect=WRITES_OWN)
def strerror(call: Invocation, number: Any) -> int:
    """The text of Linux for an error number; one text for all where the number is symbolic."""
    if isinstance(number, Expr):
        label = "Unknown error"
        call.state.run.note_loss("bounded", "the text strerror gives for a symbolic error number", call.state)
    else:
        signed = number - (1 << 32) if number >> 31 & 1 else number
        label = os.strerror(signed)
    data, memory = label.encode() + b"\0", call.state.memory
    address: int = call.kept(
        f"strerror {label}", lambda: memory.allocate(len(data), "global", "text of strerror", 1, None, data)
    )
    return address


# strings.h: the old names of Berkeley


@model("bzero", effect=WRITES_ARGUMENTS.but(exact=True))
def bzero(call: Invocation, target: Any, count: Any) -> None:
    call.fill(target, 0, count)


@model("bcopy", effect=WRITES_ARGUMENTS.but(exact=True))
def bcopy(call: Invocation, source: Any, target: Any, count: Any) -> None:
    """``memmove`` with the pointers the other way round."""
    call.copy(target, source, count)


@model("ffs", "ffsl", "ffsll", effect=PURE)
def ffs(call: Invocation, value: Any) -> Any:
    """The number of the lowest bit that is set, from 1 on; 0 if none is."""
    bits = call.argument_bits(0)
    place = build.add(build.ctz(value, bits), 1, bits)
    if bits > 32:
        place = build.trunc(place, 32)
    return build.ite(build.eq(value, 0, bits), 0, place, bv(32))
