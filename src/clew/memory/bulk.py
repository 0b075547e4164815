"""Many bytes at once: regions picked out of one object and put into another, by slices.

A ``Region`` is a copy of a range with its layers, so that ``copy`` with overlapping ranges is simply
pick, then put. Uninitialised bytes travel as such; nobody is asked for their value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clew.expr.node import BV, Expr
from clew.memory.object import MemoryObject, word_starts
from clew.memory.storage import ARRAY_BYTE, PLAIN, PLAIN_BYTE, REST, UNSET, WORD, Buffer


class Region(NamedTuple):
    """A range of bytes. ``codes`` is None if all are plain; ``words`` and ``pieces`` count from its start.

    ``pieces`` are what a word cut by the edge of the range leaves inside: (offset, value, length).
    """

    data: bytes
    codes: bytearray | None = None
    words: dict[int, Expr] | None = None
    pieces: tuple[tuple[int, BV, int], ...] = ()


def pick(obj: MemoryObject, offset: int, end: int) -> Region:
    """A copy of a range."""
    data = bytes(obj.data[offset:end])
    if obj.shadow is None:
        return Region(data)
    if obj.array is not None:
        recall_all(obj, offset, end)
    shadow: Buffer | None = obj.shadow
    if shadow is None:
        return Region(bytes(obj.data[offset:end]))
    codes = bytearray(shadow[offset:end])
    if codes.count(PLAIN) == len(codes):
        return Region(bytes(obj.data[offset:end]))
    pieces = _edges(obj, codes, offset, end)
    for start, _, length in pieces:
        codes[start : start + length] = PLAIN_BYTE * length
    inner = {
        start - offset: obj.words[start] for start in word_starts(obj, offset, end) if codes[start - offset] == WORD
    }
    return Region(bytes(obj.data[offset:end]), codes, inner, pieces)


def _edges(obj: MemoryObject, codes: bytearray, offset: int, end: int) -> tuple[tuple[int, BV, int], ...]:
    pieces = []
    head = 0
    while head < len(codes) and codes[head] == REST:
        head += 1
    if head:
        pieces.append((0, obj.gather(offset, head), head))
    last = codes.rfind(bytes([WORD]))
    if last >= head:
        length = obj.words[offset + last].width >> 3
        if last + length > end - offset:
            length = end - offset - last
            pieces.append((last, obj.gather(offset + last, length), length))
    return tuple(pieces)


def recall_all(obj: MemoryObject, offset: int, end: int) -> None:
    """Give every byte of the range that only the array knows a word of its own."""
    shadow = obj.shadow
    while shadow is not None:
        position = shadow.find(ARRAY_BYTE, offset, end)
        if position < 0:
            return
        obj.recall(position, obj.gather(position, 1), 1)
        offset = position + 1
        shadow = obj.shadow


def put(obj: MemoryObject, offset: int, region: Region) -> None:
    """Overwrite a range. If the region is not all plain, views of the object must be gone."""
    data, codes, words, pieces = region
    length = len(data)
    end = offset + length
    if codes is None:
        obj.data[offset:end] = data
        if obj.shadow is not None:
            if length == obj.size:
                obj.words = {}
                obj.settle()
            else:
                obj.mark_plain(offset, end)
        return
    shadow = obj.shadow
    if shadow is None:
        shadow = obj.leave_plain()
    obj.cut(offset, end)
    obj.data[offset:end] = data
    obj.pending += bytes(shadow[offset:end]).count(PLAIN) - codes.count(PLAIN)
    shadow[offset:end] = bytes(codes)
    if words:
        obj.words.update({start + offset: word for start, word in words.items()})
    if obj.dirty is not None:
        obj.dirty[offset:end] = PLAIN_BYTE * length
    for start, value, size in pieces:
        obj.put(offset + start, value, size)


def from_values(values: Sequence[BV]) -> Region:
    """A region out of single bytes, concrete or symbolic."""
    data = bytes(0 if type(value) is Expr else value for value in values)
    words = {index: value for index, value in enumerate(values) if type(value) is Expr}
    if not words:
        return Region(data)
    codes = bytearray(PLAIN_BYTE * len(data))
    for index in words:
        codes[index] = WORD
    return Region(data, codes, words)


def repeated(value: BV, length: int) -> Region:
    """One byte, many times."""
    if type(value) is Expr:
        return Region(bytes(length), bytearray([WORD]) * length, dict.fromkeys(range(length), value))
    return Region(bytes([value]) * length)


def unset_runs(obj: MemoryObject, offset: int, end: int) -> list[tuple[int, int]]:
    """Maximal ranges of uninitialised bytes, as (start, stop)."""
    shadow = obj.shadow
    runs: list[tuple[int, int]] = []
    if shadow is None:
        return runs
    position = shadow.find(b"\0", offset, end)
    while position >= 0:
        stop = position + 1
        while stop < end and shadow[stop] == UNSET:
            stop += 1
        runs.append((position, stop))
        position = shadow.find(b"\0", stop, end)
    return runs
