"""Models that were right before: the hint itself, then the most recent models found below.

A sibling path's model often satisfies this query too. Models are tried on what the hint fails first.
"""

from __future__ import annotations

from collections import deque

from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.solver.interface import Answer, Query, Result, Solver, ordered, sat, symbols_of

NAME = "reuse"


class ModelReuse:
    """The layer. Holds on to the last ``size`` models."""

    def __init__(self, below: Solver, size: int) -> None:
        self._below = below
        self._recent: deque[Model] = deque(maxlen=size)

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Try known models."""
        failing: list[Expr] = []
        if hint is not None:
            failing = hint.violated(constraints)
            if not failing:
                return sat(hint, NAME)
        for model in self._recent:
            if _satisfies(model, failing) and _satisfies(model, constraints):
                return sat(merged(hint, model, constraints), NAME)
        result = self._below.check(constraints, hint)
        if result.answer is Answer.SAT and result.model is not None:
            self._recent.appendleft(result.model)
        return result

    def clear(self) -> None:
        """Forget all models."""
        self._recent.clear()


def _satisfies(model: Model, constraints: Query | list[Expr]) -> bool:
    for constraint in constraints:
        if not model.eval(constraint):
            return False
    return True


def merged(hint: Model | None, model: Model, constraints: Query) -> Model:
    """``hint`` with ``model``'s values for the symbols of the query."""
    values = {symbol: model.eval(symbol) for symbol in ordered(symbols_of(constraints))}
    return Model(values) if hint is None else hint.updated(values)
