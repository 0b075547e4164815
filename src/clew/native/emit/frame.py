"""The stack frame of a function: the variables whose addresses are taken, each with room around it.

Where they lie is known, so what the shadow says of a frame is so many words: small frames are entered and left in
place, others by the runtime. Frames begin at multiples of 64, which makes their part of the shadow whole words.
"""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.native import places
from clew.native.emit.prelude import SHADOW
from clew.native.emit.writer import Writer
from clew.program import instructions as ir
from clew.program.layout import DataLayout
from clew.program.values import ConstInt

_REDZONE = 32
_UNIT = 64
_MOST_WORDS = 16
"""Of the shadow of a frame that is entered in place."""
_LARGEST = 1 << 24
"""Bytes of a variable that is part of a frame."""
_TOP, _HIGHEST = (f"ptr inttoptr (i64 {places.SHARED + offset} to ptr)" for offset in (8, 16))


@dataclass(frozen=True, slots=True)
class StackFrame:
    """Where variables lie in a frame: register, offset, size."""

    objects: tuple[tuple[str, int, int], ...]
    size: int
    grows: bool
    """Whether the function puts variables on top of it."""

    def enter(self, w: Writer) -> None:
        """Define ``%frame``, the address of a new frame."""
        words = self._shadow()
        if len(words) > _MOST_WORDS:
            name = w.context.frame(self.size, [(place, size) for _, place, size in self.objects])
            w.line(f"%frame = call i64 @clew_enter(ptr {name})")
            return
        w.line(f"%frame = load i64, {_TOP}, {SHADOW}")
        top = w.define(f"add i64 %frame, {self.size}")
        fits = w.define(f"icmp ult i64 {top}, {places.HEAP - _UNIT}")
        w.line(f"call void @clew.room(i1 {fits})")
        w.line(f"store i64 {top}, {_TOP}, {SHADOW}")
        before = w.define(f"load i64, {_HIGHEST}, {SHADOW}")
        highest = w.define(f"call i64 @llvm.umax.i64(i64 {before}, i64 {top})")
        w.line(f"store i64 {highest}, {_HIGHEST}, {SHADOW}")
        self._write(w, words)

    def leave(self, w: Writer) -> None:
        """The frame is gone, with all that was put on top of it."""
        words = self._shadow()
        if len(words) > _MOST_WORDS or self.grows:
            w.line("call void @clew_leave(i64 %frame)")
            return
        w.line(f"store i64 %frame, {_TOP}, {SHADOW}")
        self._write(w, [0] * len(words))

    def _write(self, w: Writer, words: list[int]) -> None:
        offset = w.define(f"sub i64 %frame, {places.ARENA}")
        granule = w.define(f"lshr i64 {offset}, 3")
        for number, word in enumerate(words):
            where = w.define(f"add i64 {granule}, {places.SHADOW + 8 * number}")
            pointer = w.define(f"inttoptr i64 {where} to ptr")
            w.line(f"store i64 {word}, ptr {pointer}, align 8, {SHADOW}")

    def _shadow(self) -> list[int]:
        """What the shadow says of the frame, in words of 8 bytes."""
        granules = bytearray(self.size // 8)
        for _, place, size in self.objects:
            granules[place // 8 : place // 8 + size // 8] = b"\x08" * (size // 8)
            if size % 8:
                granules[place // 8 + size // 8] = size % 8
        return [int.from_bytes(granules[at : at + 8], "little") for at in range(0, len(granules), 8)]


def frame_of(allocations: list[ir.Alloca], layout: DataLayout) -> StackFrame:
    """A frame for the variables whose size is known; the others are pushed when they are met."""
    objects, position = [], _REDZONE
    for allocation in allocations:
        if not isinstance(allocation.count, ConstInt) or allocation.align > _UNIT or allocation.result is None:
            continue
        size = layout.size(allocation.allocated) * allocation.count.value
        if size > _LARGEST:
            continue
        unit = max(allocation.align, 16)
        position = -(-position // unit) * unit
        objects.append((allocation.result.name, position, size))
        position += size + _REDZONE
    return StackFrame(tuple(objects), -(-position // _UNIT) * _UNIT, len(objects) < len(allocations))
