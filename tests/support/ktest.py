"""Reads the ``.ktest`` files that Clew writes, strictly: what is missing or too much is an error."""

from __future__ import annotations

from dataclasses import dataclass

from clew.report.ktest import MAGIC, VERSION


@dataclass(frozen=True, slots=True)
class KTest:
    """The content of a ``.ktest`` file."""

    arguments: tuple[bytes, ...]
    objects: tuple[tuple[bytes, bytes], ...]
    """Pairs of name and content."""
    symbolic_arguments: int = 0
    symbolic_argument_length: int = 0


def decode_ktest(data: bytes) -> KTest:
    """Parse a file's bytes; ValueError when they are not a ``.ktest`` file."""
    if data[:5] != MAGIC:
        raise ValueError("no KTEST magic")
    cursor = _Cursor(data, 5)
    version = cursor.number()
    if version != VERSION:
        raise ValueError(f"version {version}")
    arguments = tuple(cursor.string() for _ in range(cursor.number()))
    symbolic = (cursor.number(), cursor.number())
    objects = tuple((cursor.string(), cursor.string()) for _ in range(cursor.number()))
    cursor.expect_end()
    return KTest(arguments, objects, *symbolic)


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
