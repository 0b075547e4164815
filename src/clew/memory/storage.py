"""Buffers that hold an object's bytes, and the codes of its shadow.

Small buffers are ``bytearray``. Large ones are anonymous private mappings: the system hands out their
zero pages only when they are touched, and a copy skips what is still zero, so a large array that a
program hardly uses costs hardly anything. Both kinds are indexed, sliced and packed into alike.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from struct import Struct
from typing import Final

Buffer = bytearray | mmap.mmap

# What one byte of an object is. UNSET is zero, so that the shadow of a large, fresh object is untouched zero pages.
UNSET: Final = 0
"""Never written."""
PLAIN: Final = 1
"""Its value is in ``data``."""
WORD: Final = 2
"""The first byte of a symbolic word."""
REST: Final = 3
"""A later byte of a symbolic word."""
ARRAY: Final = 4
"""Its value is in the object's SMT array alone."""

UNSET_BYTE: Final = b"\0"
PLAIN_BYTE: Final = b"\1"
WORD_BYTE: Final = b"\2"
ARRAY_BYTE: Final = b"\4"

PACK: Final[dict[int, Callable[..., None]]] = {
    n: Struct(f"<{c}").pack_into for n, c in zip((1, 2, 4, 8), "BHIQ", strict=True)
}
UNPACK: Final[dict[int, Callable[..., tuple[int, ...]]]] = {
    n: Struct(f"<{c}").unpack_from for n, c in zip((1, 2, 4, 8), "BHIQ", strict=True)
}
PACK_FLOAT: Final[dict[int, Callable[..., None]]] = {4: Struct("<f").pack_into, 8: Struct("<d").pack_into}
UNPACK_FLOAT: Final[dict[int, Callable[..., tuple[float, ...]]]] = {
    4: Struct("<f").unpack_from,
    8: Struct("<d").unpack_from,
}
ALL_PLAIN: Final = {n: int.from_bytes(PLAIN_BYTE * n, "little") for n in (1, 2, 4, 8)}
"""``n`` shadow bytes PLAIN, read as one integer."""
ONE_WORD: Final = {n: int.from_bytes(bytes([WORD] + [REST] * (n - 1)), "little") for n in (1, 2, 4, 8)}
"""``n`` shadow bytes of one word's beginning, read as one integer."""

MAPPED_FROM: Final = 256 * 1024
"""Bytes from which on a buffer is a mapping."""
_CHUNK: Final = 64 * 1024
_ZERO_CHUNK: Final = bytes(_CHUNK)


def zeros(size: int) -> Buffer:
    """A buffer of ``size`` zero bytes."""
    if size < MAPPED_FROM:
        return bytearray(size)
    try:
        return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(str(error)) from None


def duplicate(buffer: Buffer) -> Buffer:
    """A copy that leaves zero pages untouched."""
    if type(buffer) is bytearray:
        return buffer[:]
    size = len(buffer)
    result = zeros(size)
    for start in range(0, size, _CHUNK):
        chunk = buffer[start : start + _CHUNK]
        if chunk != _ZERO_CHUNK:
            result[start : start + len(chunk)] = bytes(chunk)
    return result


def filled(size: int, byte: bytes) -> Buffer:
    """A buffer of ``size`` times ``byte``."""
    if size < MAPPED_FROM:
        return bytearray(byte) * size
    result = zeros(size)
    for start in range(0, size, _CHUNK):
        length = min(_CHUNK, size - start)
        result[start : start + length] = byte * length
    return result


def from_bytes(content: bytes, size: int) -> Buffer:
    """A buffer that starts with ``content`` and goes on with zeros."""
    if size < MAPPED_FROM:
        result: Buffer = bytearray(content)
        return result if len(content) == size else bytearray(content.ljust(size, b"\0"))
    result = zeros(size)
    result[: len(content)] = content
    return result


def unequal(old: bytes, new: bytes) -> Iterator[int]:
    """Where two strings of bytes of the same length differ."""
    step = 64
    for start in range(0, len(new) if old != new else 0, step):
        if old[start : start + step] != new[start : start + step]:
            yield from (at for at in range(start, min(start + step, len(new))) if old[at] != new[at])
