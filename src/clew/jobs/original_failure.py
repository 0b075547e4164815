"""Whether a failure of a changed program is one of the program that it was made of.

A path of a program whose loops were made more general may be one that the program does not have. Its inputs, run on the
program itself, tell: what they show there is real, however they were found.
"""

from __future__ import annotations

from functools import partial

from clew.base.budget import Budget
from clew.execute.context import RunOptions
from clew.execute.ends import Failed
from clew.execute.input_values import input_values, of_program
from clew.execute.inputs import InputKind, reads
from clew.execute.machine import Machine
from clew.execute.policy import Finished
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import EMPTY_MODEL
from clew.expr.node import Expr
from clew.jobs.reexecution import EntryPoint, execute

INSTRUCTIONS = 50_000_000
"""Of one run: loops are run round by round."""
SHARE = 0.5
"""Of the time that is left."""
ROUND_BITS = (32, 64)
FEW = (16, 1 << 10, 1 << 14, 1 << 17)
"""How many rounds a path should have, at most, from the best on."""


def shows_originally(machine: Machine, entry: EntryPoint, path: Finished, options: RunOptions, budget: Budget) -> bool:
    """Whether the inputs of a path that fails, run on another machine's program, end in the same failure.

    Without time left, nobody knows: then the answer is no. The run may be long, and gives way to others like any work
    under the same budget.
    """
    end, state = path.end, path.state
    assert isinstance(end, Failed)
    _prefer_few_rounds(state)
    left = budget.time_left()
    if left == 0.0:
        return False
    outcome = execute(
        machine,
        entry,
        of_program(input_values(state)),
        INSTRUCTIONS,
        options,
        None if left is None else left * SHARE,
        budget.interrupt,
        budget.memory_mb,
        state.model if options.any_undefined else EMPTY_MODEL,
        is_spent=partial(_gives_way, budget),
    )
    return outcome.shows(end.kind, path.location)


def _gives_way(budget: Budget) -> bool:
    """Let others have their turn when it is theirs; never a reason to stop."""
    budget.next_turn()
    return False


def _prefer_few_rounds(state: State) -> None:
    """Give the path a model in which the numbers that stand for rounds are small, if it has one."""
    rounds: list[Expr] = []
    for read in reads(state.inputs):
        if read.kind is InputKind.HAVOC and read.bits in ROUND_BITS:
            rounds += [value for value in read.values if isinstance(value, Expr)]
    for most in FEW:
        few = build.conjunction([build.ule(number, most, number.width) for number in rounds])
        found = state.run.solver.feasible(state.path, few, state.model)
        if found.model is not None:
            state.model = found.model
            return
