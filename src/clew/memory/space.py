"""The memory of one state: objects at flat addresses, copy-on-write between states.

Sits between the executor, which checks pointers and forks, and ``MemoryObject``, which knows layers of
bytes. Loads and stores here are the slow way of generated code (see ``views`` for the fast one), so the
common cases are written out flat.

Invariants: an object is changed in place only while its ``owner`` is this space's token, and constant
objects have no owner; a view is in a table only as ``views`` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from clew.expr.build import fp_from_bits, fp_to_bits
from clew.expr.node import BV, FP, Expr, Value
from clew.expr.sort import F32, F64
from clew.memory import bulk, describe
from clew.memory.errors import AllocationTooLarge
from clew.memory.object import MemoryObject, Owner
from clew.memory.storage import (
    ALL_PLAIN,
    ARRAY,
    MAPPED_FROM,
    PACK,
    PACK_FLOAT,
    UNPACK,
    UNPACK_FLOAT,
    UNSET,
    from_bytes,
    zeros,
)
from clew.memory.views import READ_BITS, READ_FLOAT, WRITE_BITS, WRITE_FLOAT, PageViews
from clew.program.layout import DataLayout

DEFAULT_OBJECT_LIMIT: Final = 1 << 28
"""Bytes of the largest object allocated, unless told otherwise."""


class UninitialisedHook(Protocol):
    """Gives the value of ``nbytes`` uninitialised bytes when they are first read; it is stored there.

    The value is an int or a bit-vector of ``8 * nbytes`` bits. Called for longest runs inside one load.
    """

    def __call__(self, obj: MemoryObject, offset: int, nbytes: int) -> BV: ...


def zero_when_uninitialised(obj: MemoryObject, offset: int, nbytes: int) -> BV:
    """A hook for runs that do not care."""
    return 0


class AddressSpace(PageViews):
    """The memory of one state."""

    __slots__ = ("extents", "object_limit", "on_uninitialised", "token")

    def __init__(
        self,
        layout: DataLayout,
        on_uninitialised: UninitialisedHook = zero_when_uninitialised,
        object_limit: int = DEFAULT_OBJECT_LIMIT,
    ) -> None:
        super().__init__(layout.pointer_bits)
        self.token = Owner()
        self.on_uninitialised = on_uninitialised
        self.object_limit = min(object_limit, 1 << 31)
        self.extents: dict[int, Expr] = {}
        """Sizes of objects whose size is symbolic, by base address; accesses to them are the caller's to check."""

    def fork(self) -> AddressSpace:
        """A second state's memory with the same contents. Neither side owns any object afterwards."""
        twin = AddressSpace.__new__(AddressSpace)
        twin._inherit(self)
        twin._inherit_views(self)
        twin.object_limit = self.object_limit
        twin.on_uninitialised = self.on_uninitialised
        twin.extents = self.extents.copy()
        twin.token = Owner()
        self.token = Owner()
        return twin

    # -- life of objects ----------------------------------------------------------------------

    def allocate(
        self,
        size: int,
        kind: str,
        name: str = "",
        align: int = 16,
        site: object = None,
        initial: bytes | None = None,
        constant: bool = False,
    ) -> int:
        """A new object's address. ``initial`` None: uninitialised; shorter than ``size``: zeros follow."""
        if size > self.object_limit:
            raise AllocationTooLarge(
                f"an object of {size} bytes; the limit for one object is {self.object_limit} bytes"
            )
        base = self._reserve(size, align)
        if initial is None and 0 < size < MAPPED_FROM:
            obj = MemoryObject(base, size, kind, name, site, self.token, bytearray(size), bytearray(size), size)
        elif initial is None and size:
            obj = MemoryObject(base, size, kind, name, site, self.token, zeros(size), zeros(size), size)
        else:
            obj = MemoryObject(base, size, kind, name, site, self.token, from_bytes(initial or b"", size), None, 0)
        if constant:
            obj.constant = True
            obj.owner = None
        if size > self.page_mask:
            self._map(obj)
        else:
            self.pages[base >> self.page_bits] = obj
        return base

    def place(self, base: int, size: int, kind: str, name: str, site: object) -> None:
        """A new object of zeros at an address of the caller's choice, which nothing else has."""
        obj = MemoryObject(base, size, kind, name, site, self.token, from_bytes(b"", size), None, 0)
        self._map(obj)

    def keep_clear(self, address: int) -> None:
        """Never allocate at or above an address."""
        self._last_page = min(self._last_page, address >> self.page_bits)

    def allocate_sized(
        self, size: Expr, capacity: int, kind: str, name: str = "", site: object = None, zeroed: bool = False
    ) -> int:
        """A new object of symbolic size, which the caller has made sure is at most ``capacity``.

        One byte more is there and never initialised, so that no table of views ever lists the object.
        """
        base = self.allocate(capacity + 1, kind, name, 16, site)
        if zeroed:
            self.fill(base, 0, capacity)
        self.extents[base] = size
        return base

    def extent(self, obj: MemoryObject) -> BV:
        """The size of an object: a number, or an expression."""
        return self.extents.get(obj.base, obj.size) if self.extents else obj.size

    def free(self, address: int) -> None:
        """End the life of the object that starts at ``address``."""
        obj = self.pages.get(address >> self.page_bits)
        if obj is None or obj.base != address:
            raise describe.free_fault(self, address)
        if obj.viewed:
            self._drop_views(obj)
        if self.extents:
            self.extents.pop(address, None)
        self._unmap(obj)

    def release_stack(self, addresses: Iterable[int]) -> None:
        """End the life of a returning function's locals."""
        for address in addresses:
            if not self._ended or self._suspended(address) is None:
                self.free(address)

    def end_local(self, address: int) -> None:
        """End the life of a local variable with its block."""
        obj = self.pages.get(address >> self.page_bits)
        if obj is None or obj.base != address or not obj.size or address in self.extents:
            return
        if obj.viewed:
            self._drop_views(obj)
        self._suspend(obj)

    def begin_local(self, address: int) -> None:
        """Let a local variable begin with its block, where it was before if it was: nobody has written to it."""
        obj = self._suspended(address) or self.pages.get(address >> self.page_bits)
        if obj is None or obj.base != address or not obj.size or address in self.extents:
            return
        if obj.viewed:
            self._drop_views(obj)
        size = obj.size
        new = MemoryObject(address, size, obj.kind, obj.name, obj.site, self.token, zeros(size), zeros(size), size)
        new.life = obj.life + 1
        self._map(new)

    def freeze(self, address: int) -> None:
        """Make the object at ``address`` constant."""
        obj = self.pages[address >> self.page_bits]
        obj = obj if obj.owner is self.token else self._own(obj, address, 0)
        self._drop_views(obj)
        obj.constant = True
        obj.owner = None

    def describe(self, address: int) -> str:
        """The address in words, for reports."""
        return describe.describe(self, address)

    def _own(self, obj: MemoryObject, address: int, nbytes: int) -> MemoryObject:
        """A copy of the object that this space may change, in its place."""
        if obj.constant:
            raise describe.fault(self, address, nbytes, True)
        return self._replace(obj)

    def _replace(self, obj: MemoryObject) -> MemoryObject:
        if obj.viewed:
            self._drop_views(obj)
        twin = obj.copy(self.token)
        if obj.constant:
            twin.constant, twin.owner = True, None
        self._map(twin)
        return twin

    def _range(self, address: int, nbytes: int, write: bool) -> tuple[MemoryObject, int]:
        """The object and offset of an access that lies inside of it; ready to be changed if ``write``."""
        obj = self.pages.get(address >> self.page_bits)
        if obj is None or address - obj.base + nbytes > obj.size:
            raise describe.fault(self, address, nbytes, write)
        if write and obj.owner is not self.token:
            obj = self._own(obj, address, nbytes)
        return obj, address - obj.base

    def check(self, address: int, nbytes: int, write: bool) -> None:
        """Raise the ``AccessError`` that an access of ``nbytes`` bytes would; nothing if it is valid."""
        self._range(address, nbytes, write)

    # -- one value ----------------------------------------------------------------------------

    def load_bits(self, address: int, nbytes: int) -> BV:
        """The bytes at ``address`` as one little-endian number."""
        obj = self.pages.get(address >> self.page_bits)
        if obj is None or (offset := address - obj.base) + nbytes > obj.size:
            raise describe.fault(self, address, nbytes, False)
        unpack = UNPACK.get(nbytes)
        shadow = obj.shadow
        if shadow is None:
            if unpack is None:
                return obj.gather(offset, nbytes)
            self._add_view(READ_BITS[nbytes], obj, address)
            return unpack(obj.data, offset)[0]
        word = obj.words.get(offset)
        if word is not None and word.width == nbytes << 3:
            return word if word.mask else fp_to_bits(word, word.sort)
        if unpack is not None and unpack(shadow, offset)[0] == ALL_PLAIN[nbytes]:
            return unpack(obj.data, offset)[0]
        return self._load_mixed(obj, offset, nbytes)

    def load_float(self, address: int, nbytes: int) -> FP:
        """The ``float`` (4 bytes) or ``double`` (8 bytes) at ``address``."""
        obj = self.pages.get(address >> self.page_bits)
        if obj is None or (offset := address - obj.base) + nbytes > obj.size:
            raise describe.fault(self, address, nbytes, False)
        shadow = obj.shadow
        if shadow is None:
            self._add_view(READ_FLOAT[nbytes], obj, address)
            return UNPACK_FLOAT[nbytes](obj.data, offset)[0]
        word = obj.words.get(offset)
        if word is not None and word.width == nbytes << 3 and not word.mask:  # a float has no mask of bits
            return word
        if UNPACK[nbytes](shadow, offset)[0] == ALL_PLAIN[nbytes]:
            return UNPACK_FLOAT[nbytes](obj.data, offset)[0]
        return fp_from_bits(self._load_mixed(obj, offset, nbytes), F32 if nbytes == 4 else F64)

    def _load_mixed(self, obj: MemoryObject, offset: int, nbytes: int) -> BV:
        """A load that meets several layers, or bytes that have no value yet."""
        shadow = obj.shadow
        if shadow is not None:
            codes = shadow[offset : offset + nbytes]
            if UNSET in codes:
                obj = self.materialise(obj, offset, offset + nbytes)
            elif codes.count(ARRAY) == nbytes:
                value = obj.gather(offset, nbytes)
                obj.recall(offset, value, nbytes)
                return value
        return obj.gather(offset, nbytes)

    def materialise(self, obj: MemoryObject, offset: int, end: int, unit: int = 0) -> MemoryObject:
        """Ask for the values of uninitialised bytes and store them; ``unit`` > 0 asks for aligned units.

        This is no write of the program's: a constant object may be uninitialised, too.
        """
        runs = bulk.unset_runs(obj, offset, end)
        if runs:
            obj = self.owned(obj)
        for start, stop in runs:
            while start < stop:
                length = min(unit - start % unit, stop - start) if unit else stop - start
                obj.put(start, self.on_uninitialised(obj, start, length), length)
                start += length
        return obj

    def store_bits(self, address: int, value: Value, nbytes: int, floating: bool = False) -> None:
        """Write a little-endian number of ``nbytes`` bytes; or a float of so many."""
        obj = self.pages.get(address >> self.page_bits)
        if obj is None or (offset := address - obj.base) + nbytes > obj.size:
            raise describe.fault(self, address, nbytes, True)
        if obj.owner is not self.token:
            obj = self._own(obj, address, nbytes)
        if type(value) is Expr:
            if obj.viewed:
                self._unview(obj)
            obj.put_word(offset, value, nbytes)
            return
        pack = PACK_FLOAT[nbytes] if floating else PACK.get(nbytes)
        if pack is None:
            obj.put(offset, value, nbytes)
            return
        pack(obj.data, offset, value)
        if obj.shadow is None:
            self._add_view((WRITE_FLOAT if floating else WRITE_BITS)[nbytes], obj, address)
        elif obj.note_int(offset, nbytes) and obj.size == nbytes and not floating:
            self._add_view(READ_BITS[nbytes], obj, address)  # of a variable, which somebody will read

    def store_float(self, address: int, value: FP, nbytes: int) -> None:
        """Write a ``float`` (4 bytes) or ``double`` (8 bytes)."""
        self.store_bits(address, value, nbytes, True)

    def _unview(self, obj: MemoryObject) -> None:
        """Take an owned object out of the tables: it is about to get symbolic bytes."""
        self._drop_views(obj)
        obj.viewed = 0

    # -- for symbolic offsets (see ``symbolic``) ----------------------------------------------

    def owned(self, obj: MemoryObject) -> MemoryObject:
        """The object, or a copy in its place, that this space may complete; no write of the program's."""
        return obj if obj.owner is self.token else self._replace(obj)

    def writable(self, obj: MemoryObject) -> MemoryObject:
        """The current incarnation of ``obj``, without views, to be given symbolic contents."""
        current, _ = self._range(obj.base, obj.size, True)
        if current.viewed:
            self._unview(current)
        return current

    # -- many bytes ---------------------------------------------------------------------------

    def copy(self, dst: int, src: int, n: int) -> None:
        """``memmove``: ranges may overlap; symbolic words and uninitialised bytes travel as they are."""
        if n == 0:
            return
        source, start = self._range(src, n, False)
        region = bulk.pick(source, start, start + n)
        self._put(dst, region)

    def fill(self, dst: int, value: BV, n: int) -> None:
        """``memset``; ``value`` has 8 bits."""
        if n == 0:
            return
        obj, _ = self._range(dst, n, True)
        if n == obj.size and type(value) is not Expr and value == 0 and n >= 1 << 20:
            self._unview(obj)
            obj.data, obj.words = zeros(n), {}
            obj.settle()
        else:
            self._put(dst, bulk.repeated(value, n))

    def write_bytes(self, address: int, values: bytes | Sequence[BV]) -> None:
        """Write bytes, concrete or symbolic, one after the other."""
        if len(values):
            self._put(address, bulk.Region(values) if isinstance(values, bytes) else bulk.from_values(values))

    def _put(self, address: int, region: bulk.Region) -> None:
        obj, offset = self._range(address, len(region.data), True)
        if region.codes is not None and obj.viewed:
            self._unview(obj)
        bulk.put(obj, offset, region)

    def read_bytes(self, address: int, n: int) -> bytes | list[BV]:
        """``n`` bytes: as ``bytes`` if all are concrete, else one by one."""
        if n == 0:
            return b""
        obj, offset = self._range(address, n, False)
        if obj.shadow is not None:
            obj = self.materialise(obj, offset, offset + n, 1)
        region = bulk.pick(obj, offset, offset + n)
        if region.codes is None:
            return region.data
        return [obj.gather(position, 1) for position in range(offset, offset + n)]

    def read_cstring(self, address: int, limit: int) -> bytes | None:
        """The string at ``address`` without its NUL, if it ends within ``limit`` bytes and is concrete."""
        found = self.find(address)
        if found is None:
            return None
        obj, offset = found
        end = obj.data.find(b"\0", offset, min(obj.size, offset + limit))
        # The bytes under symbolic words are anything, also zero: look for the first NUL that is one.
        if end < 0 or (obj.shadow is not None and self._first_not_plain(obj, offset, end + 1) <= end):
            return None
        return bytes(obj.data[offset:end])

    def _first_not_plain(self, obj: MemoryObject, offset: int, end: int) -> int:
        assert obj.shadow is not None
        codes = bytes(obj.shadow[offset:end])
        return offset + len(codes) - len(codes.lstrip(b"\1"))
