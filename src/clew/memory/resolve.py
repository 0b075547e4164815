"""Which objects a symbolic pointer may point into.

No solver here: a filter by interval and known bits, and the constraint that a pointer is inside a given
object. The caller asks the solver which candidates are feasible.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from clew.expr.build import sub, ule
from clew.expr.node import Bool, Expr
from clew.expr.op import CONST
from clew.expr.ranges import interval, known_bits
from clew.memory.object import MemoryObject
from clew.memory.pages import PageMap

DEFAULT_LIMIT: Final = 256
_WALK: Final = 512
"""How many nodes of an address are searched for the addresses of objects."""


class Candidates(NamedTuple):
    """Objects a pointer may point into, the likeliest first. ``complete`` is false if the list was cut."""

    objects: list[MemoryObject]
    complete: bool


def candidates(space: PageMap, address: Expr, nbytes: int, limit: int = DEFAULT_LIMIT) -> Candidates:
    """Live data objects that have room for ``nbytes`` bytes where the address may be."""
    low, high = interval(address)
    zeros, ones = known_bits(address)
    # Objects whose address occurs in the expression come first: a pointer is a base and an offset.
    found = {obj.base: obj for obj in named(space, address) if _fits(obj, nbytes, low, high, zeros, ones)}
    first, last = low >> space.page_bits, high >> space.page_bits
    if last - first < len(space.pages):
        pool = (space.pages[page] for page in range(first, last + 1) if page in space.pages)
    else:
        pool = (obj for obj in space.objects())
    for obj in pool:
        if obj.base not in found and _fits(obj, nbytes, low, high, zeros, ones):
            if len(found) >= limit:
                return Candidates(list(found.values()), False)
            found[obj.base] = obj
    return Candidates(list(found.values()), True)


def in_bounds(obj: MemoryObject, address: Expr, nbytes: int, pointer_bits: int) -> Bool:
    """The condition that ``nbytes`` bytes at ``address`` lie in the object."""
    if nbytes > obj.size:
        return False
    return ule(sub(address, obj.base, pointer_bits), obj.size - nbytes, pointer_bits)


def named(space: PageMap, address: Expr) -> list[MemoryObject]:
    """Live objects whose address is a constant inside the expression, in the order met."""
    found = [space.pages.get(value >> space.page_bits) for value in constants(space, address)]
    return list({obj.base: obj for obj in found if obj is not None}.values())


def dangling(space: PageMap, address: Expr) -> list[int]:
    """Pages of dead objects whose address is a constant inside the expression."""
    pages: dict[int, None] = {}
    for value in constants(space, address):
        page = value >> space.page_bits
        if page not in space.pages and (space.was_used(value) or space.freed(value) is not None):
            pages[page] = None
    return list(pages)


def constants(space: PageMap, address: Expr) -> list[int]:
    """Numbers inside the expression that may be addresses, in the order met."""
    result: list[int] = []
    seen = {address}
    queue = [address]
    for node in queue:
        if node.op is CONST and node.width == space.pointer_bits and isinstance(node.value, int):
            result.append(node.value)
        for arg in node.args:
            if arg not in seen and len(seen) < _WALK:
                seen.add(arg)
                queue.append(arg)
    return result


def _fits(obj: MemoryObject, nbytes: int, low: int, high: int, zeros: int, ones: int) -> bool:
    first, last = obj.base, obj.base + obj.size - nbytes
    if last < first or last < low or first > high or obj.kind == "function":
        return False
    # The bits in which all addresses of the object agree must not contradict the known ones.
    varying = (first ^ last).bit_length()
    fixed = first >> varying
    return not (fixed & (zeros >> varying)) and not (~fixed & (ones >> varying))
