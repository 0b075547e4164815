"""C's printf formatting of run-time values.

Known values give exactly the bytes libc prints. A symbolic integer, character or string becomes a ``Text`` whose
bytes and length are formulas: formatting does not fork. Only the value of a symbolic floating-point number has to
be fixed, where somebody reads the text (``exact``): one value is explored, and the loss is reported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import F64, bv
from clew.models import texts
from clew.models.texts import LENGTH_BITS, Text, literal, numeral
from clew.models.varargs import Arguments, MissingArgument

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

_SPEC = re.compile(
    rb"%(?:(?P<position>\d+\$)?(?P<flags>[-+ #0'I]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    rb"(?P<length>hh|h|ll|l|j|z|t|L|q)?(?P<kind>[diouxXcspfFeEgGaAnmCS])|%)"
)
_INT = 32
_NARROW = {b"hh": 8, b"h": 16}
_BASES = {b"o": 8, b"x": 16, b"X": 16, b"p": 16}


@dataclass(frozen=True, slots=True)
class Directive:
    """One conversion of a format, its width and precision still to be read from the arguments if they are ``*``."""

    flags: bytes
    width: int | None
    precision: int | None
    length: bytes
    kind: bytes


class Formatter:
    """Formats one call. ``exact``: the bytes are read by the program, not only by people."""

    def __init__(self, call: Invocation, arguments: Arguments, exact: bool) -> None:
        self._call = call
        self._arguments = arguments
        self._exact = exact
        self._length: Any = 0
        self.counts: list[tuple[int, Any, int]] = []
        """What ``%n`` asks for: address, value, bytes."""

    def pieces(self, form: bytes) -> list[Text]:
        """The formatted text, piece by piece. Nothing is changed yet."""
        result = []
        for piece in self._pieces(form):
            self._length = build.add(self._length, piece.length, LENGTH_BITS)
            result.append(piece)
        return result

    @property
    def length(self) -> Any:
        """How many bytes the pieces are, together."""
        return self._length

    def _pieces(self, form: bytes) -> Iterator[Text]:
        position = 0
        for match in _SPEC.finditer(form):
            if match.start() > position:
                yield literal(form[position : match.start()])
            position = match.end()
            if match["kind"] is None:
                yield literal(b"%")
                continue
            try:
                yield self._converted(match)
            except MissingArgument:
                run = self._call.state.run
                run.note_loss("unsupported", "a printf argument that is missing or of another type", self._call.state)
                yield literal(texts.UNKNOWN)
        if position < len(form):
            yield literal(form[position:])

    def _converted(self, match: re.Match[bytes]) -> Text:
        if match["position"]:
            raise Unsupported("numbered arguments in a printf format")
        kind, length = match["kind"], match["length"] or b""
        if kind in b"CS" or (length == b"l" and kind in b"cs"):
            raise Unsupported("wide characters in a printf format")
        width = self._number(match["width"])
        precision = None if match["precision"] is None else self._number(match["precision"] or b"0")
        flags = match["flags"]
        if width is not None and width < 0:
            flags, width = flags + b"-", -width
        if precision is not None and precision < 0:
            precision = None
        return self._value(Directive(flags, width, precision, length, kind))

    def _number(self, text: bytes | None) -> int | None:
        """A width or precision, from the format or the arguments."""
        if text is None:
            return None
        if text != b"*":
            return int(text)
        value = self._arguments.integer(_INT)
        if isinstance(value, Expr):
            # Rare enough to fork for, even where only people read the text.
            value = self._call.concrete(value, _INT)
        return int(value) - (1 << 32) if value >> 31 & 1 else int(value)

    def _value(self, directive: Directive) -> Text:
        kind, arguments = directive.kind, self._arguments
        if kind == b"m":
            return _aligned(literal(b"Success"), directive)
        if kind == b"n":
            self._count(directive)
            return texts.EMPTY
        if kind in b"fFeEgGaA":
            if directive.length == b"L":
                raise Unsupported("printing a long double")
            return self._real(directive, arguments.double())
        if kind == b"s":
            return _aligned(self._string(arguments.integer(self._call.pointer_bits), directive.precision), directive)
        value = arguments.integer(self._bits(directive))
        if kind == b"c":
            char = value & 255 if not isinstance(value, Expr) else build.extract(value, 7, 0)
            self._printed(char, directive)
            return _aligned(texts.of_values([char]), directive)
        bits = value.width if isinstance(value, Expr) else self._bits(directive)
        narrow = _NARROW.get(directive.length, bits)
        value = build.trunc(value, narrow) if narrow < bits else value
        self._printed(value, directive)
        if isinstance(value, Expr):
            return _symbolic_integer(directive, value)
        text = _integer(directive.flags, directive.precision, kind, value, min(bits, narrow))
        return literal(_pad(text, directive).encode("latin-1"))

    def _bits(self, directive: Directive) -> int:
        """How wide the argument of an integer conversion is."""
        if directive.kind == b"p" or directive.length in (b"l", b"z", b"t"):
            return self._call.pointer_bits
        return 64 if directive.length in (b"ll", b"j", b"q", b"L") else _INT

    def _count(self, directive: Directive) -> None:
        address = self._call.pointer(self._arguments.integer(self._call.pointer_bits))
        size = _NARROW.get(directive.length, self._bits(directive)) // 8
        self.counts.append((address, texts.resized(self._length, 8 * size), size))

    def _string(self, address: Any, precision: int | None) -> Text:
        self._call.printed(address, "an uninitialized value is printed as a string")
        if isinstance(address, Expr) and not self._exact:
            return literal(texts.UNKNOWN)
        where = self._call.pointer(address)
        if where == 0:
            # glibc prints nothing rather than a part of "(null)".
            return literal(b"(null)" if precision is None or precision >= 6 else b"")
        return texts.c_string(self._call, where, precision)

    def _printed(self, value: Any, directive: Directive) -> None:
        """A value becomes text: as good as gone, for what somebody will read in it."""
        letters = (directive.length + directive.kind).decode()
        self._call.printed(value, f"an uninitialized value is printed (%{letters})")

    def _real(self, directive: Directive, value: Any) -> Text:
        self._printed(value, directive)
        if isinstance(value, Expr):
            if not self._exact:
                return literal(texts.UNKNOWN)
            value = self._fixed(value)
        text = _float(directive.flags, directive.precision, directive.kind, value)
        return literal(_pad(text, directive).encode("latin-1"))

    def _fixed(self, value: Expr) -> float:
        call = self._call
        bits = build.fp_to_bits(value, F64)
        known = int(call.state.model.eval(bits))
        what = "all but one value of a floating-point number that is turned into text"
        call.state.run.note_loss("bounded", what, call.state, call.location)
        call.assume(build.eq(bits, known, 64))
        return float(call.state.model.eval(value))


def _aligned(text: Text, directive: Directive) -> Text:
    if directive.width is None:
        return text
    return texts.padded(text, directive.width, left=b"-" not in directive.flags)


def _symbolic_integer(directive: Directive, value: Expr) -> Text:
    """``%d`` and its kin of a symbolic number: sign, prefix, zeros, digits, each a text of its own."""
    bits, kind, flags, precision = value.width, directive.kind, directive.flags, directive.precision
    negative = build.slt(value, 0, bits) if kind in b"di" else False
    magnitude: Any = build.ite(negative, build.neg(value, bits), value, bv(bits)) if kind in b"di" else value
    if not isinstance(magnitude, Expr):
        return literal(_pad(_integer(flags, precision, kind, magnitude, bits), directive).encode("latin-1"))
    zero = build.eq(magnitude, 0, bits)
    digits = numeral(magnitude, _BASES.get(kind, 10), kind == b"X")
    plain = digits
    if precision is not None:
        digits = texts.padded(digits, precision, ord("0"))
        if precision == 0:
            digits = texts.choose(zero, texts.EMPTY, digits)
    prefix = texts.EMPTY
    if kind == b"p":
        prefix = literal(b"0x")
    elif b"#" in flags and kind in b"xX":
        prefix = texts.choose(zero, texts.EMPTY, literal(b"0" + kind))
    elif b"#" in flags and kind == b"o":
        starts = build.lor(build.ult(plain.length, digits.length, LENGTH_BITS), zero if precision != 0 else False)
        prefix = texts.choose(starts, texts.EMPTY, literal(b"0"))
    sign = texts.EMPTY
    if kind in b"di":
        sign = texts.choose(negative, literal(b"-"), literal(_sign(flags, False).encode()))
    head = texts.append(sign, prefix)
    result = _aligned(texts.append(head, digits), directive)
    if b"0" in flags and b"-" not in flags and precision is None and directive.width is not None:
        # Zeros between the prefix and the digits, as many as spaces would stand before both.
        both = texts.append(head, digits)
        filler = texts.repeated(ord("0"), build.sub(result.length, both.length, LENGTH_BITS), directive.width)
        result = texts.append(head, texts.append(filler, digits))
    if kind == b"p":
        result = texts.choose(zero, _aligned(literal(b"(nil)"), directive), result)
    return result


def _integer(flags: bytes, precision: int | None, kind: bytes, value: int, bits: int) -> str:
    if kind == b"p" and not value:
        return "(nil)"
    negative = kind in b"di" and bool(value >> (bits - 1))
    value = (1 << bits) - value if negative else value
    sign = _sign(flags, negative) if kind in b"dip" else ""
    digits = {b"x": f"{value:x}", b"p": f"{value:x}", b"X": f"{value:X}", b"o": f"{value:o}"}.get(kind, str(value))
    if precision is not None:
        digits = "" if precision == 0 and value == 0 else digits.rjust(precision, "0")
    if kind == b"p" or (b"#" in flags and value):
        digits = {b"x": "0x", b"p": "0x", b"X": "0X"}.get(kind, "") + digits
    if b"#" in flags and kind == b"o" and not digits.startswith("0"):
        digits = "0" + digits
    return sign + digits


def _sign(flags: bytes, negative: bool) -> str:
    return "-" if negative else "+" if b"+" in flags else " " if b" " in flags else ""


def _float(flags: bytes, precision: int | None, kind: bytes, value: float) -> str:
    letter = kind.decode()
    if not math.isfinite(value):
        text = "nan" if math.isnan(value) else "inf"
        return _sign(flags, math.copysign(1.0, value) < 0) + (text.upper() if letter.isupper() else text)
    if letter in "aA":
        text = _sign(flags, math.copysign(1.0, value) < 0) + _hexadecimal(abs(value), precision, b"#" in flags)
        return text.upper() if letter == "A" else text
    marks = "".join(chr(flag) for flag in flags if flag in b"+ #")
    return f"%{marks}.{6 if precision is None else precision}{letter}" % value


def _hexadecimal(value: float, precision: int | None, point: bool) -> str:
    """``%a`` as glibc prints it: rounding to even may carry into the first digit, which is then 2."""
    mantissa, exponent = value.hex().removeprefix("0x").split("p")
    first, digits = mantissa.split(".")
    if precision is None:
        digits = digits.rstrip("0")
    elif precision < len(digits):
        number, dropped = int(first + digits, 16), 4 * (len(digits) - precision)
        number = (number + (1 << (dropped - 1)) - 1 + (number >> dropped & 1)) >> dropped
        text = f"{number:0{precision + 1}x}"
        first, digits = text[: len(text) - precision], text[len(text) - precision :]
    else:
        digits = digits.ljust(precision, "0")
    dot = "." if digits or point else ""
    return f"0x{first}{dot}{digits}p{exponent}"


def _pad(text: str, directive: Directive) -> str:
    flags, width, kind = directive.flags, directive.width, directive.kind
    if width is None or len(text) >= width:
        return text
    if b"-" in flags:
        return text.ljust(width)
    numeric = text.lstrip("+- ").lower() not in ("inf", "nan", "(nil)")
    if b"0" in flags and numeric and (directive.precision is None or kind in b"fFeEgGaA"):
        sign = text[0] if text[:1] in ("+", "-", " ") else ""
        prefix = sign + (text[len(sign) : len(sign) + 2] if text[len(sign) : len(sign) + 2] in ("0x", "0X") else "")
        return prefix + text[len(prefix) :].rjust(width - len(prefix), "0")
    return text.rjust(width)
