"""How numerals begin and end that ``scanf`` reads from text which nobody has looked at: see ``open_text``."""

from __future__ import annotations

from typing import Any

from clew.base.dataclass import dataclass
from clew.base.numerals import SPELLED
from clew.expr import build
from clew.models.parsing import digit_value, one_of

_TYPES = {1: "char", 2: "short", 4: "int", 8: "long long"}
REALS = {4: "float", 8: "double"}


@dataclass(frozen=True, slots=True)
class Syntax:
    """How what is read for a number begins, beside its digits."""

    partial: str
    """What begins a number, but is read in vain unless one of ``more`` follows."""
    more: str
    """None: the digits."""
    read_in_vain: int
    """How many bytes these are: glibc puts back what is no digit, and keeps what is no part of ``inf``."""
    others: str = ""
    """What else begins a number. After it nothing is read in vain that could not follow ``partial``, too."""

    def goes_on(self, first: Any, second: Any, base: int) -> Any:
        """Whether the first byte is ``partial``, and the second one makes it part of a number."""
        follows = one_of(second, self.more) if self.more else digit_value(second, base)[0]
        return build.land(one_of(first, self.partial), follows)


_INTEGER = Syntax("+-", "", 1)
_REAL = Syntax("i", "nN", 2, "+-.InN")


def syntax_of(conversion: str) -> Syntax:
    return _REAL if conversion == "f" else _INTEGER


def looks_behind(conversion: str, size: int, value: Any, second: Any) -> Any:
    """Whether a number is read up to what is none: names of what is not finite are at their end by themselves."""
    if conversion != "f":
        return True
    bits, infinity, sign, _ = _limits(size)
    magnitude = build.and_(value, sign - 1, bits)
    too_large = build.land(build.eq(magnitude, infinity, bits), build.ne(second, SPELLED, 8))
    return build.lor(build.ult(magnitude, infinity, bits), too_large)


def from_text(value: Any, size: int) -> Any:
    """Whether text gives this floating-point number: of those that are none, it gives a single one."""
    bits, infinity, sign, nan = _limits(size)
    return build.lor(build.ule(build.and_(value, sign - 1, bits), infinity, bits), build.eq(value, nan, bits))


def _limits(size: int) -> tuple[int, int, int, int]:
    """Of a floating-point type: its bits, and as integers infinity, the sign, and what is no number."""
    bits, fraction = 8 * size, {4: 23, 8: 52}[size]
    infinity = (1 << bits - 1) - (1 << fraction)
    return bits, infinity, 1 << bits - 1, infinity | 1 << fraction - 1


def type_of(conversion: str, size: int) -> str:
    """The C type of what a conversion reads."""
    if conversion == "f":
        return REALS[size]
    if conversion == "d":
        return "signed char" if size == 1 else _TYPES[size]
    return f"unsigned {_TYPES[size]}"
