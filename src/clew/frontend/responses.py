"""Response files: ``@file`` stands for the compiler's options that are in a file, which may name further files.

They are read here, as Clang reads them, and not left to the compiler: so options mean the same wherever they are
looked at, a test is replayed with those of its run, and files within files work with every compiler.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from clew.base.errors import UserError


def expanded(flags: Sequence[str], within: tuple[Path, ...] = (), base: Path | None = None) -> tuple[str, ...]:
    """The options with what response files hold in place of their names; ``UserError`` for one that cannot be read.

    All names are relative to ``base``, or the current directory. ``within`` are the files that lead here.
    """
    result: list[str] = []
    for flag in flags:
        if len(flag) > 1 and flag.startswith("@"):
            file = Path(flag[1:]) if base is None else base / flag[1:]
            if file.absolute() in within:
                raise UserError(f"response file {flag} names itself")
            result += expanded(list(_words(_text(file))), (*within, file.absolute()), base)
        else:
            result.append(flag)
    return tuple(result)


def _text(file: Path) -> str:
    try:
        return os.fsdecode(file.read_bytes())
    except OSError as error:
        raise UserError(f"response file {file} cannot be read: {error.strerror or error}") from None


def _words(text: str) -> Iterator[str]:
    """Words as GNU tools read them: a backslash keeps the next character as it is, within quotes, too."""
    word, quote = "", ""
    letters = iter(text)
    for letter in letters:
        if letter == "\\":
            word += next(letters, letter)
        elif quote:
            quote, word = ("", word) if letter == quote else (quote, word + letter)
        elif letter in "'\"":
            quote = letter
        elif not letter.isspace():
            word += letter
        elif word:
            yield word
            word = ""
    if word:
        yield word
