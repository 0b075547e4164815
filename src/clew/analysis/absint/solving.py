"""Bounds of expressions under linear constraints and the ranges of their variables.

Equalities are used to get rid of variables first. What is left is an interval, or a linear program for the library.
Bounds are those of the rational numbers, rounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd, lcm

from clew.analysis.absint import ppl
from clew.analysis.absint.domain import Bounds, Ranges
from clew.analysis.absint.intervals import is_empty, meet, scaled
from clew.analysis.absint.linear import Constraint, Linear, Variable, within
from clew.analysis.absint.rows import Rows, variables_of


class BoundSolver:
    """Answers questions about one conjunction, in the form that ``rows.tidy`` gives it, with its ``rows.pivots``."""

    __slots__ = ("_feasible", "_free", "_interval", "_program", "_solutions")

    def __init__(self, rows: Sequence[Constraint], solutions: Mapping[Variable, Constraint], ranges: Ranges) -> None:
        self._solutions: dict[Variable, tuple[int, Linear]] = {}
        """Factors and expressions: ``factor * variable == expression``, the factor positive."""
        left = list(rows)
        for pivot, row in solutions.items():
            left.remove(row)
            factor = row.linear.terms[pivot]
            rest = row.linear - Linear.of(pivot, factor)
            self._solutions[pivot] = (factor, -rest) if factor > 0 else (-factor, rest)
        self._free = tuple(variable for variable in variables_of(rows) if variable not in self._solutions)
        left += self._range_rows(ranges)
        self._interval: Bounds | None = None
        self._program: ppl.MixedIntegerProgram | None = None
        self._feasible: bool | None = None
        if len(self._free) <= 1:
            self._interval = _interval(left, ranges(self._free[0]) if self._free else (None, None))
            self._feasible = not is_empty(self._interval)
            return
        least: dict[Variable, int] = {}
        for variable in self._free:
            low, high = ranges(variable)
            if low is not None:
                least[variable] = low
            left += within(variable, None, high)
        self._program = ppl.MixedIntegerProgram(left, self._free, least)

    def _range_rows(self, ranges: Ranges) -> Rows:
        """What the ranges of solved variables say about the free ones."""
        rows: Rows = []
        for variable, (factor, value) in self._solutions.items():
            low, high = ranges(variable)
            rows += [] if low is None else [Constraint(value - factor * low)]
            rows += [] if high is None else [Constraint(-value + factor * high)]
        return rows

    @property
    def feasible(self) -> bool:
        """Whether anything satisfies the constraints; the other questions are only for the case that it does."""
        if self._feasible is None:
            assert self._program is not None
            self._feasible = self._program.is_feasible()
        return self._feasible

    def _reduced(self, linear: Linear) -> tuple[Linear, int]:
        """An expression over the free variables, and by what it has to be divided."""
        solved = [variable for variable in linear.terms if variable in self._solutions]
        if not solved:
            return linear, 1
        divisor = lcm(*(self._solutions[variable][0] for variable in solved))
        result = Linear({v: c * divisor for v, c in linear.terms.items() if v not in self._solutions})
        result += linear.constant * divisor
        for variable in solved:
            factor, value = self._solutions[variable]
            result += value * (linear.terms[variable] * divisor // factor)
        return result, divisor

    def greatest(self, linear: Linear) -> int | None:
        """The greatest value; None if there is none."""
        reduced, divisor = self._reduced(linear)
        if reduced.is_number:
            return reduced.constant // divisor
        if self._interval is not None:
            high = scaled(self._interval, reduced.terms[self._free[0]])[1]
            return None if high is None else (high + reduced.constant) // divisor
        assert self._program is not None
        found = self._program.greatest(reduced)
        if found is None:
            return None
        numerator, denominator = found
        unit = gcd(*reduced.terms.values())  # without its constant, the value is a multiple of this
        return (numerator // (denominator * unit) * unit + reduced.constant) // divisor

    def least(self, linear: Linear) -> int | None:
        """The least value; None if there is none."""
        opposite = self.greatest(-linear)
        return None if opposite is None else -opposite

    def bounds(self, linear: Linear) -> Bounds:
        return self.least(linear), self.greatest(linear)


def _interval(rows: Rows, bounds: Bounds) -> Bounds:
    """What rows over one variable say, with its range."""
    for row in rows:
        if row.linear.is_number:
            bounds = bounds if row.is_true else (1, 0)
            continue
        ((_, factor),) = row.linear.terms.items()  # 1 or -1: constraints are in a normal form
        limit = -row.linear.constant * factor
        low = limit if row.equality or factor > 0 else None
        high = limit if row.equality or factor < 0 else None
        bounds = meet(bounds, (low, high))
        if is_empty(bounds):
            break
    return bounds
