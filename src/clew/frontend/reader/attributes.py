"""Attributes of parameters, results, calls and functions, of which Clew needs few.

All others are skipped without knowing them by name, so a new LLVM's attributes do no harm.
"""

from __future__ import annotations

import re
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.frontend.reader.constants import VALUE_WORDS
from clew.frontend.reader.cursor import Cursor, Malformed
from clew.frontend.reader.types import TypeReader
from clew.program.types import Type

_GROUP = re.compile(r"attributes #(\d+) = \{(.*)\}")
_STRING = re.compile(r'"[^"]*"')
_NORETURN = re.compile(r"\bnoreturn\b")
_REFERENCE = re.compile(r"#(\d+)")


@dataclass(slots=True)
class ParameterAttributes:
    """What Clew keeps of a parameter's attributes."""

    byval: Type | None = None
    sret: Type | None = None
    align: int = 0
    nonnull: bool = False
    dereferenceable: int = 0


@dataclass(slots=True)
class Groups:
    """The module's attribute groups: which of them say ``noreturn``."""

    noreturn: set[str] = field(default_factory=set)

    def define(self, line: str) -> None:
        """Read an ``attributes #0 = { ... }`` line."""
        match = _GROUP.match(line)
        if match is None:
            raise Malformed("expected 'attributes #N = { ... }'")
        if _NORETURN.search(_STRING.sub("", match[2])):
            self.noreturn.add(match[1])


def read_parameter_attributes(cursor: Cursor, types: TypeReader) -> ParameterAttributes:
    """Skip attributes up to the parameter's name or value (or the comma after it)."""
    found = ParameterAttributes()
    while True:
        if cursor.peek() == '"':
            _skip_string_attribute(cursor)
            continue
        word = cursor.peek_word()
        if not word or word in VALUE_WORDS:
            return found
        cursor.word()
        if word in ("byval", "sret") and cursor.accept("("):
            setattr(found, word, types.read(cursor))
            cursor.expect(")")
        elif word == "align":
            found.align = _read_align(cursor)
        elif word == "dereferenceable" and cursor.accept("("):
            found.dereferenceable = cursor.integer()
            cursor.expect(")")
        elif word == "nonnull":
            found.nonnull = True
        elif cursor.peek() == "(":
            cursor.skip_brackets()


def _read_align(cursor: Cursor) -> int:
    if cursor.accept("("):
        value = cursor.integer()
        cursor.expect(")")
        return value
    return cursor.integer()


def skip_result_attributes(cursor: Cursor, types: TypeReader) -> set[str]:
    """Skip linkage, calling convention and attributes up to a type; the words met."""
    words: set[str] = set()
    while not types.starts_type(cursor):
        if cursor.peek() == '"':
            _skip_string_attribute(cursor)
            continue
        if cursor.peek() == "!":
            cursor.name("!")
            cursor.name("!")
            continue
        word = cursor.word()
        words.add(word)
        if cursor.peek() == "(":
            cursor.skip_brackets()
        else:
            cursor.accept_integer()
    return words


def read_function_attributes(cursor: Cursor, groups: Groups) -> bool:
    """Skip attributes after a parameter list; whether they say ``noreturn``."""
    noreturn = False
    while True:
        match = cursor.match(_REFERENCE)
        if match is not None:
            noreturn |= match[1] in groups.noreturn
        elif cursor.peek() == '"':
            _skip_string_attribute(cursor)
        elif word := cursor.peek_word():
            if word in ("prefix", "prologue", "personality", "to"):
                return noreturn
            cursor.word()
            noreturn |= word == "noreturn"
            if cursor.peek() == "(":
                cursor.skip_brackets()
            elif cursor.peek() == '"' and word in ("section", "gc", "partition"):
                cursor.string()
            else:
                cursor.accept_integer()
        else:
            return noreturn


def _skip_string_attribute(cursor: Cursor) -> None:
    cursor.string()
    if cursor.accept("="):
        cursor.string()
