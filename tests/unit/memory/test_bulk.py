"""Copies, fills, strings."""

from __future__ import annotations

import pytest

from clew.expr import build
from clew.memory.errors import AccessError
from unit.memory.support import asked, object_at, space64, word


def test_copy_carries_words_and_uninitialised_bytes() -> None:
    space = space64()
    source, target = space.allocate(16, "heap", "s"), space.allocate(16, "heap", "t", initial=b"")
    x = word("x")
    space.store_bits(source, x, 4)
    space.store_bits(source + 4, 5, 4)
    space.copy(target + 1, source, 12)
    assert not asked(space)
    assert space.load_bits(target + 1, 4) is x and space.load_bits(target + 5, 4) == 5
    assert space.load_bits(target, 1) == 0 and space.load_bits(target + 13, 1) == 0
    space.load_bits(target + 9, 4)
    assert asked(space) == [(9, 4)]


def test_copy_cuts_words_at_both_ends() -> None:
    space = space64()
    source, target = space.allocate(8, "heap", "s", initial=b""), space.allocate(8, "heap", "t", initial=b"")
    x, y = word("x"), word("y")
    space.store_bits(source, x, 4)
    space.store_bits(source + 4, y, 4)
    space.copy(target, source + 2, 4)
    assert space.load_bits(target, 2) is build.extract(x, 31, 16)
    assert space.load_bits(target + 2, 2) is build.extract(y, 15, 0)
    space.copy(target + 6, source + 1, 1)
    assert space.load_bits(target + 6, 1) is build.extract(x, 15, 8)


@pytest.mark.parametrize("shift", [1, 3, 4, 7])
def test_overlapping_copies(shift: int) -> None:
    space = space64()
    base = space.allocate(16, "heap", "o", initial=bytes(range(16)))
    x = word("x")
    space.store_bits(base + 2, x, 4)
    space.copy(base + shift, base, 9)
    assert space.load_bits(base + 2 + shift, 4) is x
    assert space.load_bits(base + shift, 1) == 0 and space.load_bits(base + shift + 8, 1) == 8


def test_copying_a_whole_object_back_to_concrete() -> None:
    space = space64()
    plain, mixed = space.allocate(8, "heap", "p", initial=b"12345678"), space.allocate(8, "heap", "m")
    space.store_bits(mixed, word("x"), 4)
    space.copy(mixed, plain, 8)
    assert object_at(space, mixed).shadow is None and space.read_bytes(mixed, 8) == b"12345678"


def test_copies_are_checked() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o", initial=b"")
    for target, source in ((base, base + 1), (base + 1, base), (0, base)):
        with pytest.raises(AccessError):
            space.copy(target, source, 8)
    space.copy(0, 0, 0)
    space.fill(0, 0, 0)


def test_fill() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o")
    space.fill(base, 0xFF, 6)
    assert space.load_bits(base + 2, 4) == 0xFFFFFFFF
    byte = word("b", 1)
    space.fill(base + 4, byte, 4)
    assert space.load_bits(base + 7, 1) is byte and space.load_bits(base, 4) == 0xFFFFFFFF
    assert not asked(space)


def test_large_copies_and_fills() -> None:
    space = space64()
    size = 1 << 21
    source, target = space.allocate(size, "heap", "s"), space.allocate(size, "heap", "t")
    space.fill(source, 7, size)
    space.copy(target + 1, source, size - 1)
    assert space.load_bits(target + size - 1, 1) == 7
    space.fill(target, 0, size)
    assert space.load_bits(target + 4, 4) == 0 and not asked(space)


def test_reading_bytes() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o", initial=b"hello")
    byte = word("b", 1)
    assert space.read_bytes(base, 5) == b"hello"
    space.write_bytes(base + 1, [byte, 7])
    assert space.read_bytes(base, 4) == [ord("h"), byte, 7, ord("l")]
    assert space.read_bytes(base + 2, 2) == b"\7l"
    space.write_bytes(base, b"abc")
    assert space.read_cstring(base, 100) == b"abclo"


def test_strings() -> None:
    space = space64()
    base = space.allocate(8, "heap", "o", initial=b"abc")
    assert space.read_cstring(base, 100) == b"abc" and space.read_cstring(base + 3, 1) == b""
    assert space.read_cstring(base, 3) is None and space.read_cstring(base, 4) == b"abc"
    space.store_bits(base + 1, word("b", 1), 1)
    assert space.read_cstring(base, 100) is None and space.read_cstring(base + 2, 100) == b"c"
    space.fill(base, 1, 8)
    assert space.read_cstring(base, 100) is None and space.read_cstring(0, 4) is None
    unset = space.allocate(4, "stack", "u")
    assert space.read_cstring(unset, 4) is None and not asked(space)
