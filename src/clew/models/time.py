"""time.h and its neighbours: clocks and calendars are inputs of the program.

A clock never goes back on a path. Broken-down times have every field in its range but are not tied to the time they
come from. Sleeping takes no time.
"""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ANYTHING, COPIES, NOTHING, PURE, WRITES_ARGUMENTS
from clew.execute.inputs import InputKind, read_input, read_object
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import F64

_FIELDS = (("sec", 0, 60), ("min", 0, 59), ("hour", 0, 23), ("mday", 1, 31), ("mon", 0, 11), ("year", -1900, 8099),
           ("wday", 0, 6), ("yday", 0, 365), ("isdst", -1, 1))  # fmt: skip
TEXT_LENGTH = 24
"""Characters of a date as text, before the newline of ``asctime``."""


def _word(call: Invocation) -> int:
    """Bytes of ``long`` and ``time_t``: those of a pointer, on the Linux targets we have."""
    return call.pointer_bits // 8


def _within(call: Invocation, name: str, ctype: str, bits: int, low: int, high: int) -> Any:
    """An input in a signed range."""
    value = read_input(call.state, name, ctype, bits, InputKind.NONDET)
    call.assume(build.land(build.sle(low & ((1 << bits) - 1), value, bits), build.sle(value, high, bits)))
    return value


def _moving(call: Invocation, name: str, ctype: str, bits: int) -> Any:
    """A clock: not negative, and not less than when it was read last on this path."""
    value = read_input(call.state, call.input_name(name), ctype, bits, InputKind.NONDET)
    before = call.recall(f"clock {name}", 0)
    call.assume(build.land(build.sge(value, 0, bits), build.sge(value, before, bits)))
    call.remember(f"clock {name}", value)
    return value


def _writable(call: Invocation, address: Any, size: int) -> int:
    """A concrete address of memory that a result goes to; null stays null."""
    where = call.pointer(address)
    if where:
        call.write_bytes(where, call.read_bytes(where, size))
    return where


@model("time", effect=WRITES_ARGUMENTS.but(reads_input=True))
def time(call: Invocation, address: Any) -> Any:
    bits = call.result_bits
    where = _writable(call, address, bits // 8)
    value = _moving(call, "time", "time_t", bits)
    if where:
        call.store(where, value, bits // 8)
    return value


@model("clock", effect=NOTHING.but(reads_input=True))
def clock(call: Invocation) -> Any:
    return _moving(call, "clock", "clock_t", call.result_bits)


def _two_parts(call: Invocation, address: Any, part: str, limit: int) -> None:
    size = _word(call)
    where = _writable(call, address, 2 * size)
    if not where:
        return
    call.store(where, _moving(call, "time", "time_t", 8 * size), size)
    call.store(where + size, _within(call, part, "long", 8 * size, 0, limit - 1), size)


@model("gettimeofday", effect=WRITES_ARGUMENTS.but(reads_input=True))
def gettimeofday(call: Invocation, address: Any, zone: Any = 0) -> int:
    _two_parts(call, address, "tv_usec", 1_000_000)
    return 0


@model("clock_gettime", "clock_getres", effect=WRITES_ARGUMENTS.but(reads_input=True))
def clock_gettime(call: Invocation, number: Any, address: Any) -> int:
    _two_parts(call, address, "tv_nsec", 1_000_000_000)
    return 0


@model("timespec_get", effect=WRITES_ARGUMENTS)
def timespec_get(call: Invocation, address: Any, base: Any) -> Any:
    _two_parts(call, address, "tv_nsec", 1_000_000_000)
    return base


@model("difftime", effect=PURE)
def difftime(call: Invocation, later: Any, earlier: Any) -> Any:
    bits = call.argument_bits(0)
    return build.fsub(build.fp_from_sbv(later, bits, F64), build.fp_from_sbv(earlier, bits, F64), F64)


# Broken-down time


def _size(call: Invocation) -> int:
    """Of ``struct tm``: nine ints, then an offset and a pointer."""
    return 56 if call.pointer_bits == 64 else 44


def _break_down(call: Invocation, where: int) -> int:
    call.write_bytes(where, bytes(_size(call)))
    _set_fields(call, where)
    return where


def _set_fields(call: Invocation, where: int) -> None:
    for index, (name, low, high) in enumerate(_FIELDS):
        call.store(where + 4 * index, _within(call, f"tm_{name}", "int", 32, low, high), 4)


def _static(call: Invocation, name: str, size: int) -> int:
    """The one object that a function gives out again and again."""
    address: int = call.kept(f"object {name}", lambda: call.state.memory.allocate(size, "global", name, 8, None, b""))
    return address


@model("localtime", "gmtime", effect=ANYTHING)
def localtime(call: Invocation, address: Any) -> int:
    call.load(call.pointer(address), _word(call))
    return _break_down(call, _static(call, "struct tm", _size(call)))


@model("localtime_r", "gmtime_r", effect=COPIES.but(exact=False))
def localtime_r(call: Invocation, address: Any, target: Any) -> int:
    call.load(call.pointer(address), _word(call))
    where = _writable(call, target, _size(call))
    if not where:
        call.fail("null-dereference", f"{call.name}() with a null pointer for the result")
    return _break_down(call, where)


@model("mktime", "timegm", "timelocal", effect=WRITES_ARGUMENTS)
def mktime(call: Invocation, address: Any) -> Any:
    """Any time; the fields come back in their ranges."""
    bits = call.result_bits
    where = call.pointer(address)
    call.read_bytes(where, 36)
    _set_fields(call, where)
    return call.read_input(call.name, "time_t", bits)


@model("tzset", effect=NOTHING)
def tzset(call: Invocation) -> None:
    """The time zone is part of what is arbitrary anyway."""


def _text(call: Invocation, count: int) -> list[Any]:
    """Characters, none of which is NUL."""
    data = list(read_object(call.state, call.name, f"char[{count}]", count))
    call.assume(build.conjunction([build.ne(byte, 0, 8) for byte in data]))
    return data


@model("asctime", "ctime", effect=ANYTHING)
def asctime(call: Invocation, address: Any) -> int:
    call.load(call.pointer(address), 4)
    return _write_date(call, _static(call, "date as text", TEXT_LENGTH + 2))


@model("asctime_r", "ctime_r", effect=COPIES.but(exact=False))
def asctime_r(call: Invocation, address: Any, buffer: Any) -> int:
    call.load(call.pointer(address), 4)
    return _write_date(call, _writable(call, buffer, TEXT_LENGTH + 2))


def _write_date(call: Invocation, where: int) -> int:
    call.write_bytes(where, [*_text(call, TEXT_LENGTH), ord("\n"), 0])
    return where


@model("strftime", effect=WRITES_ARGUMENTS)
def strftime(call: Invocation, buffer: Any, size: Any, form: Any, date: Any) -> int:
    """Text of a fixed length, as long as the buffer allows; other lengths are not explored."""
    where, room = call.pointer(buffer), call.pointer(size)
    call.load(call.pointer(form), 1)
    call.read_bytes(call.pointer(date), 36)
    if room == 0:
        return 0
    count = min(TEXT_LENGTH, room - 1)
    call.write_bytes(where, call.read_bytes(where, count + 1))
    call.state.run.note_loss("bounded", f"strftime(): texts that have not {count} characters", call.state)
    call.write_bytes(where, [*_text(call, count), 0] if count else [0])
    return count


# Sleeping


@model("sleep", "usleep", "thrd_yield", effect=NOTHING)
def sleep(call: Invocation, *_: Any) -> Any:
    return 0 if call.call.result is not None else None


@model("nanosleep", "thrd_sleep", effect=NOTHING)
def nanosleep(call: Invocation, wanted: Any, left: Any) -> int:
    call.read_bytes(call.pointer(wanted), 2 * _word(call))
    return 0
