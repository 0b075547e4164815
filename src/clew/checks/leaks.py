"""Heap memory that nothing points to any more when the program ends.

Objects are searched for pointers from the roots on: globals, the arguments of the program, whatever
the frames still hold. A word counts as a pointer if it lies in an object, as in any conservative
collector, so what is reported is surely lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clew.expr.node import Expr
from clew.memory.object import MemoryObject
from clew.memory.resolve import named
from clew.memory.space import AddressSpace

_ZEROS = bytes(4096)
"""As much as is looked at at once; a multiple of the size of pointers."""


def lost_objects(memory: AddressSpace, roots: Iterable[Any]) -> list[MemoryObject]:
    """Heap objects that cannot be reached from globals, arguments or the given values."""
    heap = [obj for obj in memory.objects() if obj.kind == "heap"]
    reached: set[int] = set()
    work = [obj for obj in memory.objects() if obj.kind in ("global", "argument", "input", "stack")]
    for value in roots:
        work.extend(pointed_to(memory, value))
    while work:
        obj = work.pop()
        if obj.base in reached:
            continue
        reached.add(obj.base)
        work.extend(_pointers_in(memory, obj))
    return [obj for obj in heap if obj.base not in reached]


def has_heap(memory: AddressSpace) -> bool:
    """Whether anything may be lost: every path ends with this question, and few have allocated something."""
    for obj in memory.pages.values():
        if obj.kind == "heap":
            return True
    return False


def _pointers_in(memory: AddressSpace, obj: MemoryObject) -> list[MemoryObject]:
    """Objects that words of this object point into."""
    size = memory.pointer_bits // 8
    found = []
    data = bytes(obj.data)
    for start in range(0, obj.size, len(_ZEROS)):
        if data.startswith(_ZEROS, start):
            continue  # most of a large object
        for offset in range(start, min(start + len(_ZEROS), obj.size - size + 1), size):
            word = int.from_bytes(data[offset : offset + size], "little")
            if word:
                found.extend(pointed_to(memory, word))
    for symbolic in obj.words.values():
        found.extend(pointed_to(memory, symbolic))
    if obj.array is not None:
        found.extend(named(memory, obj.array))
    return found


def pointed_to(memory: AddressSpace, value: Any) -> list[MemoryObject]:
    """The objects that a value points into, or that an expression names."""
    if isinstance(value, tuple):
        return [obj for part in value for obj in pointed_to(memory, part)]
    if isinstance(value, Expr):
        return named(memory, value)
    if type(value) is int:
        found = memory.find(value)
        return [] if found is None else [found[0]]
    return []
