"""Linear constraints over the integers as terms of machine words, computed in so many bits that nothing wraps around.

An equality is computed in the width of its operands as well, as the program itself computes: solvers see through that
with ease. What terms are made of, subclasses say: instructions (``constraint_code``), or expressions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from clew.analysis.absint.linear import Constraint, Variable
from clew.base.dataclass import dataclass

T = TypeVar("T")

WIDTHS = (32, 64, 128)
"""Bits in which something is computed: the least of them that are enough."""


@dataclass(frozen=True, slots=True)
class Operand(Generic[T]):
    """A machine word, and whether it is read as a signed number."""

    value: T
    width: int
    signed: bool


def computing_width(
    constraint: Constraint, width: Callable[[Variable], int], widths: Sequence[int] = WIDTHS
) -> int | None:
    """Bits in which a constraint over variables of some widths can be computed without wrapping around, if any are."""
    largest = abs(constraint.linear.constant)
    for variable, factor in constraint.linear.terms.items():
        largest += abs(factor) << width(variable)
    return next((bits for bits in widths if largest.bit_length() < bits), None)


class ConstraintTerms(ABC, Generic[T]):
    """Makes conditions; ``operand`` gives the values of variables, each of which is asked for once."""

    widths: ClassVar[Sequence[int]] = WIDTHS

    def __init__(self, operand: Callable[[Variable], Operand[T]]) -> None:
        self._make = operand
        self._operands: dict[Variable, Operand[T]] = {}
        self._wide: dict[tuple[Variable, int], T] = {}

    @abstractmethod
    def number(self, value: int, width: int) -> T:
        """A constant; ``value`` is not negative."""

    @abstractmethod
    def computed(self, op: str, left: T, right: T, width: int) -> T:
        """``add``, ``mul`` or ``shl`` of two words."""

    @abstractmethod
    def resized(self, operand: Operand[T], width: int) -> T:
        """A word in more bits, or less."""

    @abstractmethod
    def compared(self, predicate: str, value: T, width: int) -> T:
        """Whether a word is zero (``eq``), or is not negative (``sge``)."""

    def holds(self, constraint: Constraint) -> list[T]:
        """Conditions that a constraint implies, and that imply it if it is one that can be computed."""
        terms = constraint.linear.terms
        if not terms:
            return [] if constraint.is_true else [self.compared("eq", self.number(1, 8), 8)]
        conditions = []
        width = computing_width(constraint, lambda variable: self._operand(variable).width, self.widths)
        if constraint.equality:
            own = max(self._operand(variable).width for variable in terms)
            if own != width:
                conditions.append(self._condition(constraint, own))
        if width is not None:
            conditions.append(self._condition(constraint, width))
        return conditions

    def congruent(self, terms: Sequence[tuple[int, tuple[Variable, ...]]], bits: int) -> list[T]:
        """Conditions that a sum of products being zero modulo a power of two implies, and that imply it if that is not
        too large to be computed."""
        own = max((self._operand(variable).width for _, variables in terms for variable in variables), default=bits)
        enough = next((width for width in self.widths if bits <= width), None)
        conditions = [self._congruence(terms, own, own)] if own < bits else []
        return conditions if enough is None else [*conditions, self._congruence(terms, bits, enough)]

    def _congruence(self, terms: Iterable[tuple[int, tuple[Variable, ...]]], bits: int, width: int) -> T:
        total = self.number(0, width)
        for factor, variables in terms:
            product = self.number(factor % (1 << width), width)
            for variable in variables:
                product = self.computed("mul", product, self._widened(variable, width), width)
            total = self.computed("add", total, product, width)
        low = self.computed("shl", total, self.number(width - bits, width), width) if bits < width else total
        return self.compared("eq", low, width)

    def _condition(self, constraint: Constraint, width: int) -> T:
        """A constraint computed in so many bits."""
        total = self.number(constraint.linear.constant % (1 << width), width)
        for variable, factor in sorted(constraint.linear.terms.items(), key=repr):
            value = self._widened(variable, width)
            if factor != 1:
                value = self.computed("mul", value, self.number(factor % (1 << width), width), width)
            total = self.computed("add", total, value, width)
        return self.compared("eq" if constraint.equality else "sge", total, width)

    def _operand(self, variable: Variable) -> Operand[T]:
        if variable not in self._operands:
            self._operands[variable] = self._make(variable)
        return self._operands[variable]

    def _widened(self, variable: Variable, width: int) -> T:
        operand = self._operand(variable)
        if operand.width == width:
            return operand.value
        if (variable, width) not in self._wide:
            self._wide[variable, width] = self.resized(operand, width)
        return self._wide[variable, width]
