"""Which object lives where: the map from page numbers to objects, and the supply of addresses.

On 64-bit targets a page is 2**32 bytes and every object has one to itself; the next object is 64 pages on, so
that no 32-bit index into an array of elements up to 32 bytes leads from one to the other. On 32-bit targets a page
is 4096 bytes; an object takes as many as it needs and leaves one unmapped after it. Page 0 is never used,
so that null and what lies near it is no object. One-past-the-end of an object is always still on one of
its own pages.

Addresses go up and are not used again before the supply runs out (on 32-bit targets it may), so that a
dangling pointer is told from a valid one for as long as possible. They depend only on the sequence of
allocations of the path, never on other paths: a replayed prefix gives the same addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from clew.base.errors import Unsupported
from clew.memory.errors import AllocationTooLarge
from clew.memory.object import MemoryObject

_GENERATION: Final = 1024
"""How many freed objects are remembered at least; twice as many at most."""
_STRIDE: Final = 64
"""Pages from one object to the next on 64-bit targets."""
_ELSEWHERE: Final = 0x3C5
"""Objects for which addresses are left out where memory is to lie elsewhere."""
ENDED: Final = "ended"
"""The kind of a freed object that was a local variable, and ended with its block."""
_BESIDE: Final = 64
"""Bytes; there, on 64-bit targets, objects begin multiples of these behind the start of their pages."""


class Freed(NamedTuple):
    """What is remembered about an object that is no more."""

    base: int
    size: int
    kind: str
    name: str
    site: object


# A persistent list of freed objects, newest first: the fields of ``Freed``, then the rest of the list.
# Plain tuples, because functions free their locals all the time and hardly anybody ever looks.
Grave = tuple[int, int, str, str, object, "Grave | None"]


class PageMap:
    """Live objects by page. ``page_bits`` and ``page_mask`` are what generated code splits addresses with."""

    __slots__ = (
        "_buried",
        "_elsewhere",
        "_ended",
        "_graves",
        "_guard",
        "_last_page",
        "_next_page",
        "_older_graves",
        "_stride",
        "_wrapped",
        "page_bits",
        "page_mask",
        "pages",
        "pointer_bits",
    )

    def __init__(self, pointer_bits: int) -> None:
        if pointer_bits not in (32, 64):
            raise Unsupported(f"pointers of {pointer_bits} bits")
        self.pointer_bits = pointer_bits
        self.page_bits = 32 if pointer_bits == 64 else 12
        self.page_mask = (1 << self.page_bits) - 1
        self.pages: dict[int, MemoryObject] = {}
        self._guard = 0 if pointer_bits == 64 else 1
        self._stride = 1 if self._guard else _STRIDE
        self._next_page = 1 + self._guard  # a guard before the first object, too
        # The last page stays free, so that no address computed inside an object wraps around.
        self._last_page = (1 << (pointer_bits - self.page_bits)) - 1
        self._wrapped = False
        self._elsewhere = False
        self._buried = 0
        self._graves: Grave | None = None
        self._older_graves: Grave | None = None
        self._ended: dict[int, MemoryObject] = {}
        """Local variables whose block is not run at present, by page: their addresses wait for them."""

    def _inherit(self, other: PageMap) -> None:
        """Become a copy of ``other``, sharing its objects."""
        self.pointer_bits = other.pointer_bits
        self.page_bits = other.page_bits
        self.page_mask = other.page_mask
        self.pages = other.pages.copy()
        self._guard = other._guard
        self._stride = other._stride
        self._next_page = other._next_page
        self._last_page = other._last_page
        self._wrapped = other._wrapped
        self._elsewhere = other._elsewhere
        self._buried = other._buried
        self._graves = other._graves
        self._older_graves = other._older_graves
        self._ended = other._ended.copy()

    # -- looking up ---------------------------------------------------------------------------

    def find(self, address: int) -> tuple[MemoryObject, int] | None:
        """The live object on whose pages ``address`` lies, and the offset in it, which may be past its end."""
        obj = self.pages.get(address >> self.page_bits)
        return None if obj is None else (obj, address - obj.base)

    def objects(self) -> Iterator[MemoryObject]:
        """Live objects, each once."""
        bits = self.page_bits
        return (obj for page, obj in self.pages.items() if obj.base >> bits == page)

    def freed(self, address: int) -> Freed | None:
        """The object freed last of those ``address`` points into (or just past). Walks the list: for reports."""
        for grave in (self._graves, self._older_graves):
            while grave is not None:
                if grave[0] <= address <= grave[0] + grave[1]:
                    return Freed(*grave[:5])
                grave = grave[5]
        return None

    def is_null(self, address: int) -> bool:
        """Whether this is null, or an offset from it (rather than one before the first object)."""
        return address < self.null_end

    @property
    def null_end(self) -> int:
        """Addresses below this one are null, or offsets from it."""
        return 1 << (self.page_bits - 1 + self._guard)

    def was_used(self, address: int) -> bool:
        """Whether an object once had this page (exact until the supply of addresses wraps around)."""
        page = address >> self.page_bits
        return 0 < page < self._next_page and not self._guard and page % self._stride == 1

    # -- mapping ------------------------------------------------------------------------------

    def pages_of(self, obj: MemoryObject) -> range:
        """Numbers of the pages an object is on."""
        first = obj.base >> self.page_bits
        return range(first, first + (obj.size >> self.page_bits) + 1)

    def _map(self, obj: MemoryObject) -> None:
        if obj.size > self.page_mask:
            self.pages.update(dict.fromkeys(self.pages_of(obj), obj))
        else:
            self.pages[obj.base >> self.page_bits] = obj

    def _unmap(self, obj: MemoryObject, kind: str = "") -> None:
        if obj.size > self.page_mask:
            for page in self.pages_of(obj):
                del self.pages[page]
        else:
            del self.pages[obj.base >> self.page_bits]
        self._buried += 1
        if self._buried > _GENERATION:
            self._older_graves, self._graves, self._buried = self._graves, None, 1
        self._graves = (obj.base, obj.size, kind or obj.kind, obj.name, obj.site, self._graves)

    def _suspend(self, obj: MemoryObject) -> None:
        """Unmap a local variable whose block has ended; nothing else gets its pages."""
        self._ended.update(dict.fromkeys(self.pages_of(obj), obj))
        self._unmap(obj, ENDED)

    def _suspended(self, address: int) -> MemoryObject | None:
        """The local variable at an address whose block had ended, if any; its pages are free now."""
        obj = self._ended.get(address >> self.page_bits)
        if obj is not None:
            for page in self.pages_of(obj):
                del self._ended[page]
        return obj

    # -- the supply of addresses --------------------------------------------------------------

    def _reserve(self, size: int, align: int) -> int:
        """An address for an object of ``size`` bytes."""
        page = self._next_page
        if align > self.page_mask:
            page = self._aligned(page, align)
        span = (size >> self.page_bits) + 1 + self._guard
        if self._wrapped or page + span > self._last_page:
            page = self._search(size, align)
        self._next_page = page + max(span, self._stride)
        return (page << self.page_bits) + (self._beside(page) if self._elsewhere and align <= _BESIDE else 0)

    def _beside(self, page: int) -> int:
        """How far behind the start of its page an object lies where memory is to lie elsewhere: not all equally far."""
        return (page // self._stride * 37 + 11) % 64 * _BESIDE

    def move_on(self) -> None:
        """Give out other addresses from now on than would be given out otherwise, with other distances."""
        self._next_page += _ELSEWHERE * self._stride
        self._elsewhere = not self._guard

    def _aligned(self, page: int, align: int) -> int:
        unit = max(1, align >> self.page_bits)
        return -(-page // unit) * unit

    def _search(self, size: int, align: int) -> int:
        """Next fit: the first hole from where the last allocation ended, around the end once."""
        self._wrapped = True
        span = (size >> self.page_bits) + 1
        for start, stop in ((self._next_page, self._last_page), (1, self._next_page + span)):
            page = self._aligned(start, align)
            while page + span + self._guard <= min(stop, self._last_page):
                taken = self._last_taken(page - self._guard, page + span + self._guard)
                if taken < 0:
                    return page
                page = self._aligned(taken + 1 + self._guard, align)
        raise AllocationTooLarge(f"no room for an object of {size} bytes among {self.pointer_bits}-bit addresses")

    def _last_taken(self, first: int, stop: int) -> int:
        for page in range(stop - 1, first - 1, -1):
            if page in self.pages or page in self._ended:
                return page
        return -1
