"""Linear algebra over the integers modulo ``2**width``: combinations of vectors that are zero, and echelon forms.

The ring has zero divisors, but of any two elements one divides the other: the one with fewer factors of two. So what
Gauss does works, if the element with the fewest is taken as pivot, and if one keeps in mind that some multiple of a
pivot is zero: a combination may have that multiple of its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key")
Row = list[int]
"""A vector: its coordinates, from 0 to ``2**width - 1``."""


def twos(value: int) -> int:
    """How often two divides a number other than zero."""
    return (value & -value).bit_length() - 1


def quotient(value: int, divisor: int, width: int) -> int:
    """``value / divisor``, where the divisor has no more factors of two."""
    shift = twos(divisor)
    return (value >> shift) * pow(divisor >> shift, -1, 1 << width) % (1 << width)


def vanishing(generators: Iterable[Row], values: Sequence[int], width: int) -> list[Row]:
    """Generators of those combinations of the given ones whose value is zero; ``values`` are those of the given."""
    rows = list(generators)
    places = [place for place, value in enumerate(values) if value]
    if not places:
        return rows
    pivot = min(places, key=lambda place: twos(values[place]))
    for place in places:
        if place != pivot:
            rows[place] = _less(rows[place], rows[pivot], quotient(values[place], values[pivot], width), width)
    last = _scaled(rows[pivot], 1 << (width - twos(values[pivot])), width)
    del rows[pivot]
    return [*rows, last] if any(last) else rows


def relations(vectors: Sequence[Mapping[Key, int]], width: int) -> list[Row]:
    """Generators of all combinations of sparse vectors that are zero."""
    count = len(vectors)
    found: list[Row] = [[int(place == other) for other in range(count)] for place in range(count)]
    for key in dict.fromkeys(key for vector in vectors for key in vector):
        column = [vector.get(key, 0) for vector in vectors]
        values = [sum(a * b for a, b in zip(row, column, strict=True)) % (1 << width) for row in found]
        found = vanishing(found, values, width)
    return found


def echelon(rows: Iterable[Row], width: int) -> list[Row]:
    """The same module by few rows: each begins with a power of two where all later ones are zero (Howell's form)."""
    waiting = [row for row in rows if any(row)]
    found: list[Row] = []
    for column in range(len(waiting[0]) if waiting else 0):
        candidates = [row for row in waiting if row[column]]
        if not candidates:
            continue
        pivot = min(candidates, key=lambda row: twos(row[column]))
        power = 1 << twos(pivot[column])
        unit = _scaled(pivot, quotient(power, pivot[column], width), width)
        others = [_less(row, unit, row[column] // power, width) for row in waiting if row is not pivot]
        others.append(_scaled(unit, (1 << width) // power, width))
        waiting = [row for row in others if any(row)]
        found = [_less(row, unit, (row[column] + power // 2) // power, width) for row in found]  # to small numbers
        found.append(unit)
    return found


def simplest(row: Row, width: int) -> Row:
    """A multiple of a row that generates the same and has small coefficients: one of them is a power of two."""
    least = min(twos(value) for value in row if value)
    unit = 1 << least
    made = [_scaled(row, quotient(unit, value, width), width) for value in row if value and twos(value) == least]
    return min((row, *made), key=lambda one: sum(min(value, (1 << width) - value) for value in one))


def _scaled(row: Row, factor: int, width: int) -> Row:
    mask = (1 << width) - 1
    return [a * factor & mask for a in row]


def _less(row: Row, other: Row, factor: int, width: int) -> Row:
    """``row - factor * other``."""
    if not factor:
        return row
    mask = (1 << width) - 1
    return [(a - factor * b) & mask for a, b in zip(row, other, strict=True)]
