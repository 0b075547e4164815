"""Signs: of each variable, which of negative, zero and positive it can be. A toy: the domain to copy.

It has everything a domain needs and nothing else. Every operation starts from the same idea: what is not understood is
forgotten, so that valuations are never lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from clew.analysis.absint.domain import Abstract, Bounds, Domain, Ranges
from clew.analysis.absint.linear import Constraint, Linear, Variable

NEGATIVE, ZERO, POSITIVE = 1, 2, 4
ANY = NEGATIVE | ZERO | POSITIVE

FALSE = Constraint(Linear.number(-1))


def convex(signs: int) -> int:
    """With zero, if it has both sides of it: constraints cannot say otherwise."""
    return ANY if signs & NEGATIVE and signs & POSITIVE else signs


def signs_between(bounds: Bounds) -> int:
    """The signs of the numbers in an interval."""
    low, high = bounds
    negative = NEGATIVE if low is None or low < 0 else 0
    zero = ZERO if (low is None or low <= 0) and (high is None or high >= 0) else 0
    return negative | zero | (POSITIVE if high is None or high > 0 else 0)


class Signed(Abstract):
    """Bits for the signs of each variable. Those that are not in the table have the signs of their range."""

    __slots__ = ("_ranges", "_table")

    def __init__(self, ranges: Ranges, table: dict[Variable, int] | None) -> None:
        self._ranges = ranges
        self._table = table
        """None for bottom."""

    def _new(self, table: dict[Variable, int] | None) -> Self:
        return type(self)(self._ranges, table)

    def _of(self, variable: Variable) -> int:
        possible = signs_between(self._ranges(variable))
        return possible if self._table is None else self._table.get(variable, ANY) & possible

    def _ends(self, variable: Variable) -> Bounds:
        """The least and greatest value of a variable."""
        low, high = self._ranges(variable)
        signs = self._of(variable)
        least = low if signs & NEGATIVE else 0 if signs & ZERO else max(low or 1, 1)
        greatest = high if signs & POSITIVE else 0 if signs & ZERO else min(-1 if high is None else high, -1)
        return least, greatest

    @property
    def is_bottom(self) -> bool:
        return self._table is None

    def join(self, other: Self) -> Self:
        if self._table is None or other._table is None:
            return other if self._table is None else self
        common = [variable for variable in self._table if variable in other._table]
        return self._new({variable: convex(self._table[variable] | other._table[variable]) for variable in common})

    def widen(self, newer: Self, thresholds: Sequence[Constraint] = ()) -> Self:
        return self.join(newer)  # there are only finitely many signs: chains of joins end anyway

    def narrow(self, newer: Self) -> Self:
        if self._table is None or newer._table is None:
            return self._new(None)
        table = dict(self._table)
        for variable, signs in newer._table.items():
            table[variable] = table.get(variable, ANY) & signs
        return self._checked(table)

    def _checked(self, table: dict[Variable, int]) -> Self:
        """Bottom if some variable has no sign left."""
        result = self._new(table)
        return result if all(result._of(variable) for variable in table) else self._new(None)

    def assign(self, values: Mapping[Variable, Linear]) -> Self:
        if self._table is None:
            return self
        table = dict(self._table)
        for variable, value in values.items():
            table[variable] = signs_between(self.bounds(value))
        return self._checked(table)

    def assume(self, constraints: Iterable[Constraint]) -> Self:
        result = self
        for constraint in constraints:
            for row in constraint.inequalities():
                result = result._assumed(row.linear)
        return result

    def _assumed(self, linear: Linear) -> Self:
        """``linear >= 0``: what it says about each variable, given the others."""
        if self._table is None:
            return self
        if linear.is_number:
            return self if linear.constant >= 0 else self._new(None)
        table = dict(self._table)
        for variable, factor in linear.terms.items():
            rest = Linear({v: c for v, c in linear.terms.items() if v != variable}, linear.constant)
            most = self.bounds(rest)[1]  # factor * variable >= -rest >= -most
            if most is None:
                continue
            limit: Bounds = (-(most // factor), None) if factor > 0 else (None, most // -factor)
            table[variable] = self._of(variable) & signs_between(limit)
        return self._checked(table)

    def forget(self, variables: Iterable[Variable]) -> Self:
        if self._table is None:
            return self
        gone = set(variables)
        return self._new({variable: signs for variable, signs in self._table.items() if variable not in gone})

    def entails(self, constraint: Constraint) -> bool:
        if self._table is None:
            return True
        low, high = self.bounds(constraint.linear)
        return low is not None and low >= 0 and (not constraint.equality or low == high == 0)

    def contains(self, other: Self) -> bool:
        if self._table is None or other._table is None:
            return other._table is None
        return all(other._of(variable) & ~signs == 0 for variable, signs in self._table.items())

    def bounds(self, linear: Linear) -> Bounds:
        low: int | None = linear.constant
        high: int | None = linear.constant
        for variable, factor in linear.terms.items():
            least, greatest = self._ends(variable)
            if factor < 0:
                least, greatest = greatest, least
            low = None if low is None or least is None else low + factor * least
            high = None if high is None or greatest is None else high + factor * greatest
        return low, high

    def constraints(self) -> tuple[Constraint, ...]:
        if self._table is None:
            return (FALSE,)
        equalities: list[Constraint] = []
        others: list[Constraint] = []
        for variable in self._table:
            low, high = self._ends(variable)
            known = self._ranges(variable)
            if low is not None and low == high:
                equalities.append(Constraint(Linear({variable: 1}, -low), True))
                continue
            if low is not None and low != known[0]:
                others.append(Constraint(Linear({variable: 1}, -low)))
            if high is not None and high != known[1]:
                others.append(Constraint(Linear({variable: -1}, high)))
        return (*equalities, *others)

    def size(self) -> int:
        return len(self._table or ())


class Signs(Domain):
    name = "signs"

    def top(self) -> Signed:
        return Signed(self.ranges, {})

    def bottom(self) -> Signed:
        return Signed(self.ranges, None)
