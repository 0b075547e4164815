"""Accesses at symbolic offsets, and resolution of symbolic pointers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.base.errors import Unsupported
from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import Expr, Value
from clew.expr.sort import bv
from clew.memory.errors import AccessError
from clew.memory.offsets import places
from clew.memory.resolve import candidates, in_bounds
from clew.memory.symbolic import load_at, settle_array, store_at
from unit.memory.support import asked, object_at, space32, space64, word

I = build.symbol("i", bv(64))  # noqa: E741
J = build.symbol("j", bv(32))


def scaled(factor: int, constant: int = 0) -> Expr:
    offset = build.add(build.mul(build.sext(J, 32, 64), factor, 64), constant, 64)
    assert isinstance(offset, Expr)
    return offset


def test_places_follow_the_stride() -> None:
    assert list(places(scaled(12, 4), 35)) == [4, 16, 28]
    assert list(places(scaled(4), 12)) == [0, 4, 8, 12]
    assert list(places(scaled(-8, 20), 24)) == [4, 12, 20]
    masked = build.and_(I, 6, 64)
    assert isinstance(masked, Expr)
    assert list(places(masked, 100)) == [0, 2, 4, 6]


def test_a_multiple_that_may_wrap_around_has_no_stride() -> None:
    offset = build.mul(I, 12, 64)
    assert isinstance(offset, Expr)
    assert places(offset, 35).step == 4


def test_alternatives_outside_of_the_object_leave_no_places() -> None:
    text = 0x10000
    position = build.zext(build.symbol("position", bv(4)), 4, 64)
    found = build.ne(J, 0, 32)
    hit = build.ite(found, build.add(position, text, 64), 0, bv(64))
    offset = build.sub(build.add(hit, 3, 64), text, 64)
    assert isinstance(offset, Expr)
    assert list(places(offset, 199)) == list(range(3, 19))
    deep: Expr = I
    for step in range(300):
        deep = build.ite(build.eq(J, step, 32), step % 4, deep, bv(64))  # type: ignore[assignment]
    assert len(places(deep, 199)) == 200, "what comes last may be anything"


def test_small_tables_become_choices() -> None:
    space = space64()
    base = space.allocate(12, "global", "t", initial=b"\1\0\0\0\2\0\0\0\3\0\0\0")
    value = load_at(space, object_at(space, base), scaled(4), 4)
    assert isinstance(value, Expr)
    assert [Model({J: j}).eval(value) for j in range(3)] == [1, 2, 3]
    assert object_at(space, base).array is None


def test_stores_keep_words_whole() -> None:
    space = space64()
    base = space.allocate(12, "heap", "t", initial=b"")
    x, y = word("x"), word("y")
    space.store_bits(base + 4, x, 4)
    store_at(space, object_at(space, base), scaled(4), y, 4)
    value = space.load_bits(base + 4, 4)
    assert isinstance(value, Expr)
    assert Model({J: 1, x: 3, y: 4}).eval(value) == 4 and Model({J: 0, x: 3, y: 4}).eval(value) == 3


def test_large_tables_become_arrays_and_stay_concrete() -> None:
    space = space64()
    base = space.allocate(4096, "global", "t", initial=bytes(range(256)) * 16)
    obj = object_at(space, base)
    first = load_at(space, obj, I, 1)
    assert isinstance(first, Expr) and Model({I: 700}).eval(first) == 700 % 256
    array = obj.array
    assert array is not None and obj.shadow is None
    space.store_bits(base + 700, 9, 1)
    space.w1[base >> 32][701] = 8  # unseen
    second = load_at(space, obj, I, 2)
    assert isinstance(second, Expr) and Model({I: 700}).eval(second) == 0x0809
    assert Model({I: 700}).eval(first) == 700 % 256
    assert obj.array is build.store(build.store(array, 700, 9), 701, 8)


def test_after_a_store_concrete_accesses_see_it() -> None:
    space = space64()
    base = space.allocate(4096, "heap", "t", initial=b"")
    obj = object_at(space, base)
    store_at(space, obj, I, 0x1234, 2)
    value = space.load_bits(base + 6, 4)
    assert isinstance(value, Expr)
    assert [Model({I: i}).eval(value) for i in (5, 6, 9, 10)] == [0x12, 0x1234, 0x34000000, 0]
    assert space.load_bits(base + 6, 4) is value
    space.store_bits(base + 6, 7, 4)
    again = load_at(space, obj, I, 1)
    assert isinstance(again, Expr) and Model({I: 6}).eval(again) == 7
    assert Model({I: 20}).eval(again) == 0x34
    space.fill(base, 0, 4096)
    assert space.load_bits(base + 6, 4) == 0 and object_at(space, base).array is None


def test_an_array_whose_places_are_known_becomes_bytes_again() -> None:
    space = space64()
    base = space.allocate(4096, "heap", "t", initial=b"")
    store_at(space, object_at(space, base), I, 0x1234, 2)
    twin = space.fork()
    settle_array(space, base, {I: 6})
    assert object_at(space, base).shadow is None
    assert space.load_bits(base + 4, 8) == 0x12340000
    assert isinstance(twin.load_bits(base + 6, 1), Expr)


SYMBOLS = tuple(build.symbol(f"k{number}", bv(64)) for number in range(3))
VALUE = build.symbol("v", bv(16))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 38), st.booleans()), min_size=1, max_size=8),
    st.lists(st.integers(0, 29), min_size=3, max_size=3),
    st.integers(0, 7),
)
def test_a_settled_array_holds_what_it_held(writes: list[tuple[int, int, bool]], numbers: list[int], told: int) -> None:
    """``told``: of which symbols the value is known."""
    space, expected = space64(), bytearray(range(100))
    base = space.allocate(100, "heap", "t", initial=bytes(expected))
    model = Model({VALUE: 0xBEEF, **dict(zip(SYMBOLS, numbers, strict=True))})
    for number, (which, place, symbolic) in enumerate([(0, 0, False), *writes]):
        value: Value = VALUE if symbolic else 0x4000 + number
        offset = build_offset(which, place % 10) if which < 3 else place
        if isinstance(offset, Expr):
            store_at(space, object_at(space, base), offset, value, 2)
        else:
            space.store_bits(base + offset, value, 2)
        start = model.eval(offset)
        expected[start : start + 2] = model.eval(value).to_bytes(2, "little")
    fixed: dict[Expr, Value] = {symbol: numbers[number] for number, symbol in enumerate(SYMBOLS) if told >> number & 1}
    settle_array(space, base, fixed)
    assert [model.eval(space.load_bits(base + place, 1)) for place in range(100)] == list(expected)
    if told == 7:
        after = [space.load_bits(base + place, 1) for place in range(100)]
        assert all(not isinstance(value, Expr) or value.symbols == {VALUE} for value in after)
    again = load_at(space, object_at(space, base), SYMBOLS[0], 1)
    assert model.eval(again) == expected[numbers[0]]


def build_offset(which: int, more: int) -> Expr:
    """A place in an array of bytes that no shape limits, within the hundred."""
    offset = build.add(SYMBOLS[which], more, 64)
    assert isinstance(offset, Expr)
    return offset


def test_bytes_a_store_cannot_reach_stay_concrete() -> None:
    space = space64()
    base = space.allocate(4096, "heap", "t", initial=b"")
    offset = build.add(build.and_(I, 0xFF, 64), 16, 64)
    assert isinstance(offset, Expr)
    store_at(space, object_at(space, base), offset, 5, 1)
    assert space.load_bits(base + 8, 8) == 0 and space.load_bits(base + 272, 4) == 0
    assert isinstance(space.load_bits(base + 271, 1), Expr)


def test_uninitialised_bytes_in_reach_are_asked_for_in_words() -> None:
    space = space64()
    base = space.allocate(100, "heap", "t")
    store_at(space, object_at(space, base), I, 5, 1)
    assert asked(space)[:2] == [(0, 8), (8, 8)] and asked(space)[-1] == (96, 4)
    huge = space.allocate(1 << 20, "heap", "t")
    with pytest.raises(Unsupported, match="uninitialised"):
        store_at(space, object_at(space, huge), I, 5, 1)


def test_symbolic_stores_are_checked_and_copied_on_write() -> None:
    space = space64()
    fixed = space.allocate(8, "global", "c", initial=b"", constant=True)
    with pytest.raises(AccessError) as caught:
        store_at(space, object_at(space, fixed), scaled(4), 1, 4)
    assert caught.value.kind == "write-to-constant"
    base = space.allocate(4096, "heap", "t", initial=b"")
    obj = object_at(space, base)
    twin = space.fork()
    store_at(twin, obj, I, 1, 1)
    assert space.load_bits(base, 4) == 0 and isinstance(twin.load_bits(base, 4), Expr)


def test_an_access_wider_than_the_object() -> None:
    space = space64()
    base = space.allocate(2, "heap", "t", initial=b"")
    with pytest.raises(AccessError):
        load_at(space, object_at(space, base), I, 4)


def test_resolution() -> None:
    space = space32()
    first, second = space.allocate(16, "heap", "a"), space.allocate(64, "heap", "b")
    space.allocate(1, "function", "f", constant=True)
    wild = build.symbol("p", bv(32))
    assert [obj.base for obj in candidates(space, wild, 4).objects] == [first, second]
    assert candidates(space, wild, 4, limit=1) == ([object_at(space, first)], False)
    assert [obj.base for obj in candidates(space, wild, 32).objects] == [second]
    pointer = build.add(build.and_(wild, 0xFF, 32), second, 32)
    assert isinstance(pointer, Expr)
    assert candidates(space, pointer, 4) == ([object_at(space, second)], True)
    named = build.add(wild, second, 32)
    assert isinstance(named, Expr)
    assert [obj.base for obj in candidates(space, named, 4).objects] == [second, first]


def test_bounds() -> None:
    space = space64()
    obj = object_at(space, space.allocate(16, "heap", "a"))
    pointer = build.symbol("p", bv(64))
    inside = in_bounds(obj, pointer, 4, 64)
    assert isinstance(inside, Expr)
    values = [Model({pointer: obj.base + k}).eval(inside) for k in (-1, 0, 12, 13)]
    assert values == [False, True, True, False]
    assert in_bounds(obj, pointer, 17, 64) is False
