"""Numbers in text: what scanf reads for ``%d`` and ``%f``.

The digits of an integer make one formula (Horner's scheme, which stops where the digits do) that saturates as
``strtol`` does. A floating-point number in symbolic text is cut down to one value, and the loss is reported.
"""

from __future__ import annotations

import ctypes
import re
from typing import TYPE_CHECKING, Any

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.models.texts import LENGTH_BITS, truth

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation
    from clew.models.streams import Supply

_REAL = re.compile(
    rb"[+-]?(?:inf(?:inity)?|nan(?:\([0-9a-zA-Z_]*\))?"
    rb"|0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?"
    rb"|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(rb"[+-]?(?:0x[0-9a-f.]*p[+-]?|(?:\d+\.?\d*|\.\d+)e[+-]?)", re.IGNORECASE)


class IntegerReader:
    """Reads one integer from ``position`` on; ``position`` moves to the first digit."""

    def __init__(
        self, call: Invocation, source: Supply, position: int, width: int | None, bits: int, kept: int
    ) -> None:
        self._call = call
        self._source = source
        self.position = position
        self.ended = False
        """Whether the input ended where a digit was needed."""
        self.ran_out: Any = False
        """Whether the input ended behind the number."""
        self._stop = len(source) if width is None else min(len(source), position + width)
        self._bits = bits
        self._kept = kept

    def read(self, base: int, signed: bool) -> tuple[Any, Any] | None:
        """The low ``kept`` bits of the value, and where it ends; None if there is no number. Base 0: as in C.

        ``strtol`` has ``bits`` bits: that is where a number is too large.
        """
        negative: Any = False
        if self._is(b"+-"):
            negative = build.eq(self._source.values[self.position], ord("-"), 8)
            self.position += 1
        zero = base in (0, 16) and self._is(b"0")
        if zero and self._is(b"xX", 1):
            self.position += 2
            base = 16
            if not self._is_digit(16):
                # libc has read the prefix and goes on with the zero in it.
                return 0, self.position
        elif base == 0:
            base = 8 if zero else 10
        if not self._is_digit(base):
            self.ended = self.position < self._stop or self._stop == len(self._source)
            self.ended = self.ended and not truth(self._call, self._source.present(self.position))
            return None
        value, end = self._digits(base, negative, signed)
        return value, end

    def _is(self, members: bytes, ahead: int = 0) -> bool:
        place = self.position + ahead
        if place >= self._stop:
            return False
        value = self._source.values[place]
        here = build.disjunction([build.eq(value, char, 8) for char in members])
        return truth(self._call, build.land(self._source.present(place), here))

    def _is_digit(self, base: int) -> bool:
        if self.position >= self._stop:
            return False
        return truth(self._call, self._digit_at(self.position, base)[0])

    def _digit_at(self, place: int, base: int) -> tuple[Any, Any]:
        """Whether there is a digit, and its value in 8 bits."""
        inside, digit = digit_of(self._source.values[place], base)
        return build.land(self._source.present(place), inside), digit

    def _digits(self, base: int, negative: Any, signed: bool) -> tuple[Any, Any]:
        """Value and end of the digits; only texts long enough to overflow ``strtol`` cost wider numbers."""
        limit = 1 << self._bits
        most = base ** (self._stop - self.position)
        wide = self._bits + 8 if most > limit >> 1 else self._kept
        goes_on: Any = True
        ran_out: Any = False
        value: Any = 0
        end: Any = self.position
        for place in range(self.position, self._stop):
            is_digit, digit = self._digit_at(place, base)
            ran_out = build.lor(ran_out, build.land(goes_on, build.lnot(self._source.present(place))))
            goes_on = build.land(goes_on, is_digit)
            if goes_on is False:
                break
            held = build.zext(digit, 8, wide) if wide > 8 else digit
            longer: Any = build.add(build.mul(value, base, wide), held, wide)
            if base ** (place + 1 - self.position) > limit:
                # Held at the limit once it is above, so that no step overflows.
                longer = build.ite(build.ult(limit, longer, wide), limit, longer, bv(wide))
            value = build.ite(goes_on, longer, value, bv(wide))
            end = build.ite(goes_on, place + 1, end, bv(LENGTH_BITS))
        self.ran_out = build.lor(ran_out, goes_on) if self._stop == len(self._source) else ran_out
        if wide == self._kept:
            return build.ite(negative, build.neg(value, wide), value, bv(wide)), end
        result = self._saturated(value, wide, negative, signed)
        return build.trunc(result, self._kept) if self._kept < self._bits else result, end

    def _saturated(self, value: Any, wide: int, negative: Any, signed: bool) -> Any:
        """The magnitude with its sign, as ``strtol`` or ``strtoul`` gives it."""
        bits = self._bits
        low = build.trunc(value, bits)
        result: Any = build.ite(negative, build.neg(low, bits), low, bv(bits))
        if not signed:
            return build.ite(build.ule(1 << bits, value, wide), (1 << bits) - 1, result, bv(bits))
        half = 1 << (bits - 1)
        highest: Any = build.ite(negative, half, half - 1, bv(wide))
        edge = build.ite(negative, half, half - 1, bv(bits))
        return build.ite(build.ult(highest, value, wide), edge, result, bv(bits))


def digit_of(value: Any, base: int) -> tuple[Any, Any]:
    """Whether a character is a digit in ``base``, and the digit's value in 8 bits."""
    if not isinstance(value, Expr):
        known = b"0123456789abcdefghijklmnopqrstuvwxyz".find(bytes([value]).lower())
        return 0 <= known < base, max(known, 0)
    number = build.sub(value, ord("0"), 8)
    inside = build.ult(number, min(base, 10), 8)
    if base <= 10:
        return inside, number
    letter = build.sub(build.or_(value, 0x20, 8), ord("a"), 8)
    digit = build.ite(inside, number, build.add(letter, 10, 8), bv(8))
    return build.lor(inside, build.ult(letter, base - 10, 8)), digit


def read_real(call: Invocation, source: Supply, start: int, width: int | None) -> tuple[float, int, bool]:
    """A floating-point number: its value, where it ends, and whether there is none."""
    stop = len(source) if width is None else min(len(source), start + width)
    model = call.state.model
    present = start
    while present < stop and model.eval(source.present(present)):
        present += 1
    data = bytes(int(model.eval(value)) for value in source.values[start:present])
    match = _REAL.match(data)
    # glibc also takes an exponent that lacks its digits, and ignores it.
    unfinished = _UNFINISHED.match(data)
    used = max(match.end() if match else 0, unfinished.end() if unfinished else 0)
    looked_at = min(used + 1, len(data))
    _pin(call, source, start, looked_at)
    if match is None:
        return 0.0, start + looked_at, True
    return _value(match[0]), start + used, False


def _pin(call: Invocation, source: Supply, start: int, count: int) -> None:
    """Explore only the bytes the model has."""
    model = call.state.model
    pinned = False
    for place in range(start, start + count + 1):
        present = source.present(place)
        conditions = [present if model.eval(present) else build.lnot(present)]
        if place < start + count:
            value = source.values[place]
            conditions.append(build.eq(value, int(model.eval(value)), 8))
        for condition in conditions:
            if isinstance(condition, Expr) and not call.state.implies(condition):
                call.assume(condition)
                pinned = True
    if pinned:
        what = "all but one value of a floating-point number that is read from text"
        call.state.run.note_loss("bounded", what, call.state, call.location)


def _value(text: bytes) -> float:
    lowered = text.lower()
    if b"nan" in lowered:
        return float("-nan" if lowered.startswith(b"-") else "nan")
    if b"0x" in lowered:
        return float.fromhex(lowered.decode())
    return float(lowered)


def single(value: float) -> float:
    """Rounded to a ``float``."""
    return ctypes.c_float(value).value
