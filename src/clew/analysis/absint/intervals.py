"""Intervals: a least and a greatest value for each variable. The cheapest domain that knows numbers.

Bounds of variables under linear constraints come by propagation from one constraint to the next. What comes out
contains all that satisfies the constraints: for questions that an estimate may answer, too, at a small part of what a
linear program costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from clew.analysis.absint.domain import Abstract, Bounds, Domain, Ranges
from clew.analysis.absint.domains import DOMAINS
from clew.analysis.absint.linear import Constraint, Linear, Variable, within

FALSE = Constraint(Linear.number(-1))
"""What bottom says."""

PASSES = 4
"""How often constraints that are assumed together are gone through."""


def meet(left: Bounds, right: Bounds) -> Bounds:
    """Both hold."""
    low = right[0] if left[0] is None else left[0] if right[0] is None else max(left[0], right[0])
    high = right[1] if left[1] is None else left[1] if right[1] is None else min(left[1], right[1])
    return low, high


def hull(left: Bounds, right: Bounds) -> Bounds:
    """One or the other holds."""
    low = None if left[0] is None or right[0] is None else min(left[0], right[0])
    high = None if left[1] is None or right[1] is None else max(left[1], right[1])
    return low, high


def is_empty(bounds: Bounds) -> bool:
    low, high = bounds
    return low is not None and high is not None and low > high


def scaled(bounds: Bounds, factor: int) -> Bounds:
    """Of ``factor`` times the variable; not for 0."""
    low, high = bounds
    if factor < 0:
        low, high = high, low
    return (None if low is None else low * factor), (None if high is None else high * factor)


def plus(left: Bounds, right: Bounds) -> Bounds:
    low = None if left[0] is None or right[0] is None else left[0] + right[0]
    high = None if left[1] is None or right[1] is None else left[1] + right[1]
    return low, high


Row = tuple[list[tuple[Variable, int]], int]
"""Terms and a number: their sum is not negative."""


def rows_of(linear: Linear, equality: bool) -> list[Row]:
    """What ``linear >= 0`` says, or ``linear == 0``."""
    terms = list(linear.terms.items())
    rows: list[Row] = [(terms, linear.constant)]
    if equality:
        rows.append(([(variable, -factor) for variable, factor in terms], -linear.constant))
    return rows


def bounds_of(linear: Linear, of: Ranges) -> Bounds:
    """Of an expression, as far as the bounds of its variables tell."""
    least: int | None = linear.constant
    greatest: int | None = linear.constant
    for variable, factor in linear.terms.items():
        low, high = of(variable) if factor > 0 else of(variable)[::-1]
        least = None if least is None or low is None else least + factor * low
        greatest = None if greatest is None or high is None else greatest + factor * high
    return least, greatest


class Propagation:
    """Bounds for each variable that was spoken of, at first those of its range. Changes in place."""

    __slots__ = ("_ranges", "table")

    def __init__(self, ranges: Ranges, table: dict[Variable, Bounds] | None = None) -> None:
        self._ranges = ranges
        self.table: dict[Variable, Bounds] = table or {}

    def copy(self) -> Self:
        return type(self)(self._ranges, dict(self.table))

    def of(self, variable: Variable) -> Bounds:
        found = self.table.get(variable)
        if found is None:
            found = self.table[variable] = self._ranges(variable)
        return found

    def bounds(self, linear: Linear) -> Bounds:
        """Of an expression, as far as the bounds of its variables tell."""
        return bounds_of(linear, self.of)

    def narrow(self, constraints: Iterable[Constraint], passes: int = PASSES) -> bool:
        """Use constraints, at most so many times; False if they leave nothing, as far as that shows."""
        return self.propagate([row for each in constraints for row in rows_of(each.linear, each.equality)], passes)

    def propagate(self, rows: Sequence[Row], passes: int) -> bool:
        """Use rows, at most so many times; False if they leave nothing."""
        for _ in range(passes):
            changed = False
            for terms, constant in rows:
                outcome = self._use(terms, constant)
                if outcome is None:
                    return False
                changed = changed or outcome
            if not changed:
                break
        return True

    def _use(self, terms: Iterable[tuple[Variable, int]], most: int) -> bool | None:
        """Whether a row changed anything; None if nothing is left. ``most`` becomes the most that it can be."""
        unbounded: Variable | None = None
        for variable, factor in terms:
            low, high = self.of(variable)
            end = high if factor > 0 else low
            if end is not None:
                most += factor * end
            elif unbounded is not None:
                return False
            else:
                unbounded = variable
        if unbounded is None and most < 0:
            return None
        changed = False
        for variable, factor in terms:
            low, high = self.table[variable]
            if unbounded is not None:
                if variable != unbounded:
                    continue
                rest = most
            else:
                end = high if factor > 0 else low
                assert end is not None
                rest = most - factor * end
            # factor * variable >= -rest
            limit = -(rest // factor) if factor > 0 else rest // -factor
            if factor > 0 and (low is None or limit > low):
                low, changed = limit, True
            elif factor < 0 and (high is None or limit < high):
                high, changed = limit, True
            else:
                continue
            if low is not None and high is not None and low > high:
                return None
            self.table[variable] = (low, high)
        return changed


class Box(Abstract):
    """An interval for each variable; for those that are not in the table, their range."""

    __slots__ = ("_bottom", "_ranges", "_table")

    def __init__(self, ranges: Ranges, table: dict[Variable, Bounds], bottom: bool = False) -> None:
        self._ranges = ranges
        self._table = table
        self._bottom = bottom

    def _new(self, table: dict[Variable, Bounds]) -> Self:
        return type(self)(self._ranges, table)

    def _nothing(self) -> Self:
        return type(self)(self._ranges, {}, True)

    def _of(self, variable: Variable) -> Bounds:
        found = self._table.get(variable)
        return self._ranges(variable) if found is None else found

    def _put(self, table: dict[Variable, Bounds], variable: Variable, bounds: Bounds) -> None:
        """In a table that is being made; what the range says is not kept."""
        if bounds == self._ranges(variable) or bounds == (None, None):
            table.pop(variable, None)
        else:
            table[variable] = bounds

    @property
    def is_bottom(self) -> bool:
        return self._bottom

    def join(self, other: Self) -> Self:
        if self._bottom or other is self:
            return other
        if other._bottom:
            return self
        table: dict[Variable, Bounds] = {}
        for variable, bounds in self._table.items():
            if variable in other._table:
                self._put(table, variable, hull(bounds, other._table[variable]))
        return self._new(table)

    def widen(self, newer: Self, thresholds: Sequence[Constraint] = ()) -> Self:
        if self._bottom:
            return newer
        if newer._bottom:
            return self
        table: dict[Variable, Bounds] = {}
        for variable, bounds in self._table.items():
            if variable not in newer._table:
                continue
            limits = self._ranges(variable)
            low, high = bounds
            new_low, new_high = newer._table[variable]
            if low is not None and (new_low is None or new_low < low):
                low = limits[0]
            if high is not None and (new_high is None or new_high > high):
                high = limits[1]
            self._put(table, variable, (low, high))
        both = [c for c in thresholds if len(c.linear.terms) == 1 and self.entails(c) and newer.entails(c)]
        wide = self._new(table)
        return wide.assume(both) if both else wide

    def narrow(self, newer: Self) -> Self:
        if self._bottom or newer._bottom:
            return self._nothing()
        table = dict(self._table)
        for variable, bounds in newer._table.items():
            both = meet(self._of(variable), bounds)
            if is_empty(both):
                return self._nothing()
            self._put(table, variable, both)
        return self._new(table)

    def assign(self, values: Mapping[Variable, Linear]) -> Self:
        if self._bottom:
            return self
        table = dict(self._table)
        for variable, value in values.items():
            bounds = meet(self.bounds(value), self._ranges(variable))
            if is_empty(bounds):
                return self._nothing()
            self._put(table, variable, bounds)
        return self._new(table)

    def assume(self, constraints: Iterable[Constraint]) -> Self:
        if self._bottom:
            return self
        found = Propagation(self._ranges, dict(self._table))
        if not found.narrow(constraints):
            return self._nothing()
        table: dict[Variable, Bounds] = {}
        for variable, bounds in found.table.items():
            self._put(table, variable, bounds)
        return self._new(table)

    def forget(self, variables: Iterable[Variable]) -> Self:
        table = dict(self._table)
        for variable in variables:
            table.pop(variable, None)
        return self._nothing() if self._bottom else self._new(table)

    def entails(self, constraint: Constraint) -> bool:
        if self._bottom:
            return True
        low, high = self.bounds(constraint.linear)
        return low is not None and low >= 0 and (not constraint.equality or (low == 0 and high == 0))

    def contains(self, other: Self) -> bool:
        if other._bottom:
            return True
        if self._bottom:
            return False
        for variable, bounds in self._table.items():
            theirs = other._of(variable)
            if hull(bounds, theirs) != bounds:
                return False
        return True

    def bounds(self, linear: Linear) -> Bounds:
        return bounds_of(linear, self._of)

    def constraints(self) -> tuple[Constraint, ...]:
        if self._bottom:
            return (FALSE,)
        equalities: list[Constraint] = []
        others: list[Constraint] = []
        for variable, (low, high) in self._table.items():
            if low is not None and low == high:
                equalities.append(Constraint(Linear({variable: 1}, -low), True))
                continue
            least, greatest = self._ranges(variable)
            others += within(variable, None if low == least else low, None if high == greatest else high)
        return (*equalities, *others)

    def size(self) -> int:
        return len(self._table)


@DOMAINS.register("intervals", "bounds of variables")
class Intervals(Domain):
    name = "intervals"

    def top(self) -> Box:
        return Box(self.ranges, {})

    def bottom(self) -> Box:
        return Box(self.ranges, {}, True)
