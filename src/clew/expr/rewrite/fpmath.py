"""IEEE arithmetic on plain numbers that never raises; the concrete half of the float constructors.

A value of sort F16 or F32 is a Python float that the format can hold. Computing in double and then rounding is exact
for + - * / and sqrt (53 >= 2 * 24 + 2 bits); fma and conversions from integers round once, from exact rationals.

A value of a format wider than a double is a Python float where a double is that very number, else a ``Fraction``: so
every number has one form, and numbers of both forms compare. Arithmetic on them rounds exact rationals.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from ctypes import c_float
from fractions import Fraction
from typing import Final, TypeAlias, Union

from clew.expr.sort import F32, FLOAT_FORMAT, Sort

Real: TypeAlias = Union[float, Fraction]  # noqa: UP007
"""A number of any format."""

INF: Final = math.inf
NAN: Final = math.nan
NAN_BITS: Final = {width: ((2 << exponent) - 1) << (digits - 2) for width, (exponent, digits) in FLOAT_FORMAT.items()}
_CODES: Final = {16: "<e", 32: "<f", 64: "<d"}


def finite(x: Real) -> bool:
    """Neither infinite nor NaN."""
    return type(x) is Fraction or math.isfinite(x)


def magnitude(x: Real) -> Real:
    """``x`` without its sign."""
    return abs(x) if type(x) is float else abs(Fraction(x))


def sign(x: Real) -> float:
    """1.0 or -1.0, of zeros as well."""
    return math.copysign(1.0, x) if type(x) is float else 1.0 if x > 0 else -1.0


def rounded(x: Real, sort: Sort) -> Real:
    """``x`` in the precision of ``sort``."""
    if type(x) is float:
        if sort is F32:
            return c_float(x).value
        if sort.width >= 64 or not math.isfinite(x) or x == 0.0:
            return x
    return from_fraction(Fraction(x), sort)


def same(x: Real, y: Real) -> bool:
    """The same value, the sign of zero included."""
    return x == y and sign(x) == sign(y)


def add(x: Real, y: Real, sort: Sort) -> Real:
    """x + y."""
    return _exactly(operator.add, x, y, sort) if sort.width > 64 else rounded(x + y, sort)


def sub(x: Real, y: Real, sort: Sort) -> Real:
    """x - y."""
    return _exactly(operator.sub, x, y, sort) if sort.width > 64 else rounded(x - y, sort)


def mul(x: Real, y: Real, sort: Sort) -> Real:
    """x * y."""
    return _exactly(operator.mul, x, y, sort) if sort.width > 64 else rounded(x * y, sort)


def div(x: Real, y: Real, sort: Sort) -> Real:
    """x / y."""
    if y == 0.0:
        if x == 0.0 or x != x:
            return NAN
        return INF * sign(x) * sign(y)
    return _exactly(operator.truediv, x, y, sort) if sort.width > 64 else rounded(x / y, sort)


def _exactly(operation: Callable[..., Real], x: Real, y: Real, sort: Sort) -> Real:
    """An operation on rationals, rounded once; where nothing is to be rounded, signs are all that matters."""
    if finite(x) and finite(y):
        exact = operation(Fraction(x), Fraction(y))
        if exact:
            return from_fraction(Fraction(exact), sort)
    return operation(_double(x), _double(y))


def _double(x: Real) -> float:
    """A float that stands for a number among infinities and zeros."""
    return x if type(x) is float else sign(x)


def rem(x: Real, y: Real) -> Real:
    """C's fmod: the result has the dividend's sign. Exact, so it needs no rounding."""
    if x != x or y != y or not finite(x) or y == 0.0:
        return NAN
    if type(x) is float and type(y) is float:
        return math.fmod(x, y)
    if not finite(y):
        return x
    rest = abs(Fraction(x)) % abs(Fraction(y))
    return shortest(rest * int(sign(x))) if rest else math.copysign(0.0, sign(x))


def sqrt(x: Real, sort: Sort) -> Real:
    """The square root; NaN below zero, -0 for -0."""
    if x != x or x < 0.0:
        return NAN
    if sort.width > 64 and x != 0.0 and finite(x):
        return _root(Fraction(x), sort)
    return rounded(math.sqrt(x), sort)


def _root(x: Fraction, sort: Sort) -> Real:
    """From more bits than the format has, the last of which tells whether there are others behind."""
    digits = 2 * FLOAT_FORMAT[sort.width][1] + 6
    shift = digits - x.numerator.bit_length() + x.denominator.bit_length()
    shift += shift & 1
    scaled = x * Fraction(2) ** shift
    root = math.isqrt(math.floor(scaled))
    return from_fraction(Fraction(2 * root + (root * root != scaled), 2) / Fraction(2) ** (shift // 2), sort)


def fma(x: Real, y: Real, z: Real, sort: Sort) -> Real:
    """x * y + z, rounded once."""
    if not (finite(x) and finite(y) and finite(z)):
        if finite(x) and finite(y):
            return z  # the product is finite, though it may overflow as a float
        return _double(x) * _double(y) + _double(z)
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        # Zeros of equal sign keep it; everything else that cancels gives +0.
        signs = sign(x) * sign(y), sign(z)
        return -0.0 if (x == 0.0 or y == 0.0) and signs == (-1.0, -1.0) else 0.0
    return from_fraction(exact, sort)


def limits(sort: Sort) -> tuple[int, int, int]:
    """Of a format: digits, the power of two of the least number, and the power that is too large."""
    exponent, digits = FLOAT_FORMAT[sort.width]
    greatest = 1 << (exponent - 1)
    return digits, 3 - greatest - digits, greatest


def from_fraction(exact: Fraction, sort: Sort) -> Real:
    """The nearest float, ties to even. Zero gives +0, what underflows keeps its sign."""
    if exact == 0:
        return 0.0
    precision, least, greatest = limits(sort)
    size = abs(exact)
    quantum = max(_exponent(size) - precision + 1, least)
    units = round(size / Fraction(2) ** quantum)  # Python rounds halves to even
    if units.bit_length() + quantum > greatest:
        return -INF if exact < 0 else INF
    result = math.ldexp(float(units), quantum) if sort.width <= 64 else shortest(units * Fraction(2) ** quantum)
    return -result if exact < 0 else result


def _exponent(size: Fraction) -> int:
    """The power of two that is not greater, and whose double is."""
    # 2**(exponent - 1) <= size < 2**(exponent + 1) by the lengths of the two integers.
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    return exponent - 1 if size < Fraction(2) ** exponent else exponent


def shortest(number: Fraction) -> Real:
    """The one form of a number that a wide format has: a float, if a double is that number."""
    try:
        near = float(number)
    except OverflowError:
        return number
    return near if near == number else number


def from_int(value: int, sort: Sort) -> Real:
    """The nearest float to an integer."""
    if -(1 << 24) <= value <= 1 << 24 and sort.width > 16:
        return float(value)
    return from_fraction(Fraction(value), sort)


def to_int(x: Real, lowest: int, highest: int) -> int:
    """Toward zero; 0 where the result has no value in ``lowest .. highest``."""
    if not finite(x):
        return 0
    value = int(x)
    return value if lowest <= value <= highest else 0


def to_bits(x: Real, sort: Sort) -> int:
    """The encoding; of a NaN, the canonical quiet one."""
    width = sort.width
    if x != x:
        return NAN_BITS[width]
    if width <= 64:
        return int.from_bytes(struct.pack(_CODES[width], x), "little")
    negative = int(sign(x) < 0) << (width - 1)
    if x == 0.0:
        return negative
    precision, least, greatest = limits(sort)
    if not finite(x):
        return negative | (2 * greatest - 1) << (precision - 1)
    size = abs(Fraction(x))
    quantum = max(_exponent(size) - precision + 1, least)
    # The leading one of a normal number counts as 1 in the exponent's field.
    return negative | (((quantum - least) << (precision - 1)) + int(size / Fraction(2) ** quantum))


def from_bits(bits: int, sort: Sort) -> Real:
    """The float with this encoding."""
    width = sort.width
    if width <= 64:
        value: float = struct.unpack(_CODES[width], bits.to_bytes(width // 8, "little"))[0]
        return value if value == value else NAN
    precision, least, greatest = limits(sort)
    negative, field = bits >> (width - 1), bits >> (precision - 1) & (2 * greatest - 1)
    units = bits & ((1 << (precision - 1)) - 1)
    if field == 2 * greatest - 1:
        return NAN if units else -INF if negative else INF
    units |= (field > 0) << (precision - 1)
    size = shortest(units * Fraction(2) ** (least + max(field - 1, 0)))
    return -size if negative else size


def _away(x: Real) -> int:
    size = magnitude(x)
    whole = math.floor(size)
    return whole + 1 if size - whole >= 0.5 else whole


_INTEGRAL: Final[dict[str, Callable[[Real], int]]] = {
    "rne": round,
    "rtz": math.trunc,
    "rtp": math.ceil,
    "rtn": math.floor,
    "rna": _away,
}
ROUNDING_MODES: Final = frozenset(_INTEGRAL)


def integral(x: Real, mode: str) -> Real:
    """``x`` rounded to an integral value; zeros keep the sign of ``x``."""
    if not finite(x):
        return x
    whole = abs(_INTEGRAL[mode](x))
    result = float(whole) if type(x) is float else shortest(Fraction(whole))
    return result if sign(x) > 0 else -result
