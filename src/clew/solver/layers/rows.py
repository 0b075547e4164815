"""Queries about symbols with few values left: all rows of values are tried.

    s[1] in '1'..'9',   s[2] in '0'..'9',   int(double(s[1]) * 10 ** s[2]) != double(s[1]) * 10 ** s[2]       UNSAT

``narrowing`` looks at each value by itself; here the values of those symbols are tried together that occur in the
constraints that the hint violates. A row grows symbol by symbol, and ends where a constraint about those that it has is
false. If no row makes these constraints true, and those others that are about the same symbols alone, there is no
model. A row that makes all constraints true, with the hint's values for the other symbols, is one.

A few hundred rows are tried in any case; tens of thousands, where a backend would have to compute with floats, which
may take it seconds. (Products of bytes take it milliseconds, as long as many rows do.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Final

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import (
    FADD,
    FDIV,
    FFMA,
    FMUL,
    FSQRT,
    FSUB,
    ITE,
    Op,
)
from clew.expr.semantics import MEANING, Meaning
from clew.solver.interface import Query, Result, ordered, sat, symbols_of, unsat
from clew.solver.layers.narrowing import Narrowing
from clew.solver.stats import SolverStats

NAME = "rows"
PER_NODE: Final = 8
"""Expressions computed that take as long as a node of a query takes a backend."""


FEW_ROWS: Final = 1 << 9
"""Combinations of values that are always tried."""
MANY_ROWS, MANY_STEPS = 1 << 15, 200_000
"""Combinations of values that are tried where a backend would have to compute with floats, and expressions computed
for one query: half a microsecond each."""
MOST_ROWS, FIRST_STEPS = 1 << 20, 50_000
"""The same, of which only those are tried that come first: one of them may be a model."""
_FLOATS: Final = frozenset((FADD, FSUB, FMUL, FDIV, FFMA, FSQRT))

_Step = tuple[Expr, Meaning, bool]
"""A node, how its value follows from those of its arguments, and whether it is one of the constraints."""


def by_rows(narrowing: Narrowing, query: Query, hint: Model, stats: SolverStats) -> Result | None:
    """What trying all rows says of a query; None if there are too many, or some hold that are no model."""
    failing = ordered(hint.violated(query))
    columns = {symbol: narrowing.left(symbol) or [] for symbol in ordered(symbols_of(failing))}
    rows = prod(map(len, columns.values()))
    if not 0 < rows <= FEW_ROWS and not (0 < rows <= MOST_ROWS and _computes_with_floats(failing)):
        return None
    own = [c for c in ordered(query) if c.symbols <= columns.keys() and c not in failing]
    others = [c for c in query if not (c.symbols <= columns.keys() or c.symbols.isdisjoint(columns))]
    steps = MANY_STEPS if rows <= MANY_ROWS else FIRST_STEPS
    search = _Search(columns, failing + own, others, hint, steps)
    found: Model | None = None
    try:
        found = search.extended(0)
    except _TooLong:
        search.is_open = True
    stats.nodes += (steps - search.left) // PER_NODE
    if found is not None:
        return sat(found, NAME)
    return None if search.is_open else unsat(NAME, narrowing.reasons(list(columns)) | search.blamed)


def _computes_with_floats(constraints: Iterable[Expr]) -> bool:
    """Whether floats are computed from symbols: circuits for that are large."""
    seen: set[Expr] = set()
    stack = list(constraints)
    while stack:
        e = stack.pop()
        if e not in seen and e.symbols:
            if e.op in _FLOATS:
                return True
            seen.add(e)
            stack += e.args
    return False


class _TooLong(Exception):
    """More was computed than a query is worth."""


class _Search:
    """For rows that make constraints true, depth first."""

    def __init__(
        self,
        columns: Mapping[Expr, Sequence[int]],
        own: Sequence[Expr],
        others: Sequence[Expr],
        hint: Model,
        steps: int,
    ) -> None:
        """``own`` are those about the symbols that have columns; a row is no model if one of the ``others`` fails."""
        self._order = _order(columns, own)
        self._others = others
        self._hint = hint
        self._values: dict[Expr, Any] = {}
        self._levels, leaves = self._planned(own)
        self._columns = [_column(group, columns, leaves) for group, leaves in zip(self._order, leaves, strict=True)]
        self.left = steps
        self.blamed: set[Expr] = set()
        """Constraints that were false for some rows, so that all have one that is."""
        self.is_open = False
        """Whether some rows make the own constraints true, but are no model."""

    def _planned(self, own: Sequence[Expr]) -> tuple[list[list[_Step]], list[list[Expr]]]:
        """For each level, what to compute once its symbols are known; and what follows from one of them alone."""
        level_of = {symbol: level for level, group in enumerate(self._order) for symbol in group}
        levels: list[list[_Step]] = [[] for _ in self._order]
        leaves: list[list[Expr]] = [[] for _ in self._order]
        constraints = set(own)
        planned: set[Expr] = set()
        for constraint in own:
            stack = [constraint]
            while stack:
                e = stack[-1]
                alone = len(e.symbols) == 1
                waiting = [arg for arg in e.args if arg not in planned] if len(e.symbols) > 1 else ()
                if waiting:
                    stack += waiting
                    continue
                stack.pop()
                if e in planned:
                    continue
                planned.add(e)
                if not e.symbols:
                    self._values[e] = self._hint.eval(e)
                    continue
                level = max([level_of[symbol] for symbol in e.symbols])
                if alone:
                    leaves[level].append(e)
                if not alone or e in constraints:
                    levels[level].append((e, _known if alone else _meaning(e.op), e in constraints))
        return levels, leaves

    def extended(self, level: int) -> Model | None:
        """A model with the values of the symbols below a level as they are now, if there is one."""
        if level == len(self._order):
            return self._model()
        values, steps = self._values, self._levels[level]
        for known in self._columns[level]:
            values.update(known)
            self.left -= 1 + len(steps)
            if self.left < 0:
                raise _TooLong
            for e, meaning, is_constraint in steps:
                value = values[e] = meaning(e, values)
                if is_constraint and not value:
                    self.blamed.add(e)
                    break
            else:
                found = self.extended(level + 1)
                if found is not None:
                    return found
        return None

    def _model(self) -> Model | None:
        """The row, if it is one."""
        model = self._hint.updated({symbol: self._values[symbol] for group in self._order for symbol in group})
        self.left -= PER_NODE * len(self._others)
        if all(model.eval(constraint) for constraint in self._others):
            return model
        self.is_open = True
        return None


def _order(columns: Mapping[Expr, Sequence[int]], constraints: Sequence[Expr]) -> list[list[Expr]]:
    """Levels of symbols: first all that have one value; then one at a time, so that constraints can be judged soon:
    next comes what that one lacks which has the fewest rows."""
    known = {symbol for symbol, column in columns.items() if len(column) == 1}
    order = [ordered(known)]
    waiting = [constraint.symbols - known for constraint in constraints]
    while waiting := [lacking - known for lacking in waiting if not lacking <= known]:
        lacking = min(waiting, key=lambda symbols: prod([len(columns[symbol]) for symbol in symbols]))
        order += [[symbol] for symbol in sorted(lacking, key=lambda symbol: (len(columns[symbol]), symbol.key))]
        known |= lacking
    return order


def _column(
    group: Sequence[Expr], columns: Mapping[Expr, Sequence[int]], leaves: Sequence[Expr]
) -> list[dict[Expr, Any]]:
    """For each way to choose values for the symbols of a level: these, and those of expressions that they decide."""
    found = []
    for row in product(*[columns[symbol] for symbol in group]):
        model = Model(dict(zip(group, row, strict=True)))
        found.append({e: model.eval(e) for e in (*group, *leaves)})
    return found


def _meaning(op: Op) -> Meaning:
    return _chosen if op is ITE else MEANING[op]


def _chosen(e: Expr, values: Mapping[Expr, Any]) -> Any:
    condition, then, other = e.args
    return values[then] if values[condition] else values[other]


def _known(e: Expr, values: Mapping[Expr, Any]) -> Any:
    return values[e]
