"""stdio.h: streams whose file is memory, ``fmemopen`` and ``open_memstream``.

Both are files of the path under names that no program can use. The buffer of ``fmemopen`` is read when it is opened,
and written as the stream is; the object of ``open_memstream`` is made anew each time the stream has been written.
"""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import ANYTHING
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.models import files, mirrors, streams
from clew.models.errno import EINVAL, set_errno
from clew.models.mirrors import Mirror
from clew.models.streams import Contents, Descriptor


def _open(call: Invocation, contents: Contents, mirror: Mirror | None, how: str) -> int:
    number = files.next_descriptor(call)
    name = f"memory stream {number}"
    streams.keep_contents(call, name, contents)
    both, letter = "+" in how, how[:1]
    position = contents.length if letter == "a" else 0
    opened = Descriptor(name, both or letter == "r", both or letter != "r", letter == "a", position)
    streams.keep_descriptor(call, number, opened)
    if mirror is not None and opened.writable:
        call.remember(mirrors.label(name), mirror)
    return files.stream_on(call, number, name)


@model("fmemopen", effect=ANYTHING)
def fmemopen(call: Invocation, buffer: Any, size: Any, mode: Any) -> int:
    """For appending, what is there ends at the first NUL; for writing, it is empty."""
    where, room, how = call.pointer(buffer), call.pointer(size), files.path_of(call, mode)
    if how[:1] not in ("r", "w", "a"):
        set_errno(call, EINVAL)
        return 0
    data = call.read_bytes(where, room) if where and room and how[0] != "w" else []
    if how[:1] == "a":
        data = data[: _first_zero(call, data)]
    elif how[:1] == "w" and where and room:
        call.store(where, 0, 1)
    mirror = Mirror(where, room) if where else None
    return _open(call, Contents(tuple(data), len(data)), mirror, how)


def _first_zero(call: Invocation, data: list[Any]) -> int:
    for place, byte in enumerate(data):
        if call.concrete(byte, 8) == 0:
            return place
    return len(data)


@model("open_memstream", effect=ANYTHING)
def open_memstream(call: Invocation, address_place: Any, size_place: Any) -> int:
    places = call.pointer(address_place), call.pointer(size_place)
    word = call.pointer_bits // 8
    for place in places:
        call.store(place, 0, word)
    stream = _open(call, Contents(), Mirror(places=places), "w")
    mirrors.flush(call, f"memory stream {streams.stream_at(call, stream)[1].descriptor}")
    return stream
