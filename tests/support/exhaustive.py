"""Enumeration of all assignments: for tiny domains only, and obviously right.

The oracle of the conformance suite of solvers. Symbols are tried in a fixed
order, zero first, so the answer is the smallest model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.sort import BOOL, SortKind
from clew.solver.interface import Answer, Query, Result, sat, symbols_of, unknown, unsat

NAME = "exhaustive"


class ExhaustiveSolver:
    """Tries everything, if that is at most ``2**max_bits`` assignments."""

    def __init__(self, max_bits: int = 14) -> None:
        self._max_bits = max_bits

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Enumerate the values of all symbols."""
        symbols = sorted(symbols_of(constraints), key=lambda symbol: (str(symbol.value), symbol.key))
        if any(symbol.sort is not BOOL and symbol.sort.kind is not SortKind.BV for symbol in symbols):
            return unknown("only booleans and bit-vectors are enumerated", NAME)
        if sum(max(symbol.width, 1) for symbol in symbols) > self._max_bits:
            return unknown(f"more than {self._max_bits} bits of input", NAME)
        for values in product(*[_domain(symbol) for symbol in symbols]):
            assignment = dict(zip(symbols, values, strict=True))
            model = Model(assignment)
            if all(model.eval(constraint) for constraint in constraints):
                return sat(model if hint is None else hint.updated(assignment), NAME)
        return unsat(NAME)

    def unsat_assumptions(
        self, base: Sequence[Expr], assumptions: Sequence[Expr], seconds: float | None = None
    ) -> list[Expr] | None:
        """A minimal set of assumptions that contradicts ``base``: leave out whatever is not needed."""
        if not self._unsat(base, assumptions):
            return None
        kept = list(assumptions)
        for candidate in assumptions:
            without = [other for other in kept if other is not candidate]
            if self._unsat(base, without):
                kept = without
        return kept

    def _unsat(self, base: Iterable[Expr], more: Iterable[Expr]) -> bool:
        return self.check(frozenset((*base, *more))).answer is Answer.UNSAT


def _domain(symbol: Expr) -> Sequence[int]:
    return (False, True) if symbol.sort is BOOL else range(1 << symbol.width)
