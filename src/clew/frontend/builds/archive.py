"""Archives of ``ar``: their members, in GNU's and BSD's form; thin ones name files instead of holding them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MAGIC, THIN = b"!<arch>\n", b"!<thin>\n"
_HEADER = 60
_TABLES = (b"/", b"/SYM64/", b"__.SYMDEF", b"__.SYMDEF SORTED")


class ArchiveError(ValueError):
    """An archive that is damaged."""


def members(path: Path, content: memoryview) -> Iterator[tuple[str, int, int]]:
    """The members that an archive holds: name, where it begins, and its size; ``ArchiveError`` if that makes no sense.

    Those of a thin archive have the size 0 and a path for a name.
    """
    thin = content[:8] == THIN
    names, place = b"", len(MAGIC)
    while place + _HEADER <= len(content):
        header = bytes(content[place : place + _HEADER])
        try:
            size = int(header[48:58])
        except ValueError:
            raise ArchiveError("a member has no size") from None
        name, start = header[:16].rstrip(b" "), place + _HEADER
        stored = not thin or name in (*_TABLES, b"//")
        if stored and start + size > len(content):
            raise ArchiveError("it is cut off")
        if name == b"//":
            names = bytes(content[start : start + size])
        elif name not in _TABLES:
            long, skipped = _long_name(name, names, content, start)
            if thin:
                yield str(path.parent / long), start, 0
            elif long not in ("__.SYMDEF", "__.SYMDEF SORTED"):
                yield long, start + skipped, size - skipped
        place = start + (size + size % 2 if stored else 0)


def _long_name(name: bytes, names: bytes, content: memoryview, start: int) -> tuple[str, int]:
    """A name as it is, and how many bytes of the member it takes."""
    if name.startswith(b"#1/") and name[3:].isdigit():
        length = int(name[3:])
        return bytes(content[start : start + length]).rstrip(b"\0").decode(errors="replace"), length
    if name[:1] == b"/" and name[1:].isdigit():
        name = names[int(name[1:]) :].split(b"\n", 1)[0]
    return name.removesuffix(b"/").decode(errors="replace"), 0
