"""The value of ``--start``: concrete inputs of the first run, by name or in call order.

x=5,y=-0x10        ->  x is 5, y is -16
1,'a',2.5,"hi\\n"   ->  first, second, ... input; a string stands for its bytes
"""

from __future__ import annotations

import math
import re

from clew.base.errors import UserError

Value = int | float | bytes
_QUOTED = r"""'(?:\\.[^']*|[^'\\])'|"(?:\\.|[^"\\])*\""""
_ITEM = re.compile(
    rf"""\s*(?:(?P<name>[^=,'"\s][^=,'"]*?)\s*=)?\s*(?P<value>{_QUOTED}|[^,'"]*?)\s*(?:,|$)""", re.DOTALL
)
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def parse_start(text: str) -> tuple[tuple[str | None, Value], ...]:
    """All items of the list, each a name (None without one) and a value; UserError that names the one that is wrong."""
    items: list[tuple[str | None, Value]] = []
    position = 0
    while position < len(text):
        match = _ITEM.match(text, position)
        if match is None or not match["value"]:
            raise _wrong(text[position:])
        items.append((match["name"], _value(match["value"])))
        position = match.end()
    if text.rstrip().endswith(",") or not items:
        raise _wrong(text)
    return tuple(items)


def _value(text: str) -> Value:
    if text[0] in "'\"":
        content = _ESCAPE.sub(_unescape, text[1:-1].encode("utf-8", "surrogateescape"))
        if text[0] == '"':
            return content
        if len(content) == 1:
            return content[0]
        raise _wrong(text)
    for read in (lambda: int(text, 0), lambda: int(text), lambda: float(text), lambda: float.fromhex(text)):
        try:
            value = read()
            if value in (math.inf, -math.inf) and "inf" not in text.lower():
                raise _wrong(text)  # a number too large even for a double
            return value
        except (ValueError, OverflowError):
            continue
    raise _wrong(text)


def _unescape(match: re.Match[bytes]) -> bytes:
    code: bytes = match[1]
    if code[:1] == b"x" and len(code) > 1:
        return bytes([int(code[1:], 16)])
    if code[:1].isdigit() and code[0] < ord("8"):
        return bytes([int(code, 8) & 0xFF])
    return _LETTERS.get(code, code)


def _wrong(text: str) -> UserError:
    shown = text if len(text) <= 60 else text[:60] + "..."
    return UserError(f"cannot read {shown!r} in --start: give NAME=VALUE,... with numbers, 'c' or \"text\" as values")
