"""Linear expressions and constraints over the integers: what abstract domains and their users speak to each other in.

Variables are any hashable things; what they stand for is the business of ``clew.analysis.absint.variables``.
Assignments that are done all at once are done one after the other here (``one_by_one``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from math import gcd
from typing import Self

from clew.base.dataclass import dataclass

Variable = Hashable


class Linear:
    """``c1*v1 + ... + cn*vn + constant`` with integer coefficients, none of them zero. Immutable, hashable."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: Mapping[Variable, int] | None = None, constant: int = 0) -> None:
        self.terms: dict[Variable, int] = {v: c for v, c in terms.items() if c} if terms else {}
        self.constant = constant

    @classmethod
    def of(cls, variable: Variable, factor: int = 1) -> Self:
        return cls({variable: factor})

    @classmethod
    def number(cls, value: int) -> Self:
        return cls(None, value)

    def _made(self, terms: dict[Variable, int], constant: int) -> Self:
        """Of terms that are not zero, and that nobody is going to change."""
        linear = object.__new__(type(self))
        linear.terms = terms
        linear.constant = constant
        return linear

    def plus(self, other: Linear, factor: int = 1) -> Self:
        """``self + factor * other``."""
        terms = dict(self.terms)
        for variable, more in other.terms.items():
            total = terms.get(variable, 0) + more * factor
            if total:
                terms[variable] = total
            else:
                terms.pop(variable, None)
        return self._made(terms, self.constant + other.constant * factor)

    def __add__(self, other: Linear | int) -> Self:
        return self._made(self.terms, self.constant + other) if isinstance(other, int) else self.plus(other, 1)

    def __neg__(self) -> Self:
        return self._made({v: -c for v, c in self.terms.items()}, -self.constant)

    def __sub__(self, other: Linear | int) -> Self:
        return self._made(self.terms, self.constant - other) if isinstance(other, int) else self.plus(other, -1)

    def __mul__(self, factor: int) -> Self:
        if factor == 1:
            return self
        return self._made({v: c * factor for v, c in self.terms.items()} if factor else {}, self.constant * factor)

    @property
    def is_number(self) -> bool:
        return not self.terms

    def substituted(self, variable: Variable, value: Linear) -> Self:
        """With a value in the place of a variable."""
        factor = self.terms.get(variable, 0)
        if not factor:
            return self
        rest = dict(self.terms)
        del rest[variable]
        return self._made(rest, self.constant).plus(value, factor)

    def with_values(self, values: Mapping[Variable, int]) -> Self:
        """With numbers in the place of some variables."""
        known = values.keys() & self.terms.keys()
        if not known:
            return self
        constant = self.constant + sum(self.terms[variable] * values[variable] for variable in known)
        return self._made({v: c for v, c in self.terms.items() if v not in known}, constant)

    def renamed(self, name: Callable[[Variable], Variable]) -> Self:
        """With other names for all variables."""
        terms: dict[Variable, int] = {}
        for variable, factor in self.terms.items():
            new = name(variable)
            terms[new] = terms.get(new, 0) + factor
        return type(self)(terms, self.constant)

    def value(self, valuation: Mapping[Variable, int]) -> int:
        """Under a valuation of all its variables."""
        return self.constant + sum(factor * valuation[variable] for variable, factor in self.terms.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and self.constant == other.constant and self.terms == other.terms

    def __hash__(self) -> int:
        return hash((frozenset(self.terms.items()), self.constant))

    def __repr__(self) -> str:
        parts = [f"{factor:+d}*{variable}" for variable, factor in self.terms.items()]
        if self.constant or not parts:
            parts.append(f"{self.constant:+d}")
        return " ".join(parts)


class Constraint:
    """``linear >= 0``, or ``linear == 0``. Immutable, hashable, in a normal form.

    Coefficients have no common divisor; the constant of an inequality is tightened accordingly (``2*x - 1 >= 0`` is
    ``x - 1 >= 0`` for integers). An equality that no integers satisfy stays as it is: ``is_false`` tells.
    """

    __slots__ = ("equality", "linear")

    def __init__(self, linear: Linear, equality: bool = False) -> None:
        self.equality = equality
        divisor = gcd(*linear.terms.values())
        if divisor > 1 and not (equality and linear.constant % divisor):
            terms = {v: c // divisor for v, c in linear.terms.items()}
            linear = linear._made(terms, linear.constant // divisor)  # rounds down, as an inequality wants
        self.linear = linear

    @property
    def is_true(self) -> bool:
        """Whether it holds whatever the variables are."""
        linear = self.linear
        return not linear.terms and (linear.constant == 0 if self.equality else linear.constant >= 0)

    @property
    def is_false(self) -> bool:
        """Whether its own form shows that no integers satisfy it."""
        linear = self.linear
        if not linear.terms:
            return linear.constant != 0 if self.equality else linear.constant < 0
        return self.equality and linear.constant % gcd(*linear.terms.values()) != 0

    @property
    def variables(self) -> Iterable[Variable]:
        return self.linear.terms.keys()

    def about(self, linear: Linear) -> Constraint:
        """The same of another expression."""
        return self if linear is self.linear else Constraint(linear, self.equality)

    def inequalities(self) -> Iterator[Constraint]:
        """The same as inequalities."""
        if not self.equality:
            yield self
            return
        yield Constraint(self.linear)
        yield Constraint(-self.linear)

    def holds(self, valuation: Mapping[Variable, int]) -> bool:
        value = self.linear.value(valuation)
        return value == 0 if self.equality else value >= 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constraint) and self.equality == other.equality and self.linear == other.linear

    def __hash__(self) -> int:
        return hash((self.linear, self.equality))

    def __repr__(self) -> str:
        return f"{self.linear!r} {'==' if self.equality else '>='} 0"


def at_least(left: Linear, right: Linear | int) -> Constraint:
    """``left >= right``."""
    return Constraint(left - right)


def at_most(left: Linear, right: Linear | int) -> Constraint:
    """``left <= right``."""
    return Constraint((right if isinstance(right, Linear) else Linear.number(right)) - left)


def equal(left: Linear, right: Linear | int) -> Constraint:
    """``left == right``."""
    return Constraint(left - right, equality=True)


def within(variable: Variable, low: int | None, high: int | None) -> list[Constraint]:
    """That a variable lies between two numbers, as far as there are any."""
    least = [] if low is None else [Constraint(Linear({variable: 1}, -low))]
    return least if high is None else [*least, Constraint(Linear({variable: -1}, high))]


@dataclass(frozen=True, slots=True)
class Former:
    """The value a variable had before: a variable of its own, for as long as an assignment is under way."""

    variable: Variable


def one_by_one(values: Mapping[Variable, Linear]) -> tuple[list[tuple[Variable, Linear]], list[Variable]]:
    """What to assign in which order, and the old values among it that have to be forgotten in the end."""
    steps: list[tuple[Variable, Linear]] = []
    former: list[Variable] = []
    pending = {variable: value for variable, value in values.items() if value != Linear.of(variable)}
    while pending:
        read = _reading(pending)
        ready = [v for v, value in pending.items() if read[v] == (v in value.terms)]
        if not ready:  # a cycle: one of the old values gets a name of its own
            target = next(iter(pending))
            old = Former(target)
            former.append(old)
            steps.append((old, Linear.of(target)))
            pending = {v: value.substituted(target, Linear.of(old)) for v, value in pending.items()}
            ready = [target]
        steps += [(target, pending.pop(target)) for target in ready]
    return steps, former


def _reading(pending: Mapping[Variable, Linear]) -> dict[Variable, int]:
    """How many of the pending assignments read each of their targets."""
    counts = dict.fromkeys(pending, 0)
    for value in pending.values():
        for variable in value.terms:
            if variable in counts:
                counts[variable] += 1
    return counts
