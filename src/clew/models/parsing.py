"""Numerals in C strings, as ``strtol`` and ``strtod`` read them: bytes -> value, end, overflow, as formulas.

One automaton walks over the bytes. Its states are conditions: where all bytes are concrete they are plain bools and
the result is a number; where some are symbolic the same code builds one formula, without a fork. ``scan_integer``
and ``scan_decimal`` ask for a byte only while the numeral can go on, so they look at what the real functions do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.sort import bv

LIMIT = 4096
"""Bytes of one numeral, its leading white space included."""
SYMBOLIC_LIMIT = 64
"""Symbolic bytes among them: the formula grows with each."""

Source = Callable[[int], Any]
"""The byte at an index: an int, an ``Expr`` of 8 bits, or None where a limit is reached."""
Outlook = Callable[[int, Any], bool]
"""Whether a numeral may go on at an index, if it does so where a condition holds."""


def anywhere(_index: int, _alive: Any) -> bool:
    """The outlook of those who know nothing but the bytes."""
    return True


@dataclass(frozen=True, slots=True)
class Integer:
    """``magnitude`` has one bit more than the result and stops at ``2**width``; ``end`` is an index."""

    magnitude: Any
    negative: Any
    end: Any
    any_digits: Any
    alive: Any
    """Whether the numeral goes on where reading stopped; False unless a limit stopped it."""


@dataclass(frozen=True, slots=True)
class Decimal:
    """``digits`` (64 bits) without the point, of which ``places`` came after it."""

    digits: Any
    places: Any
    negative: Any
    end: Any
    any_digits: Any
    alive: Any
    exotic: Any
    """Whether there is an exponent, a hexadecimal prefix, ``inf`` or ``nan``, which this form has no room for."""


def between(byte: Any, low: str, high: str) -> Any:
    """Whether a byte lies in a range of characters."""
    return build.land(build.uge(byte, ord(low), 8), build.ule(byte, ord(high), 8))


def one_of(byte: Any, characters: str) -> Any:
    """Whether a byte is one of some characters."""
    return build.disjunction([build.eq(byte, ord(character), 8) for character in characters])


def is_space(byte: Any) -> Any:
    """``isspace`` in the C locale."""
    return build.lor(build.eq(byte, 32, 8), between(byte, "\t", "\r"))


def digit_value(byte: Any, base: int) -> tuple[Any, Any]:
    """Whether a byte is a digit of a base, and which (8 bits)."""
    decimal = between(byte, "0", chr(ord("0") + min(base, 10) - 1))
    value = build.sub(byte, ord("0"), 8)
    if base <= 10:
        return decimal, value
    lower = build.or_(byte, 32, 8)
    letter = between(lower, "a", chr(ord("a") + base - 11))
    return build.lor(decimal, letter), build.ite(decimal, value, build.sub(lower, ord("a") - 10, 8), bv(8))


def _or(*conditions: Any) -> Any:
    return build.disjunction(conditions)


def _and(*conditions: Any) -> Any:
    return build.conjunction(conditions)


class _Magnitude:
    """A number that grows digit by digit and stops at ``2**width``; the formula is no wider than it can be so far."""

    def __init__(self, width: int) -> None:
        self.limit = 1 << width
        self.most = 0
        self.bits = 1
        self.value: Any = 0

    def append(self, choices: list[tuple[Any, Any, int]]) -> None:
        """One more digit: of the conditions (each with a digit and its base) at most one holds."""
        choices = [choice for choice in choices if choice[0] is not False]
        if not choices:
            return
        # One digit more than the limit has must fit before it is cut.
        most = max(self.most * base + base - 1 for _, _, base in choices)
        bits = max(most.bit_length(), 8)
        old = build.zext(self.value, self.bits, bits) if bits > self.bits else self.value
        value = old
        for condition, digit, base in choices:
            digit = build.zext(digit, 8, bits) if bits > 8 else digit
            longer: Any = build.add(build.mul(old, base, bits), digit, bits)
            if most > self.limit:
                longer = build.ite(build.uge(longer, self.limit, bits), self.limit, longer, bv(bits))
            value = build.ite(condition, longer, value, bv(bits))
        self.most = min(most, self.limit)
        self.bits = max(self.most.bit_length(), 8)
        self.value = build.trunc(value, self.bits) if self.bits < bits else value

    def widened(self, bits: int) -> Any:
        """The number in a given width that it surely fits in."""
        return build.zext(self.value, self.bits, bits) if self.bits < bits else self.value


_DIGITS = {ord(char): int(char, 36) for char in "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def known_integer(source: Source, base: int, width: int, scanf: bool = False) -> Integer | None:
    """``scan_integer`` where all bytes that matter are concrete, many times faster; None where one is not."""
    position, negative, end = 0, False, 0
    byte = source(0)
    while type(byte) is int and (byte == 32 or 9 <= byte <= 13):
        position += 1
        byte = source(position)
    if type(byte) is int and byte in b"+-":
        negative = byte == ord("-")
        position += 1
        byte = source(position)
    radix = base or 10
    if base in (0, 16) and type(byte) is int and byte == ord("0"):
        position += 1
        end, radix = position, base or 8
        byte = source(position)
        if type(byte) is int and byte in b"xX":
            after = source(position + 1)
            if type(after) is int and _DIGITS.get(after, 99) < 16:
                position, byte, radix = position + 1, after, 16
            elif type(after) is not int:
                return None
            elif scanf:
                end = position + 1
    value = 0
    while type(byte) is int and (digit := _DIGITS.get(byte, 99)) < radix:
        value = value * radix + digit
        position += 1
        end = position
        byte = source(position)
    if type(byte) is not int:
        return None
    return Integer(min(value, 1 << width), negative, end, end > 0, False)


def scan_integer(
    source: Source, base: int, width: int, index_bits: int, scanf: bool = False, outlook: Outlook = anywhere
) -> Integer:
    """White space, a sign, a prefix where the base allows one, digits.

    ``scanf``: as it reads them. It has skipped white space before, and takes a prefix without digits for a zero.
    """
    prefixed = base in (0, 16)
    magnitude = _Magnitude(width)
    negative: Any = False
    end: Any = 0
    blank: Any = True
    signed: Any = False
    zero: Any = False
    """After a leading 0, which may begin a prefix."""
    hexed: Any = False
    """After the prefix, before any digit of the number."""
    going: dict[int, Any] = dict.fromkeys((8, 10, 16) if base == 0 else (base,), False)
    """Within the digits, by base."""
    ended_with_digit: Any = False
    index = 0
    while True:
        alive = _or(blank, signed, zero, hexed, *going.values())
        if alive is False or not outlook(index, alive):
            alive = False
            break
        byte = source(index)
        if byte is None:
            break
        index += 1
        fresh = build.lor(blank, signed)
        leading_zero = _and(prefixed, fresh, build.eq(byte, ord("0"), 8))
        longer = {radix: _and(_enters(base, radix, fresh, zero, hexed, state, leading_zero),
                              digit_value(byte, radix)[0]) for radix, state in going.items()}  # fmt: skip
        magnitude.append([(condition, digit_value(byte, radix)[1], radix) for radix, condition in longer.items()])
        negative = build.lor(negative, _and(blank, build.eq(byte, ord("-"), 8)))
        signed, blank = _and(blank, one_of(byte, "+-")), _and(not scanf, blank, is_space(byte))
        hexed = _and(zero, one_of(byte, "xX"))
        zero = leading_zero
        going = longer
        taken = _or(leading_zero, scanf and hexed, *longer.values())
        end = build.ite(taken, index, end, bv(index_bits))
        ended_with_digit = build.lor(ended_with_digit, taken)
    return Integer(magnitude.widened(width + 1), negative, end, ended_with_digit, alive)


def saturated(found: Integer, width: int, signed: bool, kept: int = 0) -> tuple[Any, Any]:
    """What ``strtol`` or ``strtoul`` of ``width`` bits gives (its low ``kept`` bits), and if it is out of range."""
    kept = kept or width
    magnitude, negative, mask = found.magnitude, found.negative, (1 << kept) - 1
    low = build.trunc(magnitude, kept)
    value = build.ite(negative, build.neg(low, kept), low, bv(kept))
    top = 1 << (width - 1)
    limit: Any = 2 * top - 1
    extreme: Any = mask
    if signed:
        limit = build.ite(negative, top, top - 1, bv(width + 1))
        extreme = build.ite(negative, top & mask, (top - 1) & mask, bv(kept))
    overflow = build.ugt(magnitude, limit, width + 1)
    return build.ite(overflow, extreme, value, bv(kept)), overflow


def _enters(base: int, radix: int, fresh: Any, zero: Any, hexed: Any, state: Any, leading_zero: Any) -> Any:
    """Whether the next digit would be one of ``radix``, by where the automaton is."""
    started = build.land(fresh, build.lnot(leading_zero))
    if base == 0:
        return {8: build.lor(zero, state), 10: build.lor(started, state), 16: build.lor(hexed, state)}[radix]
    return _or(started, zero, hexed, state)


MOST_DIGITS = 15
"""Significant digits of a symbolic decimal: with more, one division would not round correctly."""
MOST_PLACES = 22
"""Digits after the point: ten to a higher power is no exact double."""


def scan_decimal(source: Source, index_bits: int, outlook: Outlook = anywhere) -> Decimal:
    """White space, a sign, digits with or without a point."""
    magnitude = _Magnitude(53)
    places: Any = 0
    negative: Any = False
    end: Any = 0
    blank: Any = True
    whole: Any = False
    signed = bare_point = point = fraction = exotic = any_digits = leading_zero = whole
    index = 0
    while True:
        alive = _or(blank, signed, whole, bare_point, point, fraction)
        if alive is False or not outlook(index, alive):
            alive = False
            break
        byte = source(index)
        if byte is None:
            break
        index += 1
        digit, value = digit_value(byte, 10)
        dot = build.eq(byte, ord("."), 8)
        fresh = build.lor(blank, signed)
        exotic = _or(
            exotic,
            _and(_or(whole, point, fraction), one_of(byte, "eE")),
            _and(leading_zero, one_of(byte, "xX")),
            _and(fresh, one_of(byte, "iInN")),
        )
        negative = build.lor(negative, _and(blank, build.eq(byte, ord("-"), 8)))
        leading_zero = _and(fresh, build.eq(byte, ord("0"), 8))
        in_whole = _and(_or(fresh, whole), digit)
        in_fraction = _and(_or(bare_point, point, fraction), digit)
        bare_point, point = _and(fresh, dot), _and(whole, dot)
        signed, blank = _and(blank, one_of(byte, "+-")), _and(blank, is_space(byte))
        whole, fraction = in_whole, in_fraction
        taken = build.lor(in_whole, in_fraction)
        magnitude.append([(taken, value, 10)])
        places = build.ite(in_fraction, build.add(places, 1, 8), places, bv(8))
        end = build.ite(build.lor(taken, point), index, end, bv(index_bits))
        any_digits = build.lor(any_digits, taken)
    return Decimal(magnitude.widened(64), places, negative, end, any_digits, alive, exotic)
