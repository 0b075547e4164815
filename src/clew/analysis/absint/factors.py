"""Factors of polyhedra: constraints that have to do with each other, with what has been found out about them.

A polyhedron over many variables is mostly a product of polyhedra over few: as long as each is kept apart, the cost of
an operation depends on the factors it concerns and not on the number of variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

from clew.analysis.absint import ppl
from clew.analysis.absint.domain import Bounds, Ranges
from clew.analysis.absint.intervals import Propagation
from clew.analysis.absint.linear import Constraint, Linear, Variable, within
from clew.analysis.absint.rows import Rows, components, eliminated, pivots, tidy, variables_of
from clew.analysis.absint.solving import BoundSolver

SLACK = 4
"""How many more constraints than before elimination by hand may leave, before the library projects."""

SMALL = 256
"""Ends of ranges that are at most so far from zero count when a variable is forgotten."""

PASSES = 2
"""Over the constraints, for rough bounds."""

LARGE = 1000
"""Polyhedra that may have more generators (vertices and rays) than this are not given to the library."""


HUGE = 20_000
"""Nor hulls that may have more facets than this."""


class Factor:
    """Constraints over variables that depend on each other. Immutable; answers are remembered."""

    __slots__ = ("_minimal", "_parallel", "_pivots", "_ranges", "_rough", "_solver", "rows", "variables")

    def __init__(
        self, rows: Sequence[Constraint], ranges: Ranges, solutions: dict[Variable, Constraint] | None = None
    ) -> None:
        """``solutions``: its ``pivots``, if they are known."""
        self.rows = tuple(rows)
        self.variables = variables_of(rows)
        self._ranges = ranges
        self._solver: BoundSolver | None = None
        self._rough: Propagation | None = None
        self._pivots = solutions
        self._parallel: dict[frozenset[tuple[Variable, int]], Constraint] | None = None
        self._minimal: tuple[Factor, ...] | None = None

    @property
    def value(self) -> int | None:
        """The value of its variable, if it has one variable and that has one value."""
        if len(self.variables) != 1 or not self.rows[0].equality:
            return None
        return -self.rows[0].linear.constant // self.rows[0].linear.terms[self.variables[0]]

    @property
    def is_empty(self) -> bool:
        """Whether it is seen that nothing satisfies it, within the ranges."""
        return not self._questions().feasible

    def bounds(self, linear: Linear) -> Bounds | None:
        """Of an expression over its variables. None if it is empty."""
        solver = self._questions()
        return solver.bounds(linear) if solver.feasible else None

    def least(self, linear: Linear) -> int | None:
        """The least value of an expression; not for empty ones."""
        return self._questions().least(linear)

    def roughly(self, linear: Linear) -> Bounds:
        """Bounds of an expression that may be farther apart than they need be, for little work."""
        if self._rough is None:
            self._rough = Propagation(self._ranges)
            if not self._rough.narrow(self.rows, PASSES):
                self._rough = Propagation(self._ranges)  # empty, which is for others to find out
        return self._rough.bounds(linear)

    @property
    def pivots(self) -> dict[Variable, Constraint]:
        """Variables that equalities are solved for. They occur nowhere else."""
        if self._pivots is None:
            self._pivots = pivots(self.rows)
        return self._pivots

    def parallel(self, linear: Linear) -> Constraint | None:
        """The row with the same terms."""
        if self._parallel is None:
            self._parallel = {frozenset(r.linear.terms.items()): r for r in self.rows}
        return self._parallel.get(frozenset(linear.terms.items()))

    def says(self, row: Constraint) -> bool:
        """Whether it has a row that says this or more, as it is."""
        found = self.parallel(row.linear)
        if found is None:
            return False
        if found.equality or row.equality:
            return found.equality and found.linear.constant == row.linear.constant
        return found.linear.constant <= row.linear.constant

    def _questions(self) -> BoundSolver:
        if self._solver is None:
            self._solver = BoundSolver(self.rows, self.pivots, self._ranges)
        return self._solver

    def minimal(self) -> tuple[Factor, ...] | None:
        """The same with the fewest constraints, and taken apart. None if it is empty."""
        if self._minimal is None:
            if len(self.variables) == 1 or generators(self.rows) > LARGE:
                self._minimal = (self,)
            else:
                rows = ppl.rows_of(ppl.polyhedron(self.rows, self.variables), self.variables)
                factors = None if rows is None else taken_apart(rows, self._ranges)
                if factors is None:
                    return None
                for factor in factors:
                    factor._minimal = (factor,)
                self._minimal = tuple(factors)
        return self._minimal

    def without(self, gone: Iterable[Variable]) -> list[Factor] | None:
        """Factors for the same with any values for some of the variables. None if it is empty."""
        left = dict.fromkeys(gone)
        ends = {variable: small_ends(variable, self._ranges) for variable in left}
        solved = [self.pivots[variable] for variable in left if variable in self.pivots and not ends[variable]]
        kept = [row for row in self.rows if not any(row is other for other in solved)]
        rows: Rows | None = [*kept, *(row for variable in left for row in ends[variable])]
        left = {variable: None for variable in left if variable not in self.pivots or ends[variable]}
        while left and rows:
            for variable in left:
                fewer = eliminated(rows, variable, 0)
                if fewer is not None:
                    break
            else:
                variable = next(iter(left))
                fewer = eliminated(rows, variable, SLACK)
            if fewer is None:
                if is_tractable(rows, (), len(variables_of(rows)) - len(left)):
                    rows = ppl.without(rows, variables_of(rows), left)
                    return None if rows is None else taken_apart(rows, self._ranges)
                fewer = [row for row in rows if variable not in row.linear.terms]
            del left[variable]
            rows = tidy(fewer)
        return None if rows is None else _split(rows, self._ranges)


def small_ends(variable: Variable, ranges: Ranges) -> Rows:
    """What a variable's range says, if that can mean something for others: large ends make ugly relations."""
    low, high = ranges(variable)
    if low is None or high is None or abs(low) > SMALL or abs(high) > SMALL:
        return []
    return within(variable, low, high)


def taken_apart(rows: Iterable[Constraint], ranges: Ranges) -> list[Factor] | None:
    """Factors of a conjunction, without what the ranges say. None if it is seen to be empty without much work."""
    tidied = tidy(rows)
    return None if tidied is None else _split(tidied, ranges)


def _split(rows: Iterable[Constraint], ranges: Ranges) -> list[Factor] | None:
    useful = [row for row in rows if not _is_range(row, ranges)]
    factors = [Factor(group, ranges) for group in components(useful)]
    if any(len(factor.variables) == 1 and factor.is_empty for factor in factors):
        return None
    return factors


def _is_range(row: Constraint, ranges: Ranges) -> bool:
    """Whether a variable's range says the same."""
    if row.equality or len(row.linear.terms) != 1:
        return False
    ((variable, factor),) = row.linear.terms.items()
    low, high = ranges(variable)
    limit = -row.linear.constant * factor
    return low is not None and limit <= low if factor > 0 else high is not None and limit >= high


def generators(rows: Iterable[Constraint]) -> int:
    """A bound for the number of vertices and rays (McMullen's, for the number of constraints and dimensions)."""
    rows = list(rows)
    equalities = sum(row.equality for row in rows)
    dimension = max(0, len(variables_of(rows)) - equalities)
    return _faces(len(rows) - equalities + 1, dimension)  # one of them at infinity


def is_tractable(first: Iterable[Constraint], second: Iterable[Constraint], dimension: int) -> bool:
    """Whether the hull of two polyhedra of few dimensions is sure to be of a reasonable size, in itself and on the
    way: the library cannot be stopped."""
    points = generators(first), generators(second)
    return max(points) <= LARGE and _faces(sum(points), dimension) <= HUGE


def _faces(count: int, dimension: int) -> int:
    """The most vertices that so many facets can have, or facets that so many vertices can have."""
    if dimension == 0:
        return 1
    count = max(count, dimension + 1)
    free = count - dimension
    return comb(count - (dimension + 1) // 2, free) + comb(count - (dimension + 2) // 2, free)
