"""Landlock: which files a test may read and write, no TCP, no signals or abstract sockets to others."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable

from clew.jobs.native.sandbox.syscalls import syscall

_RULESET, _ADD_RULE, _RESTRICT = 444, 445, 446
_READING = 0b1101
"""Rights to run files, and to read files and folders."""
_WRITING = 0b1_1111_1111_0010
"""Rights to write, remove and make files, version 1."""
_FILE_WRITE, _FILE_READ, _REFER, _TRUNCATE = 1 << 1, 1 << 2, 1 << 13, 1 << 14
_FILE_ONLY = 0b111 | _TRUNCATE
"""Rights that make sense for what is no folder."""
_TCP, _SCOPED = 3, 3
SCOPES_SIGNALS = 6
"""The version from which on signals and abstract sockets end at the test's own processes."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The kernel's version of Landlock; 0 without it."""
    try:
        return syscall(_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(known: int, readable: Iterable[str], writable: Iterable[str]) -> None:
    """From here on, for this process and all that it starts: only what is at or below these places."""
    writing = _WRITING | (_REFER if known >= 2 else 0) | (_TRUNCATE if known >= 3 else 0)
    rules = _Ruleset(_READING | writing, _TCP if known >= 4 else 0, _SCOPED if known >= SCOPES_SIGNALS else 0)
    size = 24 if known >= SCOPES_SIGNALS else 16 if known >= 4 else 8
    ruleset = syscall(_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    for access, places in ((_READING, readable), (_READING | writing, writable)):
        for place in places:
            _permit(ruleset, place, access)
    syscall(_RESTRICT, ruleset, ctypes.c_uint32(0))
    os.close(ruleset)


def _permit(ruleset: int, place: str, access: int) -> None:
    """Nothing where there is no such place."""
    try:
        parent = os.open(place, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(place):  # noqa: PTH112  # a descriptor's name would need /proc
        access &= _FILE_ONLY
    rule = _Beneath(access, parent)
    syscall(_ADD_RULE, ruleset, 1, ctypes.byref(rule), ctypes.c_uint32(0))
    os.close(parent)
