"""From what a path has read to what a test tells: addresses become objects, variables, functions."""

from __future__ import annotations

from collections.abc import Sequence

from clew.execute.heap.surroundings import Surroundings
from clew.execute.inputs import InputKind, InputRead
from clew.expr.evaluate import Model
from clew.report.values import HeapByte, InputValue, Pointee


class Telling:
    """Names for the addresses of one path.

    A pointer that is neither null nor bound points to memory that nobody looked at: that gets an object, too.
    """

    def __init__(self, around: Surroundings, reads: Sequence[InputRead]) -> None:
        self._around = around
        self._objects = [
            (read.heap.base, int(read.values[0]), read.heap.at.object)
            for read in reads
            if read.kind is InputKind.MEMORY and read.heap is not None and read.heap.at is not None
        ]
        self._unseen: dict[int, tuple[int, int, int]] = {}
        """By page: the lowest address that a pointer has there, the end of what it may point to, and a number."""
        self._numbers = max((number for _, _, number in self._objects), default=-1) + 1

    def look(self, read: InputRead, model: Model) -> None:
        """Get to know where a pointer points."""
        if read.heap is None or read.heap.target is None:
            return
        address, region = int(model.eval(read.values[0])), self._around.region
        if region.low <= address < region.functions and self._object(address) is None:
            page = region.page(address)
            low, high, number = self._unseen.get(page, (address, address, self._numbers))
            self._numbers = max(self._numbers, number + 1)
            self._unseen[page] = (min(low, address), max(high, address + read.heap.target), number)

    def callback(self, address: int) -> int:
        """The number of a function outside."""
        return self._around.region.function_number(address)

    def pointee(self, address: int) -> Pointee:
        """What a pointer points to."""
        around, region = self._around, self._around.region
        if address == 0:
            return Pointee("null")
        if region.functions <= address < region.high:
            return Pointee("callback", region.function_number(address))
        known = around.variable_at(address)
        if known is not None:  # whether or not a callback has come to know it, too
            return Pointee("global", known.name, address - known.base)
        found = self._object(address)
        if found is not None:
            return Pointee("object", *found)
        if region.low <= address < region.functions:
            low, _, number = self._unseen[region.page(address)]
            return Pointee("object", number, address - low)
        name = around.function_at(address)
        if name is not None:
            return Pointee("function", name)
        return Pointee("number", address)

    def _object(self, address: int) -> tuple[int, int] | None:
        page = self._around.region.page(address)
        for base, size, number in self._objects:
            if base <= address <= base + size or self._around.region.page(base) == page:
                return number, address - base
        return None

    def unseen(self) -> list[InputValue]:
        """Objects that no read has made."""
        return [
            InputValue("memory", "unsigned char", 64, high - low, "memory", at=HeapByte(number))
            for low, high, number in self._unseen.values()
        ]
