"""Watches the loops of an exploration and generalizes what they do, while they do it.

At every visit of a header the activation's record grows by a snapshot. Three visits give a table of induction
variables, a generic iteration proves it, and the summary puts the state at the start of the predicted last iteration:

    path at the first visit, then the precondition;  induction variables with ``start + step * last``

What was queued since that visit is covered by the summary and given up; in its place come siblings at that visit, one
for each condition of the plan turned round. They know the summary, so that the plan for their inputs needs no look.
"""

from __future__ import annotations

from dataclasses import dataclass

from immutables import Map

from clew.execute.ends import Dropped, Moved
from clew.execute.observers import Observer, Visit
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr import build
from clew.report.records import LoopStatement
from clew.search.reserve import Reserve
from clew.solver.path import PathCondition
from clew.techniques.summaries.facts import FAILURES, LoopFacts, Loops, places_of
from clew.techniques.summaries.generic import START, TARGET, Back, Key, after, placed, probing_run
from clew.techniques.summaries.look import Looker
from clew.techniques.summaries.summary import Plan, Summary
from clew.techniques.summaries.tables import Family, Stop

LOOK = 3
"""Visits after which a loop is looked at."""


@dataclass(frozen=True, slots=True)
class Activation:
    """What a state remembers of a loop that it is in."""

    epoch: int
    stops: tuple[Stop, ...] = ()
    """The last visits, oldest first."""
    arrived: bool = False
    """The state was put at the header; its next visit is no new one."""
    summary: Summary | None = None
    """With ``arrived``: what the loop does from there on, if that is known."""


class Summaries(Observer):
    """The observer. ``attach`` it to the run before the first state starts."""

    def attach(self, run: Run) -> None:
        self._run = run
        self._loops = Loops(run.compiler)
        self._looker = Looker(probing_run(run, self))
        assert isinstance(run.searcher, Reserve)
        self._searcher: Reserve = run.searcher

    def statements(self) -> tuple[LoopStatement, ...]:
        """What there is to say about each loop of the program."""
        return self._loops.statements()

    # Siblings

    def pending(self, pending: Pending) -> bool:
        """Note to which visits a sibling belongs; what it turns round depends on the input."""
        state = pending.state
        if state.run is not self._run:
            self._looker.note(pending)
            return True
        for activation in state.activations.values():
            if activation.stops:
                activation.stops[-1].family.siblings.append(pending)
        if pending.edge is not None:
            for loop in self._loops.around(*pending.edge[:2]):
                if not loop.depends:
                    loop.depends = True
                    loop.switch_on()
        return True

    # Visits

    def loop_header(self, visit: Visit) -> None:
        """A state comes to a header: remember that, and see whether the loop can be summarized."""
        state, frame = visit.state, visit.frame
        block = frame.function.plan.points[visit.point].block
        key = (frame.depth, frame.function.name, block)
        if state.activations.get(TARGET) == key:
            raise Back(visit)
        if state.activations.get(START) == key:
            state.activations = Map({TARGET: key})
            return
        loop = self._loops.of(frame.function.name)[block]
        loop.visited = True
        known: Activation | None = state.activations.get(key)
        if known is not None and known.arrived:
            if known.summary is not None:
                self._apply(visit, key, loop, known.summary)
            known = None
        elif visit.first or (known is not None and known.epoch != loop.epoch):
            known = None
        stops = known.stops if known is not None else ()
        if stops and stops[0].family.closed and not state.covered_new:
            raise Dropped  # a summary covers it
        stops = (*stops[-LOOK + 1 :], _stop(visit))
        self._remember(state, key, Activation(loop.epoch, stops))
        if len(stops) == LOOK:
            self._look(visit, key, loop, stops)

    def _remember(self, state: State, key: Key, activation: Activation) -> None:
        """Keep the record, and those of loops around it; others are over."""
        kept = state.activations
        for other in list(kept):
            if isinstance(other, tuple) and not self._is_around(other, key):
                kept = kept.delete(other)
        state.activations = kept.set(key, activation)

    def _is_around(self, other: Key, key: Key) -> bool:
        if other[0] != key[0]:
            return other[0] < key[0]
        return other[1] == key[1] and key[2] in self._loops.of(other[1])[other[2]].blocks

    # Looks

    def _look(self, visit: Visit, key: Key, loop: LoopFacts, stops: tuple[Stop, ...]) -> None:
        """Three visits are there: summarize the loop from the first of them on, if it can be."""
        state = visit.state
        if stops[0].state.path is state.path:
            if state.run is self._run and not loop.depends:
                loop.watch.on = False  # nothing was decided by the input: it costs nothing until something is
            return
        found = self._looker.look(visit, key, loop, stops)
        if isinstance(found, Summary):
            plan = found.plan(state.model)
            if plan is not None:
                self._inject(visit, key, loop, stops, found, plan)
                raise Moved
        if state.run is self._run:
            loop.reason = "no condition ends it" if isinstance(found, Summary) else found.reason
            loop.failures += 1
            if loop.failures >= FAILURES and not loop.sound:
                loop.watch.on = False

    # Injection

    def _apply(self, visit: Visit, key: Key, loop: LoopFacts, summary: Summary) -> None:
        """The state is where a summary starts, with inputs that an earlier plan does not cover."""
        plan = summary.plan(visit.state.model)
        if plan is not None:
            self._inject(visit, key, loop, (_stop(visit),), summary, plan)
            raise Moved

    def _inject(
        self, visit: Visit, key: Key, loop: LoopFacts, stops: tuple[Stop, ...], summary: Summary, plan: Plan
    ) -> None:
        """Put the state at the start of the last iteration, for all inputs that the plan is for."""
        state, base = visit.state, stops[0].state
        for stop in stops:
            stop.family.closed = True
            for sibling in stop.family.siblings:
                if not sibling.taken and not (sibling.constraint is None and sibling.state.covered_new):
                    self._searcher.withdraw(sibling)
        removed = len(state.path) - len(base.path)
        path = self._turn_round(state, key, loop, base, summary, plan)
        landed = placed(base, after(summary.motions, plan), places_of(visit.frame.function, visit.point, loop))
        state.frame, state.owner, state.memory = landed.frame, landed.owner, landed.memory
        state.path, state.decisions = path, base.decisions
        state.activations = base.activations.set(key, Activation(loop.epoch, arrived=True))
        if state.run is self._run:
            statistics = self._run.statistics
            statistics.summaries += 1
            statistics.loops_summarized += not (loop.sound or loop.guessed)
            statistics.constraints_removed += max(removed, 0)
            statistics.symbolic_updates += len(summary.motions)
            loop.sound += 1
            loop.failures = 0

    def _turn_round(
        self, state: State, key: Key, loop: LoopFacts, base: State, summary: Summary, plan: Plan
    ) -> PathCondition:
        """Queue a sibling for each condition of the plan; yields the path with all of them."""
        path = base.path
        assert base.frame is not None
        for number, condition in enumerate(plan.conditions):
            if condition in path:
                continue
            sibling = base.snapshot(base.frame.suspended(object(), base.frame.at, base.frame.live))
            sibling.path = path
            sibling.model = state.model
            sibling.generation = state.generation + 1
            # Another way for a loop to go on is worth a test, the first time.
            sibling.covered_new = state.run is self._run and loop.turns_round(number)
            sibling.activations = base.activations.set(key, Activation(loop.epoch, arrived=True, summary=summary))
            state.run.add_pending(sibling, build.lnot(condition))
            path = path.add(condition)
        return path


def _stop(visit: Visit) -> Stop:
    snapshot = visit.state.snapshot(visit.frame.suspended(object(), visit.point, visit.live))
    return Stop(snapshot, visit.values, Family())
