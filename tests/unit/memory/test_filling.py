"""Ranges of an object that are a function of the element's number, among all other accesses, against plain bytes."""

from __future__ import annotations

from random import Random

import pytest

from clew.expr import build
from clew.expr.evaluate import Model
from clew.expr.node import BV, Expr, index
from clew.expr.sort import bv
from clew.memory.space import AddressSpace
from clew.memory.symbolic import fill_at, load_at, store_at
from unit.memory.support import object_at, space32, space64

SIZE = 600
"""More than so many places that they would become choices."""


class Bench:
    """Objects that are written to in all ways there are; ``expected`` has what their bytes are under ``model``."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.space: AddressSpace = random.choice((space32, space64))()
        self.width = self.space.pointer_bits
        symbols = [build.symbol(f"s{number}", bv(self.width)) for number in range(4)]
        self.model = Model({symbol: random.randrange(40) for symbol in symbols})
        self.symbols = symbols
        starts = [bytes(random.randrange(256) for _ in range(SIZE)), None]
        self.bases = [self.space.allocate(SIZE, "heap", initial=initial) for initial in starts]
        self.expected: list[list[int | None]] = [list(starts[0] or b""), [None] * SIZE]

    def offset(self, size: int) -> BV:
        """A place in an object with room for so many bytes."""
        if self.random.randrange(2):
            return self.random.randrange(SIZE - size)
        scale = self.random.choice((1, 2, 4, 12))
        return build.mul(self.random.choice(self.symbols), scale, self.width)

    def write(self, which: int, offset: int, value: int, size: int) -> None:
        for number in range(size):
            self.expected[which][offset + number] = value >> (8 * number) & 255

    def store(self, which: int) -> None:
        size, value = self.random.choice((1, 2, 4, 8)), self.random.randrange(1 << 8)
        place: BV = self.offset(size)
        if isinstance(place, Expr):
            store_at(self.space, object_at(self.space, self.bases[which]), place, value, size)
        else:
            self.space.store_bits(self.bases[which] + place, value, size)
        self.write(which, self.model.eval(place), value, size)

    def fill(self, which: int) -> None:
        random, width = self.random, self.width
        size = random.choice((1, 2, 4, 8))
        stride = size * random.choice((1, 1, 2, 3))
        most = 120 // stride
        start = self.offset(1)
        count: BV = random.randrange(most)
        if random.randrange(2):
            count = build.urem(random.choice(self.symbols), most, width)
        if self.model.eval(start) + (self.model.eval(count)) * stride > SIZE:
            return
        element = build.add(build.mul(index(width), random.randrange(1000), width), random.choice(self.symbols), width)
        held = build.extract(element, 8 * size - 1, 0) if 8 * size <= width else build.zext(element, width, 8 * size)
        fill_at(self.space, object_at(self.space, self.bases[which]), start, count, stride, held, size, width)
        for number in range(self.model.eval(count)):
            value = Model({**self.model.values, index(width): number}).eval(held)
            self.write(which, self.model.eval(start) + number * stride, value, size)

    def copy(self, which: int) -> None:
        length = self.random.randrange(1, 60)
        to, origin = (self.random.randrange(SIZE - length) for _ in range(2))
        self.space.copy(self.bases[which] + to, self.bases[1 - which] + origin, length)
        self.expected[which][to : to + length] = self.expected[1 - which][origin : origin + length]

    def fork(self, which: int) -> None:
        """Another state writes; this one sees nothing of that."""
        other = self.space.fork()
        fill_at(other, object_at(other, self.bases[which]), self.symbols[0], 7, 1, 1, 1, self.width)
        other.store_bits(self.bases[which] + 3, 9, 4)

    def check(self, which: int) -> None:
        size = self.random.choice((1, 2, 4, 8))
        place = self.offset(size)
        at = self.model.eval(place)
        expected = self.expected[which][at : at + size]
        if isinstance(place, Expr):
            value = load_at(self.space, object_at(self.space, self.bases[which]), place, size)
        else:
            value = self.space.load_bits(self.bases[which] + place, size)
        seen = self.model.eval(value)
        for number, byte in enumerate(expected):
            assert byte is None or seen >> (8 * number) & 255 == byte


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(40))
def test_contents_are_what_was_written(seed: int) -> None:
    bench = Bench(Random(seed))
    for _ in range(14):
        which = bench.random.randrange(2)
        bench.random.choice((bench.store, bench.fill, bench.fill, bench.copy, bench.fork, bench.check))(which)
        bench.check(which)
        bench.check(which)


def test_an_object_that_is_filled_as_a_whole_needs_no_older_contents() -> None:
    space = space64()
    base = space.allocate(1 << 20, "stack")
    fill_at(space, object_at(space, base), 0, 1 << 18, 4, build.extract(index(64), 31, 0), 4, 64)
    place = build.symbol("i", bv(32))
    offset = build.mul(build.zext(place, 32, 64), 4, 64)
    assert isinstance(offset, Expr)
    value = load_at(space, object_at(space, base), offset, 4)
    assert Model({place: 77}).eval(value) == 77
    assert space.load_bits(base + 4 * 1000, 4) == 1000
    space.store_bits(base + 4 * 1000, 5, 4)
    value = load_at(space, object_at(space, base), offset, 4)
    assert Model({place: 1000}).eval(value) == 5 and Model({place: 1001}).eval(value) == 1001
