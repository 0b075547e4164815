"""Closed forms: variables that an iteration adds multiples of others to are polynomials of the number of iterations.

After ``k`` iterations of one piece, a variable is ``C(k,0)*a[0] + C(k,1)*a[1] + ...`` with linear expressions ``a`` of
the state before, modulo the width of the variable: ``a[0]`` is its own value, and ``a[m+1]`` is what is added to it,
with ``a[m]`` in the place of variables. Guards must be about variables that grow by constants: then they hold in all of
the ``k`` iterations if they hold in the first and the last.
"""

from __future__ import annotations

from math import factorial

from clew.analysis.absint.linear import Constraint, Linear, Variable, equal, within
from clew.analysis.loops.box import Box
from clew.analysis.loops.closure import After, Before, Congruence, Disjunct, LoopVariable, Unknown
from clew.analysis.loops.relation import Piece
from clew.base.dataclass import dataclass

COUNT = Unknown(0)
"""The number of iterations, in what is found here."""

_DEGREE = 4
_MANY = 1 << 200


@dataclass(frozen=True, slots=True)
class Series:
    """The states after some iterations of one piece: constraints, and congruences."""

    disjunct: Disjunct
    congruences: tuple[Congruence, ...]
    exact: bool


def series_of(piece: Piece, modular: frozenset[LoopVariable]) -> Series | None:
    """The closed form of one piece; None if there is none. ``modular``: variables that wrap around freely."""
    coefficients = _coefficients(dict(piece.updates))
    if coefficients is None or any(isinstance(v, Unknown) for v in _variables(piece)):
        return None
    constraints: list[Constraint] = []
    exact = True
    for guard in piece.guards:
        constraints.append(guard)
        slope = _slope(guard.linear, coefficients)
        if slope is None:
            exact = False
        elif slope:
            last = guard.linear.plus(Linear({COUNT: 1}, -1), slope)
            constraints.append(guard.about(last))
    congruences = []
    for variable, row in coefficients.items():
        if variable not in modular and len(row) <= 2 and all(each.is_number for each in row[1:]):
            grown = Linear.of(Before(variable)).plus(Linear.of(COUNT), row[1].constant if len(row) > 1 else 0)
            constraints.append(equal(Linear.of(After(variable)), grown))
        else:
            congruences.append(_congruence(variable, row))
    bounds = _bounds(constraints, congruences)
    return None if bounds is None else Series((*constraints, *bounds), tuple(congruences), exact)


def _variables(piece: Piece) -> list[Variable]:
    found = [v for guard in piece.guards for v in guard.variables]
    return found + [v for _, linear in piece.updates for v in linear.terms]


def _coefficients(updates: dict[LoopVariable, Linear]) -> dict[LoopVariable, list[Linear]] | None:
    """What a variable is made of, by degrees, in an order in which each comes after those that it needs."""
    done: dict[LoopVariable, list[Linear]] = {}
    waiting = dict(updates)
    while waiting:
        ready = None
        for variable, linear in waiting.items():
            needed = {v.of for v in linear.terms if isinstance(v, Before)} - {variable}
            if linear.terms.get(Before(variable)) != 1:
                return None
            if needed <= done.keys():
                ready = variable
                break
        if ready is None:
            return None
        row = _row(ready, waiting.pop(ready) - Linear.of(Before(ready)), done)
        if len(row) > _DEGREE + 1:
            return None
        done[ready] = row
    return {variable: done[variable] for variable in updates}


def _row(variable: LoopVariable, added: Linear, known: dict[LoopVariable, list[Linear]]) -> list[Linear]:
    row = [Linear.of(Before(variable))]
    inner = {v.of: factor for v, factor in added.terms.items() if isinstance(v, Before)}
    outer = Linear({v: factor for v, factor in added.terms.items() if not isinstance(v, Before)}, added.constant)
    degree = max((len(known[v]) for v in inner), default=1)
    for m in range(degree):
        total = outer if m == 0 else Linear()
        for v, factor in inner.items():
            if m < len(known[v]):
                total = total.plus(known[v][m], factor)
        row.append(total)
    while len(row) > 1 and row[-1] == Linear():
        row.pop()
    return row


def _slope(guard: Linear, coefficients: dict[LoopVariable, list[Linear]]) -> int | None:
    """By how much a guard changes in each iteration; None if that is no constant."""
    total = 0
    for v, factor in guard.terms.items():
        if isinstance(v, Before):
            row = coefficients.get(v.of, [])
            if len(row) > 2 or (len(row) == 2 and not row[1].is_number):
                return None
            total += factor * (row[1].constant if len(row) == 2 else 0)
    return total


def _congruence(variable: LoopVariable, row: list[Linear]) -> Congruence:
    """``d * after = d * C(k,0)*a[0] + ...`` with a denominator that makes all factors whole."""
    whole = factorial(len(row) - 1)
    twos = (whole & -whole).bit_length() - 1
    terms: dict[tuple[Variable, ...], int] = {(After(variable),): -whole}
    for m, linear in enumerate(row):
        for power, factor in enumerate(_falling(m)):
            scaled = factor * (whole // factorial(m))
            for v, own in [*linear.terms.items(), (None, linear.constant)]:
                product = (COUNT,) * power + (() if v is None else (v,))
                terms[product] = terms.get(product, 0) + scaled * own
    return Congruence(tuple((factor, product) for product, factor in terms.items() if factor), variable.width + twos)


def _falling(m: int) -> list[int]:
    """The factors of ``k * (k - 1) * ... * (k - m + 1)``, from the constant upwards."""
    result = [1]
    for step in range(m):
        shifted = [0, *result]
        result = [a - step * b for a, b in zip(shifted, [*result, 0], strict=True)]
    return result


def _bounds(constraints: list[Constraint], congruences: list[Congruence]) -> list[Constraint] | None:
    """Of the number of iterations; where nothing but congruences counts them, it goes round in circles."""
    if not any(COUNT in each.variables for each in constraints):
        return within(COUNT, 1, 1 << max((each.bits for each in congruences), default=0))
    box = Box(table={COUNT: (1, _MANY)})
    for _ in range(4):
        if not box.narrow(constraints):
            return [Constraint(Linear.number(-1))]
    least, greatest = box.bounds(Linear.of(COUNT))
    return None if greatest > 1 << 100 else within(COUNT, least, greatest)
