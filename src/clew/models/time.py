"""time.h and its neighbours: clocks are inputs of the program, and so is the distance of local time from UTC.

A clock never goes back on a path, and has not come to the year 10000. What a calendar makes of it is computed. Sleeping
takes no time.
"""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ANYTHING, COPIES, NOTHING, PURE, WRITES_ARGUMENTS
from clew.execute.entropy import note_entropy
from clew.execute.inputs import InputKind, read_input
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import F64, bv
from clew.models import calendar, texts
from clew.models.calendar import DateFormatter, Moment
from clew.models.errno import EOVERFLOW, ERANGE, set_errno
from clew.models.texts import LENGTH_BITS, Text, truth

ZONE = "quarters of an hour east of UTC-12"
QUARTER, WEST, EAST = 900, 12, 14
"""Seconds; hours to the time zones furthest from UTC."""
_LAST_DATE = "last date"
TEXT_SIZE = 26
"""Bytes of a date as ``asctime`` gives it."""


def _word(call: Invocation) -> int:
    """Bytes of ``long`` and ``time_t``: those of a pointer, on the Linux targets we have."""
    return call.pointer_bits // 8


def _within(call: Invocation, name: str, ctype: str, bits: int, low: int, high: int) -> Any:
    """An input in a signed range."""
    value = read_input(call.state, name, ctype, bits, InputKind.NONDET)
    call.assume(build.land(build.sle(low & ((1 << bits) - 1), value, bits), build.sle(value, high, bits)))
    note_entropy(call.state, value)
    return value


def _moving(call: Invocation, name: str, ctype: str, bits: int) -> Any:
    """A clock: not negative, and not less than when it was read last on this path."""
    value = read_input(call.state, call.input_name(name), ctype, bits, InputKind.NONDET)
    note_entropy(call.state, value)
    before = call.recall(f"clock {name}", 0)
    call.assume(build.land(build.sge(value, 0, bits), build.sge(value, before, bits)))
    if name == "time" and bits > 32:
        call.assume(build.sle(value, calendar.LAST, bits))
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


def _zone(call: Invocation) -> Any:
    """Seconds by which the local time is ahead, 64 bits: by quarters of an hour, the same for the whole path."""

    def ask() -> Any:
        what = "daylight saving time and names of time zones: local time has one distance from UTC"
        call.state.run.note_loss("bounded", what, call.state)
        value = read_input(call.state, ZONE, "unsigned char", 8, InputKind.NONDET)
        call.assume(build.ule(value, (WEST + EAST) * 4, 8))
        return build.sub(build.mul(build.zext(value, 8, 64), QUARTER, 64), WEST * 4 * QUARTER, 64)

    return call.kept("time zone", ask)


def _offset(call: Invocation, local: bool) -> Any:
    return _zone(call) if local else 0


def _static(call: Invocation, name: str, size: int, initial: bytes = b"") -> int:
    """The one object that a function gives out again and again."""
    memory = call.state.memory
    address: int = call.kept(f"object {name}", lambda: memory.allocate(size, "global", name, 8, None, initial))
    return address


def _date(call: Invocation, seconds: Any) -> Moment | None:
    """The date of a time, 64 bits; None, and ``errno`` says why, if its year does not fit an ``int``. May fork."""
    if truth(call, _between(seconds, calendar.FIRST, calendar.LAST)):
        return calendar.moment_of(seconds, is_usual=True)
    if truth(call, _between(seconds, calendar.EARLIEST, calendar.LATEST)):
        return calendar.moment_of(seconds)
    set_errno(call, EOVERFLOW)
    return None


def _between(seconds: Any, low: int, high: int) -> Any:
    return build.land(build.sle(low & ((1 << 64) - 1), seconds, 64), build.sle(seconds, high, 64))


def _store(call: Invocation, where: int, when: Moment, seconds: Any, local: bool) -> None:
    """Fill a ``struct tm``: there is no daylight saving time."""
    fields = [build.trunc(value, 32) for value in when]
    for place, value in enumerate((*fields, 0)):
        call.store(where + 4 * place, value, 4)
    call.remember(_LAST_DATE, (tuple(fields[:6]), seconds))
    word, offset = _word(call), _offset(call, local)
    call.store(where + 36 + word % 8, build.trunc(offset, 8 * word) if word < 8 else offset, word)
    name = _static(call, "tm_zone", 4, b"GMT")
    call.store(where + 36 + word % 8 + word, name, word)


def _load(call: Invocation, where: int) -> Moment:
    """The fields of a ``struct tm``."""
    return Moment(*(build.sext(call.load(where + 4 * place, 4), 32, 64) for place in range(8)))


def _seconds_of(call: Invocation, where: int) -> Any:
    """The time that a ``struct tm`` tells: what it was made of, if it is the last one, and unchanged."""
    fields, seconds = call.recall(_LAST_DATE, ((), 0))
    if fields == tuple(call.load(where + 4 * place, 4) for place in range(6)):
        return seconds
    return calendar.seconds_of(_load(call, where))


def _seconds(call: Invocation, address: Any) -> Any:
    """The ``time_t`` at an address, 64 bits."""
    word = _word(call)
    value = call.load(call.pointer(address), word)
    return build.sext(value, 8 * word, 64) if word < 8 else value


def _break_down(call: Invocation, address: Any, where: int, local: bool) -> int:
    seconds = build.add(_seconds(call, address), _offset(call, local), 64)
    when = _date(call, seconds)
    if when is None:
        return 0
    _store(call, where, when, seconds, local)
    return where


@model("localtime", "gmtime", effect=ANYTHING.but(reads_input=True))
def localtime(call: Invocation, address: Any) -> int:
    return _break_down(call, address, _static(call, "struct tm", _size(call)), call.name == "localtime")


@model("localtime_r", "gmtime_r", effect=COPIES.but(exact=False, reads_input=True))
def localtime_r(call: Invocation, address: Any, target: Any) -> int:
    where = _writable(call, target, _size(call))
    if not where:
        call.fail("null-dereference", f"{call.name}() with a null pointer for the result")
    return _break_down(call, address, where, call.name == "localtime_r")


@model("mktime", "timegm", "timelocal", effect=WRITES_ARGUMENTS.but(reads_input=True))
def mktime(call: Invocation, address: Any) -> Any:
    """The fields come back in their ranges."""
    bits, local = call.result_bits, call.name != "timegm"
    where = _writable(call, address, _size(call))
    seconds = _seconds_of(call, where)
    when = _date(call, seconds)
    if when is None:
        return (1 << bits) - 1
    _store(call, where, when, seconds, local)
    seconds = build.sub(seconds, _offset(call, local), 64)
    return build.trunc(seconds, bits) if bits < 64 else seconds


@model("tzset", effect=NOTHING)
def tzset(call: Invocation) -> None:
    """The zone is what it is."""


def _text(call: Invocation, where: int, form: bytes) -> Text:
    """A date in a ``struct tm`` as ``strftime`` prints it."""

    def local(kind: bytes) -> Text:
        word = _word(call)
        place = where + 36 + word % 8
        if kind == b"Z":
            name = call.pointer(call.load(place + word, word))
            return texts.c_string(call, name) if name else texts.EMPTY
        if kind == b"s":
            return calendar.signed(build.sub(_seconds_of(call, where), _zone(call), 64), 1)
        offset = call.load(place, word)
        return _hours_and_minutes(build.sext(offset, 8 * word, 64) if word < 8 else offset)

    return texts.join(DateFormatter(_load(call, where), local).pieces(form), call)


def _hours_and_minutes(offset: Any) -> Text:
    """The distance of a time zone from UTC: ``+0530``."""
    negative = build.slt(offset, 0, 64)
    size: Any = build.ite(negative, build.neg(offset, 64), offset, bv(64))
    minutes = build.udiv(size, 60, 64)
    shown = build.add(build.mul(build.udiv(minutes, 60, 64), 100, 64), build.urem(minutes, 60, 64), 64)
    sign = texts.choose(negative, texts.literal(b"-"), texts.literal(b"+"))
    return texts.append(sign, calendar.signed(shown, 4))


@model("asctime", effect=ANYTHING)
def asctime(call: Invocation, address: Any) -> int:
    return _write_date(call, call.pointer(address), _static(call, "date as text", TEXT_SIZE))


@model("ctime", effect=ANYTHING.but(reads_input=True))
def ctime(call: Invocation, address: Any) -> int:
    return _write_time(call, address, _static(call, "date as text", TEXT_SIZE))


@model("asctime_r", effect=COPIES.but(exact=False))
def asctime_r(call: Invocation, address: Any, buffer: Any) -> int:
    return _write_date(call, call.pointer(address), call.pointer(buffer))


@model("ctime_r", effect=COPIES.but(exact=False, reads_input=True))
def ctime_r(call: Invocation, address: Any, buffer: Any) -> int:
    return _write_time(call, address, call.pointer(buffer))


def _write_time(call: Invocation, address: Any, buffer: int) -> int:
    where = _break_down(call, address, _static(call, "struct tm", _size(call)), True)
    return _write_date(call, where, buffer) if where else 0


def _write_date(call: Invocation, where: int, buffer: int) -> int:
    """As ``asctime``; null where that would take more than its 26 bytes."""
    text = _text(call, where, b"%a %b%_3e %H:%M:%S %Y\n")
    if not truth(call, build.ult(text.length, TEXT_SIZE, LENGTH_BITS)):
        set_errno(call, EOVERFLOW)
        return 0
    texts.store_text(call, buffer, text)
    return buffer


@model("strftime", effect=WRITES_ARGUMENTS.but(reads_input=True))
def strftime(call: Invocation, buffer: Any, size: Any, form: Any, date: Any) -> Any:
    """What does not fit is not written, and 0 is returned."""
    where, room = call.pointer(buffer), call.pointer(size)
    text = _text(call, call.pointer(date), texts.one_value(call, form))
    if not truth(call, build.ult(text.length, min(room, 1 << 31), LENGTH_BITS)):
        set_errno(call, ERANGE)
        return 0
    texts.store_text(call, where, text)
    return texts.resized(text.length, call.result_bits)


# Sleeping


@model("sleep", "usleep", "thrd_yield", effect=NOTHING)
def sleep(call: Invocation, *_: Any) -> Any:
    return 0 if call.call.result is not None else None


@model("nanosleep", "thrd_sleep", effect=NOTHING)
def nanosleep(call: Invocation, wanted: Any, left: Any) -> int:
    call.read_bytes(call.pointer(wanted), 2 * _word(call))
    return 0
