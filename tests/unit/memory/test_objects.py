"""Lives of objects: addresses, limits, faults, and what reports say about addresses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.base.errors import Unsupported
from clew.expr.node import Expr
from clew.memory.errors import AccessError, AllocationTooLarge
from clew.memory.space import AddressSpace
from clew.program.layout import DataLayout
from unit.memory.support import object_at, space32, space64


@pytest.mark.parametrize("make", [space32, space64])
def test_objects_do_not_share_pages(make: Callable[[], AddressSpace]) -> None:
    space = make()
    bases = [space.allocate(size, "heap", "o") for size in (0, 1, 4095, 4096, 4097, 0)]
    seen: set[int] = set()
    for base in bases:
        pages = set(space.pages_of(object_at(space, base)))
        assert base >> space.page_bits in pages and not pages & seen and 0 not in pages
        assert base & space.page_mask == 0
        seen |= pages
    assert [obj.base for obj in space.objects()] == bases


def test_small_targets_have_guard_pages() -> None:
    space = space32()
    first, second = space.allocate(4096, "heap", "a"), space.allocate(1, "heap", "b")
    assert space.find(first + 4096) == (object_at(space, first), 4096)
    assert space.find(second - 1) is None


def test_alignment_beyond_a_page() -> None:
    space = space32()
    space.allocate(1, "heap", "a")
    assert space.allocate(1, "heap", "b", align=1 << 16) % (1 << 16) == 0


def test_an_object_above_the_limit_is_refused() -> None:
    space = AddressSpace(DataLayout(), object_limit=1000)
    space.allocate(1000, "heap", "fits")
    with pytest.raises(AllocationTooLarge, match="1001 bytes; the limit for one object is 1000"):
        space.allocate(1001, "heap", "too large")
    with pytest.raises(AllocationTooLarge):
        AddressSpace(DataLayout(), object_limit=1 << 60).allocate(1 << 40, "heap", "absurd")


def test_large_objects_are_not_committed() -> None:
    space = space64()
    for _ in range(64):  # 16 GiB
        base = space.allocate(1 << 28, "heap", "zeros", initial=b"")
        space.store_bits(base + 12345 * 8, 7, 8)
        assert space.load_bits(base + 12345 * 8, 8) == 7 and space.load_bits(base, 8) == 0
        space.allocate(1 << 28, "heap", "unset")


def test_large_objects_are_copied_on_write() -> None:
    space = space64()
    base = space.allocate(1 << 26, "heap", "zeros", initial=b"")
    space.store_bits(base + 4096, 7, 4)
    twin = space.fork()
    twin.store_bits(base + (1 << 25), 9, 4)
    assert (twin.load_bits(base + 4096, 4), twin.load_bits(base + (1 << 25), 4)) == (7, 9)
    assert space.load_bits(base + (1 << 25), 4) == 0


def test_addresses_are_used_again_only_when_they_run_out() -> None:
    space = space32()
    space._last_page = 13
    bases = [space.allocate(4, "stack", str(number)) for number in range(5)]
    with pytest.raises(AllocationTooLarge, match="no room"):
        space.allocate(4096, "heap", "large")
    space.free(bases[1])
    assert space.allocate(4, "stack", "again") == bases[1]
    space.free(bases[2])
    space.free(bases[3])
    assert space.allocate(4096, "heap", "large") == bases[2]
    with pytest.raises(AllocationTooLarge):
        space.allocate(4, "stack", "full")


def test_only_common_pointer_widths() -> None:
    with pytest.raises(Unsupported):
        AddressSpace(DataLayout(pointer_bits=16))


@pytest.mark.parametrize("make", [space32, space64])
def test_faults(make: Callable[[], AddressSpace]) -> None:
    space = make()
    base = space.allocate(16, "heap", "buf", initial=b"")
    fixed = space.allocate(4, "global", "fixed", initial=b"abcd", constant=True)
    gone = space.allocate(8, "heap", "old")
    space.free(gone)

    def kind(address: int, nbytes: int = 4, write: bool = False) -> tuple[str, str]:
        with pytest.raises(AccessError) as caught:
            if write:
                space.store_bits(address, 0, nbytes)
            else:
                space.load_bits(address, nbytes)
        return caught.value.kind, caught.value.message

    assert kind(0) == ("null-dereference", "read of 4 bytes at the null pointer")
    assert kind(8)[0] == "null-dereference"
    assert kind(base + 20) == (
        "out-of-bounds",
        "read of 4 bytes at 4 bytes past the end of heap object 'buf' of 16 bytes",
    )
    assert kind(base + 13, write=True) == (
        "out-of-bounds",
        "write of 4 bytes at byte 13 of heap object 'buf' of 16 bytes",
    )
    assert kind(base - 1, 1) == (
        "out-of-bounds",
        "read of 1 byte at 1 byte before the start of heap object 'buf' of 16 bytes",
    )
    assert kind(gone + 4) == ("use-after-free", "read of 4 bytes at byte 4 of freed heap object 'old' of 8 bytes")
    assert kind(fixed, write=True)[0] == "write-to-constant"
    assert space.load_bits(fixed, 4) == int.from_bytes(b"abcd", "little")
    assert kind((1 << space.pointer_bits) - 8)[0] == "out-of-bounds"


def test_bad_frees() -> None:
    space = space64()
    base = space.allocate(16, "heap", "buf")
    with pytest.raises(AccessError) as caught:
        space.free(base + 1)
    assert caught.value.kind == "invalid-free"
    space.free(base)
    with pytest.raises(AccessError) as caught:
        space.free(base)
    assert caught.value.kind == "double-free"
    with pytest.raises(AccessError) as caught:
        space.free(0)
    assert caught.value.kind == "invalid-free"


def test_the_memory_of_freed_objects_is_bounded() -> None:
    space = space64()
    first = space.allocate(4, "stack", "first")
    space.release_stack([first])
    for number in range(3000):
        last = space.allocate(4, "stack", f"x{number}")
        space.free(last)
    assert space.freed(first) is None
    assert "'x2999'" in space.describe(last)
    with pytest.raises(AccessError, match="whose object is gone"):
        space.load_bits(first, 4)


@pytest.mark.slow
def test_no_index_of_32_bits_leads_to_another_object() -> None:
    space = space64()
    bases = [space.allocate(16, "heap", f"x{number}") for number in range(100)]
    for base in bases[10:90]:
        for step in (1, 2, 4, 8, 16, 32):
            for index in (1 << 27, 1 << 28, 1 << 29, 1 << 30, 1 << 31, (1 << 32) - 1, -(1 << 30), -(1 << 31)):
                with pytest.raises(AccessError) as caught:
                    space.load_bits(base + step * index, 1)
                assert caught.value.kind == "out-of-bounds"


def test_describe() -> None:
    space = space64()
    base = space.allocate(16, "heap", "buf")
    assert space.describe(base) == "the start of heap object 'buf' of 16 bytes"
    assert space.describe(base + 1) == "byte 1 of heap object 'buf' of 16 bytes"
    assert space.describe(base + 16) == "the end of heap object 'buf' of 16 bytes"
    assert space.describe(1 << 60) == "address 0x1000000000000000, which is in no object"
    assert space.describe(space.allocate(1, "heap")) == "the start of heap object of 1 byte"


@pytest.mark.parametrize("make", [space32, space64])
@pytest.mark.parametrize("size", [4, 5000])
def test_a_local_variable_ends_with_its_block(make: Callable[[], AddressSpace], size: int) -> None:
    space = make()
    base = space.allocate(size, "stack", "x")
    space.store_bits(base, 7, 4)
    assert space.load_bits(base, 4) == 7
    space.end_local(base)
    with pytest.raises(
        AccessError, match=f"start of local variable 'x' of {size} bytes, whose block has ended"
    ) as error:
        space.load_bits(base, 4)
    assert error.value.kind == "use-after-free"
    with pytest.raises(AccessError):
        space.store_bits(base, 1, 4)


@pytest.mark.parametrize("make", [space32, space64])
@pytest.mark.parametrize("ends", [False, True])
def test_a_local_variable_begins_without_a_value(make: Callable[[], AddressSpace], ends: bool) -> None:
    space = make()
    space.on_uninitialised = lambda obj, offset, nbytes: 99
    base = space.allocate(8, "stack", "x")
    space.store_bits(base, 7, 8)
    assert space.load_bits(base, 8) == 7
    if ends:
        space.end_local(base)
    space.begin_local(base)
    assert space.load_bits(base, 8) == 99
    space.store_bits(base, 5, 8)
    assert space.load_bits(base, 8) == 5


def test_a_fork_has_its_own_ended_variables() -> None:
    space = space64()
    base = space.allocate(8, "stack", "x")
    space.store_bits(base, 7, 8)
    twin = space.fork()
    space.end_local(base)
    other = space.fork()
    other.begin_local(base)
    assert twin.load_bits(base, 8) == 7 and isinstance(other.load_bits(base, 8), Expr)
    with pytest.raises(AccessError):
        space.load_bits(base, 8)


def test_a_function_may_return_while_a_block_of_it_has_ended() -> None:
    space = space64()
    first, second = space.allocate(4, "stack", "x"), space.allocate(4, "stack", "y")
    space.end_local(second)
    space.release_stack([first, second])
    assert not list(space.objects())
    with pytest.raises(AccessError, match="local variable 'y' of 4 bytes, whose block has ended"):
        space.load_bits(second, 4)


def test_nothing_gets_the_address_of_a_variable_whose_block_has_ended() -> None:
    space = space32()
    base = space.allocate(5000, "stack", "x")
    space.end_local(base)
    space.keep_clear(base + 0x8000)
    others = []
    with pytest.raises(AllocationTooLarge):
        while True:
            others.append(space.allocate(1, "heap", "o"))
    assert all(not base <= other < base + 8192 for other in others)
    space.begin_local(base)
    space.store_bits(base + 4996, 1, 4)
