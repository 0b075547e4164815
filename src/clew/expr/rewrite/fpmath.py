"""IEEE arithmetic on Python floats that never raises; the concrete half of the float constructors.

A value of sort F32 is a Python float that single precision can hold. Computing in double and then
rounding to single is exact for + - * / and sqrt (53 >= 2 * 24 + 2 bits); fma and conversions from
integers round once, from exact rationals.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from ctypes import c_float
from fractions import Fraction
from typing import Final

from clew.expr.sort import F32, Sort

INF: Final = math.inf
NAN: Final = math.nan
NAN_BITS: Final = {32: 0x7FC00000, 64: 0x7FF8000000000000}


def rounded(x: float, sort: Sort) -> float:
    """``x`` in the precision of ``sort``."""
    return c_float(x).value if sort is F32 else x


def same(x: float, y: float) -> bool:
    """The same value, the sign of zero included."""
    return x == y and math.copysign(1.0, x) == math.copysign(1.0, y)


def add(x: float, y: float, sort: Sort) -> float:
    """x + y."""
    return rounded(x + y, sort)


def sub(x: float, y: float, sort: Sort) -> float:
    """x - y."""
    return rounded(x - y, sort)


def mul(x: float, y: float, sort: Sort) -> float:
    """x * y."""
    return rounded(x * y, sort)


def div(x: float, y: float, sort: Sort) -> float:
    """x / y."""
    if y == 0.0:
        if x == 0.0 or x != x:
            return NAN
        return math.copysign(INF, x) * math.copysign(1.0, y)
    return rounded(x / y, sort)


def rem(x: float, y: float) -> float:
    """C's fmod: the result has the dividend's sign. Exact, so it needs no rounding."""
    if x != x or y != y or math.isinf(x) or y == 0.0:
        return NAN
    return math.fmod(x, y)


def sqrt(x: float, sort: Sort) -> float:
    """The square root; NaN below zero, -0 for -0."""
    if x != x or x < 0.0:
        return NAN
    return rounded(math.sqrt(x), sort)


def fma(x: float, y: float, z: float, sort: Sort) -> float:
    """x * y + z, rounded once."""
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        if math.isfinite(x) and math.isfinite(y):
            return z  # the product is finite, though it may overflow as a float
        return x * y + z
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        # Zeros of equal sign keep it; everything else that cancels gives +0.
        signs = math.copysign(1.0, x) * math.copysign(1.0, y), math.copysign(1.0, z)
        return -0.0 if (x == 0.0 or y == 0.0) and signs == (-1.0, -1.0) else 0.0
    return from_fraction(exact, sort)


def from_fraction(exact: Fraction, sort: Sort) -> float:
    """The nearest float, ties to even. Zero gives +0, what underflows keeps its sign."""
    if exact == 0:
        return 0.0
    precision, least, greatest = (24, -149, 128) if sort is F32 else (53, -1074, 1024)
    magnitude = abs(exact)
    # 2**(exponent - 1) <= magnitude < 2**(exponent + 1) by the lengths of the two integers.
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    quantum = max(exponent - precision + 1, least)
    units = round(magnitude / Fraction(2) ** quantum)  # Python rounds halves to even
    if units.bit_length() + quantum > greatest:
        return -INF if exact < 0 else INF
    result = math.ldexp(float(units), quantum)
    return -result if exact < 0 else result


def from_int(value: int, sort: Sort) -> float:
    """The nearest float to an integer."""
    if -(1 << 24) <= value <= 1 << 24:
        return float(value)
    return from_fraction(Fraction(value), sort)


def to_int(x: float, lowest: int, highest: int) -> int:
    """Toward zero; 0 where the result has no value in ``lowest .. highest``."""
    if x != x or math.isinf(x):
        return 0
    value = int(x)
    return value if lowest <= value <= highest else 0


def to_bits(x: float, sort: Sort) -> int:
    """The encoding; of a NaN, the canonical quiet one."""
    if x != x:
        return NAN_BITS[sort.width]
    if sort is F32:
        return int.from_bytes(struct.pack("<f", x), "little")
    return int.from_bytes(struct.pack("<d", x), "little")


def from_bits(bits: int, sort: Sort) -> float:
    """The float with this encoding."""
    if sort is F32:
        value: float = struct.unpack("<f", bits.to_bytes(4, "little"))[0]
    else:
        value = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    return value if value == value else NAN


def _to_even(x: float) -> float:
    return float(round(x))


def _away(x: float) -> float:
    whole = math.floor(abs(x))
    return float(whole + 1 if abs(x) - whole >= 0.5 else whole)


_INTEGRAL: Final[dict[str, Callable[[float], float]]] = {
    "rne": _to_even,
    "rtz": lambda x: float(math.trunc(x)),
    "rtp": lambda x: float(math.ceil(x)),
    "rtn": lambda x: float(math.floor(x)),
    "rna": _away,
}
ROUNDING_MODES: Final = frozenset(_INTEGRAL)


def integral(x: float, mode: str) -> float:
    """``x`` rounded to an integral value; zeros keep the sign of ``x``."""
    if not math.isfinite(x):
        return x
    return math.copysign(_INTEGRAL[mode](x), x)
