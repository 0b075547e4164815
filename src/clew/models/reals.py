"""Floating-point numbers as text, as printf's ``%f``, ``%e``, ``%g`` and ``%a`` write them.

Known numbers give exactly glibc's bytes, whatever their format. Of a symbolic one paths tell whether it is NaN,
infinite or negative. Its digits then are those of an integer: the number times a power of ten, rounded as printf does.
Both are exact in a format of 113 digits, so the text is a formula, as long as there are few digits. Of other numbers
one value is explored, and the loss is reported.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from clew.base.dataclass import dataclass
from clew.expr import build
from clew.expr.node import Expr, postorder
from clew.expr.op import Op
from clew.expr.rewrite import fpmath
from clew.expr.rewrite.fpmath import Real
from clew.expr.sort import F64, F79, F128, Sort, bv
from clew.models import texts
from clew.models.texts import LENGTH_BITS, Text, literal, truth

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

MOST_DIGITS = 18
"""Of a symbolic number: what 64 bits have room for."""
LEAST_EXPONENT, GREATEST_EXPONENT = -6, 20
"""Powers of ten of its first digit that are told apart."""


@dataclass(frozen=True, slots=True)
class RealForm:
    """How a number is to look: the letter of a conversion, ``#`` (``point``), and the digits it asks for."""

    letter: str
    point: bool
    precision: int | None

    @property
    def digits(self) -> int:
        """The precision, or what stands for it where none is given."""
        return 6 if self.precision is None else self.precision


# Known numbers


def known(form: RealForm, value: Real, sort: Sort) -> str:
    """A number without its sign."""
    text = _known(form, value, sort)
    return text.upper() if form.letter.isupper() else text


def _known(form: RealForm, value: Real, sort: Sort) -> str:
    if not fpmath.finite(value):
        return "nan" if value != value else "inf"
    kind, size = form.letter.lower(), fpmath.magnitude(value)
    if kind == "a":
        return _hexadecimal(size, sort, form.precision, form.point)
    if type(size) is float:
        return f"%{'#' if form.point else ''}.{form.digits}{kind}" % size
    exact = Fraction(size)
    if kind == "f":
        return _with_point(_decimal(exact * 10**form.digits), form.digits, form.point)
    if kind == "e":
        digits, exponent = _scientific(exact, form.digits + 1)
        return _with_exponent(digits, exponent, form.point)
    return _general(*_scientific(exact, max(form.digits, 1)), form.point)


def _with_point(digits: str, places: int, point: bool) -> str:
    digits = digits.rjust(places + 1, "0")
    whole, fraction = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{whole}.{fraction}" if fraction or point else whole


def _with_exponent(digits: str, exponent: int, point: bool) -> str:
    dot = "." if len(digits) > 1 or point else ""
    return f"{digits[0]}{dot}{digits[1:]}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"


def _scientific(exact: Fraction, count: int) -> tuple[str, int]:
    """So many digits of a number, and the power of ten of the first; halves are rounded to even."""
    exponent = math.ceil((exact.numerator.bit_length() - exact.denominator.bit_length() + 1) * math.log10(2))
    while exact < Fraction(10) ** exponent:
        exponent -= 1
    digits = _decimal(exact * Fraction(10) ** (count - 1 - exponent))
    return (digits[:count], exponent + 1) if len(digits) > count else (digits, exponent)


def _decimal(number: Fraction) -> str:
    """The nearest integer; Python itself refuses to write those of many digits."""
    return str(Decimal(round(number)))


def _general(digits: str, exponent: int, point: bool) -> str:
    """``%g`` of significant digits: with an exponent if that is far from 0; zeros at the end are left out."""
    count = len(digits)
    if not point:
        digits = digits.rstrip("0")
    if not -4 <= exponent < count:
        return _with_exponent(digits, exponent, point)
    if exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{digits}"
    return _with_point(digits.ljust(exponent + 1, "0"), max(len(digits) - exponent - 1, 0), point)


def _hexadecimal(value: Real, sort: Sort, precision: int | None, point: bool) -> str:
    """``%a`` as glibc prints it: rounding to even may carry into the first digit.

    That is 1 for a normal number, but for x87's format, whose first digit has four bits of it.
    """
    if value == 0:
        number, exponent, count = 0, 0, 0
    else:
        precision_bits, least, _ = fpmath.limits(sort)
        bits = fpmath.to_bits(value, sort)
        field = bits >> (precision_bits - 1)
        number = bits & ((1 << (precision_bits - 1)) - 1) | (field > 0) << (precision_bits - 1)
        leading = 4 if sort is F79 else 1
        exponent = max(field, 1) + least + precision_bits - 1 - leading
        count = -(-(precision_bits - leading) // 4)
        number <<= 4 * count - (precision_bits - leading)
    if precision is None:
        while count and not number & 15:
            number, count = number >> 4, count - 1
    elif precision < count:
        dropped = 4 * (count - precision)
        number = (number + (1 << (dropped - 1)) - 1 + (number >> dropped & 1)) >> dropped
        count = precision
        if number >> 4 * count == 16:
            number, exponent = number >> 4, exponent + 4
    else:
        number, count = number << 4 * (precision - count), precision
    text = f"{number:0{count + 1}x}"
    first, digits = text[: len(text) - count], text[len(text) - count :]
    dot = "." if digits or point else ""
    return f"0x{first}{dot}{digits}p{exponent:+}"


# Symbolic numbers


def symbolic(call: Invocation, form: RealForm, value: Expr) -> tuple[bool, Text | str]:
    """Whether a number is negative, and its text without the sign: a ``str`` if that is known. Forks.

    Digits of results of floating-point arithmetic are more than a solver can do: of these, too, one value is explored.
    """
    sort = value.sort
    if any(node.op in _ARITHMETIC for node in postorder([value])):
        number = fixed(call, value)
        return fpmath.sign(number) < 0, known(form, number, sort)
    if truth(call, build.fisnan(value)):
        return False, known(form, math.nan, sort)
    bits = build.fp_to_bits(value, sort)
    negative = truth(call, build.ne(build.extract(bits, sort.width - 1, sort.width - 1), 0, 1))
    if truth(call, build.fisinf(value)):
        return negative, known(form, math.inf, sort)
    size: Any = build.fabs(value, sort)
    text = _digits(call, form, size, sort) if isinstance(size, Expr) and sort.width <= F64.width else None
    if text is None:
        return negative, known(form, fixed(call, value), sort)
    return negative, text


_ARITHMETIC = frozenset((Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FSQRT, Op.FFMA))


def _digits(call: Invocation, form: RealForm, size: Expr, sort: Sort) -> Text | None:
    """The text of a finite number as a formula, if it has one."""
    kind, digits = form.letter.lower(), form.digits
    if kind == "f" and digits < MOST_DIGITS:
        few = truth(call, build.flt(size, 10.0 ** (MOST_DIGITS - digits)))
        return _fixed_point(_scaled(size, digits, sort), digits, form.point) if few else None
    count = digits + 1 if kind == "e" else max(digits, 1)
    if kind == "a" or count > MOST_DIGITS or form.point:
        return None
    if truth(call, build.feq(size, 0.0)):
        return literal(known(form, 0.0, sort).encode())
    if kind == "g" and truth(call, build.land(build.flt(size, 10.0 ** min(count, 15)), _is_whole(size, sort))):
        return _plain(build.fp_to_ubv(size, sort, 64))
    exponent = _exponent(call, size, count)
    if exponent is None:
        return None
    number = _scaled(size, count - 1 - exponent, sort)
    chars = [_digit(number, place) for place in reversed(range(count))]
    kept: Any = count
    for zeros in range(1, count if kind == "g" else 1):
        kept = build.ite(build.eq(build.urem(number, 10**zeros, 64), 0, 64), count - zeros, kept, bv(LENGTH_BITS))
    return _laid_out(chars, kept, exponent, form.letter)


def _is_whole(size: Expr, sort: Sort) -> Any:
    return build.feq(build.fround(size, "rtz", sort), size)


def _exponent(call: Invocation, size: Expr, count: int) -> int | None:
    """The power of ten of the first of so many digits, which forks; None if it is far from 0."""
    low, high = LEAST_EXPONENT, GREATEST_EXPONENT + 1
    if not truth(call, build.land(build.fle(_bound(low - 1, count), size), build.flt(size, _bound(high - 1, count)))):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if truth(call, build.flt(size, _bound(middle - 1, count))) else (middle, high)
    return low


def _bound(exponent: int, count: int) -> float:
    """The least double that, rounded to so many digits, has a power of ten above an exponent."""
    exact = (10**count - Fraction(1, 2)) * Fraction(10) ** (exponent + 1 - count)
    near = float(exact)
    return near if near >= exact else math.nextafter(near, math.inf)


def _scaled(size: Expr, places: int, sort: Sort) -> Any:
    """A number times a power of ten as an integer of 64 bits, halves rounded to even.

    A product of 53 digits and a power of ten up to 25 is exact in 113. A quotient is not, yet nearer to what it
    should be than to a half: for a number with digits behind the point, those of it and of the power are few.
    """
    wide, power = build.fp_to_fp(size, sort, F128), fpmath.shortest(Fraction(10) ** abs(places))
    product = build.fmul(wide, power, F128) if places >= 0 else build.fdiv(wide, power, F128)
    return build.fp_to_ubv(build.fround(product, "rne", F128), F128, 64)


def _digit(number: Any, place: int) -> Any:
    return build.add(build.trunc(build.urem(build.udiv(number, 10**place, 64), 10, 64), 8), ord("0"), 8)


def _plain(number: Any) -> Text:
    return texts.numeral(number, 10) if isinstance(number, Expr) else literal(str(number).encode())


def _fixed_point(number: Any, places: int, point: bool) -> Text:
    whole, fraction = build.udiv(number, 10**places, 64), build.urem(number, 10**places, 64)
    if not places:
        return texts.append(_plain(whole), literal(b"." if point else b""))
    return texts.append(_plain(whole), texts.append(literal(b"."), texts.padded(_plain(fraction), places, ord("0"))))


def _laid_out(chars: list[Any], kept: Any, exponent: int, letter: str) -> Text:
    """The first ``kept`` of some digits, with a point and an exponent where they belong."""
    count = len(chars)
    if letter in "gG" and -4 <= exponent < 0:
        return texts.append(literal(b"0." + b"0" * (-exponent - 1)), texts.of_values(chars, kept, 1))
    plain = letter in "gG" and 0 <= exponent < count
    whole = exponent + 1 if plain else 1
    some = build.ult(whole, kept, LENGTH_BITS)
    behind = build.ite(some, build.sub(kept, whole, LENGTH_BITS), 0, bv(LENGTH_BITS))
    fraction = texts.append(literal(b"."), texts.of_values(chars[whole:], behind))
    tail = literal(b"" if plain else f"{'e' if letter.islower() else 'E'}{exponent:+03}".encode())
    number = texts.append(texts.of_values(chars[:whole]), texts.choose(some, fraction, texts.EMPTY))
    return texts.append(number, tail)


def fixed(call: Invocation, value: Expr) -> Real:
    """The number that the model has for a value; others are not explored."""
    bits = build.fp_to_bits(value, value.sort)
    chosen = int(call.state.model.eval(bits))
    what = "all but one value of a floating-point number that is turned into text"
    call.state.run.note_loss("bounded", what, call.state, call.location)
    call.assume(build.eq(bits, chosen, value.width))
    number: Real = call.state.model.eval(value)
    return number
