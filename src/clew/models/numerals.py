"""Symbolic integers as text: the digits of a number by division, selected by how many there are."""

from __future__ import annotations

from typing import Any

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.ranges import interval
from clew.expr.sort import bv
from clew.models.texts import LENGTH_BITS, Text


def numeral(value: Expr, base: int, upper: bool = False) -> Text:
    """An unsigned number, without sign, prefix or padding; 0 is ``0``."""
    bits = value.width
    lowest, highest = interval(value)
    least, most = _digits_of(lowest, base), _digits_of(highest, base)
    # length: 1 if value < base, else 2 if value < base**2, ...
    length: Any = most
    for count in reversed(range(least, most)):
        length = build.ite(build.ult(value, base**count, bits), count, length, bv(LENGTH_BITS))

    def make() -> list[Any]:
        digits = [_digit(value, base, place, upper) for place in range(most)]
        result = []
        for place in range(most):
            char: Any = digits[most - 1 - place]
            for count in reversed(range(max(least, place + 1), most)):
                char = build.ite(build.ult(value, base**count, bits), digits[count - 1 - place], char, bv(8))
            result.append(char)
        return result

    return Text(length, least, most, make)


def _digits_of(number: int, base: int) -> int:
    count = 1
    while number >= base:
        number //= base
        count += 1
    return count


def _digit(value: Expr, base: int, place: int, upper: bool) -> Any:
    """The character for the digit of weight ``base ** place``."""
    bits = value.width
    if base == 10:
        digit = build.urem(build.udiv(value, 10**place, bits), 10, bits)
    else:
        shift = (base.bit_length() - 1) * place
        digit = build.and_(build.lshr(value, shift, bits), base - 1, bits)
    small = build.trunc(digit, 8) if bits > 8 else digit
    char = build.add(small, ord("0"), 8)
    if base <= 10:
        return char
    letter = build.add(small, ord("A" if upper else "a") - 10, 8)
    return build.ite(build.ult(small, 10, 8), char, letter, bv(8))
