"""Layers of comprehensions, against plain lists of bytes: any number, overlapping, with single stores among them."""

from __future__ import annotations

from random import Random

import pytest

from clew.expr import build
from clew.expr.comprehension import UNKNOWN, comprehend, select_word
from clew.expr.evaluate import Model
from clew.expr.node import BV, Expr, index, postorder, symbol
from clew.expr.op import COMPREHENSION
from clew.expr.sort import bv

WIDTH = 8
SIZE = 1 << WIDTH
PLACE, START, COUNT = (symbol(name, bv(WIDTH)) for name in ("place", "start", "count"))


class Sample:
    """An array with random layers, and what it has to be for given values of the symbols in it."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.model = Model({START: random.randrange(SIZE), COUNT: random.randrange(12)})
        self.bytes = [random.randrange(256) for _ in range(SIZE)]
        self.array = build.array_from_bytes(bytes(self.bytes), WIDTH)
        for _ in range(random.randrange(1, 5)):
            self._add_layer()

    def _add_layer(self) -> None:
        random = self.random
        if random.randrange(4) == 0:
            size = random.choice((1, 2, 4))
            place, value = self._number(START, SIZE), random.randrange(256**size)
            self.array = build.store_word(self.array, place, value, size)
            self._write(self.model.eval(place), value, size)
            return
        size = random.choice((1, 2, 3, 4))
        stride = size + random.randrange(4)
        start, count = self._number(START, SIZE), self._number(COUNT, 128 // stride)
        if self.model.eval(count) * stride > SIZE // 2:
            return
        element = self._element(size)
        old = list(self.bytes)
        self.array = comprehend(self.array, start, count, stride, element, size)
        for number in range(self.model.eval(count)):
            value = Model({**self.model.values, index(WIDTH): number}).eval(element)
            self._write(self.model.eval(start) + number * stride, value, size, old)

    def _number(self, unknown: Expr, below: int) -> BV:
        return unknown if self.random.randrange(2) else self.random.randrange(below)

    def _element(self, size: int) -> BV:
        """A constant, a function of the number, or what another place of the array holds."""
        kind, width = self.random.randrange(3), 8 * size
        if kind == 0:
            return self.random.randrange(1 << width)
        if kind == 1:
            wide = build.concat(self.random.randrange(1 << width), width, index(WIDTH), WIDTH)
            return build.extract(build.mul(wide, 37, width + WIDTH), width - 1, 0)
        return build.select_word(self.array, build.mul(index(WIDTH), 3, WIDTH), size)

    def _write(self, place: int, value: int, size: int, old: list[int] | None = None) -> None:
        for number in range(size):
            self.bytes[(place + number) % SIZE] = value >> (8 * number) & 255

    def word(self, place: int, size: int) -> int:
        return sum(self.bytes[(place + number) % SIZE] << (8 * number) for number in range(size))


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(60))
def test_reading_is_what_writing_was(seed: int) -> None:
    sample = Sample(Random(seed))
    scale = sample.random.choice((1, 2, 3, 4))
    shifted = build.add(build.mul(PLACE, scale, WIDTH), sample.random.randrange(SIZE), WIDTH)
    for size in (1, 2, 4):
        symbolic = build.select_word(sample.array, shifted, size)
        assert not isinstance(symbolic, Expr) or all(node.op is not COMPREHENSION for node in postorder([symbolic]))
        for _ in range(12):
            model = sample.model.updated({PLACE: sample.random.randrange(SIZE)})
            place = model.eval(shifted)
            assert model.eval(symbolic) == sample.word(place, size)
            assert model.eval(build.select_word(sample.array, place, size)) == sample.word(place, size)


def test_what_is_known_of_a_place_keeps_words_whole() -> None:
    older = symbol("older", build.array_from_bytes(b"", 64).sort)
    array = comprehend(older, 0, symbol("n", bv(64)), 12, build.extract(index(64), 31, 0), 4)
    word = select_word(array, build.mul(symbol("i", bv(64)), 12, 64), 4, (0, 12))
    assert isinstance(word, Expr)
    assert word.args[1] is build.extract(symbol("i", bv(64)), 31, 0)
    assert "n" in {str(each.value) for each in array.symbols}
    assert index(64) not in array.symbols
    assert select_word(array, 8, 4, UNKNOWN) == select_word(older, 8, 4)
