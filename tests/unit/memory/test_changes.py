"""What differs between the memories of two states of one path."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.memory.changes import Changes, changes, value_at, word_at
from clew.memory.space import AddressSpace
from clew.memory.symbolic import store_at
from depth import examples
from unit.memory.support import asked, space32, space64, word


def test_nothing_changes() -> None:
    space = space64()
    base = space.allocate(8, "global", "g", initial=b"")
    space.store_bits(base, word("x"), 4)
    earlier = space.fork()
    assert changes(earlier, space) == Changes()
    space.store_bits(base, word("x"), 4)  # copied, and the same as before
    space.store_bits(base + 4, 0, 4)
    assert changes(earlier, space) == Changes()


def test_concrete_bytes() -> None:
    space = space64()
    base = space.allocate(200, "global", "g", initial=bytes(200))
    other = space.allocate(4, "global", "h", initial=b"")
    earlier = space.fork()
    space.store_bits(base + 150, 0x0100FF, 4)
    space.store_bits(other, 1, 1)
    assert changes(earlier, space) == Changes((base + 150, base + 152, other))


def test_symbolic_words() -> None:
    space = space64()
    base = space.allocate(16, "global", "g", initial=b"")
    x = word("x")
    space.store_bits(base, x, 4)
    earlier = space.fork()
    space.store_bits(base + 4, x, 4)
    space.store_bits(base + 8, build.zext(word("b", 1), 8, 32), 4)
    assert changes(earlier, space) == Changes((*range(base + 4, base + 8), base + 8))
    later = space.fork()
    later.store_bits(base, 7, 4)
    later.store_bits(base + 4, word("y"), 4)
    assert changes(space, later) == Changes(tuple(range(base, base + 8)))


def test_a_word_that_was_moved_within_itself() -> None:
    space = space64()
    base = space.allocate(4, "global", "g", initial=b"")
    x = word("x")
    space.store_bits(base, x, 4)
    earlier = space.fork()
    space.store_bits(base, build.extract(x, 7, 0), 1)
    assert changes(earlier, space) == Changes()


def test_first_values() -> None:
    space = space64()
    base = space.allocate(8, "stack", "s")
    earlier = space.fork()
    space.store_bits(base + 2, 0, 2)
    assert changes(earlier, space) == Changes((base + 2, base + 3))
    assert value_at(earlier, base + 2, 2) is None and value_at(space, base + 2, 2) == 0
    assert value_at(space, base + 1, 2) is None
    assert not asked(space) and not asked(earlier)


@pytest.mark.parametrize("make", [space32, space64])
def test_allocation(make: Any) -> None:
    space = make()
    base = space.allocate(4, "heap", "h", initial=b"")
    earlier = space.fork()
    space.allocate(4, "heap", "more", initial=b"")
    assert changes(earlier, space).problem == "memory is allocated or freed"
    freed = earlier.fork()
    freed.free(base)
    assert changes(earlier, freed).problem == "memory is allocated or freed"


def test_an_object_in_place_of_another() -> None:
    space = space64()
    base = space.allocate(4, "heap", "h", initial=b"")
    earlier = space.fork()
    space.free(base)
    space.allocate(4, "heap", "h", initial=b"")
    assert changes(earlier, space).problem == "memory is allocated or freed"


def test_places_that_depend_on_the_input() -> None:
    space = space64()
    base = space.allocate(4096, "global", "table", initial=bytes(4096))
    other = space.allocate(4, "global", "other", initial=b"")
    earlier = space.fork()
    found = space.find(base)
    assert found is not None
    store_at(space, found[0], _index(), 1, 1)
    assert changes(earlier, space).problem == "table is written at places that depend on the input"
    written = space.fork()
    written.store_bits(other, 1, 1)
    assert changes(space, written) == Changes((other,))


def _index() -> Expr:
    index = build.zext(build.symbol("i", bv(12)), 12, 64)
    assert isinstance(index, Expr)
    return index


def test_objects_of_several_pages_count_once() -> None:
    space = space32()
    base = space.allocate(3 * 4096, "global", "large", initial=bytes(3 * 4096))
    earlier = space.fork()
    space.store_bits(base + 5, 1, 1)
    space.store_bits(base + 9000, 1, 1)
    assert changes(earlier, space) == Changes((base + 5, base + 9000))


def test_words() -> None:
    space = space64()
    base = space.allocate(16, "global", "g", initial=b"")
    assert word_at(space, base) is None
    space.store_bits(base + 8, word("x", 8), 8)
    assert word_at(space, base + 8) == 8 and word_at(space, base + 12) is None and word_at(space, base) is None
    assert word_at(space, base + (1 << 40)) is None


def test_values_outside_of_objects() -> None:
    space = space64()
    base = space.allocate(4, "global", "g", initial=b"abcd")
    assert value_at(space, base, 4) == 0x64636261
    assert value_at(space, base + 2, 4) is None and value_at(space, base + (1 << 40), 1) is None


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32))
def test_changes_are_the_bytes_that_differ(seed: int) -> None:
    rng = random.Random(seed)
    space = space64()
    bases = [space.allocate(24, "global", f"g{n}", initial=rng.choice((None, bytes(24)))) for n in range(3)]
    _write(space, bases, rng, 6)
    earlier = space.fork()
    _write(space, bases, rng, rng.randrange(6))
    expected = tuple(
        address
        for base in sorted(bases)
        for address in range(base, base + 24)
        if not _alike(value_at(earlier, address, 1), value_at(space, address, 1))
    )
    assert changes(earlier, space) == Changes(expected)
    assert not asked(space)


def _write(space: AddressSpace, bases: list[int], rng: random.Random, count: int) -> None:
    for _ in range(count):
        size = rng.choice((1, 2, 4, 8))
        where = rng.choice(bases) + rng.randrange(0, 24 - size + 1)
        space.store_bits(where, rng.choice((0, 1, 255, word(f"w{rng.randrange(3)}.{size}", size))), size)


def _alike(a: Any, b: Any) -> bool:
    return a is b if isinstance(a, Expr) or isinstance(b, Expr) else bool(a == b)
