"""Where a header lies that the compiler does not find: the folder to name with ``-I``."""

from __future__ import annotations

import os
from pathlib import Path, PurePath

_DEEPEST = 3
_MOST = 2_000
"""Folders that are looked into, and how deep."""


def folders_with(header: str, source: Path) -> list[str]:
    """Folders for ``-I`` with which ``#include`` finds a header: below the current folder, else near the source's.

    They are named as seen from the current folder, the nearest first, two at most.
    """
    wanted, beside = PurePath(header), source.absolute()
    if wanted.is_absolute() or ".." in wanted.parts:
        return []
    places = dict.fromkeys([Path.cwd(), beside, *beside.parents[:2]])
    for place in places:
        found = {os.path.relpath(folder) for folder in _below(place) if (folder / wanted).is_file()}
        if found:
            return sorted(found, key=lambda folder: (len(Path(folder).parts), folder))[:2]
    return []


def _below(root: Path) -> list[Path]:
    """A folder and those in it, hidden ones left out."""
    found: list[Path] = []
    for place, folders, _ in os.walk(root):
        here = Path(place)
        found.append(here)
        depth = len(here.relative_to(root).parts)
        folders[:] = [] if depth >= _DEEPEST else sorted(name for name in folders if not name.startswith("."))
        if len(found) >= _MOST:
            break
    return found
