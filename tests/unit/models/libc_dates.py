"""Dates by ``clew.models.calendar`` and by the real libc, on random times and fields."""

from __future__ import annotations

import ctypes
from random import Random

from clew.models import calendar
from clew.models.calendar import DateFormatter, Moment
from clew.models.texts import literal
from unit.models.drive import libc

_MASK = (1 << 64) - 1
_NUMBERS = b"CdegGHIjklmMSuUVwWyY"
_TEXTS = b"aAbBhcDFnpPrRtTxX%"
_NAMES = "sec min hour mday mon year wday yday".split()


class TimeFields(ctypes.Structure):
    """``struct tm``."""

    _fields_ = [
        *((name, ctypes.c_int) for name in (*_NAMES, "isdst")),
        ("offset", ctypes.c_long),
        ("zone", ctypes.c_char_p),
    ]


def differences(random: Random, count: int) -> list[str]:
    """What the two do not agree about, of so many random dates."""
    found = []
    for _ in range(count):
        seconds = random.choice((random.randrange(1 << 32), random.randrange(calendar.FIRST, calendar.LAST + 1),
                                 random.randrange(calendar.EARLIEST, calendar.LATEST + 1)))  # fmt: skip
        fields = _broken_down(seconds)
        usual = calendar.FIRST <= seconds <= calendar.LAST
        when = calendar.moment_of(seconds & _MASK, usual)
        if [_signed(value) for value in when] != fields or calendar.seconds_of(when) != seconds & _MASK:
            found.append(f"gmtime({seconds}): {when}, not {fields}")
        found += _text_difference(random, when, fields)
        found += _time_difference(random)
    return found


def _broken_down(seconds: int) -> list[int]:
    fields, given = TimeFields(), ctypes.c_long(seconds)
    libc().gmtime_r(ctypes.byref(given), ctypes.byref(fields))
    return [getattr(fields, name) for name in _NAMES]


def _text_difference(random: Random, when: Moment, fields: list[int]) -> list[str]:
    form = b"%" + bytes([random.choice(_TEXTS)])
    if random.random() < 0.7:
        form = (
            b"%"
            + random.choice((b"", b"-", b"_", b"0"))
            + random.choice((b"", b"", b"5"))
            + bytes([random.choice(_NUMBERS)])
        )
    buffer = ctypes.create_string_buffer(128)
    libc().strftime(buffer, ctypes.c_size_t(128), form, ctypes.byref(TimeFields(*fields)))
    pieces = DateFormatter(when, lambda kind: literal(kind)).pieces(form)
    text = b"".join(bytes(piece.values()) for piece in pieces)
    return [] if text == buffer.value else [f"strftime({form!r}, {fields}): {text!r}, not {buffer.value!r}"]


def _time_difference(random: Random) -> list[str]:
    """Of fields that are out of their ranges."""
    fields = [random.randrange(-(10 ** random.randrange(1, 7)), 10 ** random.randrange(1, 7)) for _ in range(6)]
    function = libc().timegm
    function.restype = ctypes.c_long
    seconds = function(ctypes.byref(TimeFields(*fields)))
    mine = _signed(calendar.seconds_of(Moment(*(value & _MASK for value in fields))))
    return [] if mine == seconds else [f"timegm({fields}): {mine}, not {seconds}"]


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
