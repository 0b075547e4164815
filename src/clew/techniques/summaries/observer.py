"""Watches the loops of an exploration and generalizes what they do, while they do it.

At every visit of a header the activation's record grows by a snapshot. Three visits give a table of induction
variables, a generic iteration proves it, and the summary puts the state at the start of the predicted last iteration:

    path at the first visit, then the precondition;  induction variables with ``start + step * last``

What was queued since that visit is covered by the summary and given up; in its place come siblings at that visit, one
for each condition of the plan turned round. They know the summary, so that the plan for their inputs needs no look.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from immutables import Map

from clew.base.errors import PathEnd
from clew.execute.coverage import Edge
from clew.execute.ends import Dropped, Exited, Failed, Moved
from clew.execute.observers import Observer, Visit
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.report.records import LoopStatement
from clew.search.reserve import Reserve
from clew.solver.interface import Answer
from clew.solver.path import PathCondition
from clew.techniques.summaries.facts import FAILURES, PAYS, LoopFacts, Loops, places_of
from clew.techniques.summaries.generic import START, TARGET, Back, Key, after, placed, probing_run
from clew.techniques.summaries.guesses import (
    EXACT,
    GUESSED,
    IDEA,
    LONGEST,
    SCOUT,
    Guess,
    Idea,
    generalized,
    guess,
    predicted,
)
from clew.techniques.summaries.look import Looker, Refusal
from clew.techniques.summaries.structure import Arrival, FromProgram, FromTrace, Structure
from clew.techniques.summaries.summary import Plan, Skipped, Summary
from clew.techniques.summaries.tables import Family, Stop
from clew.techniques.summaries.whole import Whole

SHORT = 500_000
"""Instructions that a test may well take."""
LONGER = 4
"""Iterations that a state is to go on for which comes too late to a loop's last one."""
PHASES = 3
"""Summaries of one activation, before the rest of it is run as it is."""
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
    guess: Guess | None = None
    """What it may do from an earlier visit on, if nothing better is known."""
    failed: int = 0
    """Looks at it that led to nothing."""
    settled: bool = False
    """It is not looked at any more."""
    phases: int = 0
    """Summaries of it on this path, one after the other: counts from each go into the next."""


class Summaries(Observer):
    """The observer. ``attach`` it to the run before the first state starts.

    ``dynamic``: where loops are comes from what is run, not from the program.
    """

    def __init__(self, dynamic: bool = False) -> None:
        self.every_block = dynamic

    def attach(self, run: Run, start: Callable[[], State], takes: Callable[[State, Edge], bool]) -> None:
        """``start``: a state at the program's start; ``takes``: whether its inputs lead a path over an edge."""
        self._run = run
        self._start = start
        self._seen: set[Edge] = set()
        """Edges that inputs decide on."""
        self._takes = takes
        self._loops = Loops(run.compiler)
        self._structure: Structure = (FromTrace if self.every_block else FromProgram)(self._loops)
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
        if GUESSED in state.activations and pending.constraint is not None:
            self._follow_up(state, state.path, pending.constraint, pending.edge, state.activations[GUESSED])
            return False
        for key, activation in state.activations.items():
            if isinstance(activation, Activation) and activation.stops:
                family = activation.stops[-1].family
                if family.watch.on:
                    family.siblings.append(pending)
                if self.every_block:
                    self._structure.known(key).depends = True
        if pending.edge is not None and pending.edge not in self._seen:
            self._seen.add(pending.edge)
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
        known: Activation | None = state.activations.get(key)
        if known is not None and known.arrived:
            arrival = Arrival(self._structure.known(key), first=False)
        else:
            found = self._structure.arrive(visit, key)
            if found is None:
                return
            arrival = found
        loop = arrival.loop
        loop.visited = True
        if known is not None and known.arrived:
            if known.summary is not None:
                self._apply(visit, key, loop, known, known.summary)
            elif known.guess is not None:
                again = replace(known, arrived=False)
                self._run_on(visit, key, loop, again, replace(known.guess, index=known.guess.index - 1))
                return
            known = Activation(loop.epoch, settled=known.settled, phases=known.phases)
            self._remember(state, key, known)
        elif arrival.first or (known is not None and known.epoch != loop.epoch):
            known = None
        if known is None:
            known = Activation(loop.epoch)
        if known.settled:
            return
        if known.stops and known.stops[0].family.closed and not state.covered_new:
            raise Dropped  # a summary covers it
        if known.guess is not None:
            self._run_on(visit, key, loop, known, known.guess)
            return
        known = replace(known, stops=(*known.stops[-LOOK + 1 :], _stop(visit, loop)))
        self._remember(state, key, known)
        if len(known.stops) == LOOK:
            self._look(visit, key, loop, known)

    def _remember(self, state: State, key: Key, activation: Activation) -> None:
        """Keep the record, and those of loops around it; others are over."""
        kept = state.activations
        for other, record in list(kept.items()):
            if isinstance(record, Activation) and not self._is_around(state, other, key):
                kept = kept.delete(other)
        state.activations = kept.set(key, activation)

    def _is_around(self, state: State, other: Key, key: Key) -> bool:
        if other[0] != key[0]:
            return other[0] < key[0]
        return self._structure.around(state, other, key)

    # Looks

    def _look(self, visit: Visit, key: Key, loop: LoopFacts, known: Activation) -> None:
        """Three visits are there: summarize the loop from the first of them on, if it can be."""
        state, stops = visit.state, known.stops
        if stops[0].state.decided == state.decided:
            if state.run is self._run and not loop.depends and not self.every_block:
                loop.watch.on = False  # nothing was decided by the input: it costs nothing until something is
            return
        main = state.run is self._run
        if not main and loop.failures and not loop.sound:
            self._remember(state, key, Activation(loop.epoch, settled=True))
            return
        may_guess = main and loop.guesses > 0 and EXACT not in state.activations
        found = self._looker.look(visit, key, loop, stops, may_guess)
        if isinstance(found, Summary):
            plan = found.plan(state.model, stops[0].state.path)
            if plan is not None:
                self._inject(visit, key, loop, known, found, plan)
                raise Moved
        if not main:
            self._remember(state, key, Activation(loop.epoch, settled=True))
            return
        self._remember(state, key, replace(known, failed=known.failed + 1))
        loop.reason = "no condition ends it" if isinstance(found, Summary) else found.reason
        if may_guess and isinstance(found, Refusal) and found.iteration is not None:
            supposed = guess(stops[0], found.iteration, LOOK - 2).moved_on(state.model)
            # The next visit may show more, unless there is none.
            if supposed.last is not None and (known.failed or loop.guessed or supposed.last <= supposed.index):
                self._run_on(visit, key, loop, known, replace(supposed, index=supposed.index - 1))
                return
        loop.failures += 1
        self._give_up(loop)

    def _give_up(self, loop: LoopFacts) -> None:
        """Leave a loop alone that nothing can be made of."""
        if loop.failures >= FAILURES and not loop.sound and not self.every_block:
            loop.watch.on = False

    # Guesses

    def _run_on(self, visit: Visit, key: Key, loop: LoopFacts, known: Activation, before: Guess) -> None:
        """The state has made another iteration on its way to the one that a guess predicts as the last."""
        state = visit.state
        now = before.moved_on(state.model)
        if now.last is None or now.last < now.index or now.last > LONGEST:
            if now.last is not None and now.last < now.index and not loop.lengthened:
                self._lengthen(visit, key, loop, known, now)
            loop.failures += 1
            self._give_up(loop)
            self._remember(state, key, Activation(loop.epoch, settled=now.last is not None))
        elif now.last > now.index:
            self._remember(state, key, replace(known, guess=now))
        else:
            self._suppose(visit, key, loop, known, now)
            raise Moved

    def _lengthen(self, visit: Visit, key: Key, loop: LoopFacts, known: Activation, now: Guess) -> None:
        """The loop ends too soon to be generalized: queue a sibling with inputs for which it runs longer."""
        state = visit.state
        plan = now.plan(state.model)
        assert plan is not None
        longer = plan.last.plus(Whole({}, -now.index - LONGER)).not_negative()
        sibling = _stop(visit, loop).state
        sibling.generation += 1
        sibling.activations = sibling.activations.set(key, replace(known, guess=now, arrived=True)).set(SCOUT, key)
        if longer is not False:
            loop.lengthened = True
            self._run.add_pending(sibling, longer)

    def _suppose(self, visit: Visit, key: Key, loop: LoopFacts, known: Activation, now: Guess) -> None:
        """The state is at the predicted last iteration: generalize it, and keep it back as it was."""
        state = visit.state
        plan = now.plan(state.model)
        assert plan is not None
        here = _stop(visit, loop).state
        self._keep_back(visit, key, loop, known)
        path, removed = generalized(state, now)
        for condition in plan.conditions:
            if condition not in path:
                self._follow_up(state, path, build.lnot(condition), None, key)
                path = path.add(condition)
        places = places_of(visit.frame.function, visit.point, loop)
        values = predicted(now, plan, here, visit.values)
        landed = placed(here, values, places)
        state.frame, state.owner, state.memory = landed.frame, landed.owner, landed.memory
        state.path = path
        settled = Activation(loop.epoch, arrived=True, settled=True)
        state.activations = state.activations.set(key, settled).set(GUESSED, key)
        loop.failures = 0
        self._count(loop, removed, len(values))
        loop.guessed += 1
        loop.guesses -= 1

    def _keep_back(self, visit: Visit, key: Key, loop: LoopFacts, known: Activation) -> None:
        """What a guess replaces waits until nothing else does, unless others come to it anyway."""
        scout = SCOUT in visit.state.activations
        for stop in known.stops:
            for sibling in stop.family.siblings:
                if sibling.taken or sibling.edge is None or not _leaves(sibling.edge, key, loop):
                    continue
                if scout:
                    self._searcher.withdraw(sibling)
                else:
                    sibling.state.activations = sibling.state.activations.set(EXACT, True)
                    self._searcher.defer(sibling)
        if not scout:
            exact = _stop(visit, loop).state
            exact.activations = exact.activations.set(key, Activation(loop.epoch, arrived=True)).set(EXACT, True)
            self._searcher.keep_back(self._run.new_pending(exact, None))

    def _follow_up(self, state: State, path: PathCondition, constraint: Bool, edge: Edge | None, key: Key) -> None:
        """Inputs that fulfil all this are run from the start: what they are to show is no more than a guess."""
        if not isinstance(constraint, Expr):
            return
        start = self._start()
        start.path, start.model, start.generation = path, state.model, state.generation + 1
        start.activations = Map({IDEA: Idea(constraint, edge), SCOUT: key})
        self._run.add_pending(start, constraint)

    def repeated(self, state: State, constraint: Expr) -> None:
        """A state that is to confirm a guess may have come to what was guessed."""
        idea = state.activations.get(IDEA)
        if idea is not None and idea.constraint is constraint:
            state.activations = state.activations.delete(IDEA)

    # Ends

    def path_end(self, state: State, end: PathEnd) -> None:
        """Prefer inputs with which the path is short: they are to be run again. See what became of a guess."""
        sent: Key | None = state.activations.get(SCOUT)
        if sent is not None and state.covered_new:
            self._structure.known(sent).guesses += PAYS
        idea: Idea | None = state.activations.get(IDEA)
        if idea is not None and idea.edge is not None and isinstance(end, Exited | Failed):
            self._run.statistics.divergences += not self._takes(state, idea.edge)
        if not state.leaps or state.length() <= SHORT or not isinstance(end, Exited | Failed):
            return
        for most in (1_000, 50_000):
            counts = [leap.count for leap in state.leaps if isinstance(leap, Skipped)]
            few = [Whole({}, most).plus(count, -1).not_negative() for count in counts]
            result = self._run.solver.feasible(state.path, build.conjunction(few), state.model)
            if result.answer is Answer.SAT:
                assert result.model is not None
                state.model = result.model
                return

    # Injection

    def _apply(self, visit: Visit, key: Key, loop: LoopFacts, known: Activation, summary: Summary) -> None:
        """The state is where a summary starts, with inputs that an earlier plan does not cover."""
        plan = summary.plan(visit.state.model, visit.state.path)
        if plan is not None:
            self._inject(visit, key, loop, replace(known, stops=(_stop(visit, loop),)), summary, plan)
            raise Moved

    def _inject(self, visit: Visit, key: Key, loop: LoopFacts, known: Activation, summary: Summary, plan: Plan) -> None:
        """Put the state at the start of the last iteration, for all inputs that the plan is for."""
        state, base = visit.state, known.stops[0].state
        for stop in known.stops:
            stop.family.closed = True
            for sibling in stop.family.siblings:
                if not sibling.taken and not (sibling.constraint is None and sibling.state.covered_new):
                    self._searcher.withdraw(sibling)
        removed = len(state.path) - len(base.path)
        path = self._turn_round(state, key, loop, known, summary, plan)
        landed = placed(base, after(summary.motions, plan), places_of(visit.frame.function, visit.point, loop))
        state.frame, state.owner, state.memory = landed.frame, landed.owner, landed.memory
        state.path, state.decisions = path, base.decisions
        phases = known.phases + 1
        arrived = Activation(loop.epoch, arrived=True, settled=phases >= PHASES, phases=phases)
        state.activations = base.activations.set(key, arrived)
        state.leaps = (*base.leaps, Skipped(plan.last, summary.steps))
        if state.run is self._run:
            self._count(loop, removed, len(summary.motions))
            loop.sound += 1
            loop.failures = 0

    def _count(self, loop: LoopFacts, removed: int, updates: int) -> None:
        statistics = self._run.statistics
        statistics.summaries += 1
        statistics.loops_summarized += not (loop.sound or loop.guessed)
        statistics.constraints_removed += max(removed, 0)
        statistics.symbolic_updates += updates

    def _turn_round(
        self, state: State, key: Key, loop: LoopFacts, known: Activation, summary: Summary, plan: Plan
    ) -> PathCondition:
        """Queue a sibling for each condition of the plan; yields the path with all of them."""
        base = known.stops[0].state
        path = base.path
        other = Activation(loop.epoch, arrived=True, summary=summary, phases=known.phases)
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
            sibling.activations = base.activations.set(key, other)
            state.run.add_pending(sibling, build.lnot(condition))
            path = path.add(condition)
        return path


def _leaves(edge: Edge, key: Key, loop: LoopFacts) -> bool:
    """Whether an edge leads out of a loop."""
    return edge[0] == key[1] and edge[1] in loop.blocks and edge[2] not in loop.blocks


def _stop(visit: Visit, loop: LoopFacts) -> Stop:
    snapshot = visit.state.snapshot(visit.frame.suspended(object(), visit.point, visit.live))
    return Stop(snapshot, visit.values, Family(loop.watch))
