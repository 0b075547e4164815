"""Values taken apart: the numbers that a struct, array or vector in a register is made of, each with a shadow."""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.program.layout import DataLayout
from clew.program.types import (
    ArrayType,
    FloatKind,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    VoidType,
)

MOST_LEAVES = 16
WIDEST = 64


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number in a value: its type, where it lies in memory, and the indices that lead to it."""

    type: Type
    offset: int = 0
    path: tuple[int, ...] = ()
    width: int = 0
    """Bits; 0 if it has no shadow."""


def leaves(type: Type, layout: DataLayout) -> tuple[Leaf, ...]:
    """All numbers of a value, in order; none of one that has too many."""
    found = _leaves(type, layout, 0, ())
    return tuple(found) if len(found) <= MOST_LEAVES else ()


def _leaves(type: Type, layout: DataLayout, offset: int, path: tuple[int, ...]) -> list[Leaf]:
    found: list[Leaf] = []
    match type:
        case VoidType():
            pass
        case StructType(fields=fields):
            for number, (field, place) in enumerate(zip(fields, layout.offsets(type), strict=True)):
                found += _leaves(field, layout, offset + place, (*path, number))
        case ArrayType(count=count, element=element) | VectorType(count=count, element=element):
            size = layout.size(element)
            if isinstance(type, VectorType) and layout.bits(element) % 8:
                count = MOST_LEAVES + 1  # they share bytes
            for number in range(min(count, MOST_LEAVES + 1)):
                found += _leaves(element, layout, offset + number * size, (*path, number))
        case _:
            found.append(Leaf(type, offset, path, _width(type)))
    return found


def _width(type: Type) -> int:
    match type:
        case IntType(width=width):
            return width if width <= WIDEST else 0
        case PointerType():
            return 64
        case FloatType(kind=FloatKind.FLOAT):
            return 32
        case FloatType(kind=FloatKind.DOUBLE):
            return 64
    return 0
