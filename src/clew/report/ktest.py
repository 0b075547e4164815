"""KLEE's ``.ktest`` format, version 3: all integers are big-endian ``uint32``.

    "KTEST" version numArgs { length bytes }* symArgvs symArgvLen numObjects { nameLength name size bytes }*

Each input becomes one object, in order. KLEE's own reader fails on strings and objects of length
zero, so none is ever written: empty objects are left out, empty names become ``unnamed``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.base.errors import UserError
from clew.report.records import InputValue

MAGIC = b"KTEST"
LEGACY_MAGIC = b"BOUT\n"
VERSION = 3


@dataclass(frozen=True, slots=True)
class KTest:
    """The content of a ``.ktest`` file."""

    arguments: tuple[bytes, ...]
    objects: tuple[tuple[bytes, bytes], ...]
    """Pairs of name and content."""
    symbolic_arguments: int = 0
    symbolic_argument_length: int = 0

    def encode(self) -> bytes:
        """The bytes of the file."""
        arguments = [argument for argument in self.arguments if argument]
        objects = [(name or b"unnamed", content) for name, content in self.objects if content]
        parts = [MAGIC, _number(VERSION), _number(len(arguments)), *map(_string, arguments)]
        parts += [_number(self.symbolic_arguments), _number(self.symbolic_argument_length), _number(len(objects))]
        for name, content in objects:
            parts += [_string(name), _string(content)]
        return b"".join(parts)


def ktest_of(inputs: Sequence[InputValue], program: str) -> KTest:
    """One object per input, as the target's memory holds it."""
    return KTest(
        (program.encode("utf-8", "replace") or b"program",),
        tuple((value.name.encode("utf-8", "replace"), value.to_bytes()) for value in inputs),
    )


def decode_ktest(data: bytes) -> KTest:
    """Parse a file's bytes; ValueError when they are not a ``.ktest`` file."""
    if data[:5] not in (MAGIC, LEGACY_MAGIC):
        raise ValueError("no KTEST magic")
    cursor = _Cursor(data, 5)
    version = cursor.number()
    if version > VERSION:
        raise ValueError(f"version {version}")
    arguments = tuple(cursor.string() for _ in range(cursor.number()))
    symbolic = (cursor.number(), cursor.number()) if version >= 2 else (0, 0)
    objects = tuple((cursor.string(), cursor.string()) for _ in range(cursor.number()))
    cursor.expect_end()
    return KTest(arguments, objects, *symbolic)


def read_ktest(path: Path) -> KTest:
    """Read a file, or UserError that says why not."""
    try:
        return decode_ktest(path.read_bytes())
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError as error:
        raise UserError(f"{path} is not a .ktest file Clew can read: {error}") from error


def _number(value: int) -> bytes:
    return struct.pack(">I", value)


def _string(data: bytes) -> bytes:
    return _number(len(data)) + data


class _Cursor:
    """Reads forward through bytes; a file that is shorter or longer than it says is a ValueError."""

    def __init__(self, data: bytes, position: int) -> None:
        self._data = data
        self._position = position

    def number(self) -> int:
        return int.from_bytes(self._take(4), "big")

    def string(self) -> bytes:
        return self._take(self.number())

    def expect_end(self) -> None:
        if self._position != len(self._data):
            raise ValueError(f"{len(self._data) - self._position} bytes too many")

    def _take(self, count: int) -> bytes:
        end = self._position + count
        if end > len(self._data):
            raise ValueError("the file ends too early")
        piece = self._data[self._position : end]
        self._position = end
        return piece
