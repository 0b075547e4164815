"""Memory that shows what is written to a stream: of ``fmemopen`` and ``open_memstream``."""

from __future__ import annotations

from typing import Any

from clew.base.dataclass import dataclass
from clew.execute.invocation import Invocation
from clew.models import streams, texts
from clew.models.texts import LENGTH_BITS, Text


@dataclass(frozen=True, slots=True)
class Mirror:
    """The memory that shows what a file holds: a buffer of fixed size, or where an address and a size are put."""

    buffer: int = 0
    size: int = 0
    places: tuple[int, int] | None = None


def label(file: str) -> str:
    """What the environment of a path calls the mirror of a file."""
    return f"mirror {file}"


def fixed_values(call: Invocation, number: int, pieces: list[Text]) -> list[Any] | None:
    """The bytes of text that is to be written; None if there is no fixed number of them. Forks if memory shows them."""
    if all(piece.fixed for piece in pieces):
        return [value for piece in pieces for value in piece.values()]
    opened = streams.descriptor(call, number)
    if opened is None or call.recall(label(opened.file)) is None:
        return None
    text = texts.join(pieces, call)
    return list(text.values()[: call.concrete(text.length, LENGTH_BITS)])


def flush(call: Invocation, file: str) -> None:
    """Show in memory what a file holds, if some does."""
    mirror = call.recall(label(file))
    if mirror is None:
        return
    data = list(streams.contents(call, file).data)
    if mirror.places is None:
        shown = data[: mirror.size]
        call.write_bytes(mirror.buffer, shown + [0] * (len(shown) < mirror.size))
        return
    word, memory = call.pointer_bits // 8, call.state.memory
    old = call.load(mirror.places[0], word)
    fresh = memory.allocate(len(data) + 1, "heap", "", 16, call.location, b"")
    call.write_bytes(fresh, data)
    call.store(mirror.places[0], fresh, word)
    call.store(mirror.places[1], len(data), word)
    if old:
        memory.free(old)
