"""The value of ``--args``: arguments of the program, separated by commas.

-v,@8,in.txt     ->  the word -v, a symbolic string of at most 8 bytes, the word in.txt
a\\,b,\\@home    ->  the words a,b and @home: a backslash takes the next character as it is
"""

from __future__ import annotations

import os
import re

from clew.base.errors import UserError

MOST_INPUT = 4096
"""Symbolic bytes of standard input or of one argument."""
_WORD = re.compile(r"(?:\\.|[^,\\])*", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_SYMBOLIC = re.compile(r"@(\d+)")


def parse_arguments(text: str | None) -> tuple[bytes | int, ...]:
    """Words as bytes, sizes of symbolic strings as numbers."""
    if not text:
        return ()
    words, position = [], 0
    while True:
        match = _WORD.match(text, position)
        assert match is not None  # it also matches nothing at all
        words.append(_argument(match[0]))
        position = match.end()
        if position == len(text):
            return tuple(words)
        if text[position] != ",":
            raise UserError(f"cannot read {text!r} in --args: a backslash at the end stands for nothing")
        position += 1


def _argument(word: str) -> bytes | int:
    size = _SYMBOLIC.fullmatch(word)
    if size is not None:
        if int(size[1]) > MOST_INPUT:
            raise UserError(f"--args: at most {MOST_INPUT} symbolic bytes for one argument, not {size[1]}")
        return int(size[1])
    if word.startswith("@"):
        raise UserError(f"cannot read {word!r} in --args: @N is up to N symbolic bytes, \\@ a word that begins with @")
    known = os.fsencode(_ESCAPE.sub(r"\1", word))
    if b"\0" in known:
        raise UserError("--args: a word cannot contain a NUL")
    return known
