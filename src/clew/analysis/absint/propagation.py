"""Bounds of variables under linear constraints, by propagation from one constraint to the next.

What comes out contains all that satisfies the constraints: for questions that an estimate may answer, at a small part
of what a linear program costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from clew.analysis.absint.domain import Bounds, Ranges
from clew.analysis.absint.linear import Linear, Variable

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
