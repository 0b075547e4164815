"""Best effort: loops that no proof covers, generalized as far as they were regular when they ran.

A generic iteration that is not all regular may still have linear guards and induction variables. The state then runs
on to the iteration that those predict as the last; there its path is generalized, and its induction variables become
symbolic, as with a summary, while all else stays what it is in this one run. What follows from that is a *guess*:

- the state itself goes on, exact for its own inputs; what it turns round leads to inputs with which the program is run
  from its start anew, so that nothing but real runs is ever reported;
- the state as it was, and the siblings that leave the loop, wait in the reserve until nothing else does, and are
  explored without guesses: in the end nothing is lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clew.base.dataclass import dataclass
from clew.execute.inputs import reads
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.expr.node import BV, Expr
from clew.expr.walk import substitute
from clew.memory.changes import value_at
from clew.solver.path import PathCondition
from clew.techniques.summaries.generic_iteration import Iteration
from clew.techniques.summaries.guards import lines_of
from clew.techniques.summaries.induction import Added, depends
from clew.techniques.summaries.integer_sum import Whole
from clew.techniques.summaries.summary import Guard, LoopSummary, SummaryPlan, first_conditions
from clew.techniques.summaries.tables import Stop, Variable


@dataclass(frozen=True, slots=True)
class Guess:
    """What a loop may do from a visit on; ``index``: the visits since then."""

    base: Stop
    summary: LoopSummary
    iteration: Iteration
    index: int
    model: Model | None = None
    last: int | None = None
    """The iteration that it predicts as the last, under that model."""

    def plan(self, model: Model) -> SummaryPlan | None:
        """How the loop may go on from the first visit."""
        return self.summary.plan(model, self.base.state.path)

    def moved_on(self, model: Model) -> Guess:
        """The same, after another iteration."""
        last = self.last
        if model is not self.model:
            plan = self.plan(model)
            # Where all inputs agree on the count, there is nothing to be generalized.
            last = None if plan is None or not plan.last.terms else plan.last.eval(model)
        return replace(self, index=self.index + 1, model=model, last=last)


@dataclass(frozen=True, slots=True)
class Idea:
    """A state from the program's start, to confirm a guess: the decision that it is to come to."""

    constraint: Expr
    edge: tuple[str, str, str] | None


def guess(base: Stop, iteration: Iteration, index: int) -> Guess:
    """What is regular in a generic iteration: linear guards, and variables that go on in steps."""
    known = _inputs(base.state)
    guards = []
    for condition in iteration.conditions:
        moving = depends(condition, iteration.symbols) and not depends(condition, iteration.opaque)
        if moving and condition.symbols - iteration.symbols.keys() <= known:
            lines = lines_of(condition, iteration.model, iteration.symbols)
            if lines is not None:
                guards.append(Guard(condition, tuple(lines), first_conditions(condition, lines, iteration)))
    motions = tuple(
        (variable, motion)
        for variable, motion in iteration.motions
        if isinstance(motion, Added) and not motion.added.moves
    )
    summary = LoopSummary(motions, (), tuple(guards), (), iteration.steps, iteration.symbols)
    return Guess(base, summary, iteration, index)


def predicted(now: Guess, plan: SummaryPlan, state: State, phis: tuple[Any, ...]) -> dict[Variable, BV]:
    """Values of the variables that are what the guess says they are, with the inputs of the state."""
    found = {}
    for variable, motion in now.summary.motions:
        value = motion.after(variable.start, variable.width, plan.last)
        if variable.place >= 0:
            actual: Any = phis[variable.place]
        else:
            actual = value_at(state.memory, variable.address, variable.size)
        if actual is not None and state.model.eval(actual) == state.model.eval(value):
            found[variable] = value
    return found


def _inputs(state: State) -> set[Expr]:
    """Symbols of the inputs that a path has read."""
    return {value for read in reads(state.inputs) for value in read.values if isinstance(value, Expr)}


def generalized(state: State, idea: Guess) -> tuple[PathCondition, int]:
    """The path of a state without what the guards of a guess have added since its first visit; and how much that is."""
    base = idea.base.state.path
    replaced: set[object] = set()
    for guard in idea.summary.guards:
        for number in range(idea.index + 2):
            values = {symbol: form.after(Whole.number(number)) for symbol, form in idea.iteration.symbols.items()}
            replaced.add(substitute(guard.condition, values))
    added = state.path.since(base)
    kept = [constraint for constraint in added if constraint not in replaced]
    path = base
    for constraint in kept:
        path = path.add(constraint)
    return path, len(added) - len(kept)
