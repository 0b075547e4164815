"""The files of a project while people work on them: which have changed since they were looked at last."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from clew.frontend.builds.database import NAME as DATABASE

SUFFIXES = frozenset((".c", ".h", ".inc", ".ll", ".bc"))
_Stamp = tuple[int, int]
"""Time and size of a file."""


class Watched:
    """Sources and headers of what a user names: files, with all that lies beside them, and folders with all in them."""

    def __init__(self, named: Iterable[Path], build: Path | None = None) -> None:
        self._folders = [path for path in named if path.is_dir()]
        self._beside = sorted({path.parent for path in named if not path.is_dir()})
        self._build = build
        self._known = self._look()

    def changed(self) -> list[Path]:
        """The files that have come, gone or changed since this was asked last."""
        before, self._known = self._known, self._look()
        return sorted(path for path in before.keys() | self._known.keys() if before.get(path) != self._known.get(path))

    def _look(self) -> Mapping[Path, _Stamp]:
        found: dict[Path, _Stamp] = {}
        for path in self._files():
            try:
                status = path.stat()
            except OSError:
                continue  # it has just gone
            found[path] = (status.st_mtime_ns, status.st_size)
        return found

    def _files(self) -> Iterator[Path]:
        for folder in self._folders:
            for at, folders, files in os.walk(folder):
                folders[:] = [name for name in folders if not name.startswith(".") and name != "clew-out"]
                yield from (Path(at, name) for name in files if _matters(name))
        for folder in self._beside:
            try:
                yield from (Path(entry) for entry in os.scandir(folder) if _matters(entry.name) and entry.is_file())
            except OSError:
                continue
        if self._build is not None:
            yield self._build if self._build.is_file() else self._build / DATABASE


def _matters(name: str) -> bool:
    return Path(name).suffix in SUFFIXES or name == DATABASE
