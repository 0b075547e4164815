"""Products of factors: linear constraints over many variables, each factor on its own.

Questions are answered within the ranges of the variables, which are not among the constraints. What is empty is None
here; that something is empty may be found out late.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clew.analysis.absint.domain import Bounds, Ranges
from clew.analysis.absint.factors import Factor, taken_apart
from clew.analysis.absint.intervals import plus, scaled
from clew.analysis.absint.linear import Constraint, Former, Linear, Variable, one_by_one
from clew.analysis.absint.rows import Rows, reduced


class Product:
    """Factors by their variables. Variables without a factor are not constrained. Immutable."""

    __slots__ = ("factor_of", "ranges")

    def __init__(self, ranges: Ranges, factor_of: dict[Variable, Factor]) -> None:
        self.ranges = ranges
        self.factor_of = factor_of

    @staticmethod
    def of(ranges: Ranges, factors: Iterable[Factor]) -> Product:
        return Product(ranges, {variable: factor for factor in factors for variable in factor.variables})

    def factors(self) -> list[Factor]:
        return list({id(factor): factor for factor in self.factor_of.values()}.values())

    def rows(self) -> Rows:
        return [row for factor in self.factors() for row in factor.rows]

    def minimal(self) -> Product | None:
        """The same with the fewest rows."""
        parts: list[Factor] = []
        for factor in self.factors():
            smaller = factor.minimal()
            if smaller is None:
                return None
            parts += smaller
        return Product.of(self.ranges, parts)

    def concerned(self, variables: Iterable[Variable]) -> list[Factor]:
        """The factors with any of some variables."""
        found = {id(f): f for f in (self.factor_of.get(variable) for variable in variables) if f is not None}
        return list(found.values())

    def replaced(self, old: Iterable[Factor], new: Iterable[Factor]) -> Product:
        """With other factors in the place of some."""
        factor_of = dict(self.factor_of)
        for factor in old:
            for variable in factor.variables:
                del factor_of[variable]
        for factor in new:
            for variable in factor.variables:
                factor_of[variable] = factor
        return Product(self.ranges, factor_of)

    def _rewritten(self, old: Iterable[Factor], rows: Iterable[Constraint]) -> Product | None:
        factors = taken_apart(rows, self.ranges)
        return None if factors is None else self.replaced(old, factors)

    # Questions

    def simple(self, linear: Linear) -> Linear:
        """With numbers for variables that have one value."""
        values: dict[Variable, int] = {}
        for variable in linear.terms:
            factor = self.factor_of.get(variable)
            value = None if factor is None else factor.value
            if value is not None:
                values[variable] = value
        return linear.with_values(values)

    def reduced(self, row: Constraint) -> Constraint:
        """A constraint without the variables that equalities are solved for."""
        solutions: dict[Variable, Constraint] = {}
        for variable in row.linear.terms:
            factor = self.factor_of.get(variable)
            solution = None if factor is None else factor.pivots.get(variable)
            if solution is not None:
                solutions[variable] = solution
        return reduced(row, solutions) if solutions else row

    def _parts(self, linear: Linear) -> tuple[list[tuple[Factor, Linear]], Bounds]:
        """An expression as a sum: what each factor says about, and the bounds of all else."""
        parts: dict[int, tuple[Factor, dict[Variable, int]]] = {}
        rest: Bounds = (linear.constant, linear.constant)
        for variable, coefficient in linear.terms.items():
            factor = self.factor_of.get(variable)
            if factor is None:
                rest = plus(rest, scaled(self.ranges(variable), coefficient))
            else:
                parts.setdefault(id(factor), (factor, {}))[1][variable] = coefficient
        return [(factor, Linear(terms)) for factor, terms in parts.values()], rest

    def bounds(self, linear: Linear) -> Bounds | None:
        """The least and greatest value of an expression. None if this is seen to be empty."""
        parts, result = self._parts(linear)
        for factor, part in parts:
            if result == (None, None):
                break
            found = factor.bounds(part)
            if found is None:
                return None
            result = plus(result, found)
        return result

    def roughly(self, linear: Linear) -> Bounds:
        """Bounds that may be farther apart than they need be."""
        parts, result = self._parts(linear)
        for factor, part in parts:
            if result == (None, None):
                break
            result = plus(result, factor.roughly(part))
        return result

    def _is_never_negative(self, linear: Linear) -> bool:
        parts, (least, _) = self._parts(linear)
        for factor, part in parts:
            if least is None:
                break
            if factor.is_empty:
                return True
            more = factor.least(part)
            least = None if more is None else least + more
        return least is not None and least >= 0

    def entails(self, constraint: Constraint) -> bool:
        constraint = self.reduced(constraint)
        linear = constraint.linear
        if linear.is_number:
            return constraint.is_true
        factor = self.factor_of.get(next(iter(linear.terms)))
        if factor is not None and factor.says(constraint):
            return True
        if constraint.equality:
            return self.bounds(linear) in (None, (0, 0))
        low = self.roughly(linear)[0]
        return (low is not None and low >= 0) or self._is_never_negative(linear)

    def entails_all(self, other: Product) -> bool:
        """Whether another contains this."""
        for factor in other.factors():
            mine = self.factor_of.get(factor.variables[0])
            if mine is factor or (mine is not None and mine.rows == factor.rows):
                continue
            if not all(self.entails(row) for row in factor.rows):
                return False
        return True

    # Changes

    def assumed(self, constraint: Constraint) -> Product | None:
        constraint = self.reduced(constraint)
        if constraint.is_true:
            return self
        if constraint.is_false:
            return None
        if not constraint.equality:
            least = self.roughly(constraint.linear)[0]
            if least is not None and least >= 0:
                return self
        elif self._is_definition(constraint.linear):
            return self._with_row(constraint)
        found = self.bounds(constraint.linear)
        if found is None:
            return None
        low, high = found
        if (high is not None and high < 0) or (constraint.equality and low is not None and low > 0):
            return None
        if low is not None and low >= 0 and (not constraint.equality or high == 0):
            return self
        return self._with_row(constraint)

    def _is_definition(self, linear: Linear) -> bool:
        """Whether an equation gives a variable a value of which nothing is known but its range, and which is in it."""
        for variable, factor in linear.terms.items():
            if variable in self.factor_of or abs(factor) != 1:
                continue
            low, high = self.ranges(variable)
            least, greatest = self.roughly((linear - Linear.of(variable, factor)) * -factor)
            if (low is None or (least is not None and least >= low)) and (
                high is None or (greatest is not None and greatest <= high)
            ):
                return True
        return False

    def _with_row(self, new: Constraint) -> Product | None:
        """With one more constraint, which is reduced and not entailed."""
        concerned = self.concerned(new.linear.terms)
        rows = [row for factor in concerned for row in factor.rows]
        opposite = weaker = None
        if len(concerned) == 1:
            opposite, weaker = concerned[0].parallel(-new.linear), concerned[0].parallel(new.linear)
        if new.equality or (opposite is not None and opposite.linear.constant + new.linear.constant <= 0):
            return self._rewritten(concerned, [*rows, new])
        # Equalities stay solved, and nothing gets redundant in a way that is plain: no need to tidy up.
        together = [row for row in rows if row is not weaker]
        return self.replaced(concerned, [Factor([*together, new], self.ranges, _pivots(concerned))])

    def forgotten(self, variables: Iterable[Variable]) -> Product | None:
        """With any values for some variables."""
        gone: dict[int, tuple[Factor, list[Variable]]] = {}
        for variable in dict.fromkeys(variables):
            factor = self.factor_of.get(variable)
            if factor is not None:
                gone.setdefault(id(factor), (factor, []))[1].append(variable)
        new: list[Factor] = []
        for factor, those in gone.values():
            if len(those) < len(factor.variables):
                rest = factor.without(those)
                if rest is None:
                    return None
                new += rest
        return self.replaced([factor for factor, _ in gone.values()], new) if gone else self

    def assigned(self, values: Mapping[Variable, Linear]) -> Product | None:
        """After assignments, all at once."""
        result: Product | None = self
        steps, former = one_by_one(values)
        for target, value in steps:
            if result is not None:
                result = result._with_value(target, value)
        return result if result is None or not former else result.forgotten(former)

    def _with_value(self, variable: Variable, value: Linear) -> Product | None:
        value = self.simple(value)
        factor = value.terms.get(variable, 0)
        if factor == 0:
            return self._with_definition(variable, value)
        if variable not in self.factor_of:
            return self
        if abs(factor) == 1 and len(value.terms) == 1:
            return self._moved(variable, value)
        concerned = self.concerned(value.terms)
        rows = [row for f in concerned for row in f.rows]
        rest = value - Linear.of(variable, factor)
        if abs(factor) == 1:
            inverse = (Linear.of(variable) - rest) * factor
            return self._rewritten(concerned, [row.about(row.linear.substituted(variable, inverse)) for row in rows])
        old = Former(variable)
        name = Linear.of(old)
        renamed = [row.about(row.linear.substituted(variable, name)) for row in rows]
        definition = Constraint(rest + name * factor - Linear.of(variable), True)
        result = self._rewritten(concerned, [*renamed, definition])
        return None if result is None else result.forgotten((old,))

    def _moved(self, variable: Variable, value: Linear) -> Product:
        """A variable that is moved by a number, or to its negative."""
        inverse = (Linear.of(variable) - value.constant) * value.terms[variable]
        old = self.factor_of[variable]
        rows = [row.about(row.linear.substituted(variable, inverse)) for row in old.rows]
        return self.replaced([old], [Factor(rows, self.ranges)])

    def _with_definition(self, variable: Variable, value: Linear) -> Product | None:
        """A value that the variable does not occur in."""
        rest = self.forgotten((variable,))
        if rest is None:
            return None
        definition = rest.reduced(Constraint(value - Linear.of(variable), True))
        if len(definition.linear.terms) == 1:
            return rest._rewritten((), [definition])
        concerned = rest.concerned(definition.linear.terms)
        rows = [row for factor in concerned for row in factor.rows]
        solutions = _pivots(concerned) | {variable: definition}
        return rest.replaced(concerned, [Factor([*rows, definition], self.ranges, solutions)])


def _pivots(factors: Iterable[Factor]) -> dict[Variable, Constraint]:
    return {variable: row for factor in factors for variable, row in factor.pivots.items()}
