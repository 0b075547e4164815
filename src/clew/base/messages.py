"""Messages from a process to the one that supervises it, in a stream of bytes.

A message is a tag of one letter, the length of its content, and the content. What is not whole does not count.
Nothing here needs an import of ours: who waits for messages should be small.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator

_HEADER = struct.Struct("<cI")
_LIMITS = struct.Struct("<dd")

LIMITS, WILL, STANDING = "LWS"
"""Tags: what the sender may spend; what to do if it has to be ended; how things stand. For the last two, the newest one
counts. All other messages are for whoever does what is to be done."""


def frame(tag: str, content: bytes) -> bytes:
    """One message."""
    return _HEADER.pack(tag.encode("ascii"), len(content)) + content


def write_all(descriptor: int, data: bytes) -> None:
    """Write bytes, all of them: a call may write less than it was given."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def limits_frame(seconds: float | None, memory_mb: float | None) -> bytes:
    """The message that tells limits; None for no limit."""
    return frame(LIMITS, _LIMITS.pack(seconds or 0.0, memory_mb or 0.0))


def limits_of(content: bytes) -> tuple[float | None, float | None]:
    """Seconds and megabytes of such a message."""
    seconds, memory_mb = _LIMITS.unpack(content)
    return seconds or None, memory_mb or None


class Frames:
    """The receiving end: bytes go in as they come, messages come out."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[str, bytes]]:
        """The messages that are complete with this, as (tag, content)."""
        self._data += data
        while len(self._data) >= _HEADER.size:
            tag, length = _HEADER.unpack_from(self._data)
            end = _HEADER.size + length
            if len(self._data) < end:
                return
            content = bytes(self._data[_HEADER.size : end])
            del self._data[:end]
            yield tag.decode("ascii"), content
