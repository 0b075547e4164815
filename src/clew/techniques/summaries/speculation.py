"""States that are sent ahead by a guess about a loop: what becomes of them, and of what they replace.

Sits on ``guesses``. See there for what may be concluded from them: nothing that a real run does not show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from immutables import Map

from clew.base.errors import PathEnd
from clew.execute.coverage import Edge
from clew.execute.ends import Exited, Failed, Moved
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.solver.path import PathCondition
from clew.techniques.accounts import Account
from clew.techniques.summaries.activations import Book, Here, LoopActivation
from clew.techniques.summaries.generalization import (
    Guess,
    Idea,
    generalized,
    predicted,
)
from clew.techniques.summaries.generic_iteration import IterationKey, placed
from clew.techniques.summaries.loop_records import EXACT, GUESSED, IDEA, SCOUT, activations, set_activations
from clew.techniques.summaries.loop_status import LoopFacts
from clew.techniques.summaries.statistics import SummaryStatistics


class Scouts:
    """The guesses of one run."""

    def __init__(
        self, book: Book, account: Account, start: Callable[[], State], takes: Callable[[State, Edge], bool]
    ) -> None:
        self._book = book
        self._account = account
        self._start = start
        self._takes = takes

    def run_on(self, here: Here, before: Guess) -> None:
        """The state has made another iteration on its way to the one that a guess predicts as the last."""
        now = before.moved_on(here.state.model)
        if now.last is None or now.last < now.index or now.last > self._book.limits.predicted_iterations:
            if now.last is not None and now.last < now.index and not here.loop.lengthened:
                self._lengthen(here, now)
            self._book.failed(here.loop)
            self._book.remember(here, LoopActivation(here.loop.epoch, settled=now.last is not None))
        elif now.last > now.index:
            self._book.remember(here, replace(here.known, guess=now, arrived=False))
        else:
            self._suppose(here, now)
            raise Moved

    def _lengthen(self, here: Here, now: Guess) -> None:
        """The loop ends too soon to be generalized: queue a sibling with inputs for which it runs longer."""
        plan = now.plan(here.state.model)
        assert plan is not None
        longer = (plan.last - now.index - self._book.limits.more_iterations).not_negative()
        sibling = here.snapshot()
        sibling.generation += 1
        ahead = replace(here.known, guess=now, arrived=True)
        set_activations(sibling, activations(sibling).set(here.key, ahead).set(SCOUT, here.key))
        sibling.depart()
        sibling.stop_tracking()
        if longer is not False:
            here.loop.lengthened = True
            self._book.run.add_pending(sibling, longer)

    def _suppose(self, here: Here, now: Guess) -> None:
        """The state is at the predicted last iteration: generalize it, and keep it back as it was."""
        state, loop = here.state, here.loop
        plan = now.plan(state.model)
        assert plan is not None
        self._keep_back(here)
        path, removed = generalized(state, now)
        for condition in plan.conditions:
            if condition not in path:
                self.follow_up(state, path, build.lnot(condition), None, here.key)
                path = path.add(condition)
        values = predicted(now, plan, state, here.visit.values)
        state.become(placed(here.snapshot(), values, here.places))
        state.path, state.model_is_fixed = path, True
        settled = LoopActivation(loop.epoch, arrived=True, settled=True)
        set_activations(state, activations(state).set(here.key, settled).set(GUESSED, here.key))
        self._book.summarized(loop, removed, len(values))
        loop.guessed += 1
        loop.guesses -= 1

    def _keep_back(self, here: Here) -> None:
        """What a guess replaces waits until nothing else does, unless others come to it anyway."""
        searcher = self._book.searcher
        scout = SCOUT in activations(here.state)
        for stop in here.known.stops:
            for sibling in stop.family.siblings:
                if sibling.taken or sibling.edge is None or not _leaves(sibling.edge, here.key, here.loop):
                    continue
                if scout:
                    # A scout may share visits with the exact state that sent it: only what scouts have queued goes.
                    if SCOUT in activations(sibling.state):
                        searcher.withdraw(sibling)
                else:
                    set_activations(sibling.state, activations(sibling.state).set(EXACT, True))
                    searcher.defer(sibling)
        if not scout:
            exact = here.snapshot()
            arrived = LoopActivation(here.loop.epoch, arrived=True)
            set_activations(exact, activations(exact).set(here.key, arrived).set(EXACT, True))
            searcher.keep_back(self._book.run.new_pending(exact, None))

    def follow_up(
        self, state: State, path: PathCondition, constraint: Bool, edge: Edge | None, key: IterationKey
    ) -> None:
        """Inputs that fulfil all this are run from the start: what they are to show is no more than a guess."""
        work = self._book.limits.follow_up
        if not isinstance(constraint, Expr) or not self._account.affords(work):
            return  # what a guess took the place of is kept back
        self._account.charge(own=work)
        start = self._start()
        start.depart()
        start.path, start.model, start.generation = path, state.model, state.generation + 1
        set_activations(start, Map({IDEA: Idea(constraint, edge), SCOUT: key}))
        self._book.run.add_pending(start, constraint)

    @staticmethod
    def came_to(state: State, constraint: Expr) -> None:
        """A state that is to confirm a guess may have come to what was guessed."""
        idea = activations(state).get(IDEA)
        if idea is not None and idea.constraint is constraint:
            set_activations(state, activations(state).delete(IDEA))

    def ended(self, state: State, end: PathEnd) -> int:
        """See what became of a guess; returns how many times its path was run again for that."""
        sent: IterationKey | None = activations(state).get(SCOUT)
        if sent is not None and state.covered_new:
            self._book.structure.known(sent).guesses += self._book.limits.guesses_per_success
        idea: Idea | None = activations(state).get(IDEA)
        if idea is not None and idea.edge is not None and isinstance(end, Exited | Failed):
            self._book.run.statistics.of(SummaryStatistics).divergences += not self._takes(state, idea.edge)
            return 1
        return 0


def _leaves(edge: Edge, key: IterationKey, loop: LoopFacts) -> bool:
    """Whether an edge leads out of a loop."""
    return edge[0] == key[1] and edge[1] in loop.blocks and edge[2] not in loop.blocks
