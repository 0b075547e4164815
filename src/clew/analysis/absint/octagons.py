"""Octagons: bounds of variables, and of sums and differences of two. Pure Python, for integers.

A table (``clew.analysis.absint.octagonal``) is kept closed: all that follows from it is in it. But what a widening
gives is kept as it is, and closed on the side: were the closed table widened again, chains might never end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from clew.analysis.absint.domain import Abstract, Bounds, Domain, Ranges, unlimited
from clew.analysis.absint.domains import DOMAINS
from clew.analysis.absint.intervals import FALSE
from clew.analysis.absint.linear import Constraint, Former, Linear, Variable, one_by_one
from clew.analysis.absint.numbering import Numbering
from clew.analysis.absint.octagonal import Table

MOST_PAIRS = 40
"""A join finds new relations between so many variables whose bounds it changes."""

PASSES = 3
"""How often constraints that are assumed together are gone through, if they are not octagonal."""

WIDE = 8
"""Constraints with more variables are not searched for pairs."""


class Literals:
    """Literals for variables (``clew.analysis.absint.octagonal``), and their ranges."""

    __slots__ = ("_ends", "_names")

    def __init__(self, ranges: Ranges) -> None:
        self._names = Numbering(lambda v: ranges(v.variable if isinstance(v, Former) else v))
        self._ends: list[int | None] = []

    def number(self, variable: Variable) -> int:
        found = self._names.number(variable)
        if 2 * found == len(self._ends):
            low, high = self._names.range_of(found)
            self._ends += [high, None if low is None else -low]
        return found

    def most(self, literal: int) -> int | None:
        return self._ends[literal]

    def terms(self, linear: Linear) -> list[tuple[int, int]]:
        """The terms of an expression as literals with positive factors."""
        return [(2 * self.number(v) + (factor < 0), abs(factor)) for v, factor in linear.terms.items()]

    def constraint(self, one: int, other: int, bound: int, equality: bool = False) -> Constraint:
        """``one + other <= bound``, or one alone if they are the same."""
        terms: dict[Variable, int] = {}
        for literal in dict.fromkeys((one, other)):
            terms[self._names.variables[literal >> 1]] = 1 if literal & 1 else -1
        return Constraint(Linear(terms, bound), equality)


class Octagon(Abstract):
    """A table, or none for bottom."""

    __slots__ = ("_closed", "_names", "_table")

    def __init__(self, names: Literals, table: Table | None, closed: bool = True) -> None:
        self._names = names
        self._table = table
        self._closed: Table | None = table if closed else None

    def _new(self, table: Table | None) -> Self:
        return type(self)(self._names, table)

    def _known(self) -> Table | None:
        """The closed table."""
        if self._closed is None and self._table is not None:
            table = Table(self._table.most)
            bounds = [(literal, literal, 2 * bound) for literal, bound in self._table.single.items()]
            if not table.add([*bounds, *self._table.related()]):
                self._table = None
                return None
            self._closed = table
        return self._closed

    @property
    def is_bottom(self) -> bool:
        return self._known() is None

    def join(self, other: Self) -> Self:
        left, right = self._known(), other._known()
        if left is None or right is None or left is right:
            return other if left is None else self
        result = Table(left.most)
        differing: list[int] = []
        for literal in dict.fromkeys((*left.single, *right.single)):
            mine, those = left.upper(literal), right.upper(literal)
            if mine is not None and those is not None:
                result.set_single(literal, max(mine, those))
                if mine != those:
                    differing.append(literal)
        pairs = [(one, two) for table in (left, right) for one, two, _ in table.related()]
        if len(differing) <= 2 * MOST_PAIRS:
            pairs += [(one, two) for i, one in enumerate(differing) for two in differing[:i] if one >> 1 != two >> 1]
        for one, two in pairs:
            mine, those = left.upper_sum(one, two), right.upper_sum(one, two)
            if mine is not None and those is not None:
                result.set_sum(one, two, max(mine, those))
        return self._new(result)

    def widen(self, newer: Self, thresholds: Sequence[Constraint] = ()) -> Self:
        older, recent = self._table, newer._known()
        if older is None or recent is None:
            return newer if older is None else self
        result = Table(older.most)
        for literal, bound in older.single.items():
            now = recent.upper(literal)
            if now is not None and now <= bound:
                result.set_single(literal, bound)
        for one, other, bound in older.related():
            now = recent.upper_sum(one, other)
            if now is not None and now <= bound:
                result.set_sum(one, other, bound)
        for row in thresholds:
            if self.entails(row) and newer.entails(row):
                for half in row.inequalities():
                    self._keep(result, half)
        return type(self)(self._names, result, closed=False)

    def _keep(self, table: Table, row: Constraint) -> None:
        """Note a constraint, if it is of our form, without consequences."""
        literals = self._names.terms(row.linear)
        if len(literals) > 2 or not literals or any(factor != 1 for _, factor in literals):
            return
        one, other = literals[0][0] ^ 1, literals[-1][0] ^ 1
        old = table.upper_sum(one, other)
        if one == other:
            if old is None or 2 * row.linear.constant < old:
                table.set_single(one, row.linear.constant)
        elif old is None or row.linear.constant < old:
            table.set_sum(one, other, row.linear.constant)

    def narrow(self, newer: Self) -> Self:
        table, other = self._known(), newer._known()
        if table is None or other is None:
            return self._new(None)
        bounds = [(literal, literal, 2 * bound) for literal, bound in other.single.items()]
        return self._added([*bounds, *other.related()])

    def _added(self, bounds: Iterable[tuple[int, int, int]]) -> Self:
        known = self._known()
        if known is None:
            return self._new(None)
        table = known.copy()
        return self._new(table if table.add(bounds) else None)

    def assign(self, values: Mapping[Variable, Linear]) -> Self:
        result = self
        steps, former = one_by_one(values)
        for target, value in steps:
            result = result._assigned(target, value)
        return result.forget(former) if former else result

    def _assigned(self, variable: Variable, value: Linear) -> Self:
        known = self._known()
        if known is None:
            return self
        target = self._names.number(variable)
        terms = value.terms
        if len(terms) == 1 and abs(terms.get(variable, 0)) == 1:
            return self._moved(known, target, value)
        bounds: list[tuple[int, int, int]] = []
        for sign, literal in ((1, 2 * target), (-1, 2 * target + 1)):
            side = value * sign
            most = self._most(known, side)
            if most is not None:
                bounds.append((literal, literal, 2 * most))
            for other, factor in terms.items():
                if other != variable and abs(factor) == 1:
                    apart = Linear({v: c for v, c in side.terms.items() if v != other}, side.constant)
                    most = self._most(known, apart)  # literal - side's term <= most
                    if most is not None:
                        bounds.append((literal, 2 * self._names.number(other) + (side.terms[other] > 0), most))
        table = known.copy()
        table.drop(target)
        return self._new(table if table.add(bounds) else None)

    def _moved(self, known: Table, target: int, value: Linear) -> Self:
        """A variable that is moved by a number, or to its negative."""
        ((_, factor),) = value.terms.items()
        table = known.copy()
        table.drop(target)
        bounds: list[tuple[int, int, int]] = []
        for literal in (2 * target, 2 * target + 1):
            after = literal if factor > 0 else literal ^ 1  # what the literal's old value is in terms of the new one
            shift = value.constant if not after & 1 else -value.constant
            old = known.upper(literal)
            if old is not None:
                bounds.append((after, after, 2 * (old + shift)))
            for other, bound in known.sums.get(literal, {}).items():
                bounds.append((after, other, bound + shift))
        return self._new(table if table.add(bounds) else None)

    def assume(self, constraints: Iterable[Constraint]) -> Self:
        known = self._known()
        if known is None:
            return self
        table = known.copy()
        rows = [row for constraint in constraints for row in constraint.inequalities() if not row.is_true]
        for _ in range(PASSES if any(map(_is_indirect, rows)) else 1):
            for row in rows:
                if row.is_false or not table.add(self._consequences(table, row.linear)):
                    return self._new(None)
        return self._new(table)

    def _consequences(self, table: Table, linear: Linear) -> list[tuple[int, int, int]]:
        """Bounds that ``linear >= 0`` gives, with what is known about its variables."""
        against = -linear  # <= 0
        found: list[tuple[int, int, int]] = []
        literals = self._names.terms(against)
        for place, (literal, factor) in enumerate(literals):
            rest = self._rest(linear, (place,))  # factor * literal <= the greatest value of the rest
            most = self._most(table, rest)
            if most is not None:
                found.append((literal, literal, 2 * (most // factor)))
        if 1 < len(literals) <= WIDE:
            for place, (literal, factor) in enumerate(literals):
                for before in range(place):
                    other, weight = literals[before]
                    most = self._most(table, self._rest(linear, (before, place))) if factor == weight else None
                    if most is not None:
                        found.append((literal, other, most // factor))
        return found

    def _rest(self, linear: Linear, without: tuple[int, ...]) -> Linear:
        terms = {v: c for place, (v, c) in enumerate(linear.terms.items()) if place not in without}
        return Linear(terms, linear.constant)

    def forget(self, variables: Iterable[Variable]) -> Self:
        known = self._known()
        if known is None:
            return self
        table = known.copy()
        for variable in variables:
            table.drop(self._names.number(variable))
        return self._new(table)

    def _most(self, table: Table, linear: Linear) -> int | None:
        """The greatest value of an expression: pairs of terms are taken together while that is better."""
        left = dict(self._names.terms(linear))
        total: int | None = linear.constant
        related = {one: [two for two in table.sums.get(one, ()) if two in left] for one in left}
        for one, others in related.items():
            for two in others:
                both = min(left[one], left[two])
                bound = table.upper_sum(one, two)
                if both and bound is not None and total is not None:
                    total += both * bound
                    left[one] -= both
                    left[two] -= both
        for literal, factor in left.items():
            upper = table.upper(literal) if factor else 0
            total = None if total is None or upper is None else total + factor * upper
        return total

    def bounds(self, linear: Linear) -> Bounds:
        known = self._known()
        if known is None:
            return (0, 0)
        least = self._most(known, -linear)
        return (None if least is None else -least), self._most(known, linear)

    def entails(self, constraint: Constraint) -> bool:
        known = self._known()
        if known is None:
            return True
        least = self._most(known, -constraint.linear)
        if least is None or least > 0:
            return False
        return not constraint.equality or (least == 0 and self._most(known, constraint.linear) == 0)

    def contains(self, other: Self) -> bool:
        theirs = other._known()
        if theirs is None or other is self:
            return True
        mine = self._known()
        if mine is None:
            return False
        for literal, bound in mine.single.items():
            now = theirs.upper(literal)
            if now is None or now > bound:
                return False
        for one, two, bound in mine.related():
            now = theirs.upper_sum(one, two)
            if now is None or now > bound:
                return False
        return True

    def constraints(self) -> tuple[Constraint, ...]:
        table = self._known()
        return (FALSE,) if table is None else tuple(_fewest(self._names, table))

    def size(self) -> int:
        return 0 if self._table is None else len(self._table.single) + sum(map(len, self._table.sums.values())) // 2


def _is_indirect(row: Constraint) -> bool:
    """Whether what it says of some variables depends on what is known of others."""
    return len(row.linear.terms) > 2 or any(abs(factor) != 1 for factor in row.linear.terms.values())


def _fewest(names: Literals, table: Table) -> list[Constraint]:
    """Constraints that the others do not imply, equalities first."""
    equalities: list[Constraint] = []
    others: list[Constraint] = []
    kept = Table(table.most)
    numbers = dict.fromkeys(literal >> 1 for literal in (*table.single, *table.sums))
    singles = [(2 * n, 2 * n) for n in numbers] + [(2 * n + 1, 2 * n + 1) for n in numbers]
    pairs = [(one, two) for one, two, _ in table.related()]
    exact: dict[tuple[int, int], int] = {}
    for one, two in singles + pairs:
        bound, back = table.upper_sum(one, two), table.upper_sum(one ^ 1, two ^ 1)
        if bound is not None and back is not None and bound + back == 0:
            exact[one, two] = bound
    for (one, two), bound in exact.items():
        old, back = kept.upper_sum(one, two), kept.upper_sum(one ^ 1, two ^ 1)
        if old != bound or back != -bound:
            sides = (one ^ 1, two ^ 1, -bound) if not one & 1 else (one, two, bound)
            equalities.append(names.constraint(sides[0], sides[1], sides[2] // 2 if one == two else sides[2], True))
            kept.add([(one, two, bound), (one ^ 1, two ^ 1, -bound)])
    pairs = [(one, two) for one, two, _ in table.independent()]
    for one, two in pairs + singles:  # a bound may follow from another variable's bound or range
        bound, old = table.upper_sum(one, two), kept.upper_sum(one, two)
        if bound is not None and (old is None or bound < old):
            others.append(names.constraint(one, two, bound // 2 if one == two else bound))
            kept.add([(one, two, bound)])
    return equalities + others


@DOMAINS.register("octagons", "bounds of sums and differences of two variables")
class Octagons(Domain):
    name = "octagons"
    effort = 250_000

    def __init__(self, ranges: Ranges = unlimited) -> None:
        super().__init__(ranges)
        self._names = Literals(ranges)

    def top(self) -> Octagon:
        return Octagon(self._names, Table(self._names.most))

    def bottom(self) -> Octagon:
        return Octagon(self._names, None)
