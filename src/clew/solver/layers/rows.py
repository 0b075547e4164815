"""Queries about bytes with few values left: all rows of values are tried.

    s[1] in '1'..'9',   s[2] in '0'..'9',   int(double(s[1]) * 10 ** s[2]) != double(s[1]) * 10 ** s[2]       UNSAT

``narrowing`` looks at each value by itself; here the values of those symbols are tried together that occur in the
constraints that the hint violates. If no row makes these constraints true, and those others that are about the same
symbols alone, there is no model. A row that makes all constraints true, with the hint's values for the other symbols,
is one.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Final

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.solver.interface import Query, Result, ordered, sat, symbols_of, unsat
from clew.solver.layers.narrowing import Narrowing
from clew.solver.stats import SolverStats

NAME = "rows"
MOST_ROWS: Final = 512
"""Combinations of values that are tried."""


def by_rows(narrowing: Narrowing, query: Query, hint: Model, stats: SolverStats) -> Result | None:
    """What trying all rows says of a query; None if there are too many, or some hold that are no model."""
    failing = ordered(hint.violated(query))
    symbols = ordered(symbols_of(failing))
    columns = [narrowing.left(symbol) or [] for symbol in symbols]
    if not 0 < prod(map(len, columns)) <= MOST_ROWS:
        return None
    own, others = _parted(query, frozenset(symbols), failing)
    blamed = set(failing)
    is_open = False
    for row in product(*columns):
        stats.nodes += 1
        candidate = hint.updated(dict(zip(symbols, row, strict=True)))
        if not all(candidate.eval(constraint) for constraint in failing):
            continue
        broken = next((constraint for constraint in own if not candidate.eval(constraint)), None)
        if broken is not None:
            blamed.add(broken)
        elif all(candidate.eval(constraint) for constraint in others):
            return sat(candidate, NAME)
        else:
            is_open = True
    return None if is_open else unsat(NAME, narrowing.reasons(symbols) | blamed)


def _parted(query: Query, symbols: frozenset[Expr], failing: list[Expr]) -> tuple[list[Expr], list[Expr]]:
    """The constraints on some symbols alone that do not fail, and those on them and others."""
    own, others = [], []
    for constraint in ordered(query):
        if constraint.symbols <= symbols:
            own.append(constraint)
        elif not constraint.symbols.isdisjoint(symbols):
            others.append(constraint)
    return [constraint for constraint in own if constraint not in failing], others
