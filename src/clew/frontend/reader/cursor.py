"""A position in one logical line of LLVM text, with the few token operations every parser here needs.

Sits below all other modules of the reader. Invariant: ``pos`` never stands on a blank, so parsers
compare the text at ``pos`` directly. Errors are ``Malformed``; whoever knows the line number turns
them into ``UserError``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

_T = TypeVar("_T")

MAX_DEPTH: Final = 100
"""How deep types and constants may nest; C code stays far below, and Python's stack far above."""

_BLANKS = frozenset(" \t\n")
_WORD = re.compile(r"([A-Za-z_][\w.]*)[ \t\n]*")
_INTEGER = re.compile(r"(-?\d{1,4000})[ \t\n]*")
_STRING = re.compile(r'"([^"]*)"[ \t\n]*')
_NAME = re.compile(r'(?:"([^"]*)"|([-\w$.]+))[ \t\n]*')
_ATTACHMENTS = re.compile(r",\s*![A-Za-z_]")
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|\\)")
_BRACKET_OR_STRING = re.compile(r'"[^"]*"|[()\[\]]')


class Malformed(Exception):
    """The text is not LLVM IR as we know it. Never leaves the reader.

    ``line`` is the number of the line to blame, 0 if it is the line being read.
    """

    line: int = 0


class UnsupportedText(Exception):
    """The text is LLVM IR that Clew does not model. Never leaves the reader."""


def unescape_bytes(text: str) -> bytes:
    r"""The bytes of a quoted string: ``\0A`` is one byte."""
    raw = text.encode("utf-8", "surrogateescape")
    if b"\\" not in raw:
        return raw
    return _ESCAPE.sub(lambda m: b"\\" if m[1] == b"\\" else bytes((int(m[1], 16),)), raw)


def unescape(text: str) -> str:
    r"""A quoted name as text: ``a\20b`` is ``a b``."""
    if "\\" not in text:
        return text
    return unescape_bytes(text).decode("utf-8", "surrogateescape")


def name_of(text: str) -> str:
    """A name without its sigil, quoted or not."""
    return unescape(text[1:-1]) if text[:1] == '"' else text


class Cursor:
    """Reads tokens from ``text`` from left to right."""

    __slots__ = ("depth", "pos", "text")

    def __init__(self, text: str, pos: int = 0) -> None:
        self.text = text
        self.depth = 0
        self.pos = pos
        self.skip_blanks()

    def skip_blanks(self) -> None:
        while self.text[self.pos : self.pos + 1] in _BLANKS:
            self.pos += 1

    def peek(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.pos : self.pos + 1]

    def accept(self, literal: str) -> bool:
        """Skip ``literal`` if it comes next."""
        if not self.text.startswith(literal, self.pos):
            return False
        self.pos += len(literal)
        self.skip_blanks()
        return True

    def expect(self, literal: str) -> None:
        if not self.accept(literal):
            raise self.error(f"'{literal}'")

    def peek_word(self) -> str:
        """The word that comes next, empty if something else does."""
        match = _WORD.match(self.text, self.pos)
        return match[1] if match else ""

    def accept_word(self, *words: str) -> str:
        """Skip the next word if it is one of ``words`` and return it; else return the empty text."""
        if not self.text.startswith(words, self.pos):
            return ""
        match = _WORD.match(self.text, self.pos)
        if match is None or match[1] not in words:
            return ""
        self.pos = match.end()
        return match[1]

    def word(self) -> str:
        match = _WORD.match(self.text, self.pos)
        if match is None:
            raise self.error("a word")
        self.pos = match.end()
        return match[1]

    def accept_integer(self) -> int | None:
        match = _INTEGER.match(self.text, self.pos)
        if match is None:
            return None
        self.pos = match.end()
        return int(match[1])

    def integer(self) -> int:
        value = self.accept_integer()
        if value is None:
            raise self.error("an integer")
        return value

    def string(self) -> str:
        """A quoted string, not yet unescaped."""
        match = _STRING.match(self.text, self.pos)
        if match is None:
            raise self.error("a string")
        self.pos = match.end()
        return match[1]

    def name(self, sigil: str) -> str:
        """``sigil`` and a name, plain or quoted; the result is unescaped."""
        if not self.text.startswith(sigil, self.pos):
            raise self.error(f"a name with '{sigil}'")
        match = _NAME.match(self.text, self.pos + len(sigil))
        if match is None:
            raise self.error("a name")
        self.pos = match.end()
        return match[2] if match[2] is not None else unescape(match[1])

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match ``pattern`` here and, if it does, go past it."""
        match = pattern.match(self.text, self.pos)
        if match is not None:
            self.pos = match.end()
            self.skip_blanks()
        return match

    def skip_brackets(self) -> str:
        """Skip a balanced group that starts here, strings included, and return its text."""
        start, depth = self.pos, 0
        for match in _BRACKET_OR_STRING.finditer(self.text, start):
            char = match[0]
            if char in "([":
                depth += 1
            elif char in ")]":
                depth -= 1
            if depth == 0:
                self.pos = match.end()
                self.skip_blanks()
                return self.text[start : match.end()]
        raise self.error("a closing bracket")

    def listed(self, closing: str, read: Callable[[], _T]) -> list[_T]:
        """Items with commas between them, up to ``closing``, which is skipped."""
        items: list[_T] = []
        while not self.accept(closing):
            if items:
                self.expect(",")
            items.append(read())
        return items

    def enter(self) -> None:
        """One level of nesting deeper; pairs with ``leave``."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Malformed(f"types or constants are nested deeper than {MAX_DEPTH} levels")

    def leave(self) -> None:
        self.depth -= 1

    def at_end(self) -> bool:
        return self.pos >= len(self.text) or self.text[self.pos] == ";"

    def finish(self) -> None:
        """Accept nothing more but metadata attachments and a comment."""
        if not self.at_end() and not _ATTACHMENTS.match(self.text, self.pos):
            raise self.error("the end of the line")

    def error(self, wanted: str) -> Malformed:
        found = self.text[self.pos : self.pos + 30]
        return Malformed(f"expected {wanted}, found " + (f"'{found}'" if found else "the end of the line"))
