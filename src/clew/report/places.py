"""Places of the source as other tools name them: files relative to the root of the sources, columns in UTF-16.

Clang's columns count bytes. Editors and SARIF count the units of UTF-16, which are characters but for those beyond the
first 65,536, which count twice.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from urllib.parse import quote

from clew.base.location import Location
from clew.report.excerpt import Sources


def here() -> Path:
    """The current folder; the root of the file system where it was removed meanwhile."""
    try:
        return Path.cwd()
    except OSError:
        return Path("/")


def source_root() -> Path:
    """The folder that names of files are told from: the work tree of git around the current folder, or that itself."""
    current = here()
    return next((folder for folder in (current, *current.parents) if (folder / ".git").exists()), current)


def within(name: str, root: Path) -> PurePath | None:
    """The file's name as seen from ``root``; None where it lies elsewhere."""
    try:
        return PurePath(os.path.normpath(here() / name)).relative_to(root)
    except ValueError:
        return None


def uri_of(path: PurePath) -> str:
    """A name for a URI; an absolute one is a whole URI."""
    text = quote(os.fsencode(path.as_posix()))
    return f"file://{text}" if path.is_absolute() else text


def utf16_length(text: bytes) -> int:
    """The units of UTF-16 that bytes of a source file are."""
    return len(text.decode("utf-8", "replace").encode("utf-16-le")) // 2


def utf16_column(location: Location, sources: Sources) -> int:
    """The column, counted from 1; 0 where it is not known. Where the line cannot be read, it is the one in bytes."""
    line = sources.raw_line(location)
    if not location.column or location.column > len(line) + 1:
        return location.column
    return utf16_length(line[: location.column - 1]) + 1
