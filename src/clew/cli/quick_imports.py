"""Clew's own modules, found and read with fewer steps: a command imports four hundred of them.

Python's own way to a module looks at the times of folders, joins and splits paths, and reads files through several
layers, which takes longer than most modules do. Here a folder is listed once, and compiled code is read at one go. It
is the code that Python keeps beside the sources, and it counts under the same condition: the source has the time and
the size that are noted in it. Whatever is not as it usually is (no compiled code, an extension module, no folder) is
left to Python.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from types import CodeType

PACKAGE = "clew"
_HEAD = 16
"""Bytes before the code: a magic number, how to tell whether it holds, the source's time and size."""


def import_quickly() -> None:
    """From now on, in this process."""
    usual = sys.pycache_prefix is None and not sys.flags.optimize and sys.implementation.cache_tag
    if usual and not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())


class Finder:
    """Finds modules of the package; knows nothing of others."""

    def __init__(self) -> None:
        self._listed: dict[str, dict[str, bool]] = {}

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """Where a module is, and who loads it; None if Python is to look for itself."""
        if path is None or len(path) != 1 or not name.startswith(PACKAGE + "."):
            return None
        folder, last = path[0], name.rpartition(".")[2]
        package = self._modules(folder).get(last)
        if package is None:
            return None
        inside = f"{folder}/{last}" if package else folder
        stem = "__init__" if package else last
        source = f"{inside}/{stem}.py"
        cached = f"{inside}/__pycache__/{stem}.{sys.implementation.cache_tag}.pyc"
        spec = ModuleSpec(name, _Loader(name, source, cached), origin=source)
        spec.has_location = True
        spec.cached = cached
        spec.submodule_search_locations = [inside] if package else None
        return spec

    def _modules(self, folder: str) -> dict[str, bool]:
        """The names in a folder that can mean one thing only, and whether that is a package."""
        if folder not in self._listed:
            try:
                names = os.listdir(folder)  # noqa: PTH208
            except OSError:
                names = []
            files = {name[:-3] for name in names if name.endswith(".py")}
            folders = {name for name in names if "." not in name and os.path.isfile(f"{folder}/{name}/__init__.py")}  # noqa: PTH113
            native = {name.partition(".")[0] for name in names if name.endswith(tuple(EXTENSION_SUFFIXES))}
            self._listed[folder] = {name: name in folders for name in (files ^ folders) - native}
        return self._listed[folder]


class _Loader(SourceFileLoader):
    """Python's own, but for a quick look at compiled code."""

    def __init__(self, name: str, source: str, cached: str) -> None:
        super().__init__(name, source)
        self._cached = cached

    def get_code(self, fullname: str) -> CodeType | None:
        try:
            status = os.stat(self.path)  # noqa: PTH116
            data = _content(self._cached)
        except OSError:
            return super().get_code(fullname)
        noted = int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF
        head = MAGIC_NUMBER + bytes(4) + b"".join(number.to_bytes(4, "little") for number in noted)
        if data[:_HEAD] != head:
            return super().get_code(fullname)
        code: CodeType = marshal.loads(memoryview(data)[_HEAD:])
        return code


def _content(path: str) -> bytes:
    handle = os.open(path, os.O_RDONLY)
    try:
        return os.read(handle, os.fstat(handle).st_size)
    finally:
        os.close(handle)
