"""Reading a table at a place that depends on input.

Tables of 256 numbers in which each is the sum (xor) of those of its bits, as CRCs have them, become such sums, which
solvers are good at; others are arrays.
"""

from __future__ import annotations

import functools
from typing import Any

from clew.expr import build
from clew.expr.node import BV

_INDEX = 64


def lookup(address: int, data: bytes, place: Any, size: int) -> BV:
    """The number of so many bytes at an address, in an object that begins at another one and holds ``data``."""
    offset = build.sub(place, address, _INDEX)
    step = size
    index = build.udiv(offset, step, _INDEX)
    if len(data) == 256 * size and build.urem(offset, step, _INDEX) == 0:
        basis = _linear(data, size)
        if basis is not None:
            return _sum(basis, build.extract(index, 7, 0), 8 * size)
    return build.select_word(build.array_from_bytes(data, _INDEX), offset, size)


@functools.lru_cache(maxsize=64)
def _linear(data: bytes, size: int) -> tuple[int, ...] | None:
    """The number at 0, and what each bit of the index adds to it; None if it is no such table."""
    entries = [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]
    first, bits = entries[0], [entries[1 << bit] ^ entries[0] for bit in range(8)]
    for number, entry in enumerate(entries):
        total = first
        for bit, part in enumerate(bits):
            if number >> bit & 1:
                total ^= part
        if total != entry:
            return None
    return first, *bits


def _sum(basis: tuple[int, ...], index: BV, width: int) -> BV:
    """The sum of what the bits of an index add; the table has no entry beyond it."""
    total: BV = basis[0]
    for bit, part in enumerate(basis[1:]):
        chosen = build.sext(build.extract(index, bit, bit), 1, width)
        total = build.xor(total, build.and_(chosen, part, width), width)
    return total
