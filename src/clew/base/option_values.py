"""The values of options: which are permitted, and how they are read from the command line.

A check is given the name of the option and a value; it raises UserError, as do readers.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable

from clew.base.budget import positive
from clew.base.errors import UserError
from clew.base.processes import available_cores

MOST_INPUT = 4096
"""Symbolic bytes of standard input or of one argument."""


# Checks


def at_least(least: int) -> Callable[[str, int], None]:
    def check(flag: str, value: int) -> None:
        if value < least:
            raise UserError(f"{flag} must be {least} or more, not {value}")

    return check


def input_size(flag: str, value: int) -> None:
    if not 0 <= value <= MOST_INPUT:
        raise UserError(f"{flag} must be 0 to {MOST_INPUT} bytes, not {value}")


def bound_or(word: str) -> Callable[[str, int | str], None]:
    def check(flag: str, value: int | str) -> None:
        if not isinstance(value, str):
            positive(flag, value)
        elif value != word:
            raise UserError(f"{flag} must be a number above 0 or {word!r}, not {value!r}")

    return check


def way_to_decide(flag: str, value: str) -> None:
    if not re.fullmatch(r"blackbox|guide|learn(:0*[1-9][0-9]{0,5})?", value):
        raise UserError(f"{flag} must be blackbox, guide, learn or learn:K with K above 0, not {value!r}")


# Readers


def time_limit(seconds: float) -> float | None:
    return None if seconds == math.inf else seconds


def some_name(text: str) -> str:
    """An empty list is no way to ask for the default."""
    if not text.strip(", "):
        raise ValueError("names nothing: leave it out for the default")
    return text


def some_names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in some_name(text).split(",") if name.strip())


FAILING = ("any", "new", "possible", "none", "unknown")
"""Words of ``--fail-on`` beside kinds of bugs and checks."""


def failing(flag: str, value: tuple[str, ...]) -> None:
    if "none" in value and len(value) > 1:
        raise UserError(f"{flag} none means that nothing makes a run fail: leave out {value[value[0] == 'none']!r}")


def number_or(flag: str, word: str, meaning: str | None) -> Callable[[str], int | str | None]:
    """Reads a bound: a number, or a word that stands for something else."""

    def read(text: str) -> int | str | None:
        if not _is_number(text):
            bound_or(word)(flag, text)
            return meaning
        return int(text)

    return read


def processes(text: str) -> int:
    """Reads a number of processes; ``auto`` is one for each core that this one may use."""
    number = number_or("--jobs", "auto", None)(text)
    return number if isinstance(number, int) else available_cores()


def cluster_address(flag: str, value: str) -> None:
    host, _, port = value.removeprefix("ray://").rpartition(":")
    if value != "auto" and not (host and _is_number(port) and int(port) < 1 << 16):
        raise UserError(f"{flag} is 'auto' or HOST:PORT, not {value!r}")


def file_and_line(text: str) -> tuple[str | None, int]:
    """``p.c:12`` or ``12``."""
    file, _, number = text.rpartition(":")
    if not _is_number(number):
        raise UserError(f"--line must be N or FILE:N with N above 0, not {text!r}")
    return file or None, int(number)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9


# --args


def parse_arguments(text: str) -> tuple[bytes | int, ...]:
    """Arguments of the program, separated by commas: words as bytes, sizes of symbolic strings as numbers.

    -v,@8,in.txt     ->  the word -v, a symbolic string of at most 8 bytes, the word in.txt
    a\\,b,\\@home    ->  the words a,b and @home: a backslash takes the next character as it is
    """
    if not text:
        return ()
    words, position = [], 0
    word = re.compile(r"(?:\\.|[^,\\])*", re.DOTALL)
    while True:
        match = word.match(text, position)
        assert match is not None  # it also matches nothing at all
        words.append(_argument(match[0]))
        position = match.end()
        if position == len(text):
            return tuple(words)
        if text[position] != ",":
            raise UserError(f"cannot read {text!r} in --args: a backslash at the end stands for nothing")
        position += 1


def _argument(word: str) -> bytes | int:
    size = re.fullmatch(r"@(\d+)", word)
    if size is not None:
        if int(size[1]) > MOST_INPUT:
            raise UserError(f"--args: at most {MOST_INPUT} symbolic bytes for one argument, not {size[1]}")
        return int(size[1])
    if word.startswith("@"):
        raise UserError(f"cannot read {word!r} in --args: @N is up to N symbolic bytes, \\@ a word that begins with @")
    known = os.fsencode(re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL))
    if b"\0" in known:
        raise UserError("--args: a word cannot contain a NUL")
    return known


# --start

Value = int | float | bytes
_QUOTED = r"""'(?:\\.[^']*|[^'\\])'|"(?:\\.|[^"\\])*\""""
_ITEM = rf"""\s*(?:(?P<name>[^=,'"\s][^=,'"]*?)\s*=)?\s*(?P<value>{_QUOTED}|[^,'"]*?)\s*(?:,|$)"""
_ESCAPE = rb"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)"
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def parse_start(text: str) -> tuple[tuple[str | None, Value], ...]:
    """Inputs of the first run, each a name (None without one) and a value; UserError that names the one that is wrong.

    x=5,y=-0x10        ->  x is 5, y is -16
    1,'a',2.5,"hi\\n"   ->  first, second, ... input; a string stands for its bytes
    """
    items: list[tuple[str | None, Value]] = []
    position = 0
    while position < len(text):
        match = re.compile(_ITEM, re.DOTALL).match(text, position)
        if match is None or not match["value"]:
            raise _wrong(text[position:])
        items.append((match["name"], _value(match["value"])))
        position = match.end()
    if text.rstrip().endswith(",") or not items:
        raise _wrong(text)
    return tuple(items)


def _value(text: str) -> Value:
    if text[0] in "'\"":
        content = re.sub(_ESCAPE, _unescape, text[1:-1].encode("utf-8", "surrogateescape"), flags=re.DOTALL)
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
