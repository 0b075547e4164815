"""The bottom of the chain: backends in order of preference, the first definite answer counts.

Every SAT model is evaluated before it is believed, which costs little next to finding it. A model that fails
(a disagreement between a backend and our evaluator) is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clew.expr.evaluate import Model
from clew.solver.interface import Answer, Query, Result, Solver, unknown

NAME = "decide"


class Decide:
    """Backends, made when first needed; none is asked after ``stop`` says so."""

    def __init__(self, makers: Sequence[Callable[[], Solver]], stop: Callable[[], bool] | None = None) -> None:
        self._makers = list(makers)
        self._stop = stop or (lambda: False)
        self._made: list[Solver] = []

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Ask one backend after the other."""
        reasons: list[str] = []
        for number in range(len(self._makers)):
            result = self._backend(number).check(constraints, hint)
            if result.answer is Answer.UNSAT or _holds(result, constraints):
                return result
            reasons.append(result.reason or f"the model of {result.source} does not satisfy the query")
            if self._stop():
                break
        return unknown("; ".join(reasons), NAME)

    def _backend(self, number: int) -> Solver:
        while len(self._made) <= number:
            self._made.append(self._makers[len(self._made)]())
        return self._made[number]


def _holds(result: Result, constraints: Query) -> bool:
    model = result.model
    return model is not None and all(model.eval(constraint) for constraint in constraints)
