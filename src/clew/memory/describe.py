"""Addresses in words, for reports: which object a pointer points into, past, or before."""

from __future__ import annotations

from clew.memory.errors import AccessError, Violation
from clew.memory.object import MemoryObject
from clew.memory.pages import ENDED, Freed, PageMap


def describe(space: PageMap, address: int) -> str:
    """``4 bytes past the end of heap object 'buf' of 16 bytes``, and the like."""
    if space.is_null(address):
        return "the null pointer" if address == 0 else f"offset {address} from the null pointer"
    found = space.find(address)
    if found is not None and found[1] < found[0].size:
        return f"{_inside(found[1])} {_name(found[0])}"
    freed = space.freed(address)
    if freed is not None and found is None:
        return f"{_inside(address - freed.base)} {_name(freed, 'freed ')}"
    near = nearest(space, address)
    if near is None:
        return f"address {address:#x}, which is in no object"
    if address < near.base:
        return f"{count(near.base - address)} before the start of {_name(near)}"
    beyond = address - near.end
    return f"{count(beyond)} past the end of {_name(near)}" if beyond else f"the end of {_name(near)}"


def fault(space: PageMap, address: int, nbytes: int, write: bool) -> AccessError:
    """The error of an access that is not inside a live object, or writes to a constant one."""
    kind, obj = _classify(space, address, nbytes)
    what = f"{'write' if write else 'read'} of {count(nbytes)} at {describe(space, address)}"
    if kind == "write-to-constant":
        what += ", which is constant"
    if kind == "use-after-free" and space.freed(address) is None:
        what = f"{'write' if write else 'read'} of {count(nbytes)} at address {address:#x}, whose object is gone"
    return AccessError(kind, what, obj)


def free_fault(space: PageMap, address: int) -> AccessError:
    """The error of freeing what is not the start of a live object."""
    known = space.find(address)
    if known is None and (space.freed(address) is not None or space.was_used(address)):
        return AccessError("double-free", f"free of {describe(space, address)}", None)
    obj = None if known is None else known[0]
    return AccessError("invalid-free", f"free of {describe(space, address)}", obj)


def nearest(space: PageMap, address: int) -> MemoryObject | None:
    """The live object whose edge is closest. Looks at all of them: for reports only."""

    def distance(obj: MemoryObject) -> int:
        return obj.base - address if address < obj.base else address - obj.end

    best = min(space.objects(), key=distance, default=None)
    # On 64-bit targets objects are 4 GiB apart: half of that away is a wild pointer, not a near miss.
    return best if best is not None and distance(best) < 1 << 31 else None


def _classify(space: PageMap, address: int, nbytes: int) -> tuple[Violation, MemoryObject | None]:
    if space.is_null(address):
        return "null-dereference", None
    found = space.find(address)
    if found is not None and found[1] + nbytes <= found[0].size:
        return "write-to-constant", found[0]
    if found is None and (space.freed(address) is not None or space.was_used(address)):
        return "use-after-free", None
    return "out-of-bounds", nearest(space, address)


def sized(obj: MemoryObject, size: int) -> str:
    """An object whose size depends on the input, with the one it has now."""
    return f"{obj.kind} object{f' {obj.name!r}' if obj.name else ''} of {count(size)}"


def count(number: int) -> str:
    """``1 byte``, ``2 bytes``."""
    return f"{number} byte" if number == 1 else f"{number} bytes"


def _name(obj: MemoryObject | Freed, state: str = "") -> str:
    label = f" {obj.name!r}" if obj.name else ""
    if state and obj.kind == "stack":
        return f"local variable{label} of {count(obj.size)}, whose function has returned"
    if obj.kind == ENDED:
        return f"local variable{label} of {count(obj.size)}, whose block has ended"
    return f"{state}{obj.kind} object{label} of {count(obj.size)}"


def _inside(offset: int) -> str:
    return f"byte {offset} of" if offset else "the start of"
