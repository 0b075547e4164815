"""The contract of abstract domains.

An abstract value stands for a set of *valuations*: maps from variables to integers. It is immutable. A variable that
it does not constrain may have any value of its *range*, which is given once and for all by the ``Ranges`` a domain is
made with (for a register of 8 bits, say, -128 to 127; unlimited in a direction where there is None). Every valuation
is within the ranges: a value need not carry constraints that say so, but may use that it is.

All operations may give more valuations than asked for, never fewer. ``examples/signs.py`` is a domain to copy;
``tests/unit/analysis/absint/conformance.py`` is what each has to pass.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

from clew.analysis.absint.linear import Constraint, Linear, Variable

Bounds = tuple[int | None, int | None]
"""Least and greatest value; None where there is none."""
Ranges = Callable[[Variable], Bounds]


def unlimited(variable: Variable) -> Bounds:
    """Ranges for variables that stand for mathematical integers."""
    return (None, None)


class Abstract(ABC):
    """A value of an abstract domain."""

    __slots__ = ()

    @property
    @abstractmethod
    def is_bottom(self) -> bool:
        """Whether it is known to stand for no valuation at all."""

    @abstractmethod
    def join(self, other: Self) -> Self:
        """Valuations of one or the other."""

    @abstractmethod
    def widen(self, newer: Self, thresholds: Sequence[Constraint] = ()) -> Self:
        """Valuations of this and of ``newer``, so many that a chain of widenings ends after finitely many steps.

        ``newer`` need not contain this. The chain has ended when this contains the result, and ``newer`` is in this
        then; ``contains`` asked about ``newer`` itself may fail to see that.
        ``thresholds`` are constraints worth keeping: one that both entail holds afterwards too, if the domain can say
        it.
        """

    @abstractmethod
    def narrow(self, newer: Self) -> Self:
        """Valuations that are in both; those of ``newer`` alone may be left out, those of this one alone as well."""

    @abstractmethod
    def assign(self, values: Mapping[Variable, Linear]) -> Self:
        """After assignments, all at once: right sides are about the variables before.

        The caller knows that each value is in its variable's range.
        """

    @abstractmethod
    def assume(self, constraints: Iterable[Constraint]) -> Self:
        """Valuations that satisfy the constraints."""

    @abstractmethod
    def forget(self, variables: Iterable[Variable]) -> Self:
        """With any values for the variables."""

    @abstractmethod
    def entails(self, constraint: Constraint) -> bool:
        """Whether all valuations are known to satisfy a constraint. True for bottom."""

    @abstractmethod
    def contains(self, other: Self) -> bool:
        """Whether all valuations of another are known to be in this one."""

    @abstractmethod
    def bounds(self, linear: Linear) -> Bounds:
        """The least and greatest value an expression is known to have. Anything for bottom."""

    def roughly(self, linear: Linear) -> Bounds:
        """As ``bounds``, or farther apart if that is less work."""
        return self.bounds(linear)

    @abstractmethod
    def constraints(self) -> tuple[Constraint, ...]:
        """Constraints that every valuation satisfies, beside the ranges: all that is known, none implied by others.

        Equalities first. For bottom, one that is false.
        """

    def variables(self) -> dict[Variable, None]:
        """The variables of which it says anything beside the ranges, in the order of its constraints."""
        return dict.fromkeys(variable for constraint in self.constraints() for variable in constraint.variables)

    @abstractmethod
    def size(self) -> int:
        """How much there is to keep, roughly: constraints, or entries of a table. For limits on effort."""


class Domain(ABC):
    """Makes abstract values."""

    name: str
    """As ``DOMAINS`` and ``--domain`` have it."""
    effort: int = 2_000_000
    """What is spent in it before the next cheaper domain is tried, as sizes of values: about two seconds; more in the
    last one."""

    def __init__(self, ranges: Ranges = unlimited) -> None:
        self.ranges = ranges

    @classmethod
    def available(cls) -> bool:
        """Whether the libraries it needs are installed."""
        return True

    @abstractmethod
    def top(self) -> Abstract:
        """All valuations (within the ranges)."""

    @abstractmethod
    def bottom(self) -> Abstract:
        """None."""
