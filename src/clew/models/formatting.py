"""C's printf formatting of run-time values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from clew.expr.node import Expr
from clew.program.types import IntType, PointerType, Type

if TYPE_CHECKING:
    from clew.execute.invocation import Invocation

_SPEC = re.compile(rb"%([-+ #0']*)(\*|\d+)?(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L|q)?([diouxXcspfFeEgGaAn%m])")
_LENGTHS = {b"hh": 8, b"h": 16}


def format_output(form: bytes, arguments: tuple[Any, ...], types: tuple[Type, ...], call: Invocation) -> bytes:
    """The bytes printf would print; a symbolic value shows as ``?``."""
    values = zip(arguments, types, strict=True)
    parts, position = [], 0
    for match in _SPEC.finditer(form):
        parts.append(form[position : match.start()])
        position = match.end()
        parts.append(_conversion(match, values, call))
    parts.append(form[position:])
    return b"".join(parts)


def _conversion(match: re.Match[bytes], values: Iterator[tuple[Any, Type]], call: Invocation) -> bytes:
    flags, width, precision, length, kind = match.groups()
    if kind == b"%":
        return b"%"
    if kind == b"m":
        return b"Success"
    width_number = _number(width, values)
    if width_number is not None and width_number < 0:
        flags, width_number = flags + b"-", -width_number
    precision_number = _number(precision, values) if precision is not None else None
    if precision_number is not None and precision_number < 0:
        precision_number = None
    value, type = next(values, (0, IntType(32)))
    if kind == b"n":
        return b""
    if isinstance(value, Expr):
        text = "?"
    elif kind == b"s":
        text = _string(value, precision_number, call)
    elif kind in b"fFeEgGaA":
        text = _float(flags, precision_number, kind, value)
    else:
        text = _integer(flags, precision_number, length, kind, value, type, call)
    return _pad(text, flags, width_number, kind, precision_number).encode("latin-1", "replace")


def _number(text: bytes | None, values: Iterator[tuple[Any, Type]]) -> int | None:
    if text is None:
        return None
    if text == b"*":
        value, _ = next(values, (0, None))
        if isinstance(value, Expr):
            return 0
        return int(value) - (1 << 32) if value >> 31 & 1 else int(value)
    return int(text) if text else 0


def _string(address: int, precision: int | None, call: Invocation) -> str:
    if address == 0:
        return "(null)"
    text = call.text(address)
    if text is None and precision is not None:
        # With a precision the array need not end with a NUL.
        text = call.prefix(address, precision)
    return "?" if text is None else text[:precision].decode("latin-1")


def _integer(
    flags: bytes, precision: int | None, length: bytes | None, kind: bytes, value: Any, type: Type, call: Invocation
) -> str:
    bits = call.pointer_bits if isinstance(type, PointerType) else getattr(type, "width", 32)
    bits = min(bits, _LENGTHS.get(length or b"", bits))
    value = int(value) & ((1 << bits) - 1)
    if kind == b"c":
        return chr(value & 255)
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


def _pad(text: str, flags: bytes, width: int | None, kind: bytes, precision: int | None) -> str:
    if width is None or len(text) >= width:
        return text
    if b"-" in flags:
        return text.ljust(width)
    numeric = kind in b"diouxXpfFeEgGaA" and text.lstrip("+- ").lower() not in ("inf", "nan", "(nil)", "?")
    if b"0" in flags and numeric and (precision is None or kind in b"fFeEgGaA"):
        sign = text[0] if text[0] in "+- " else ""
        prefix = sign + (text[len(sign) : len(sign) + 2] if text[len(sign) : len(sign) + 2] in ("0x", "0X") else "")
        return prefix + text[len(prefix) :].rjust(width - len(prefix), "0")
    return text.rjust(width)
