"""Inputs in C syntax, for people and for comments in generated C.

int x = -5;      char buf[3] = "hi";      p[0].size = 4;  // unsigned int      read() returns 7;
"""

from __future__ import annotations

import math
import string

from clew.base.pattern import pattern
from clew.report.values import ARRAY, InputValue, is_floating, is_unsigned

_NAME = pattern(r"[A-Za-z_]\w*")
_PLACE = pattern(r"\**[A-Za-z_][\w.]*(?:\[\d+\][\w.]*)*")
_LITERAL_LINE = 24
"""Bytes per line of a literal."""
_SETS = pattern(r"\*(\d+)([+-]\d+) of (.*\(\))")
_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 92: "\\\\"}
_OCTAL = frozenset(b"01234567")
_CHARS = tuple(chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}" for byte in range(256))
"""Bytes as they stand in a literal."""


def c_line(value: InputValue, width: int = 90) -> str:
    """One input as a declaration or an assignment; what has no C name is described."""
    text = short_value(value, width)
    if value.in_heap:
        return _heap_line(value, text)
    if value.name.endswith(" is null"):
        pointer = value.name.removesuffix(" is null")
        return f"{pointer} = NULL;" if text not in ("0", "false") else f"{pointer} is not null"
    sets = _SETS.fullmatch(value.name) if value.kind == "made-up" else None
    if sets:
        offset = "" if int(sets[2]) == 0 else f" at {sets[2]}"
        return f"{sets[3]} sets what argument {int(sets[1]) + 1} points to{offset}: {text}"
    if value.name.endswith(" fails"):
        return f"{value.name.removesuffix(' fails')}() {'succeeds' if text == '0' else 'fails'}"
    if value.name.endswith("()") and not value.name.startswith("*"):
        return f"{value.name} returns {text};"
    if _NAME.fullmatch(value.name):
        return f"{_declarator(value)} = {text};"
    if _PLACE.fullmatch(value.name):
        return f"{value.name} = {text};  // {value.type}"
    return f"{value.type} {value.name} = {text}"


def _heap_line(value: InputValue, text: str) -> str:
    """What a function is given, or what a callback did."""
    during = f"call {value.call}: " if value.call else ""
    if value.kind == "memory" and value.at is not None:
        return f"{during}object {value.at.object} is {value.name} ({value.type}, {text} bytes)"
    if value.kind == "call":
        return f"{during}{value.name}"
    if value.kind == "returned":
        return f"{during}{value.name} returns {text};"
    return f"{during}{value.name} = {text};  // {value.type}"


def _declarator(value: InputValue) -> str:
    match = ARRAY.match(value.type)
    if match:
        return f"{match['element']} {value.name}[{match['count']}]"
    return declared(value.type, value.name)


def declared(type: str, name: str) -> str:
    """A name with its type: a function pointer's is within that."""
    if "(*)" in type:
        return type.replace("(*)", f"(*{name})", 1)
    return f"{type}{name}" if type.endswith("*") else f"{type} {name}"


def comment(text: str) -> str:
    """Text that can neither begin nor end a comment, nor continue a line."""
    plain = "".join(char if char.isprintable() else "?" for char in text)
    return plain.replace("*/", "* /").replace("/*", "/ *").rstrip("\\")


def short_value(value: InputValue, width: int) -> str:
    """The value as C source spells it, or its beginning and dots, where it is longer than ``width``."""
    text = c_value(value)
    return text if len(text) <= width else text[: width - 3] + "..."


def c_value(value: InputValue) -> str:
    """The value as C source spells it; what a pointer points to, in words."""
    if value.points is not None:
        return value.points.shown()
    if value.kind in ("memory", "call"):
        return str(value.value)
    if isinstance(value.value, float):
        return _float(value.value, value.bits)
    if isinstance(value.value, bytes):
        return _bytes(value)
    if value.type.endswith("]"):
        return _bytes(InputValue(value.name, value.type, value.bits, value.to_bytes(), value.kind))
    return _integer(value.value, value)


def _integer(number: int, value: InputValue) -> str:
    words = value.type.split()
    if words and words[-1] == "*" or value.type.endswith("*"):
        return "NULL" if number == 0 else f"(void *){number:#x}"
    if value.bits == 8 and "char" in words and 32 <= number < 127:
        return "'" + {39: "\\'", 92: "\\\\"}.get(number, chr(number)) + "'"
    if value.bits == 64 and number == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    if value.bits == 32 and number == -(1 << 31):
        return "(-2147483647 - 1)"
    suffix = ""
    if is_unsigned(value.type) and value.bits >= 32 and number > 0x7FFFFFFF:
        suffix = "U" if value.bits == 32 else "ULL"
    elif not -(1 << 31) <= number < (1 << 31):
        suffix = "LL"
    return f"{number}{suffix}"


def _float(number: float, bits: int) -> str:
    suffix = "f" if bits == 32 else ""
    if math.isnan(number):
        return "NAN"
    if math.isinf(number):
        return "INFINITY" if number > 0 else "-INFINITY"
    return f"{number!r}{suffix}"


def _bytes(value: InputValue) -> str:
    data = value.to_bytes()
    scalars = value.elements()
    if len(scalars) == 1 and scalars[0].name == value.name and not isinstance(scalars[0].value, bytes):
        return c_value(scalars[0])
    if scalars and scalars[0].bits == 8 and not is_floating(scalars[0].type):
        return c_string(data) if _texty(data) else "{" + ", ".join(str(byte) for byte in data) + "}"
    return "{" + ", ".join(c_value(item) for item in scalars) + "}"


def _texty(data: bytes) -> bool:
    """Mostly printable: reads better as a string than as numbers."""
    kept = data.rstrip(b"\0")
    printable = sum(byte in string.printable.encode() for byte in kept)
    return 2 * printable >= len(kept)


def c_string(data: bytes) -> str:
    """A C string literal for the bytes up to the trailing zeros, which C fills in."""
    return quoted(data.rstrip(b"\0"))


def quoted(data: bytes) -> str:
    """A C string literal for bytes, all of them."""
    parts = []
    for at, byte in enumerate(data):
        following = data[at + 1] if at + 1 < len(data) else 0
        if byte in _ESCAPES:
            parts.append(_ESCAPES[byte])
        elif 32 <= byte < 127:
            parts.append(chr(byte))
        else:
            parts.append(f"\\{byte:03o}" if following in _OCTAL else f"\\{byte:o}")
    return '"' + "".join(parts) + '"'


def literal(data: bytes) -> str:
    """Bytes as a literal for compilers. Octal escapes of three digits, so that no following character joins them."""
    lines = [data[at : at + _LITERAL_LINE] for at in range(0, len(data), _LITERAL_LINE)] or [b""]
    return " ".join(['"' + "".join([_CHARS[byte] for byte in line]) + '"' for line in lines])
