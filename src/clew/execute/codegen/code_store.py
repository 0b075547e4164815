"""The Python code of generated source, kept from run to run.

Python's compiler takes a fifth of a run of half a second, and gives the same code for the same text. What it gave is
kept beside the compiled program, in one cache entry for each program and Python: code by the name that its file has,
which a digest of the text is part of. So it does not matter in which run, or in what order, a text is met again.

Code can do anything, unlike a program: it counts only with the mark of this user on this machine.
"""

from __future__ import annotations

import functools
import importlib.util
import marshal
import sys
from types import CodeType

from clew.base.cache import Cache, digest
from clew.base.user_key import marked, unmarked

LIMIT = 4 << 20
"""Bytes kept for one program, at most; what a run compiles in its first seconds is about half a megabyte."""


class CodeStore:
    """Compiles the generated texts of one program, those of earlier runs by looking them up."""

    def __init__(self, cache: Cache | None, program: str) -> None:
        """``program``: the digest of the program; empty if it has none, and then nothing is kept."""
        self._cache = cache if program else None
        self._key = digest(b"\0".join((importlib.util.MAGIC_NUMBER, sys.version.encode(), program.encode())))
        self._met: dict[str, bytes] = {}
        self._is_new = False

    @functools.cached_property
    def _kept(self) -> dict[str, bytes]:
        """What earlier runs left."""
        data = None if self._cache is None else self._cache.get(self._key)
        own = None if data is None else unmarked(data)
        return {} if own is None else marshal.loads(own)

    def compile(self, text: str, name: str) -> CodeType:
        """The code of a module; ``name``, which is not two units', and a digest of the text are its file's name."""
        filename = f"<clew {name} {digest(text.encode())[:32]}>"
        if self._cache is None:
            return compile(text, filename, "exec")
        known = self._met.get(filename) or self._kept.get(filename)
        if known is None:
            known = marshal.dumps(compile(text, filename, "exec"))
            self._is_new = True
        self._met[filename] = known
        code: CodeType = marshal.loads(known)
        return code

    def keep(self) -> None:
        """Leave what there is to later runs; of what this run did not meet, as much as there is room for."""
        if self._cache is None or not self._is_new:
            return
        self._is_new = False
        chosen: dict[str, bytes] = {}
        room = LIMIT
        for filename, data in {**self._met, **self._kept}.items():
            room -= len(data)
            if room >= 0:
                chosen[filename] = data
        own = marked(marshal.dumps(chosen))
        if own is not None:
            self._cache.put(self._key, own)


@functools.lru_cache(maxsize=4)
def code_store(program: str) -> CodeStore:
    """The one that all machines of a program share, in the user's cache."""
    return CodeStore(Cache.default(), program)
