"""Floating-point numerals in symbolic text that are more than plain decimals: ``1e9``, ``0x1p4``, ``inf``, ``nan``.

The shape is told by forking: what is white space, sign, digit, point, exponent. Of a fixed shape the digits stay
symbolic. One operation on exact numbers then gives the value, rightly rounded. Where there is no such operation (many
digits, large exponents) the digits are fixed, and the loss is reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.rewrite import fpmath
from clew.expr.rewrite.fpmath import Real
from clew.expr.sort import F32, F64, F128, Sort, bv
from clew.models.parsing import LIMIT, between, digit_value, is_space, one_of
from clew.models.texts import truth

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

BITS = 64
"""Of exponents, in two's complement."""
EXPONENT_DIGITS = 5
MASK = (1 << BITS) - 1
_LOG = math.log10(2)
HUGE = 99_999
"""All exponents that are larger count as this one."""


@dataclass(frozen=True, slots=True)
class Found:
    """A number, where it ends (0: there is none), and whether it is out of range."""

    value: Any = 0.0
    end: int = 0
    out_of_range: bool = False


class ShapedNumeral:
    """Reads one numeral; ``byte`` gives the characters, None where there is none."""

    def __init__(self, call: Invocation, byte: Callable[[int], Any], sort: Sort, scanf: int = 0) -> None:
        """``scanf``: as it reads them, up to that many characters.

        White space is skipped already, and what begins like a longer form has to be one.
        """
        self._call = call
        self._byte = byte
        self._sort = sort
        self._scanf = scanf
        self.looked_at = 0
        """How many characters were asked for."""

    def read(self) -> Found:
        """The numeral; forks over its shape."""
        at = 0
        while not self._scanf and self._is(at, is_space):
            at += 1
        negative = self._is(at, lambda byte: build.eq(byte, ord("-"), 8))
        at += negative or self._is(at, lambda byte: build.eq(byte, ord("+"), 8))
        found = self._word(at) or self._hexadecimal(at) or self._decimal(at)
        if found is None or not found.end:
            return Found()
        value = found.value if not negative else build.fneg(found.value, self._sort)
        return Found(value, found.end, found.out_of_range)

    def _is(self, at: int, condition: Callable[[Any], Any]) -> bool:
        self.looked_at = max(self.looked_at, at + 1)
        byte = self._byte(at)
        return byte is not None and truth(self._call, condition(byte))

    def _are(self, at: int, letters: str) -> bool:
        """Whether a word comes next, in letters of either case."""
        return all(self._is(at + place, partial(_is_letter, letter)) for place, letter in enumerate(letters))

    def _digit(self, at: int, base: int = 10) -> bool:
        return self._is(at, lambda byte: digit_value(byte, base)[0])

    def _word(self, at: int) -> Found | None:
        """``inf`` and ``nan`` in their forms."""
        if self._are(at, "nan"):
            end = at + 3
            if not self._scanf and self._is(end, lambda byte: build.eq(byte, ord("("), 8)):
                stop = end + 1
                while self._is(stop, _is_of_a_name):
                    stop += 1
                end = stop + 1 if self._is(stop, lambda byte: build.eq(byte, ord(")"), 8)) else end
            return Found(math.nan, end)
        if not self._are(at, "inf"):
            return None
        if self._are(at + 3, "inity"):
            return Found(math.inf, at + 8)
        begun = self._scanf and self._is(at + 3, lambda byte: one_of(byte, "iI"))
        return Found(math.inf, 0 if begun else at + 3)

    def _hexadecimal(self, at: int) -> Found | None:
        if self._scanf and at + 2 >= self._scanf:
            return None  # a prefix is one if something may follow it
        if not (self._is(at, lambda byte: build.eq(byte, ord("0"), 8)) and self._is(at + 1, lambda b: one_of(b, "xX"))):
            return None
        digits, places, end = self._mantissa(at + 2, 16)
        if not digits and self._scanf:  # glibc takes a prefix with a point for a zero, and one without for nothing
            return Found(0.0, end + 1) if self._is(end, lambda byte: build.eq(byte, ord("."), 8)) else Found()
        if not digits:
            return None  # the zero alone
        exponent, end = self._exponent(end, "pP")
        return self._value(digits, 16, build.sub(exponent, 4 * places, BITS), 2, end)

    def _decimal(self, at: int) -> Found | None:
        digits, places, end = self._mantissa(at, 10)
        if not digits:
            return None
        exponent, end = self._exponent(end, "eE")
        return self._value(digits, 10, build.sub(exponent, places, BITS), 10, end)

    def _mantissa(self, at: int, base: int) -> tuple[list[Any], int, int]:
        """Digits, how many of them are behind the point, and the end."""
        digits: list[Any] = []
        while self._digit(at, base):
            digits.append(digit_value(self._byte(at), base)[1])
            at += 1
        if not self._is(at, lambda byte: build.eq(byte, ord("."), 8)) or not (digits or self._digit(at + 1, base)):
            return digits, 0, at
        at, whole = at + 1, len(digits)
        while self._digit(at, base):
            digits.append(digit_value(self._byte(at), base)[1])
            at += 1
        return digits, len(digits) - whole, at

    def _exponent(self, at: int, letters: str) -> tuple[Any, int]:
        """An exponent, 0 if there is none, and the end of the numeral; ``scanf`` takes one that lacks its digits."""
        if not self._is(at, lambda byte: one_of(byte, letters)):
            return 0, at
        place = at + 1
        negative = self._is(place, lambda byte: build.eq(byte, ord("-"), 8))
        place += negative or self._is(place, lambda byte: build.eq(byte, ord("+"), 8))
        if not self._digit(place):
            return 0, place if self._scanf else at
        digits: list[Any] = []
        while self._digit(place):
            digits.append(digit_value(self._byte(place), 10)[1])
            place += 1
        if len(digits) > EXPONENT_DIGITS:
            digits = [self._fixed(digit, 8) for digit in digits]
        value = _number(digits, 10) if len(digits) <= EXPONENT_DIGITS else min(HUGE, _number(digits, 10, 4 * LIMIT))
        return (build.neg(value, BITS) if negative else value), place

    def _value(self, digits: list[Any], base: int, exponent: Any, radix: int, end: int) -> Found:
        """Digits times a power: as one operation if that is exact but for its rounding."""
        while digits and digits[0] == 0 and not isinstance(digits[0], Expr):
            digits = digits[1:]
        few, limit = (15, 22) if base == 10 else (13, 60)
        if len(digits) <= few and truth(self._call, _within(exponent, limit)):
            return Found(self._product(digits, base, radix, exponent, limit), end)
        _, least, greatest = fpmath.limits(self._sort)
        huge, tiny = greatest, least - 1 - 4 * len(digits)
        if base == 10:
            huge, tiny = math.ceil(huge * _LOG), math.floor((least - 1) * _LOG) - len(digits)
        above = build.sge(exponent, huge, BITS)
        if truth(self._call, build.lor(above, build.sle(exponent, tiny & MASK, BITS))):
            zero = build.conjunction([build.eq(digit, 0, 8) for digit in digits])
            if truth(self._call, zero):
                return Found(0.0, end)
            return Found(math.inf if truth(self._call, above) else 0.0, end, True)
        number = _number([self._fixed(digit, 8) for digit in digits], base, 4 * LIMIT)
        power = self._fixed(exponent, BITS)
        power -= power >> (BITS - 1) << BITS
        value, out_of_range = nearest(number * Fraction(radix) ** power, self._sort)
        return Found(value, end, out_of_range)

    def _product(self, digits: list[Any], base: int, radix: int, exponent: Any, limit: int) -> Any:
        small = base ** len(digits) <= 1 << 24 and (radix == 2 or _within(exponent, 10) is True)
        sort = self._sort if small or radix == 2 and self._sort is not F32 else division_sort(self._sort)
        number = build.fp_from_ubv(_number(digits, base), BITS, sort)
        negative = build.slt(exponent, 0, BITS)
        size: Any = build.ite(negative, build.neg(exponent, BITS), exponent, bv(BITS))
        power: Any = 1.0
        for place in range(1, limit + 1):
            power = build.ite(build.eq(size, place, BITS), float(radix) ** place, power, sort)
        value = build.ite(negative, build.fdiv(number, power, sort), build.fmul(number, power, sort), sort)
        return build.fp_to_fp(value, sort, self._sort)

    def _fixed(self, value: Any, bits: int) -> int:
        """The number that the model has for a value; others are not explored."""
        if not isinstance(value, Expr):
            return int(value)
        state = self._call.state
        state.run.note_loss("bounded", "all but one value of a long floating-point numeral in symbolic text", state)
        chosen = int(state.model.eval(value))
        self._call.assume(build.eq(value, chosen, bits))
        return chosen


def division_sort(sort: Sort) -> Sort:
    """The format in which a number of 15 digits times or over a power of ten up to 22 is rounded only once in effect.

    For a ``float`` that is the one with 113 digits: such a quotient is as near as 75 to a number half way between two.
    """
    return F128 if sort.width < F64.width else sort


def _number(digits: list[Any], base: int, bits: int = 64) -> Any:
    number: Any = 0
    for digit in digits:
        number = build.add(build.mul(number, base, bits), build.zext(digit, 8, bits), bits)
    return number


def _within(exponent: Any, limit: int) -> Any:
    return build.ule(build.add(exponent, limit, BITS), 2 * limit, BITS)


def _is_letter(letter: str, byte: Any) -> Any:
    return one_of(byte, letter + letter.upper())


def _is_of_a_name(byte: Any) -> Any:
    lower = build.or_(byte, 32, 8)
    return build.disjunction([between(lower, "a", "z"), between(byte, "0", "9"), build.eq(byte, ord("_"), 8)])


def nearest(exact: Fraction, sort: Sort) -> tuple[Real, bool]:
    """A number in a format, and whether the C library reports it as out of range: too large, or tiny and not exact."""
    value = fpmath.from_fraction(exact, sort)
    precision, least, _ = fpmath.limits(sort)
    tiny = 0 < exact < Fraction(2) ** (least + precision - 1)
    return value, not fpmath.finite(value) or (tiny and Fraction(value) != exact)
