"""The calendar of ``time.h``: seconds <-> date and time of day, and dates as text, all by formulas.

Values are numbers or expressions; nothing forks. The calendar is the Gregorian one, before its time, too. Years run
from March, and are counted from far in the past, so that every division is one of numbers that are not negative.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from clew.base.pattern import pattern
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.ranges import interval
from clew.expr.sort import bv
from clew.models import texts
from clew.models.texts import Text

BITS = 64
DAY = 86400
_ERA_DAYS, _ERA_YEARS = 146097, 400
_ERAS = 6_500_000
"""Eras of 400 years that the count begins before the year 0: no year that fits an ``int`` lies before them."""
FEW = 4
_EPOCH = 719468
"""Days from March 1 of the year 0 to January 1, 1970."""
FIRST, LAST = -62135596800, 253402300799
"""Seconds of the years 1 to 9999."""
EARLIEST, LATEST = -67768040609740800, 67768036191676799
"""Seconds whose years fit an ``int``."""


class Moment(NamedTuple):
    """The fields of a ``struct tm``, as integers of 64 bits, in two's complement."""

    sec: Any
    min: Any
    hour: Any
    mday: Any
    mon: Any
    year: Any
    wday: Any = 0
    yday: Any = 0


class _Numbers:
    """Arithmetic on numbers of some bits."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def plus(self, *values: Any) -> Any:
        result: Any = 0
        for value in values:
            result = build.add(result, self._known(value), self.bits)
        return result

    def minus(self, left: Any, right: Any) -> Any:
        return build.sub(self._known(left), self._known(right), self.bits)

    def times(self, value: Any, factor: int) -> Any:
        return build.mul(value, self._known(factor), self.bits)

    def over(self, value: Any, number: int) -> Any:
        return build.udiv(value, number, self.bits)

    def rest(self, value: Any, number: int) -> Any:
        return build.urem(value, number, self.bits)

    def choose(self, condition: Any, yes: Any, no: Any) -> Any:
        return build.ite(condition, self._known(yes), self._known(no), bv(self.bits))

    def _known(self, value: Any) -> Any:
        return value & ((1 << self.bits) - 1) if isinstance(value, int) else value

    def days_before(self, year: Any) -> Any:
        """Days of the years of an era before one of them."""
        return self.minus(self.plus(self.times(year, 365), self.over(year, 4)), self.over(year, 100))

    def is_leap(self, year: Any) -> Any:
        """Of a year that is not negative."""
        fourth = build.eq(build.and_(year, 3, self.bits), 0, self.bits)
        century = build.eq(self.rest(year, 100), 0, self.bits)
        return build.land(fourth, build.lor(build.lnot(century), build.eq(self.rest(year, 400), 0, self.bits)))


_WIDE = _Numbers(BITS)
_plus, _minus, _times, _over, _rest, _if = (
    _WIDE.plus, _WIDE.minus, _WIDE.times, _WIDE.over, _WIDE.rest, _WIDE.choose,
)  # fmt: skip


def moment_of(seconds: Any, is_usual: bool = False) -> Moment:
    """The date and time of so many seconds after the epoch, which are between ``EARLIEST`` and ``LATEST``.

    ``is_usual``: they lie within the years 1 to 9999. Then the numbers are small, and so are the formulas.
    """
    eras, bits = (0, 24) if is_usual else (_ERAS, BITS)
    counted = _plus(seconds, (eras * _ERA_DAYS + _EPOCH) * DAY)
    if is_usual:
        small = _Numbers(40)
        counted = build.trunc(counted, small.bits)
        days = build.trunc(small.over(counted, DAY), bits)
        rest = build.zext(small.rest(counted, DAY), small.bits, BITS)
    else:
        days, rest = _over(counted, DAY), _rest(counted, DAY)
    time = (_rest(rest, 60), _rest(_over(rest, 60), 60), _over(rest, 3600))
    date = _chosen(days, eras, _Numbers(bits)) or _date(days, eras, _Numbers(bits))
    return Moment(*time, *(build.sext(value, bits, BITS) if bits < BITS else value for value in date))


def _chosen(days: Any, eras: int, n: _Numbers) -> tuple[Any, ...] | None:
    """``_date`` of one of a few days, chosen among what is computed for each; None if they may be many."""
    first, last = interval(days) if isinstance(days, Expr) else (days, days)
    if last - first > FEW:
        return None
    found = _date(last, eras, n)
    for day in reversed(range(first, last)):
        here = build.eq(days, day, n.bits)
        found = tuple(n.choose(here, a, b) for a, b in zip(_date(day, eras, n), found, strict=True))
    return found


def _date(days: Any, eras: int, n: _Numbers) -> tuple[Any, ...]:
    """Day, month, year, day of the week and of the year, so many days after a March 1, ``eras`` before the year 0."""
    era, day = n.over(days, _ERA_DAYS), n.rest(days, _ERA_DAYS)
    leaps = n.plus(n.minus(n.over(day, 1460), n.over(day, 36524)), n.over(day, 146096))
    year = n.over(n.minus(day, leaps), 365)
    of_year = n.minus(day, n.days_before(year))
    month = n.over(n.plus(n.times(of_year, 5), 2), 153)
    mday = n.plus(n.minus(of_year, n.over(n.plus(n.times(month, 153), 2), 5)), 1)
    is_next = build.uge(month, 10, n.bits)  # January and February
    mon = n.choose(is_next, n.plus(month, -10), n.plus(month, 2))
    counted = n.plus(year, n.times(era, _ERA_YEARS), n.choose(is_next, 1, 0))
    in_leap = n.choose(n.is_leap(counted), 1, 0)
    yday = n.choose(is_next, n.plus(of_year, -306), n.plus(of_year, 59, in_leap))
    wday = n.rest(n.plus(days, 3), 7)
    return mday, mon, n.plus(counted, -eras * _ERA_YEARS - 1900), wday, yday


def seconds_of(when: Moment) -> Any:
    """The seconds of a date, whose fields may be out of their ranges."""
    months = _plus(when.mon, 12 * _ERAS)
    month = _rest(months, 12)
    year = _plus(when.year, 1900, _over(months, 12), -_ERAS, _ERAS * _ERA_YEARS)
    is_next = build.ult(month, 2, BITS)
    year = _plus(year, _if(is_next, -1, 0))
    since_march = _if(is_next, _plus(month, 10), _plus(month, -2))
    days = _over(_plus(_times(since_march, 153), 2), 5)
    era, of_era = _over(year, _ERA_YEARS), _rest(year, _ERA_YEARS)
    days = _plus(days, when.mday, -1, _WIDE.days_before(of_era), _times(era, _ERA_DAYS), -_EPOCH - _ERAS * _ERA_DAYS)
    return _plus(_times(days, DAY), _times(when.hour, 3600), _times(when.min, 60), when.sec)


# Text

_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split()
_SHORT = {b"D": b"%m/%d/%y", b"F": b"%Y-%m-%d", b"R": b"%H:%M", b"T": b"%H:%M:%S", b"r": b"%I:%M:%S %p",
          b"c": b"%a %b %e %H:%M:%S %Y", b"x": b"%m/%d/%y", b"X": b"%H:%M:%S"}  # fmt: skip
_SPEC = pattern(rb"%(?P<flags>[-_0^#+]*)(?P<width>\d*)[EO]?(?P<kind>[a-zA-Z%])|(?P<plain>%|[^%]+)", re.DOTALL)


def _floor(value: Any, number: int) -> tuple[Any, Any]:
    """Quotient and rest of a number that may be negative, the quotient rounded down."""
    counted = _plus(value, number << 40)
    return _plus(_over(counted, number), -1 << 40), _rest(counted, number)


def _weeks(when: Moment, first: int) -> Any:
    """The week of the year, if weeks begin on a day of the week."""
    return _over(_minus(_plus(when.yday, 7), _rest(_plus(when.wday, 7 - first), 7)), 7)


def _iso(when: Moment) -> tuple[Any, Any]:
    """The year of ISO 8601 (counted from 1900), and its week."""
    year = _plus(when.year, 1900, _ERAS * _ERA_YEARS)
    monday = _rest(_plus(when.wday, 6), 7)
    week = _over(_minus(_plus(when.yday, 10), monday), 7)
    first = _rest(_minus(_plus(monday, 371), when.yday), 7)
    """The day of the week that the year begins with, Monday being 0."""
    long = build.lor(build.eq(first, 3, BITS), build.land(build.eq(first, 2, BITS), _WIDE.is_leap(year)))
    before = _rest(_minus(_plus(first, 370), _if(_WIDE.is_leap(_plus(year, -1)), 1, 0)), 7)
    leap_before = build.land(build.eq(before, 2, BITS), _WIDE.is_leap(_plus(year, -1)))
    long_before = build.lor(build.eq(before, 3, BITS), leap_before)
    early = build.eq(week, 0, BITS)
    late = build.land(build.eq(week, 53, BITS), build.lnot(long))
    shift = _if(early, -1, _if(late, 1, 0))
    return _plus(when.year, shift), _if(early, _if(long_before, 53, 52), _if(late, 1, week))


_NUMBERS: dict[bytes, tuple[int, int, Callable[[Moment], Any]]] = {
    b"d": (2, 48, lambda when: when.mday),
    b"e": (2, 32, lambda when: when.mday),
    b"H": (2, 48, lambda when: when.hour),
    b"k": (2, 32, lambda when: when.hour),
    b"I": (2, 48, lambda when: _twelve(when.hour)),
    b"l": (2, 32, lambda when: _twelve(when.hour)),
    b"j": (3, 48, lambda when: _plus(when.yday, 1)),
    b"m": (2, 48, lambda when: _plus(when.mon, 1)),
    b"M": (2, 48, lambda when: when.min),
    b"S": (2, 48, lambda when: when.sec),
    b"u": (1, 48, lambda when: _plus(_rest(_plus(when.wday, 6), 7), 1)),
    b"w": (1, 48, lambda when: when.wday),
    b"U": (2, 48, lambda when: _weeks(when, 0)),
    b"W": (2, 48, lambda when: _weeks(when, 1)),
    b"V": (2, 48, lambda when: _iso(when)[1]),
    b"G": (1, 48, lambda when: _plus(_iso(when)[0], 1900)),
    b"g": (2, 48, lambda when: _floor(_iso(when)[0], 100)[1]),
    b"Y": (1, 48, lambda when: _plus(when.year, 1900)),
    b"y": (2, 48, lambda when: _floor(when.year, 100)[1]),
    b"C": (1, 48, lambda when: _floor(_plus(when.year, 1900), 100)[0]),
}
"""What is printed as a number: digits at least, what fills them up, and its value."""


def _twelve(hour: Any) -> Any:
    """As a clock shows it: 12 instead of 0."""
    return _plus(_rest(_plus(hour, 11), 12), 1)


class DateFormatter:
    """``strftime`` for one date; ``local`` gives what is not in its fields: ``s``, ``z`` and ``Z``."""

    def __init__(self, when: Moment, local: Callable[[bytes], Text]) -> None:
        self._when = when
        self._local = local

    def pieces(self, form: bytes) -> list[Text]:
        """The text, piece by piece."""
        found: list[Text] = []
        for match in _SPEC.finditer(form):
            if match["plain"]:
                found.append(texts.literal(match["plain"]))
            else:
                found += self._conversion(match["flags"], match["width"], match["kind"], match[0])
        return found

    def _conversion(self, flags: bytes, width: bytes, kind: bytes, whole: bytes) -> list[Text]:
        when = self._when
        if kind in _SHORT:
            return self.pieces(_SHORT[kind])
        if kind in _NUMBERS:
            digits, fill, value = _NUMBERS[kind]
            fill = {b"_": 32, b"-": 32, b"0": 48, b"+": 48}.get(flags[-1:], fill)
            digits = max(1 if flags[-1:] == b"-" else digits, int(width or b"0"))
            return [signed(value(when), digits, fill)]
        names = {b"a": (when.wday, [day[:3] for day in _DAYS]), b"A": (when.wday, _DAYS), b"B": (when.mon, _MONTHS),
                 b"b": (when.mon, [month[:3] for month in _MONTHS]), b"h": (when.mon, [m[:3] for m in _MONTHS]),
                 b"p": (_half(when), ["AM", "PM"]), b"P": (_half(when), ["am", "pm"])}  # fmt: skip
        if kind in names:
            place, choices = names[kind]
            return [_name(place, [choice.upper() if b"^" in flags else choice for choice in choices])]
        if kind in b"szZ":
            return [self._local(kind)]
        return [texts.literal({b"n": b"\n", b"t": b"\t", b"%": b"%"}.get(kind, whole))]


def _half(when: Moment) -> Any:
    return _if(build.sgt(when.hour, 11, BITS), 1, 0)


def _name(place: Any, names: list[str]) -> Text:
    """One of some names; a question mark for what is out of range."""
    found = texts.literal(b"?")
    for number, name in enumerate(names):
        found = texts.choose(build.eq(place, number, BITS), texts.literal(name.encode()), found)
    return found


def signed(value: Any, digits: int, fill: int = 48) -> Text:
    """A number with at least so many digits, or blanks and digits; its sign, if it is negative, counts as one."""
    if not isinstance(value, Expr):
        number = value - (1 << BITS) if value >> (BITS - 1) else value
        return texts.literal(_filled(number, digits, fill).encode())
    negative = build.slt(value, 0, BITS)
    size = build.ite(negative, build.neg(value, BITS), value, bv(BITS))
    if not isinstance(size, Expr):
        plain = texts.literal(str(size).encode())
    else:
        plain = texts.numeral(size, 10)
    positive = texts.padded(plain, digits, fill)
    if negative is False:
        return positive
    sign = texts.literal(b"-")
    if fill == 32:
        return texts.choose(negative, texts.padded(texts.append(sign, plain), digits), positive)
    return texts.choose(negative, texts.append(sign, texts.padded(plain, digits - 1, fill)), positive)


def _filled(number: int, digits: int, fill: int) -> str:
    return str(number).zfill(digits) if fill == 48 else str(number).rjust(digits)
