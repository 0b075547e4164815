"""Positions in the user's source."""

from __future__ import annotations

from clew.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Location:
    """A position in a source file. ``line`` and ``column`` are 1-based; 0 means not known."""

    file: str
    line: int
    column: int = 0
    function: str = ""
    """The C function the position belongs to (for inlined code: the inlined one)."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def source_order(location: Location | None) -> tuple[str, int, int]:
    """The key that sorts by file, line and column; what has no location comes first."""
    return (location.file, location.line, location.column) if location else ("", 0, 0)
