"""Variables as small numbers: what domains with large tables work with, since equality of names is slow to tell."""

from __future__ import annotations

from clew.analysis.absint.domain import Bounds, Ranges
from clew.analysis.absint.linear import Former, Variable


class Numbering:
    """Numbers for variables, with their ranges. It only grows; a domain has one."""

    __slots__ = ("_numbers", "_ranges", "_table", "variables")

    def __init__(self, ranges: Ranges) -> None:
        self._ranges = ranges
        self._numbers: dict[Variable, int] = {}
        self._table: list[Bounds] = []
        self.variables: list[Variable] = []

    def number(self, variable: Variable) -> int:
        found = self._numbers.get(variable)
        if found is None:
            found = self._numbers[variable] = len(self.variables)
            self.variables.append(variable)
            self._table.append(self._ranges(variable))
        return found

    def variable(self, number: Variable) -> Variable:
        """The variable with a number."""
        assert isinstance(number, int)
        return self.variables[number]

    def range_of(self, number: Variable) -> Bounds:
        """The range of the variable with a number, or that had it before."""
        if isinstance(number, Former):
            number = number.variable
        assert isinstance(number, int)
        return self._table[number]
