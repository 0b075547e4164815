"""Loads and stores at symbolic offsets inside one object.

Two encodings. If the shape of the offset leaves only so many values (see ``places``), a load is a tree of
choices by the offset's bits, ``ite(bit 3, ite(bit 2, word3, word2), ite(bit 2, word1, word0))``, and a store
makes each candidate word ``ite(offset = k, value, word)``: words stay words, and tables never become
arrays, whose long chains of constant stores solvers are slow at. Otherwise the object gets an SMT array of
bytes::

    load   concat(select(array, offset + 3), ..., select(array, offset))
    store  array := store(... store(array, offset, byte0) ..., offset + 3, byte3)

A load makes the array but leaves the object as it was. After a store, the bytes that it may have hit are
in the array alone; the object keeps the rest. The array is brought up to date by stores of the bytes
that changed since, so successive accesses extend one chain instead of starting a new one.

Callers guarantee that the offset is in bounds wherever the path condition holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final, Protocol, runtime_checkable

from clew.base.errors import InternalError, Unsupported
from clew.expr import build
from clew.expr.node import BV, Bool, Expr, Value
from clew.expr.op import COMPREHENSION, SELECT
from clew.expr.sort import F32, F64, Sort, bv
from clew.expr.walk import substitute
from clew.memory import describe
from clew.memory.object import MemoryObject, as_bits
from clew.memory.offsets import places
from clew.memory.space import AddressSpace
from clew.memory.storage import (
    ARRAY,
    ARRAY_BYTE,
    PLAIN,
    PLAIN_BYTE,
    UNSET,
    UNSET_BYTE,
    Buffer,
    unequal,
    zeros,
)


@runtime_checkable
class UninitialisedArrays(Protocol):
    """A hook for uninitialised bytes that can also give a whole array of them."""

    def array(self, obj: MemoryObject, index_width: int) -> Expr:
        """An array nothing is known about, the same one for the same object."""
        ...


LOAD_CHOICES: Final = 256
"""Most candidate offsets of a load that become a tree of choices."""
STORE_CHOICES: Final = 64
"""Most candidate offsets of a store that become choices."""
OVERLAPPING_CHOICES: Final = 4
"""The same for offsets closer together than the access is wide, where words get cut to pieces."""
ARRAY_LIMIT: Final = 1 << 16
"""Most bytes that are not concrete in an object that becomes an array (concrete ones cost next to nothing)."""
MANY_UNSET: Final = 64
"""Uninitialised bytes in reach from which on they become one unknown array instead of symbols of their own."""
_SPARSE: Final = 256
"""An object with at most so many bytes other than zero is a constant array of zeros with stores."""


def load_at(space: AddressSpace, obj: MemoryObject, offset: Expr, nbytes: int, floating: bool = False) -> Value:
    """The value at a symbolic offset."""
    obj = space.pages[obj.base >> space.page_bits]
    at = candidates(space, obj, offset, nbytes)
    if _is_choice(obj, at, nbytes, LOAD_CHOICES):
        return _load_choice(space, obj, offset, at, nbytes, floating)
    obj = _initialised(space, obj, at[0], at[-1] + nbytes, offset.width)
    value = build.select_word(current_array(obj, offset.width), offset, nbytes, (at[0], at.step))
    return build.fp_from_bits(value, float_sort(nbytes)) if floating else value


def store_at(
    space: AddressSpace, obj: MemoryObject, offset: Expr, value: Value, nbytes: int, floating: bool = False
) -> None:
    """Write at a symbolic offset."""
    if obj.constant:
        raise describe.fault(space, obj.base, nbytes, True)
    obj = space.writable(obj)
    at = candidates(space, obj, offset, nbytes, True)
    if _is_choice(obj, at, nbytes, STORE_CHOICES):
        _store_choice(space, obj, offset, at, value, nbytes, floating)
        return
    low, high = at[0], at[-1] + nbytes
    obj = _initialised(space, obj, low, high, offset.width)
    array = current_array(obj, offset.width)
    bits = build.fp_to_bits(value, float_sort(nbytes)) if floating else value
    assert isinstance(bits, int | Expr)
    _leave_to_array(obj, build.store_word(array, offset, bits, nbytes), low, high)


def fill_at(
    space: AddressSpace, obj: MemoryObject, start: BV, count: BV, stride: int, element: BV, nbytes: int, width: int
) -> None:
    """Write ``count`` elements of ``nbytes`` bytes, ``stride`` apart, from an offset of so many bits on.

    ``element`` is an expression over ``clew.expr.node.index``: the value by its number. All elements are in bounds
    wherever the path condition holds, or never read.
    """
    if obj.constant:
        raise describe.fault(space, obj.base, nbytes, True)
    obj = space.writable(obj)
    low, high, is_whole = 0, obj.size, False
    if type(start) is not Expr and type(count) is not Expr:
        if count == 0:
            return
        end = start + (count - 1) * stride + nbytes
        low, high = (start, end) if end <= obj.size else (low, high)
        is_whole = high - low == count * nbytes == obj.size
    if is_whole:  # nothing of the older contents is left
        obj.dirty = None
        array = build.const_array(0, width, 8)
    else:
        obj = _initialised(space, obj, 0, obj.size, width)
        array = current_array(obj, width)
    _leave_to_array(obj, build.comprehend(array, start, count, stride, element, nbytes), low, high)


def settle_array(space: AddressSpace, base: int, known: Mapping[Expr, Value]) -> None:
    """Put values that symbols have on the path into the array of an object; bytes about which it then leaves nothing
    open are bytes again.
    """
    obj = space.writable(space.pages[base >> space.page_bits])
    assert obj.array is not None and obj.shadow is not None
    array = substitute(obj.array, known)
    assert isinstance(array, Expr)
    obj.array = array
    if array.op is COMPREHENSION:
        return
    for offset in [offset for offset, code in enumerate(bytes(obj.shadow)) if code == ARRAY]:
        value = build.select(array, offset)
        if not isinstance(value, Expr) or value.op is not SELECT:
            obj.recall(offset, value, 1)


def candidates(space: AddressSpace, obj: MemoryObject, offset: Expr, nbytes: int, write: bool = False) -> range:
    """The offsets inside the object that the shape of the expression allows."""
    last = obj.size - nbytes
    if last < 0:
        raise describe.fault(space, obj.base + obj.size, nbytes, write)
    found = places(offset, last)
    if not found:
        raise InternalError(f"no offset in {offset!r} lies in {obj!r}, though the path says so")
    return found


def _is_choice(obj: MemoryObject, at: range, nbytes: int, limit: int) -> bool:
    if len(at) == 1:
        return True
    if len(at) > (limit if at.step >= nbytes else OVERLAPPING_CHOICES):
        return False
    return obj.shadow is None or obj.shadow.find(ARRAY_BYTE, at[0], at[-1] + nbytes) < 0


def float_sort(nbytes: int) -> Sort:
    """The sort of a float of so many bytes."""
    return F32 if nbytes == 4 else F64


# -- choices ---------------------------------------------------------------------------------------


def _load_choice(space: AddressSpace, obj: MemoryObject, offset: Expr, at: range, nbytes: int, floating: bool) -> Value:
    access = space.load_float if floating else space.load_bits
    sort = float_sort(nbytes) if floating else bv(8 * nbytes)
    return choose(offset, [(place, access(obj.base + place, nbytes)) for place in at], sort)


def choose(offset: Expr, items: list[tuple[int, Value]], sort: Sort) -> Value:
    """The value whose number ``offset`` equals; numbers ascend, and it equals one of them."""
    bit = 0
    while len(items) > 1:
        is_set: Bool | None = None
        merged: list[tuple[int, Value]] = []
        for number, value in items:
            half = number >> 1
            if merged and merged[-1][0] == half:
                other = merged[-1][1]
                if value is not other:
                    if is_set is None:
                        is_set = build.eq(build.extract(offset, bit, bit), 1, 1)
                    value = build.ite(is_set, value, other, sort)
                merged[-1] = (half, value)
            else:
                merged.append((half, value))
        items = merged
        bit += 1
    return items[0][1]


def _store_choice(
    space: AddressSpace, obj: MemoryObject, offset: Expr, at: range, value: Value, nbytes: int, floating: bool
) -> None:
    if len(at) == 1:
        _store_one(space, obj.base + at[0], value, nbytes, floating)
        return
    for place in at:
        here = build.eq(offset, place, offset.width)
        if floating and not _may_be_bits(space, obj.base, place, nbytes):
            old: Value = space.load_float(obj.base + place, nbytes)
            space.store_float(obj.base + place, build.ite(here, value, old, float_sort(nbytes)), nbytes)
        else:
            bits = build.fp_to_bits(value, float_sort(nbytes)) if floating else value
            old = space.load_bits(obj.base + place, nbytes)
            _store_one(space, obj.base + place, build.ite(here, bits, old, bv(8 * nbytes)), nbytes, False)


def _may_be_bits(space: AddressSpace, base: int, place: int, nbytes: int) -> bool:
    """Whether the old contents might be a NaN with a payload, which passing through a float would lose."""
    obj = space.pages[base >> space.page_bits]
    word = obj.words.get(place)
    if word is not None:
        return word.mask != 0 or word.width != nbytes << 3
    old = space.load_float(base + place, nbytes)
    return not isinstance(old, float) or old != old


def _store_one(space: AddressSpace, address: int, value: Value, nbytes: int, floating: bool) -> None:
    if floating:
        space.store_float(address, value, nbytes)
    else:
        assert isinstance(value, int | Expr)
        space.store_bits(address, value, nbytes)


# -- arrays ---------------------------------------------------------------------------------------


def _initialised(space: AddressSpace, obj: MemoryObject, low: int, high: int, index_width: int) -> MemoryObject:
    """Every byte that a symbolic offset may touch needs a value."""
    if obj.shadow is not None:
        unset = bytes(obj.shadow[low:high]).count(UNSET)
        hook = space.on_uninitialised
        if unset > MANY_UNSET and obj.array is None and isinstance(hook, UninitialisedArrays):
            return _on_unknown_array(space.owned(obj), hook.array(obj, index_width))
        if unset > ARRAY_LIMIT:
            raise Unsupported(f"a symbolic offset into an object with {unset} uninitialised bytes")
    return space.materialise(obj, low, high, 8)


def _on_unknown_array(obj: MemoryObject, array: Expr) -> MemoryObject:
    """Let an array of unknown contents stand for all bytes that have no value yet, with the others stored into it."""
    shadow = obj.shadow
    assert shadow is not None
    codes = bytes(shadow)
    position = codes.find(PLAIN)
    while position >= 0:
        array = build.store(array, position, obj.data[position])
        position = codes.find(PLAIN, position + 1)
    obj.array = _store_words(obj, array)
    obj.dirty = zeros(obj.size)
    obj.snapshot = None
    shadow[:] = codes.replace(bytes([UNSET]), ARRAY_BYTE)
    return obj


def current_array(obj: MemoryObject, index_width: int) -> Expr:
    """The object's array, in agreement with all its initialised bytes."""
    if obj.shadow is None:
        return _plain_array(obj, index_width)
    if obj.array is None:
        if len(obj.words) and obj.pending > ARRAY_LIMIT:
            raise Unsupported(f"a symbolic offset into an object with {obj.pending} symbolic bytes")
        obj.array = _store_words(obj, _constant_array(bytes(obj.data), index_width))
        obj.dirty = zeros(obj.size)
        return obj.array
    dirty = obj.dirty
    assert dirty is not None
    array = obj.array
    position = dirty.find(PLAIN_BYTE)
    while position >= 0:
        length = _changed_together(obj, dirty, position)
        if obj.shadow[position] != UNSET:
            array = build.store_word(array, position, obj.gather(position, length), length)
        dirty[position : position + length] = UNSET_BYTE * length
        position = dirty.find(PLAIN_BYTE, position + length)
    obj.array = array
    return array


def _changed_together(obj: MemoryObject, dirty: Buffer, position: int) -> int:
    """How many bytes from a changed one on are likely to be read as one: those of a symbolic word, or aligned ones."""
    assert obj.shadow is not None
    word = obj.words.get(position)
    most = 8 if word is None else word.width >> 3
    for length in (8, 4, 2):
        end = position + length
        if length <= most and position % length == 0 and bytes(dirty[position:end]) == PLAIN_BYTE * length:
            codes = bytes(obj.shadow[position:end])
            if codes == PLAIN_BYTE * length or (word is not None and length == most):
                return length
    return 1


def _plain_array(obj: MemoryObject, index_width: int) -> Expr:
    """The array of a concrete object. Generated code writes to those unseen, hence the comparison."""
    old = obj.snapshot
    if obj.array is None or old is None:
        obj.snapshot = bytes(obj.data)
        obj.array = _constant_array(obj.snapshot, index_width)
    elif old != (new := bytes(obj.data)):
        obj.snapshot = new
        changed = list(islice(unequal(old, new), _SPARSE + 1))
        if len(changed) > _SPARSE:
            obj.array = _constant_array(new, index_width)
        else:
            array = obj.array
            for position in changed:
                array = build.store(array, position, new[position])
            obj.array = array
    return obj.array


def _constant_array(content: bytes, index_width: int) -> Expr:
    if len(content) - content.count(0) > _SPARSE:
        return build.array_from_bytes(content, index_width)
    array = build.const_array(0, index_width, 8)
    for position in unequal(bytes(len(content)), content):
        array = build.store(array, position, content[position])
    return array


def _store_words(obj: MemoryObject, array: Expr) -> Expr:
    for start in sorted(obj.words):
        word = as_bits(obj.words[start])
        for index in range(word.width >> 3):
            array = build.store(array, start + index, build.extract(word, 8 * index + 7, 8 * index))
    return array


def _leave_to_array(obj: MemoryObject, array: Expr, low: int, high: int) -> None:
    """From now on, the bytes of a range are what ``array`` says."""
    shadow = obj.shadow
    if shadow is None:
        shadow = obj.leave_plain()
    obj.cut(low, high)
    length = high - low
    obj.pending += bytes(shadow[low:high]).count(PLAIN)
    shadow[low:high] = bytes([ARRAY]) * length
    if obj.dirty is None:
        obj.dirty = zeros(obj.size)
    obj.array = array
    obj.snapshot = None
