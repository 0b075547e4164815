"""Sorts of expressions: booleans, bit-vectors, float formats, arrays of bit-vectors.

Interned: two equal sorts are the same object, so ``is`` compares them, also after pickling.
"""

from __future__ import annotations

from enum import Enum
from typing import Final


class SortKind(Enum):
    """The families of sorts."""

    BOOL = "bool"
    BV = "bv"
    FLOAT = "float"
    ARRAY = "array"


class Sort:
    """One sort. ``width`` is in bits: 0 for BOOL and arrays, for floats a key of ``FLOAT_FORMAT``.

    ``index_width`` and ``element_width`` are those of an array, 0 otherwise. ``mask`` has all value
    bits set: ``2**width - 1`` for bit-vectors, 1 for BOOL, 0 elsewhere. ``code`` is a small number
    that is the same in every process.
    """

    __slots__ = ("kind", "width", "index_width", "element_width", "mask", "code")

    kind: SortKind
    width: int
    index_width: int
    element_width: int
    mask: int
    code: int

    def __init__(self, kind: SortKind, width: int, index_width: int = 0, element_width: int = 0) -> None:
        self.kind = kind
        self.width = width
        self.index_width = index_width
        self.element_width = element_width
        self.mask = {SortKind.BOOL: 1, SortKind.BV: (1 << width) - 1}.get(kind, 0)
        self.code = _CODES[kind] + 4 * (width + 256 * index_width + 65536 * element_width)

    def __repr__(self) -> str:
        if self.kind is SortKind.ARRAY:
            return f"array({self.index_width}, {self.element_width})"
        if self.kind is SortKind.BV:
            return f"bv({self.width})"
        return "BOOL" if self.kind is SortKind.BOOL else f"F{self.width}"

    def __reduce__(self) -> tuple[object, ...]:
        return _sort, (self.kind, self.width, self.index_width, self.element_width)


_CODES: Final = {SortKind.BOOL: 0, SortKind.BV: 1, SortKind.FLOAT: 2, SortKind.ARRAY: 3}

BOOL: Final = Sort(SortKind.BOOL, 0)
F16: Final = Sort(SortKind.FLOAT, 16)
F32: Final = Sort(SortKind.FLOAT, 32)
F64: Final = Sort(SortKind.FLOAT, 64)
F79: Final = Sort(SortKind.FLOAT, 79)
"""x87's extended format, without the bit that tells whether the number is normal (``clew.memory.floats``)."""
F128: Final = Sort(SortKind.FLOAT, 128)

FLOAT_FORMAT: Final = {16: (5, 11), 32: (8, 24), 64: (11, 53), 79: (15, 64), 128: (15, 113)}
"""Bits of the exponent and of the precision (with the leading one), by width. Each format contains the one before."""

_floats: Final = {sort.width: sort for sort in (F16, F32, F64, F79, F128)}

_bit_vectors: dict[int, Sort] = {}
_arrays: dict[tuple[int, int], Sort] = {}


def bv(width: int) -> Sort:
    """The sort of bit-vectors of ``width`` >= 1 bits."""
    sort = _bit_vectors.get(width)
    if sort is None:
        if width < 1:
            raise ValueError(f"a bit-vector has at least one bit, not {width}")
        sort = _bit_vectors[width] = Sort(SortKind.BV, width)
    return sort


def array(index_width: int, element_width: int) -> Sort:
    """The sort of arrays from bit-vectors to bit-vectors."""
    key = (index_width, element_width)
    sort = _arrays.get(key)
    if sort is None:
        sort = _arrays[key] = Sort(SortKind.ARRAY, 0, index_width, element_width)
    return sort


def floating(width: int) -> Sort:
    """The sort of floats with this key of ``FLOAT_FORMAT``."""
    return _floats[width]


def _sort(kind: SortKind, width: int, index_width: int, element_width: int) -> Sort:
    if kind is SortKind.BV:
        return bv(width)
    if kind is SortKind.ARRAY:
        return array(index_width, element_width)
    if kind is SortKind.BOOL:
        return BOOL
    return floating(width)
