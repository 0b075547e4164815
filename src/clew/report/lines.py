"""Lines of a report for people, and what they are made with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Line = tuple[str, str]
"""Text and its style (a style of rich's, "" for none)."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 path``, ``1,234 paths``."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def some(names: Sequence[str], most: int | None) -> str:
    """``a, b and 3 more``: so many of the names, and how many others there are; all if that is None."""
    shown = ", ".join(names[:most])
    return shown if most is None or len(names) <= most else f"{shown} and {len(names) - most} more"


def cut(lines: Sequence[Line], most: int | None, margin: str, where: str, style: str = "") -> Iterator[Line]:
    """The first ``most`` lines, and one that counts the others; all if that is None. One more line has room there.

    That line begins with ``margin``, and ``where`` says where the others can be read.
    """
    if most is None or len(lines) <= most + 1:
        yield from lines
    else:
        yield from lines[:most]
        yield f"{margin}... and {len(lines) - most:,} more{where}", style
