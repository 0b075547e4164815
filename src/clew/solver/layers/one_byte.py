"""Questions about one byte: what is left of its values.

    c != '"',   c >= 32,   c == 92       SAT with 92

Programs that read text ask little else, tens of thousands of times. Each constraint on one symbol of up to eight bits
is a set of values, made once (``value_tables``), and a query is what these have in common: no model needs to be tried,
and no answer to be kept.
"""

from __future__ import annotations

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.solver.interface import Query, Result, Solver, ordered, sat, unsat
from clew.solver.value_tables import SHARED, everything, is_small, least

NAME = "byte"


class OneByte:
    """The layer."""

    def __init__(self, below: Solver) -> None:
        self._below = below
        self._tables = SHARED

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Answer, if all is about one byte; else ask below."""
        byte = _only_byte(constraints)
        if byte is None:
            return self._below.check(constraints, hint)
        left = everything(byte)
        for constraint in constraints:
            truth = self._tables.truth(constraint)
            if truth is None:
                return self._below.check(constraints, hint)
            left &= truth
        if not left:
            return unsat(NAME, self._core(constraints, byte))
        if hint is None:
            return sat(Model({byte: least(left)}), NAME)
        known = hint.eval(byte)
        return sat(hint if left >> known & 1 else hint.updated({byte: least(left)}), NAME)

    def _core(self, constraints: Query, byte: Expr) -> Query:
        """Constraints that leave no value, and do without any other."""
        core = {constraint: self._tables.truth(constraint) or 0 for constraint in ordered(constraints)}
        for constraint in list(core):
            left = everything(byte)
            for other, truth in core.items():
                if other is not constraint:
                    left &= truth
            if not left:
                del core[constraint]
        return frozenset(core)


def _only_byte(constraints: Query) -> Expr | None:
    """The symbol that all constraints are about, if there is only one, and it has few values."""
    byte: Expr | None = None
    for constraint in constraints:
        symbols = constraint.symbols
        if len(symbols) != 1:
            return None
        (symbol,) = symbols
        if symbol is not byte:
            if byte is not None or not is_small(symbol):
                return None
            byte = symbol
    return byte
