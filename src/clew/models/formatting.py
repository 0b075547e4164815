"""C's printf formatting of run-time values.

Known values give exactly the bytes libc prints. A symbolic integer, character or string becomes a ``Text`` whose
bytes and length are formulas: formatting does not fork. Only floating-point numbers do (``clew.models.reals``), where
somebody reads the text (``exact``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.base.pattern import pattern
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.rewrite import fpmath
from clew.expr.sort import Sort, bv
from clew.models import reals, texts
from clew.models.numbered import Fetch, fetched, number_of
from clew.models.texts import LENGTH_BITS, Text, literal, numeral
from clew.models.varargs import Arguments, MissingArgument

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

_SPEC = pattern(
    rb"%(?:(?P<position>\d+\$)?(?P<flags>[-+ #0'I]*)(?P<width>\*(?:\d+\$)?|\d+)?(?:\.(?P<precision>\*(?:\d+\$)?|\d*))?"
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


def _kind_and_length(match: re.Match[bytes]) -> tuple[bytes, bytes]:
    """Both empty for ``%%``."""
    kind, length = match["kind"] or b"", match["length"] or b""
    return (kind.lower(), b"l") if kind in (b"C", b"S") else (kind, length)


class Formatter:
    """Formats one call. ``exact``: the bytes are read by the program, not only by people."""

    def __init__(self, call: Invocation, arguments: Arguments, exact: bool) -> None:
        self._call = call
        self._arguments = arguments
        self._exact = exact
        self._length: Any = 0
        self.counts: list[tuple[int, Any, int]] = []
        """What ``%n`` asks for: address, value, bytes."""
        self.strings: list[tuple[int, Any]] = []
        """Where strings lie that ``%s`` prints, and how many bytes of them are read."""

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
        matches = list(_SPEC.finditer(form))
        if any(match["position"] for match in matches):
            self._arguments = fetched([use for match in matches for use in self._uses(match)], self._arguments)
        for match in matches:
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

    def _uses(self, match: re.Match[bytes]) -> Iterator[tuple[int, int, Fetch]]:
        """The numbered arguments of a conversion, in the order in which it takes them."""
        for text in (match["width"], match["precision"]):
            if text and text.startswith(b"*"):
                yield number_of(text), _INT, lambda arguments: arguments.integer(_INT)
        kind, length = _kind_and_length(match)
        if kind in (b"", b"m"):
            return
        if kind in b"fFeEgGaA":
            yield number_of(match["position"]), 128, lambda arguments: arguments.real(length == b"L")
        else:
            bits = self._call.pointer_bits if kind in b"sn" else self._bits(Directive(b"", None, None, length, kind))
            yield number_of(match["position"]), bits, lambda arguments: arguments.integer(bits)

    def _converted(self, match: re.Match[bytes]) -> Text:
        kind, length = _kind_and_length(match)
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
        if not text.startswith(b"*"):
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
            return self._real(directive, *arguments.real(directive.length == b"L"))
        if kind == b"s":
            address = arguments.integer(self._call.pointer_bits)
            string = self._wide_string if directive.length == b"l" else self._string
            return _aligned(string(address, directive.precision), directive)
        value = arguments.integer(_INT if kind == b"c" else self._bits(directive))
        if kind == b"c":
            if directive.length == b"l":
                self._narrow(value)
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
        text = texts.c_string(self._call, where, precision)
        size = build.add(text.length, 1, LENGTH_BITS)
        self.strings.append((where, size if precision is None else build.umin(size, precision, LENGTH_BITS)))
        return text

    def _wide_string(self, address: Any, precision: int | None) -> Text:
        """Wide characters up to a zero; which is the last one forks."""
        call = self._call
        where = call.pointer(address)
        if where == 0:
            return self._string(0, precision)
        values: list[Any] = []
        while precision is None or len(values) < precision:
            value = call.load(where + 4 * len(values), 4)
            if texts.truth(call, build.eq(value, 0, _INT)):
                break
            values.append(self._narrow(value))
        return texts.of_values(values)

    def _narrow(self, value: Any) -> Any:
        """A wide character as a byte; in the locale "C" others have none."""
        if texts.truth(self._call, build.ule(128, value, _INT)):
            raise Unsupported("wide characters beyond 127 in formatted output")
        return build.trunc(value, 8)

    def _printed(self, value: Any, directive: Directive) -> None:
        """A value becomes text: as good as gone, for what somebody will read in it."""
        letters = (directive.length + directive.kind).decode()
        self._call.printed(value, f"an uninitialized value is printed (%{letters})")

    def _real(self, directive: Directive, value: Any, sort: Sort) -> Text:
        self._printed(value, directive)
        flags = directive.flags
        form = reals.RealForm(directive.kind.decode(), b"#" in flags, directive.precision)
        if not isinstance(value, Expr):
            text = _sign(flags, fpmath.sign(value) < 0) + reals.known(form, value, sort)
            return literal(_pad(text, directive).encode("latin-1"))
        if not self._exact:
            return literal(texts.UNKNOWN)
        negative, number = reals.symbolic(self._call, form, value)
        sign = _sign(flags, negative)
        if isinstance(number, str):
            return literal(_pad(sign + number, directive).encode())
        return _filled(literal(sign.encode()), number, directive)


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
    result = _filled(head, digits, directive) if precision is None else _aligned(texts.append(head, digits), directive)
    if kind == b"p":
        result = texts.choose(zero, _aligned(literal(b"(nil)"), directive), result)
    return result


def _filled(head: Text, digits: Text, directive: Directive) -> Text:
    """A number in its width; zeros stand between sign or prefix and the digits, spaces before both."""
    both = texts.append(head, digits)
    result = _aligned(both, directive)
    if b"0" not in directive.flags or b"-" in directive.flags or directive.width is None:
        return result
    filler = texts.repeated(ord("0"), build.sub(result.length, both.length, LENGTH_BITS), directive.width)
    return texts.append(head, texts.append(filler, digits))


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
