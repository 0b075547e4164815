"""Which variable arguments the registers of x86-64 pass, and where a ``va_list`` has them.

Clang takes a small struct apart if there are registers for all of it, and the code of ``va_arg`` relies on that: what
lies in memory is aligned and has its padding, what lies in registers is not, and has none.

The registers that pass variable arguments are taken for the last ones there are. Then nothing is left in the list when
all that was passed is read, and ``va_arg`` decides as it would otherwise: what is left is enough for an argument if,
and only if, it came in registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.base.dataclass import dataclass
from clew.program.layout import DataLayout
from clew.program.types import FloatKind, FloatType, IntType, PointerType, Type, VectorType

SAVED = 176
"""Bytes of the area that registers are saved to: six of 8 bytes, then eight of 16."""
GENERAL_END = 48
_GENERAL, _VECTOR = 6, 8

Passed = tuple[Type, bool]
"""The type of an argument, and whether that is the address of a struct which memory passes by value."""


@dataclass(frozen=True, slots=True)
class SavedRegisters:
    """Where each variable argument was saved (None: memory passes it), and the offsets that a new list has."""

    offsets: tuple[int | None, ...]
    general: int
    vector: int


def saved_registers(fixed: Iterable[Passed], variable: Iterable[Passed], layout: DataLayout) -> SavedRegisters:
    """What becomes of the arguments of a call of a function with these parameters."""
    free = [_GENERAL, _VECTOR]
    for _ in _assigned(fixed, free, layout):
        pass
    first = tuple(free)
    taken = list(_assigned(variable, free, layout))
    general, vector = GENERAL_END - 8 * (first[0] - free[0]), SAVED - 16 * (first[1] - free[1])
    offsets: list[int | None] = []
    at_general, at_vector = general, vector
    for generals, vectors in taken:
        offsets.append(at_general if generals else at_vector if vectors else None)
        at_general += 8 * generals
        at_vector += 16 * vectors
    return SavedRegisters(tuple(offsets), general, vector)


def _assigned(arguments: Iterable[Passed], free: list[int], layout: DataLayout) -> Iterator[tuple[int, int]]:
    """How many general and vector registers each argument gets: all that it needs, or none."""
    for type, in_memory in arguments:
        needed = (0, 0) if in_memory else needed_registers(type, layout)
        if needed[0] > free[0] or needed[1] > free[1]:
            needed = (0, 0)
        free[0] -= needed[0]
        free[1] -= needed[1]
        yield needed


def needed_registers(type: Type, layout: DataLayout) -> tuple[int, int]:
    """General and vector registers for a value."""
    match type:
        case PointerType():
            return 1, 0
        case IntType(width=width) if width <= 128:
            return (1, 0) if width <= 64 else (2, 0)
        case FloatType(kind=kind) if kind is not FloatKind.X86_FP80:
            return 0, 1
        case VectorType() if layout.size(type) <= 16:
            return 0, 1
    return 0, 0
