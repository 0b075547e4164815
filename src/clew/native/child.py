"""The process that runs a program natively: it maps memory, loads the library, gives up everything else, and serves.

It is started as a script, isolated from the user's settings, and imports nothing of Clew:

    child.py LIBRARY SHARED-DESCRIPTOR CONSTANTS-START CONSTANTS-END SHARED-SIZE IS-TRACED

Descriptor 0 has the requests, descriptor 1 takes the answers. Exit codes: 3 if memory cannot be where it has to be,
4 if the kernel has nothing to shut the process in with.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

SHARED, SHADOW, ARENA, ARENA_SIZE = 0x0E_0000_0000, 0x0F_0000_0000, 0x10_0000_0000, 0x2800_0000
"""As in ``places``."""
LINES, LINE_BITS, BYTES = 0x0C_0000_0000, 8, 0x20_0000_0000
"""As in ``trace_places``."""
_READ, _WRITE = 1, 2
_MAP_SHARED, _PRIVATE, _FIXED, _ANONYMOUS, _NO_RESERVE, _FIXED_NOREPLACE = 0x01, 0x02, 0x10, 0x20, 0x4000, 0x100000
NO_PLACE, NO_SECCOMP = 3, 4
COPIED, _CHUNK = 0x4_0000, 0x1_0000
"""Bytes of variables that are copied back after each run; of more, pages that were changed are forgotten."""
_DIE_WITH_PARENT = 1

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def _map(address: int | None, size: int, flags: int, descriptor: int = -1) -> int:
    fixed = _FIXED_NOREPLACE if address is not None else 0
    found = _libc.mmap(address, size, _READ | _WRITE, flags | fixed, descriptor, 0)
    if found is None or found == ctypes.c_void_p(-1).value or (address is not None and found != address):
        os._exit(NO_PLACE)
    return int(found)


def _pristine(size: int) -> int | None:
    """Room for a copy of the variables; None if there are many, and their pages are those of a file of their own."""
    if size <= COPIED:
        return _map(None, size, _PRIVATE | _ANONYMOUS)
    file = os.memfd_create("clew-variables")
    os.ftruncate(file, size)
    for at in range(0, size, _CHUNK):
        data = ctypes.string_at(ARENA + at, _CHUNK)
        if data != bytes(_CHUNK):
            os.pwrite(file, data, at)
    if _libc.mmap(ARENA, size, _READ | _WRITE, _PRIVATE | _FIXED, file, 0) != ARENA:
        os._exit(NO_PLACE)
    return None


def _limit() -> None:
    """No files, no processes, no core; the memory that is mapped is all there is."""
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC, resource.RLIMIT_MEMLOCK):
        resource.setrlimit(kind, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (2, 2))


def main(arguments: list[str]) -> None:
    """Serve; never comes back."""
    path, shared, constants_start, constants_end, size, is_traced = arguments[0], *map(int, arguments[1:])
    private = _PRIVATE | _ANONYMOUS | _NO_RESERVE
    _map(SHARED, size, _MAP_SHARED, shared)
    _map(SHADOW, ARENA_SIZE >> 3, private)
    _map(ARENA, ARENA_SIZE, private)
    if is_traced:
        _map(LINES, (ARENA_SIZE >> LINE_BITS) + 4096, private)
        _map(BYTES, 4 * ARENA_SIZE, private)
    ctypes.CDLL("libm.so.6", mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(path, mode=os.RTLD_NOW)
    library.clew_prepare_memory()
    library.clew_keep_pristine(ctypes.c_void_p(_pristine(constants_start - ARENA)))
    if constants_end > constants_start and _libc.mprotect(constants_start, constants_end - constants_start, _READ):
        os._exit(NO_PLACE)
    _libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    os.closerange(2, 4096)
    _limit()
    library.clew_serve()
    os._exit(NO_SECCOMP)


if __name__ == "__main__":
    main(sys.argv[1:])
