"""Linear expressions and constraints over the integers: what abstract domains and their users speak to each other in.

Variables are any hashable things; what they stand for is the business of ``clew.analysis.absint.variables``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from math import gcd

Variable = Hashable


class Linear:
    """``c1*v1 + ... + cn*vn + constant`` with integer coefficients, none of them zero. Immutable, hashable."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: Mapping[Variable, int] | None = None, constant: int = 0) -> None:
        self.terms: dict[Variable, int] = {v: c for v, c in terms.items() if c} if terms else {}
        self.constant = constant

    @staticmethod
    def of(variable: Variable, factor: int = 1) -> Linear:
        return Linear({variable: factor})

    @staticmethod
    def number(value: int) -> Linear:
        return Linear(None, value)

    def plus(self, other: Linear, factor: int) -> Linear:
        """``self + factor * other``."""
        terms = dict(self.terms)
        for variable, more in other.terms.items():
            total = terms.get(variable, 0) + more * factor
            if total:
                terms[variable] = total
            else:
                terms.pop(variable, None)
        return _made(terms, self.constant + other.constant * factor)

    def __add__(self, other: Linear | int) -> Linear:
        return _made(self.terms, self.constant + other) if isinstance(other, int) else self.plus(other, 1)

    def __neg__(self) -> Linear:
        return _made({v: -c for v, c in self.terms.items()}, -self.constant)

    def __sub__(self, other: Linear | int) -> Linear:
        return _made(self.terms, self.constant - other) if isinstance(other, int) else self.plus(other, -1)

    def __mul__(self, factor: int) -> Linear:
        if factor == 1:
            return self
        return _made({v: c * factor for v, c in self.terms.items()} if factor else {}, self.constant * factor)

    @property
    def is_number(self) -> bool:
        return not self.terms

    def substituted(self, variable: Variable, value: Linear) -> Linear:
        """With a value in the place of a variable."""
        factor = self.terms.get(variable, 0)
        if not factor:
            return self
        rest = dict(self.terms)
        del rest[variable]
        return _made(rest, self.constant).plus(value, factor)

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


def _made(terms: dict[Variable, int], constant: int) -> Linear:
    """Of terms that are not zero, and that nobody is going to change."""
    linear = Linear.__new__(Linear)
    linear.terms = terms
    linear.constant = constant
    return linear


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
            linear = _made(terms, linear.constant // divisor)  # rounds down, as an inequality wants
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
