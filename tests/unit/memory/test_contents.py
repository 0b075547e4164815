"""Loads and stores: layers of bytes, views, forks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import F32, F64
from clew.memory.errors import AccessError
from clew.memory.space import AddressSpace
from unit.memory.support import asked, object_at, space32, space64, word


def test_little_endian() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o", initial=bytes(range(8)))
    assert space.load_bits(base, 4) == 0x03020100
    assert space.load_bits(base + 1, 3) == 0x030201
    space.store_bits(base + 2, 0xAABB, 2)
    assert space.read_bytes(base, 8) == bytes([0, 1, 0xBB, 0xAA, 4, 5, 6, 7])


def test_a_symbolic_word_comes_back_as_the_same_node() -> None:
    space = space64()
    base = space.allocate(16, "heap", "o")
    x, f, d = word("x"), build.symbol("f", F32), build.symbol("d", F64)
    space.store_bits(base, x, 4)
    space.store_float(base + 4, f, 4)
    space.store_float(base + 8, d, 8)
    assert space.load_bits(base, 4) is x
    assert space.load_float(base + 4, 4) is f and space.load_float(base + 8, 8) is d
    assert space.load_bits(base + 8, 8) is build.fp_to_bits(d, F64)
    assert space.load_float(base, 4) is build.fp_from_bits(x, F32)
    assert not asked(space)


def test_partial_overlaps() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o", initial=b"")
    x = word("x")
    space.store_bits(base, x, 4)
    assert space.load_bits(base + 1, 1) is build.extract(x, 15, 8)
    space.store_bits(base + 1, 0x55, 1)
    assert space.load_bits(base, 1) is build.extract(x, 7, 0)
    assert space.load_bits(base + 2, 2) is build.extract(x, 31, 16)
    assert space.load_bits(base + 1, 1) == 0x55
    space.store_bits(base + 1, build.extract(x, 15, 8), 1)
    assert space.load_bits(base, 4) is x


def test_pieces_that_are_constant_become_plain_bytes() -> None:
    space = space64()
    base = space.allocate(4, "heap", "o", initial=b"")
    byte = word("b", 1)
    space.store_bits(base, build.zext(byte, 8, 32), 4)
    space.store_bits(base, 7, 1)
    assert object_at(space, base).shadow is None and space.load_bits(base, 4) == 7


def test_uninitialised_bytes_are_asked_for_once_and_in_runs() -> None:
    space = space64()
    base = space.allocate(8, "stack", "o")
    space.store_bits(base + 1, 9, 1)
    value = space.load_bits(base, 4)
    assert asked(space) == [(0, 1), (2, 2)]
    assert space.load_bits(base, 4) is value
    assert isinstance(space.load_bits(base + 4, 4), Expr)
    assert asked(space) == [(0, 1), (2, 2), (4, 4)]


def test_uninitialised_constant_objects_have_values_too() -> None:
    space = space64()
    base = space.allocate(4, "global", "g", constant=True)
    value = space.load_bits(base, 4)
    assert isinstance(value, Expr) and space.load_bits(base, 4) is value
    with pytest.raises(AccessError):
        space.store_bits(base, 0, 4)


@pytest.mark.parametrize("make", [space32, space64])
def test_views_come_and_go(make: Callable[[], AddressSpace]) -> None:
    space = make()
    base = space.allocate(10, "stack", "o")
    page = base >> space.page_bits
    for offset in range(0, 10, 2):
        assert page not in space.w2
        space.store_bits(base + offset, offset, 2)
    assert space.load_bits(base, 4) == 0x20000 and list(space.r4[page]) == [0x20000, 0x60004]
    space.store_bits(base, 5, 4)
    space.w4[page][1] = 9
    assert space.load_bits(base + 4, 4) == 9
    space.store_bits(base, word("x"), 4)
    assert not any(page in table for table in space.tables)
    space.store_bits(base, 0, 4)
    space.store_bits(base, 0, 4)
    space.load_float(base, 4)
    assert page in space.w4 and page in space.rf
    space.free(base)
    assert not any(space.tables)


def test_every_page_of_a_large_object_has_its_view() -> None:
    space = space32()
    base = space.allocate(4096 + 6, "heap", "o", initial=b"")
    space.store_bits(base + 4096, 0x01020304, 4)
    page = base >> 12
    assert page not in space.w4 and list(space.w4[page + 1]) == [0x01020304]
    space.load_bits(base + 4, 4)
    assert len(space.r4[page]) == 1024
    twin = space.fork()
    assert page + 1 not in space.w4 and page + 1 not in twin.w4
    twin.store_bits(base, 1, 4)
    assert page in space.r4 and space.load_bits(base, 4) == 0 and twin.load_bits(base, 4) == 1


def test_forks_are_independent() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o", initial=b"")
    x = word("x")
    space.store_bits(base, x, 4)
    left, right = space.fork(), space.fork()
    left.store_bits(base, 1, 4)
    right.store_bits(base + 4, x, 4)
    space.free(base)
    assert (left.load_bits(base, 4), left.load_bits(base + 4, 4)) == (1, 0)
    assert right.load_bits(base, 4) is x and right.load_bits(base + 4, 4) is x
    assert left.allocate(1, "heap") == right.allocate(1, "heap")


def test_an_owner_writes_in_place() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o", initial=b"")
    before = object_at(space, base)
    space.store_bits(base, 1, 4)
    assert object_at(space, base) is before
    twin = space.fork()
    space.store_bits(base, 2, 4)
    assert object_at(space, base) is not before and object_at(twin, base) is before


def test_a_float_out_of_range_of_its_bits_is_kept_exactly() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o", initial=b"")
    space.store_float(base, float("inf"), 4)
    assert space.load_bits(base, 4) == 0x7F800000
    space.store_bits(base, 0x7FF0000000000123, 8)  # a NaN with a payload
    assert space.load_float(base, 8) != space.load_float(base, 8)
    assert space.load_bits(base, 8) == 0x7FF0000000000123
