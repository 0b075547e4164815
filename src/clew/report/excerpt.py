"""The lines of source around a place, with a caret under the column.

11 |   if (i <= 8)
12 |     table[i] = 1;
   |     ^
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from clew.base.location import Location

_WIDEST = 110
_LARGEST = 16 << 20
"""Bytes; nobody reads an excerpt of a larger file."""


class Sources:
    """Reads source files once, for the length of one report."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path()
        self._read = lru_cache(maxsize=64)(self._lines)

    def excerpt(self, location: Location | None, before: int = 1) -> list[str]:
        """The line and those ``before`` it, numbered; nothing where the source cannot be read."""
        if location is None or location.line < 1:
            return []
        lines = self._read(location.file)
        if location.line > len(lines):
            return []
        first = max(1, location.line - before)
        width = max(4, len(str(location.line)))
        shown = [
            f"{number:>{width}} | {_fit(_display(lines[number - 1]))}" for number in range(first, location.line + 1)
        ]
        caret = self._caret(lines[location.line - 1], location.column)
        return shown if caret is None else [*shown, f"{'':>{width}} | {' ' * caret}^"]

    def line(self, location: Location | None) -> str:
        """The text of one line, without surrounding blanks; empty where it cannot be read."""
        return self.raw_line(location).decode("utf-8", "replace").strip()

    def text(self, name: str) -> str:
        """A whole file; empty where it cannot be read."""
        return b"\n".join(self._read(name)).decode("utf-8", "replace")

    def raw_line(self, location: Location | None) -> bytes:
        """The bytes of one line, which columns count."""
        lines = self._read(location.file) if location is not None else ()
        if location is None or not 1 <= location.line <= len(lines):
            return b""
        return lines[location.line - 1]

    def _lines(self, name: str) -> tuple[bytes, ...]:
        path = self._folder / name
        try:
            if not path.is_file() or path.stat().st_size > _LARGEST:
                return ()
            return tuple(path.read_bytes().split(b"\n"))
        except (OSError, ValueError):
            return ()

    @staticmethod
    def _caret(line: bytes, column: int) -> int | None:
        """How far right the caret stands: columns count bytes, people see characters and wide tabs."""
        if not 1 <= column <= len(line) + 1:
            return None
        place = len(_display(line[: column - 1]))
        return place if place < _WIDEST else None


def _display(line: bytes) -> str:
    text = line.decode("utf-8", "replace").rstrip("\r\n").expandtabs(4)
    return "".join(char if char.isprintable() else "?" for char in text)


def _fit(text: str) -> str:
    text = text.rstrip()
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."
