"""What differs between the memories of two states of one path: an earlier and a later one.

Objects that nobody wrote to in between are shared, so this looks at the others only.
"""

from __future__ import annotations

from collections.abc import Mapping

from clew.base.dataclass import dataclass
from clew.expr.node import BV, Expr
from clew.expr.op import SYMBOL
from clew.memory.object import MemoryObject
from clew.memory.space import AddressSpace
from clew.memory.storage import ARRAY, PLAIN, PLAIN_BYTE, UNSET, unequal

USUAL = 4
"""Bytes of a cell that nothing else is known about."""


@dataclass(frozen=True, slots=True)
class Changes:
    """``addresses``: those of bytes with another value. ``problem``: what cannot be told byte by byte, if anything."""

    addresses: tuple[int, ...] = ()
    problem: str = ""


def changes(before: AddressSpace, after: AddressSpace) -> Changes:
    """The bytes whose value differs, in order."""
    if before.extents.keys() != after.extents.keys():
        return Changes(problem="memory is allocated or freed")
    found: list[int] = []
    old, new = before.pages, after.pages
    if len(old) != len(new):
        return Changes(problem="memory is allocated or freed")
    for page, obj in new.items():
        was = old.get(page)
        if was is obj:
            continue
        if was is None or was.base != obj.base or was.size != obj.size or was.kind != obj.kind:
            return Changes(problem="memory is allocated or freed")
        if obj.base >> after.page_bits != page:
            continue
        if not differences(was, obj, found):
            return Changes(problem=f"{_name(obj)} is written at places that depend on the input")
    return Changes(tuple(sorted(found)))


def value_at(space: AddressSpace, address: int, nbytes: int) -> BV | None:
    """The value of some bytes, all of which must have one; nothing is changed by the look."""
    obj = space.pages.get(address >> space.page_bits)
    if obj is None:
        return None
    offset = address - obj.base
    if offset < 0 or offset + nbytes > obj.size:
        return None
    if obj.shadow is not None and UNSET in obj.shadow[offset : offset + nbytes]:
        return None
    return obj.gather(offset, nbytes)


def word_at(space: AddressSpace, address: int) -> int | None:
    """How many bytes the symbolic word has that an address lies in; None where there is none."""
    obj = space.pages.get(address >> space.page_bits)
    if obj is None or obj.shadow is None:
        return None
    word = obj.words.get(address - obj.base)
    return None if word is None else word.width >> 3


def cell_at(address: int, memory: AddressSpace, sizes: Mapping[int, int], free: int = 0) -> tuple[int, int]:
    """The cell that a byte belongs to, address and size; it starts at ``free`` at the earliest.

    ``sizes``: of cells that are known, by address; else symbolic words tell.
    """
    for size in (1, 2, 4, 8):
        start = address - address % size
        if sizes.get(start) == size or word_at(memory, start) == size:
            return start, size
    found = memory.find(address)
    assert found is not None
    first, past = max(found[0].base, free), found[0].end
    size = USUAL
    while size > 1 and (address - address % size < first or address - address % size + size > past):
        size //= 2
    return address - address % size, size


def _name(obj: MemoryObject) -> str:
    return obj.name or f"an object on the {obj.kind}"


def differences(was: MemoryObject, obj: MemoryObject, found: list[int]) -> bool:
    """Add the addresses of bytes that differ; False where bytes are in an array, and so cannot be compared."""
    old_data, new_data = bytes(was.data), bytes(obj.data)
    if was.shadow is None and obj.shadow is None:
        found += [obj.base + offset for offset in unequal(old_data, new_data)]
        return True
    plain = PLAIN_BYTE * obj.size
    old = bytes(was.shadow) if was.shadow is not None else plain
    new = bytes(obj.shadow) if obj.shadow is not None else plain
    if was.array is not obj.array and (ARRAY in old or ARRAY in new):
        return False
    offsets = {*unequal(old, new), *unequal(old_data, new_data)}
    for offset, word in was.words.items() ^ obj.words.items():
        offsets.update(range(offset, offset + (word.width >> 3)))
    for offset in was.words.keys() & obj.words.keys():
        one, other = was.words[offset], obj.words[offset]
        # Words are shared, or not: no byte of a symbol is one of another symbol.
        if one is other or (one.op is other.op is SYMBOL and one.sort is other.sort):
            word_bytes = range(offset, offset + (one.width >> 3))
            offsets.difference_update(word_bytes)
            if one is not other:
                found += range(obj.base + offset, obj.base + word_bytes.stop)
    found += [obj.base + offset for offset in offsets if _differs(was, obj, old[offset], new[offset], offset)]
    return True


def _differs(was: MemoryObject, obj: MemoryObject, old: int, new: int, offset: int) -> bool:
    """Whether a byte does; ``old`` and ``new`` are its codes."""
    if UNSET in (old, new):
        return old != new
    if old == new == PLAIN:
        return was.data[offset] != obj.data[offset]
    one, other = was.gather(offset, 1), obj.gather(offset, 1)
    return one is not other if isinstance(one, Expr) or isinstance(other, Expr) else one != other
