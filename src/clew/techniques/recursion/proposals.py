"""Candidates for the contracts of functions: what samples of calls suggest.

Equations of low degree between arguments and results, bounds, orders and parities, each for all calls or for those
that a comparison in the function's own code tells apart. Nothing here is true because it is proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import lcm

from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import IntType
from clew.program.values import ConstInt, Register, Value
from clew.techniques.recursion.conditions import Comparison, Condition, Monomial, Term
from clew.techniques.recursion.contracts import parameter

Sample = dict[Term, int]

ENOUGH = 2
"""Samples beyond the number of unknowns of an equation, for it to be proposed."""
LARGEST = 1 << 12
"""Factors of equations."""
GUARDS = 12
DEGREE_TWO = 4
"""Arguments, up to which their products are looked at."""
ROOM = 8
"""Bits that sums have in addition to those of their parts."""


def after(function: Function, samples: Sequence[Sample], known: Sequence[Term], new: Sequence[Term]) -> list[Condition]:
    """What may hold of ``new`` terms when a call returns, in terms of those ``known`` before it."""
    widths = {term: 64 if _large(samples, term) else 32 for term in (*known, *new)}
    found: dict[Condition, None] = {}
    for guards in guard_sets(function):
        chosen = [one for one in samples if all(guard.holds(one) for guard in guards)]
        if not chosen:
            continue
        for term in new:
            for comparison in _about(term, known, chosen, function, max(widths.values())):
                found[Condition(comparison, guards)] = None
    return [one for one in found if all(map(one.holds, samples))]


def before(function: Function, samples: Sequence[Sample], known: Sequence[Term]) -> list[Condition]:
    """What may hold of all calls from inside."""
    found: dict[Condition, None] = {}
    for term in known:
        for comparison in (*_bounds(term, samples, constants(function)), *_parities(term, samples)):
            found[Condition(comparison)] = None
    for one, other in combinations(known, 2):
        found.update((Condition(order), None) for order in _orders(one, other, samples))
    return list(found)


def _large(samples: Iterable[Sample], term: Term) -> bool:
    return any(abs(sample[term]) >> 31 for sample in samples)


# Guards


def guard_sets(function: Function) -> Iterator[tuple[Comparison, ...]]:
    """None; comparisons of parameters with each other or a number, in the code, and their opposites; parities."""
    yield ()
    singles = list(dict.fromkeys(_compared(function)))[:GUARDS]
    for place, given in enumerate(function.parameters):
        if isinstance(given.value.type, IntType) and given.value.type.width > 1:
            singles += [_parity(parameter(place), 2, residue) for residue in (0, 1)]
    for guard in singles:
        yield (guard,)
    yield from combinations(singles[:GUARDS], 2)


def _compared(function: Function) -> Iterator[Comparison]:
    places = {given.value: parameter(place) for place, given in enumerate(function.parameters)}
    for instruction in function.instructions():
        if not isinstance(instruction, ir.Compare) or instruction.floating:
            continue
        left, right = _side(instruction.left, places), _side(instruction.right, places)
        if left is None or right is None or not (left[0] or right[0]):
            continue
        difference = _sum([(left[0], 1), (right[0], -1)], left[1] - right[1])
        predicate = instruction.predicate
        if predicate in ("eq", "ne"):
            yield Comparison(difference, "eq", 64)
            yield Comparison(difference, "ne", 64)
        else:
            strict = predicate[1:] in ("lt", "gt")
            if predicate[1:].startswith("g"):
                difference = tuple((monomial, -factor) for monomial, factor in difference)
            yield Comparison(difference, "slt" if strict else "sle", 64)
            opposite = tuple((monomial, -factor) for monomial, factor in difference)
            yield Comparison(opposite, "sle" if strict else "slt", 64)


def _side(value: Value, places: Mapping[Value, Term]) -> tuple[Monomial, int] | None:
    if isinstance(value, ConstInt) and isinstance(value.type, IntType):
        width = value.type.width
        return (), value.value - (1 << width) if value.value >> (width - 1) and width > 1 else value.value
    if isinstance(value, Register) and value in places:
        return (places[value],), 0
    return None


def _sum(parts: Sequence[tuple[Monomial, int]], constant: int) -> tuple[tuple[Monomial, int], ...]:
    found = [(monomial, factor) for monomial, factor in parts if monomial]
    return (*found, ((), constant)) if constant else tuple(found)


def constants(function: Function) -> list[int]:
    """The numbers that a function compares with, their neighbours, and small ones."""
    found = {0, 1}
    for instruction in function.instructions():
        if isinstance(instruction, ir.Compare):
            for side in (instruction.left, instruction.right):
                known = _side(side, {})
                if known is not None:
                    found.update((known[1] - 1, known[1], known[1] + 1))
    return sorted(found)


# Comparisons that are true of samples


def _about(
    term: Term, known: Sequence[Term], samples: Sequence[Sample], function: Function, width: int
) -> Iterator[Comparison]:
    """What is true of one term in all samples."""
    yield from _equations(term, known, samples, width)
    yield from _bounds(term, samples, constants(function))
    for other in known:
        yield from _orders(term, other, samples)


def _equations(term: Term, known: Sequence[Term], samples: Sequence[Sample], width: int) -> Iterator[Comparison]:
    for degree in (0, 1, 2):
        if degree == 2 and len(known) > DEGREE_TWO:
            return
        monomials = [m for d in range(degree + 1) for m in combinations_with_replacement(known, d)]
        if degree and len({tuple(sorted(one.items())) for one in samples}) < len(monomials) + ENOUGH:
            return
        solution = _solve([[_value(m, one) for m in monomials] for one in samples], [one[term] for one in samples])
        if solution is None:
            continue
        factor = lcm(*(part.denominator for part in solution))
        sum = (
            ((term,), -factor),
            *((m, int(part * factor)) for m, part in zip(monomials, solution, strict=True) if part),
        )
        if all(abs(number) <= LARGEST for _, number in sum):
            yield Comparison(sum, "eq", max(1, degree) * width + 2 * ROOM)
            yield Comparison(sum, "eq", width)
        return


def _value(monomial: Monomial, sample: Sample) -> int:
    product = 1
    for term in monomial:
        product *= sample[term]
    return product


def _solve(rows: list[list[int]], wanted: list[int]) -> list[Fraction] | None:
    """Factors with which the columns add up to what is wanted in every row; free ones are zero."""
    table = [[Fraction(value) for value in (*row, right)] for row, right in zip(rows, wanted, strict=True)]
    pivots: list[int] = []
    columns = len(rows[0])
    at = 0
    for column in range(columns):
        row = next((n for n in range(at, len(table)) if table[n][column]), None)
        if row is None:
            continue
        table[at], table[row] = table[row], table[at]
        table[at] = [value / table[at][column] for value in table[at]]
        for n, other in enumerate(table):
            if n != at and other[column]:
                scale = other[column]
                table[n] = [value - scale * pivot for value, pivot in zip(other, table[at], strict=True)]
        pivots.append(column)
        at += 1
    if any(row[columns] for row in table[at:]):
        return None
    result = [Fraction(0)] * columns
    for n, column in enumerate(pivots):
        result[column] = table[n][columns]
    return result


def _bounds(term: Term, samples: Sequence[Sample], numbers: Sequence[int]) -> Iterator[Comparison]:
    least, most = min(one[term] for one in samples), max(one[term] for one in samples)
    floors = [number for number in numbers if number <= least]
    ceilings = [number for number in numbers if number >= most]
    if floors:
        yield Comparison(_sum([((term,), -1)], max(floors)), "sle", 64)
    if ceilings:
        yield Comparison(_sum([((term,), 1)], -min(ceilings)), "sle", 64)
    if least > 0 or most < 0:
        return
    if not any(one[term] == 0 for one in samples):
        yield Comparison((((term,), 1),), "ne", 64)


def _orders(one: Term, other: Term, samples: Sequence[Sample]) -> Iterator[Comparison]:
    differences = [sample[one] - sample[other] for sample in samples]
    if all(difference <= 0 for difference in differences):
        yield Comparison((((one,), 1), ((other,), -1)), "sle", 64)
    if all(difference >= 0 for difference in differences):
        yield Comparison((((other,), 1), ((one,), -1)), "sle", 64)


def _parities(term: Term, samples: Sequence[Sample]) -> Iterator[Comparison]:
    for modulus in (2, 4):
        residues = {one[term] % modulus for one in samples}
        if len(residues) == 1:
            yield _parity(term, modulus, residues.pop())


def _parity(term: Term, modulus: int, residue: int) -> Comparison:
    return Comparison(_sum([((term,), 1)], -residue), "eq", 64, mask=modulus - 1)
