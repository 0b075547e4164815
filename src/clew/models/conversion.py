"""stdlib.h and inttypes.h: numbers from strings.

Integers (``strtol`` and its kin) are one formula over the bytes, whatever of them is symbolic: no forks, right ends
and ``ERANGE``. Floats are exact on concrete bytes; on symbolic ones decimals without an exponent are a formula, and
others (exponents, hexadecimal, ``inf``, ``nan``) one for each shape: see ``float_shapes``.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from clew.analysis.model_effect import PARSES, WRITES_OWN
from clew.base.pattern import pattern
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.execute.values import float_sort
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.rewrite.fpmath import Real
from clew.expr.sort import Sort
from clew.models.errno import EINVAL, ERANGE, set_errno
from clew.models.float_shapes import ShapedNumeral, division_sort, nearest
from clew.models.parsing import (
    LIMIT,
    MOST_DIGITS,
    MOST_PLACES,
    SYMBOLIC_LIMIT,
    Decimal,
    known_integer,
    saturated,
    scan_decimal,
    scan_integer,
)
from clew.models.texts import truth
from clew.program.types import FloatType
from clew.solver.interface import Answer


class ByteReader:
    """Bytes of a string, read one by one as they are needed: past the object's end fails as the function would."""

    def __init__(self, call: Invocation, start: int) -> None:
        self.call = call
        self.start = start
        self.room = call.room(start)
        self.bytes: list[Any] = []
        self.symbolic = 0
        self.end_reached = False
        """Reading stopped at the end of the object; whether that is an error the caller decides."""

    def __call__(self, index: int) -> Any:
        while len(self.bytes) <= index:
            if len(self.bytes) >= LIMIT or self.symbolic >= SYMBOLIC_LIMIT:
                return None
            if self.symbolic and index >= self.room:
                self.end_reached = True
                return None
            byte = self.call.load(self.start + len(self.bytes), 1)
            self.symbolic += isinstance(byte, Expr)
            self.bytes.append(byte)
        return self.bytes[index]

    def may_go_on(self, index: int, alive: Any) -> bool:
        """Whether the path leaves it open that a numeral goes on at an index, which it does where ``alive`` holds.

        The solver is asked where the next byte is undefined, as behind a string that ends inside of a buffer, and now
        and then.
        """
        byte = self(index)
        if not isinstance(byte, Expr) or not isinstance(alive, Expr):
            return True
        state = self.call.state
        seldom = self.symbolic >= 8 and self.symbolic.bit_count() == 1
        if not seldom and byte.symbols.isdisjoint(state.run.undefined):
            return True
        return self._may_be(alive)

    def _may_be(self, condition: Expr) -> bool:
        state = self.call.state
        return state.model_is_fixed or state.feasible(condition).answer is not Answer.UNSAT

    def finish(self, alive: Any) -> None:
        """The numeral may go on where reading stopped: an error at the object's end, a loss at a limit."""
        if alive is False:
            return
        if self.end_reached:
            message = f"{self.call.name}() reads past the end of a string without a terminator"
            self.call.require(build.lnot(alive), "out-of-bounds", message)
            return
        if isinstance(alive, Expr) and not self._may_be(alive):
            return
        what = f"numerals of more than {SYMBOLIC_LIMIT} symbolic characters in {self.call.name}()"
        self.call.state.run.note_loss("bounded", what, self.call.state)
        self.call.assume(build.lnot(alive))


def _set_end(call: Invocation, where: int, start: int, end: Any) -> None:
    if where:
        call.store(where, build.add(start, end, call.pointer_bits), call.pointer_bits // 8)


def _to_integer(call: Invocation, text: Any, end: Any, base: Any, width: int, signed: bool) -> Any:
    start, where, radix = call.pointer(text), call.pointer(end), call.concrete(base, 32)
    if radix == 1 or radix > 36:
        set_errno(call, EINVAL)
        return 0
    reader = ByteReader(call, start)
    found = known_integer(reader, radix, width) or scan_integer(
        reader, radix, width, call.pointer_bits, outlook=reader.may_go_on
    )
    reader.finish(found.alive)
    value, overflow = saturated(found, width, signed)
    _set_end(call, where, start, found.end)
    set_errno(call, ERANGE, overflow)
    return value


@model("strtol", "strtoll", "strtoimax", "strtoq", "__isoc23_strtol", "__isoc23_strtoll", "__isoc23_strtoimax",
       "__strtol_internal", "__strtoll_internal", "strtol_l", "strtoll_l", effect=PARSES)  # fmt: skip
def strtol(call: Invocation, text: Any, end: Any, base: Any, *_: Any) -> Any:
    return _to_integer(call, text, end, base, call.result_bits, True)


@model("strtoul", "strtoull", "strtoumax", "strtouq", "__isoc23_strtoul", "__isoc23_strtoull", "__isoc23_strtoumax",
       "__strtoul_internal", "__strtoull_internal", "strtoul_l", "strtoull_l", effect=PARSES)  # fmt: skip
def strtoul(call: Invocation, text: Any, end: Any, base: Any, *_: Any) -> Any:
    return _to_integer(call, text, end, base, call.result_bits, False)


@model("atol", "atoll", effect=WRITES_OWN.but(exact=True))
def atol(call: Invocation, text: Any) -> Any:
    return _to_integer(call, text, 0, 10, call.result_bits, True)


@model("atoi", effect=WRITES_OWN.but(exact=True))
def atoi(call: Invocation, text: Any) -> Any:
    """As glibc and musl have it for values that do not fit: those of ``strtol``, cut to an ``int``."""
    width = call.pointer_bits
    value = _to_integer(call, text, 0, 10, width, True)
    return build.trunc(value, 32) if width > 32 else value


# Floats

_FLOAT = pattern(
    rb"[ \t\n\v\f\r]*[+-]?(?:"
    rb"(?P<hex>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?)"
    rb"|(?P<dec>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)"
    rb"|(?P<inf>inf(?:inity)?)|(?P<nan>nan(?:\(\w*\))?))",
    re.IGNORECASE,
)
_BEGINNING = pattern(
    rb"[ \t\n\v\f\r]*[+-]?(?:0x[0-9a-f]*\.?[0-9a-f]*(?:p[+-]?\d*)?"
    rb"|\d*\.?\d*|(?:\d+\.?\d*|\.\d+)e[+-]?\d*"
    rb"|i(?:n(?:f(?:i(?:n(?:it?)?)?)?)?)?|n(?:a(?:n(?:\(\w*)?)?)?)",
    re.IGNORECASE,
)
"""What may go on to be a longer float: the function looks at the next byte."""


def parse_float(text: bytes, sort: Sort) -> tuple[Real, int, bool]:
    """A float at the start of a text: its value, where it ends (0: there is none), whether it is out of range."""
    match = _FLOAT.match(text)
    if match is None:
        return 0.0, 0, False
    negative = b"-" in match[0][: match.start(match.lastgroup or 0)]
    value, out_of_range = _unsigned(match, sort)
    return (-value if negative else value), match.end(), out_of_range


def _unsigned(match: re.Match[bytes], sort: Sort) -> tuple[Real, bool]:
    if match["inf"]:
        return math.inf, False
    if match["nan"]:
        return math.nan, False
    exact = _decimal(match["dec"]) if match["dec"] else _hexadecimal(match["hex"].lower())
    if exact is None:
        return (math.inf if _is_huge(match[0]) else 0.0), True
    return nearest(exact, sort)


def _decimal(text: bytes) -> Fraction | None:
    mantissa, _, exponent = text.lower().partition(b"e")
    return _scaled(mantissa, 10, int(exponent or b"0"), 10, 1)


def _hexadecimal(text: bytes) -> Fraction | None:
    mantissa, _, exponent = text[2:].partition(b"p")
    return _scaled(mantissa, 16, int(exponent or b"0"), 2, 4)


def _scaled(mantissa: bytes, base: int, exponent: int, radix: int, per_digit: int) -> Fraction | None:
    """The exact value; None where the exponent alone puts it far out of every range."""
    whole, _, fraction = mantissa.partition(b".")
    digits = int(whole + fraction, base)
    if digits == 0:
        return Fraction(0)
    power = exponent - per_digit * len(fraction)
    if abs(power) > 20000 + 8 * len(mantissa):
        return None
    return Fraction(digits) * Fraction(radix) ** power


def _is_huge(text: bytes) -> bool:
    return b"-" not in text.lower().replace(b"p", b"e").partition(b"e")[2]


def _to_float(call: Invocation, text: Any, end: Any, sort: Sort) -> Any:
    start, where = call.pointer(text), call.pointer(end)
    reader = ByteReader(call, start)
    data = bytearray()
    while isinstance(byte := reader(len(data)), int):
        data.append(byte)
        if not _BEGINNING.fullmatch(data):
            break
    if not isinstance(byte, Expr):
        value, length, out_of_range = parse_float(bytes(data), sort)
        _set_end(call, where, start, length)
        set_errno(call, ERANGE, out_of_range)
        return value
    found = scan_decimal(reader, call.pointer_bits, reader.may_go_on)
    reader.finish(found.alive)
    if truth(call, _is_plain(found)):
        _set_end(call, where, start, found.end)
        return decimal_value(found, sort)
    shaped = ShapedNumeral(call, reader, sort).read()
    _set_end(call, where, start, shaped.end)
    set_errno(call, ERANGE, shaped.out_of_range)
    return shaped.value


def _is_plain(found: Decimal) -> Any:
    """Whether one formula has room for a numeral."""
    few = build.ult(found.digits, 10**MOST_DIGITS, 64)
    return build.conjunction([build.lnot(found.exotic), few, build.ule(found.places, MOST_PLACES, 8)])


def decimal_value(found: Decimal, sort: Sort) -> Any:
    """Digits over a power of ten: both are exact doubles, so one division rounds correctly."""
    inner = division_sort(sort)
    scale: Any = 1.0
    for places in range(1, MOST_PLACES + 1):
        scale = build.ite(build.eq(found.places, places, 8), 10.0**places, scale, inner)
    value: Any = build.fdiv(build.fp_from_ubv(found.digits, 64, inner), scale, inner)
    value = build.ite(found.negative, build.fneg(value, inner), value, inner)
    value = build.ite(found.any_digits, value, 0.0, inner)
    return build.fp_to_fp(value, inner, sort)


def _result_sort(call: Invocation) -> Sort:
    type = call.call.type.result
    assert isinstance(type, FloatType)
    return float_sort(type)


@model("strtod", "strtof", "strtold", "strtod_l", "strtof_l", "strtold_l", effect=PARSES.but(exact=False))
def strtod(call: Invocation, text: Any, end: Any, *_: Any) -> Any:
    return _to_float(call, text, end, _result_sort(call))


@model("atof", effect=WRITES_OWN)
def atof(call: Invocation, text: Any) -> Any:
    return _to_float(call, text, 0, _result_sort(call))
