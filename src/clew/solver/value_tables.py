"""Expressions over one byte as tables: their value for each of the 256 that the byte can have.

Sets of values of a byte are numbers with one bit for each value, so that they are met and joined in no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import copysign, prod
from typing import Any, Final

from clew.expr.node import Expr
from clew.expr.op import CONST, EQ, ITE, LAND, LNOT, SYMBOL
from clew.expr.semantics import MEANING
from clew.expr.sort import Sort, SortKind

FEW_BITS: Final = 8
"""Width of the widest symbols that have tables."""
_DEEP: Final = 40
"""Levels of an expression that is made a table."""
_MOST_TABLES: Final = 20_000
MOST_VALUES: Final = 256
"""Values of an expression, and combinations of values of its parts, that are kept apart."""

_EVERYTHING: Final = tuple([(1 << (1 << width)) - 1 for width in range(FEW_BITS + 1)])

Column = tuple[Any, ...]
Parts = tuple[frozenset[Any], ...]
"""The values that the arguments of an expression can have."""


def is_small(symbol: Expr) -> bool:
    """Whether a symbol has few enough values."""
    return symbol.sort.kind is SortKind.BV and symbol.width <= FEW_BITS


def everything(symbol: Expr) -> int:
    """The set of all values of a symbol."""
    return _EVERYTHING[symbol.width]


def least(values: int) -> int:
    """The smallest value of a set."""
    return (values & -values).bit_length() - 1


class _NoTable(Exception):
    """An expression is too deep for a table, or has a part without values."""


class ValueTables:
    """Tables of expressions that have been asked about."""

    def __init__(self) -> None:
        self._columns: dict[Expr, tuple[Column, int] | None] = {}
        """With the levels of the expression."""
        self._truths: dict[Expr, int | None] = {}
        self._constants: dict[Expr, frozenset[Any] | None] = {}
        self._where: dict[tuple[Expr, frozenset[Any]], int | None] = {}
        self._values: dict[tuple[Expr, int], tuple[frozenset[Any] | None, int]] = {}
        self._combined: dict[tuple[Expr, Parts], frozenset[Any] | None] = {}
        self._fitting: dict[tuple[Expr, Parts, frozenset[Any]], Parts] = {}

    def clear(self) -> None:
        """Forget all of them, and the expressions with them."""
        self._columns.clear()
        self._truths.clear()
        self._constants.clear()
        self._where.clear()
        self._values.clear()
        self._combined.clear()
        self._fitting.clear()

    def constant(self, e: Expr) -> frozenset[Any] | None:
        """The value of a constant, as a set."""
        if e not in self._constants:
            if len(self._constants) > _MOST_TABLES:
                self._constants.clear()
            self._constants[e] = distinct((e.value,), e.sort)
        return self._constants[e]

    def where(self, e: Expr, wanted: frozenset[Any]) -> int | None:
        """For which values of its only symbol an expression is one of those wanted; None if it is too deep."""
        key = e, wanted
        if key not in self._where:
            if len(self._where) > _MOST_TABLES:
                self._where.clear()
            column = self.column(e)
            fitting = None if column is None else sum([1 << v for v, value in enumerate(column) if value in wanted])
            self._where[key] = fitting
        return self._where[key]

    def values(self, e: Expr, of: int) -> tuple[frozenset[Any] | None, int]:
        """What an expression can be if its only symbol has one of some values, and those others that would make it
        something else; None if it is too deep for a table."""
        found = self._values.get((e, of))
        if found is None:
            if len(self._values) > _MOST_TABLES:
                self._values.clear()
            found = self._values[e, of] = self._values_of(e, of)
        return found

    def _values_of(self, e: Expr, of: int) -> tuple[frozenset[Any] | None, int]:
        column = self.column(e)
        if column is None:
            return None, 0
        found = distinct([value for v, value in enumerate(column) if of >> v & 1], e.sort)
        if found is None:
            return None, 0
        return found, sum([1 << v for v, value in enumerate(column) if value not in found])

    def combined(self, e: Expr, parts: Parts) -> frozenset[Any] | None:
        """What an expression can be; None if there are too many combinations, or a set cannot tell what they give."""
        key = e, parts
        if key not in self._combined:
            if len(self._combined) > _MOST_TABLES:
                self._combined.clear()
            rows = _rows(parts)
            self._combined[key] = None if rows is None else distinct([_meaning(e, row) for row in rows], e.sort)
        return self._combined[key]

    def fitting(self, e: Expr, parts: Parts, wanted: frozenset[Any]) -> Parts:
        """Which values of the arguments make an expression one of those wanted; nothing if there are too many."""
        key = e, parts, wanted
        if key not in self._fitting:
            if len(self._fitting) > _MOST_TABLES:
                self._fitting.clear()
            fit = [row for row in _rows(parts) or () if _meaning(e, row) in wanted]
            self._fitting[key] = tuple(frozenset(values) for values in zip(*fit, strict=True))
        return self._fitting[key]

    def truth(self, condition: Expr) -> int | None:
        """For which values of its only symbol a condition holds; None if it is too deep for a table."""
        if condition in self._truths:
            return self._truths[condition]
        found = self._truth(condition)
        if len(self._truths) > _MOST_TABLES:
            self._truths.clear()
        self._truths[condition] = found
        return found

    def _truth(self, condition: Expr) -> int | None:
        if condition.op is LNOT:
            opposite = self.truth(condition.args[0])
            (symbol,) = condition.symbols
            return None if opposite is None else everything(symbol) ^ opposite
        if condition.op is EQ and condition.args[0].op is SYMBOL and condition.args[1].op is CONST:
            return 1 << int(condition.args[1].value)
        column = self.column(condition)
        return None if column is None else sum([1 << v for v, holds in enumerate(column) if holds])

    def column(self, e: Expr) -> Column | None:
        """The values of an expression by those of its only symbol; None if it is too deep. That depends on nothing but
        the expression, whatever has been asked before: who has used a table finds it again."""
        if len(self._columns) > _MOST_TABLES:
            self._columns.clear()
        try:
            return self._column(e, _DEEP)[0]
        except _NoTable:
            self._columns[e] = None
            return None

    def _column(self, e: Expr, levels: int) -> tuple[Column, int]:
        """The same of a part, and how many levels it has; ``_NoTable`` if these are more than there may be."""
        if e in self._columns:
            known = self._columns[e]
            if known is None or known[1] > levels:
                raise _NoTable
            return known
        if e.op is SYMBOL:
            return tuple(range(1 << e.width)), 0
        if not levels:
            raise _NoTable
        (symbol,) = e.symbols
        columns: list[Column] = []
        deepest = 0
        for arg in e.args:
            if arg.symbols:
                column, depth = self._column(arg, levels - 1)
                deepest = max(deepest, depth)
                columns.append(column)
            else:
                constant = self._constant_column(arg, symbol)
                if constant is None:
                    raise _NoTable
                columns.append(constant)
        found = self._columns[e] = _computed(e, columns), deepest + 1
        return found

    @staticmethod
    def _constant_column(e: Expr, symbol: Expr) -> Column | None:
        if e.op is not CONST:
            value = MEANING[e.op](e, {}) if not e.args else None
            return None if value is None else (value,) * (1 << symbol.width)
        return (e.value,) * (1 << symbol.width)


SHARED: Final = ValueTables()
"""What all of a process use: the tables of an expression are the same for everybody."""


def distinct(values: Sequence[Any], sort: Sort) -> frozenset[Any] | None:
    """A set of values; None if a set cannot tell them apart (-0.0 from 0.0, a NaN from itself, arrays)."""
    if sort.kind is SortKind.FLOAT:
        if any(value != value or (value == 0 and copysign(1.0, value) < 0) for value in values):
            return None
    elif sort.kind is SortKind.ARRAY:
        return None
    return frozenset(values)


def _computed(e: Expr, columns: list[Column]) -> Column:
    """An operator applied to whole columns."""
    op = e.op
    if op is EQ:
        return tuple([a == b for a, b in zip(*columns, strict=True)])
    if op is LNOT:
        return tuple([not a for a in columns[0]])
    if op is LAND:
        return tuple([all(row) for row in zip(*columns, strict=True)])
    if op is ITE:
        return tuple([a if c else b for c, a, b in zip(*columns, strict=True)])
    return tuple([_meaning(e, row) for row in zip(*columns, strict=True)])


def _rows(parts: Parts) -> list[tuple[Any, ...]] | None:
    """All combinations; None if these are many."""
    count = prod(map(len, parts))
    return list(product(*parts)) if count <= MOST_VALUES else None


def _meaning(e: Expr, row: tuple[Any, ...]) -> Any:
    return MEANING[e.op](e, dict(zip(e.args, row, strict=True)))
