"""The tables generated code reads and writes memory through: per element type, page -> memoryview.

A page is in a read table only if its object is alive and has nothing but concrete, initialised bytes;
in a write table only if, besides, this address space owns the object. A view covers whole elements, so
an access past the last of them, a symbolic value, or a page not listed all raise, and take the slow way,
which puts the view here if it may.

The dictionaries themselves stay the same for the life of an address space: code may keep them.
"""

from __future__ import annotations

from typing import Any, Final

from clew.memory.object import MemoryObject
from clew.memory.pages import PageMap

Table = dict[int, Any]
"""Page number -> ``memoryview`` cast to the table's element type."""

_FORMATS: Final = (("B", 1), ("H", 2), ("I", 4), ("Q", 8), ("f", 4), ("d", 8))
_WRITES: Final = len(_FORMATS)
# Index of the table of each access width, in PageViews.tables.
READ_BITS: Final = {1: 0, 2: 1, 4: 2, 8: 3}
READ_FLOAT: Final = {4: 4, 8: 5}
WRITE_BITS: Final = {n: index + _WRITES for n, index in READ_BITS.items()}
WRITE_FLOAT: Final = {n: index + _WRITES for n, index in READ_FLOAT.items()}


class PageViews(PageMap):
    """Live objects by page, with the fast-path tables."""

    __slots__ = ("r1", "r2", "r4", "r8", "rd", "rf", "tables", "w1", "w2", "w4", "w8", "wd", "wf")

    def __init__(self, pointer_bits: int) -> None:
        super().__init__(pointer_bits)
        self._set_tables(tuple([{} for _ in range(2 * _WRITES)]))

    def _set_tables(self, tables: tuple[Table, ...]) -> None:
        self.tables = tables
        self.r1, self.r2, self.r4, self.r8, self.rf, self.rd, *writes = tables
        self.w1, self.w2, self.w4, self.w8, self.wf, self.wd = writes

    def _inherit_views(self, other: PageViews) -> None:
        """Copy the read tables of ``other``; neither side may write in place from now on."""
        r1, r2, r4, r8, rf, rd, *writes = other.tables
        read = (r1.copy(), r2.copy(), r4.copy(), r8.copy(), rf.copy(), rd.copy())
        self._set_tables((*read, {}, {}, {}, {}, {}, {}))
        for table in writes:
            if table:
                table.clear()

    def _add_view(self, index: int, obj: MemoryObject, address: int) -> None:
        """List the page of ``address`` in a table. The object must meet the table's condition."""
        page = address >> self.page_bits
        table = self.tables[index]
        start = (page << self.page_bits) - obj.base
        if page in table or start < 0:  # code takes objects for to begin where their pages do
            return
        code, width = _FORMATS[index % _WRITES]
        stop = min(obj.size, start + self.page_mask + 1)
        stop -= (stop - start) % width
        view = memoryview(obj.data)
        if start or stop != obj.size:
            view = view[start:stop]
        table[page] = view.cast(code)  # type: ignore[call-overload]
        obj.viewed |= 1 << index

    def _drop_views(self, obj: MemoryObject) -> None:
        """Take the object out of all tables."""
        mask = obj.viewed
        one_page = not obj.size >> self.page_bits
        page = obj.base >> self.page_bits
        while mask:
            lowest = mask & -mask
            mask ^= lowest
            table = self.tables[lowest.bit_length() - 1]
            if one_page:
                table.pop(page, None)
            else:
                for number in self.pages_of(obj):
                    table.pop(number, None)
