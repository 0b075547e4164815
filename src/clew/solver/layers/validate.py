"""The layer behind ``--validate``: believe nobody.

Sits on top of all others. A SAT model is evaluated, an UNSAT answer and its core go to an independent oracle;
a disagreement is a bug of ours and raises InternalError. UNKNOWN claims nothing and passes.
"""

from __future__ import annotations

from clew.base.errors import InternalError
from clew.expr.evaluate import Model
from clew.solver.interface import Answer, Query, Result, Solver, ordered


class Validate:
    """The layer."""

    def __init__(self, below: Solver, oracle: Solver) -> None:
        self._below = below
        self._oracle = oracle

    def check(self, constraints: Query, hint: Model | None = None) -> Result:
        """Ask below, and check the answer."""
        result = self._below.check(constraints, hint)
        self.confirm(result, constraints, hint)
        return result

    def confirm(self, result: Result, constraints: Query, hint: Model | None = None) -> None:
        """``InternalError`` if an answer is wrong."""
        if result.answer is Answer.SAT:
            self._check_model(result, constraints, hint)
        elif result.answer is Answer.UNSAT:
            self._check_core(result, constraints)

    def _check_model(self, result: Result, constraints: Query, hint: Model | None) -> None:
        if result.model is None:
            raise InternalError(f"layer {result.source!r} says SAT without a model")
        fresh = Model(result.model.values)  # evaluated anew: the memo is under suspicion too
        for constraint in ordered(constraints):
            if fresh.eval(constraint) is not True:
                raise InternalError(f"the model of layer {result.source!r} violates {constraint!r}")
            if not constraint.symbols <= fresh.values.keys() and hint is None:
                raise InternalError(f"the model of layer {result.source!r} leaves symbols of {constraint!r} open")

    def _check_core(self, result: Result, constraints: Query) -> None:
        core = constraints if result.core is None else result.core
        if not core <= constraints:
            raise InternalError(f"layer {result.source!r} blames constraints that were not in the query")
        if self._oracle.check(core).answer is Answer.SAT:
            raise InternalError(f"layer {result.source!r} says UNSAT, but there is a model: {ordered(core)!r}")
