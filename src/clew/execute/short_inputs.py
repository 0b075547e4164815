"""Inputs of an ended path, as short as the path allows: which of its models a test is made of.

A model is whatever the search and the solver came upon: a file of four thousand bytes does for a path that looks at two
of them. So lengths of files become as small as the constraints of the path let them be. All other values stay: somebody
has given them, or they make a difference that is no decision of the path. So constraints are evaluated, and no solver
is asked.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.execute.arguments import is_length
from clew.execute.inputs import reads
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.expr.node import Expr
from clew.expr.op import SYMBOL
from clew.solver.path import PathCondition


def short_model(state: State) -> Model:
    """A model of the path of a state with shorter inputs, or the one it has."""
    model = state.model
    if state.model_is_fixed:
        return model  # it stands for more than the constraints say
    for read in reads(state.inputs):
        length = read.values[0] if is_length(read) else None
        if type(length) is Expr and length.op is SYMBOL:
            model = _shorter(state.path, model, length)
    return model


def least(most: int, holds: Callable[[int], bool]) -> int:
    """The least number for which something holds that holds for ``most``, if it holds for all between; by bisection."""
    if most and holds(0):
        return 0
    below = 0
    while most - below > 1:
        middle = (below + most) // 2
        if holds(middle):
            most = middle
        else:
            below = middle
    return most


def _shorter(path: PathCondition, model: Model, length: Expr) -> Model:
    constraints = path.about(length)

    def with_length(number: int) -> Model:
        return model.updated({length: number})

    def holds(number: int) -> bool:
        candidate = with_length(number)
        return all(candidate.eval(constraint) for constraint in constraints)

    known = int(model.eval(length))
    found = least(known, holds)
    return model if found == known else with_length(found)
