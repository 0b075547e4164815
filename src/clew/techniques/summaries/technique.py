"""Watches the loops of an exploration and generalizes what they do, while they do it.

At every visit of a header the activation's record grows by a snapshot. Three visits give a table of induction
variables, a generic iteration proves it, and the summary puts the state at the start of the predicted last iteration:

    path at the first visit, then the precondition;  induction variables with ``start + step * last``

What was queued since that visit is covered by the summary and given up; in its place come siblings at that visit, one
for each condition of the plan turned round. They know the summary, so that the plan for their inputs needs no look.
Loops that no proof covers are left to ``scouts``.
"""

from __future__ import annotations

from dataclasses import replace

from immutables import Map

from clew.base.errors import PathEnd
from clew.base.options import TestRequest
from clew.execute.coverage import Edge
from clew.execute.ends import Dropped, Exited, Failed, Moved
from clew.execute.events import Events, Visit
from clew.execute.instrument.loop_marks import mark_blocks, mark_loops, marked_loops
from clew.execute.pending import Pending, Searcher
from clew.execute.state import State
from clew.expr import build
from clew.program.module import Program
from clew.report.records import LoopStatement
from clew.search.registry import SearchContext
from clew.search.reserving import Reserve
from clew.search.short_first import ShortFirst
from clew.solver.interface import Answer
from clew.solver.path import PathCondition
from clew.techniques.accounts import INSTRUCTIONS
from clew.techniques.registry import TECHNIQUES
from clew.techniques.summaries.activations import Book, Here, LoopActivation
from clew.techniques.summaries.generalization import guess
from clew.techniques.summaries.generic_iteration import START, TARGET, Back, IterationKey, after, placed, probing_run
from clew.techniques.summaries.infer import Looker, Refusal
from clew.techniques.summaries.limits import USUAL, Limits
from clew.techniques.summaries.loop_records import (
    EXACT,
    GUESSED,
    SCOUT,
    LoopRecords,
    SkippedIterations,
    activations,
    records,
    set_activations,
)
from clew.techniques.summaries.loop_status import LoopFacts, Loops
from clew.techniques.summaries.loop_structure import FromProgram, FromTrace, Structure
from clew.techniques.summaries.speculation import Scouts
from clew.techniques.summaries.summary import LoopSummary, SummaryPlan
from clew.techniques.technique import Exploration, Technique

LOOK = 3
"""Visits after which a loop is looked at."""
SELDOM = 64
"""Siblings after each of which the account is looked at, while it does not allow loops to be watched."""


@TECHNIQUES.register("summaries", "generalizes loops to all iteration counts")
class Summaries(Technique):
    """The technique.

    ``dynamic``: where loops are comes from what is run, not from the program. ``guesses``: whether loops are
    generalized of which nothing can be proved; without guesses all that is explored is exact.
    """

    def __init__(self, dynamic: bool = False, guesses: bool = True, limits: Limits = USUAL) -> None:
        self._limits = limits
        self.every_block = dynamic
        self._guesses = guesses
        self._is_postponed = False

    @classmethod
    def make(cls, request: TestRequest) -> Summaries | None:
        """Not where each path is wanted for itself, or iterations are counted."""
        if request.goal == "path" or request.loop_bound is not None:
            return None
        return cls(dynamic=request.loops == "dynamic")

    def postpone(self) -> bool:
        self._is_postponed = not self.every_block
        return self._is_postponed

    def prepare(self, program: Program, entry: str) -> Program:
        return mark_blocks(program) if self.every_block else mark_loops(program, counted=False)

    def searcher(self, searcher: Searcher, name: str | None, context: SearchContext) -> Searcher:
        # Where all is to be explored in the end, the order does not matter.
        self._reserve = Reserve(ShortFirst(searcher, context.coverage) if name is None and self._guesses else searcher)
        return self._reserve

    def attach(self, exploration: Exploration) -> None:
        run = self._run = exploration.run
        self._loops = Loops(run.compiler, self._limits)
        self._structure: Structure = (FromTrace if self.every_block else FromProgram)(self._loops)
        self._book = Book(run, self._reserve, self._structure, self.every_block, self._limits)
        self._accounts, start = exploration.accounts, exploration.start
        self._account = account = self._accounts.open("summaries", self._limits.capital, self._limits.share)
        self._scouts = Scouts(self._book, account, start, exploration.takes) if self._guesses else None
        self._probing = probing_run(run, self._listen(Events()))
        self._looker = Looker(self._probing, self._limits)
        self._resting: list[LoopFacts] = []
        """Loops that are not watched, since the account of the technique does not allow it."""
        self._unwatched = 0
        """Siblings that were queued while there were any."""
        self._seen: set[Edge] = set()
        """Edges that inputs decide on."""
        if self._is_postponed:
            self._marks = [run.compiler.watch(name) for name in marked_loops(run.program)]
            for watch in self._marks:
                watch.postpone(lambda: not run.has_inputs)
        else:
            self._listen(run.events)

    def join(self, part: float) -> None:
        self._is_postponed = False
        for watch in self._marks:
            watch.begin()
        self._listen(self._run.events)

    def _listen(self, events: Events) -> Events:
        events.pending_sibling.append(self._pending)
        events.repeated_branch.append(Scouts.came_to)
        events.loop_header.append(self._loop_header)
        events.path_end.append(self._ended)
        return events

    def statements(self) -> tuple[LoopStatement, ...]:
        """What there is to say about each loop of the program."""
        return self._loops.statements("the run was over before it was looked at" if self._is_postponed else "never run")

    # Siblings

    def _pending(self, pending: Pending) -> bool:
        """Note to which visits a sibling belongs; what it turns round depends on the input."""
        state = pending.state
        if state.run is not self._run:
            self._looker.note(pending)
            return True
        kept = state.extension(LoopRecords) if state.extensions else None
        if kept is not None:
            if self._scouts is not None and GUESSED in kept.activations and pending.constraint is not None:
                about = kept.activations[GUESSED]
                self._scouts.follow_up(state, state.path, pending.constraint, pending.edge, about)
                return False
            if not self._belongs(pending, kept):
                state.forget(LoopRecords)
        if self._resting:
            self._unwatched += 1
            if self._unwatched % SELDOM == 0 and self._account.affords(self._limits.trial):
                self._watch_again()
        if pending.edge is not None and pending.edge not in self._seen:
            self._seen.add(pending.edge)
            for loop in self._loops.around(*pending.edge[:2]):
                if not loop.depends:
                    loop.depends = True
                    loop.switch_on()
        return True

    def _belongs(self, pending: Pending, kept: LoopRecords) -> bool:
        """Note to which visits a sibling belongs; False if what it keeps is of no use: nobody watches those loops, and
        when they are watched again, visits will have gone by unseen."""
        is_of_use = kept.is_long
        for key, activation in kept.activations.items():
            if not isinstance(activation, LoopActivation):
                is_of_use = True
                continue
            loop = self._structure.known(key)
            if activation.stops:
                loop.depends = True
                if loop.watch.on:
                    activation.stops[-1].family.siblings.append(pending)
            is_of_use |= loop.watch.on
        return is_of_use

    # Visits

    def _loop_header(self, visit: Visit) -> None:
        """A state comes to a header: remember that, and see whether the loop can be summarized."""
        state, frame = visit.state, visit.frame
        key = (frame.depth, frame.function.name, frame.function.plan.points[visit.point].block)
        kept = activations(state)
        if kept.get(TARGET) == key:
            raise Back(visit)
        if kept.get(START) == key:
            set_activations(state, Map({TARGET: key}))
            return
        if state.run is self._run and not self._can_pay_visit():
            self._rest(key)
            return
        known: LoopActivation | None = kept.get(key)
        if known is not None and known.epoch != self._structure.known(key).epoch:
            known = None  # visits went by unseen
        if known is not None and known.arrived:
            here: Here | None = self._arrived(visit, key, known)
        else:
            here = self._visited(visit, key, known)
        if here is None or here.known.settled:
            return
        if here.known.stops and here.known.stops[0].family.closed and not state.covered_new:
            state.stop_tracking()
            raise Dropped  # a summary covers it
        if here.known.guess is not None and self._scouts is not None:
            self._scouts.run_on(here, here.known.guess)
            return
        here = replace(here, known=replace(here.known, stops=(*here.known.stops[-LOOK + 1 :], here.stop())))
        self._book.remember(here, here.known)
        if len(here.known.stops) == LOOK:
            self._look(here)

    def _visited(self, visit: Visit, key: IterationKey, known: LoopActivation | None) -> Here | None:
        """Control comes to a block; None if that is no header."""
        arrival = self._structure.arrive(visit, key)
        if arrival is None:
            return None
        loop = arrival.loop
        loop.visited = True
        if known is None or arrival.first:
            known = LoopActivation(loop.epoch)
        return Here(visit, key, loop, known)

    def _arrived(self, visit: Visit, key: IterationKey, known: LoopActivation) -> Here:
        """The state is where it was put. If it is known what the loop does from here on, that is used at once."""
        loop = self._structure.known(key)
        here = Here(visit, key, loop, known)
        if known.summary is not None:
            plan = known.summary.plan(visit.state.model, visit.state.path)
            if plan is not None and plan.most >= self._limits.few_iterations:
                self._inject(replace(here, known=replace(known, stops=(here.stop(),))), known.summary, plan)
                raise Moved
        if known.guess is not None:
            return replace(here, known=replace(known, guess=replace(known.guess, index=known.guess.index - 1)))
        fresh = LoopActivation(loop.epoch, settled=known.settled, phases=known.phases)
        self._book.remember(here, fresh)
        return replace(here, known=fresh)

    # Looks

    def _look(self, here: Here) -> None:
        """Three visits are there: summarize the loop from the first of them on, if it can be."""
        state, loop, stops = here.state, here.loop, here.known.stops
        main = state.run is self._run
        if stops[0].state.decided == state.decided:
            if main and not loop.depends and not loop.sound and not self.every_block:
                loop.watch.on = False  # nothing was decided by the input: it costs nothing until something is
            return
        if not main and loop.failures and not loop.sound:
            self._book.remember(here, LoopActivation(loop.epoch, settled=True))
            return
        may_guess = main and self._scouts is not None and loop.guesses > 0 and EXACT not in activations(state)
        with self._accounts.charging(self._account, self._probing.statistics):
            found = self._looker.look(here.visit, here.key, loop, stops, may_guess)
        self._account.charge(own=self._limits.look)
        if isinstance(found, LoopSummary):
            plan = found.plan(state.model, stops[0].state.path)
            if plan is not None and plan.most >= self._limits.few_iterations:
                self._inject(here, found, plan)
                raise Moved
            if plan is not None:
                self._book.remember(here, LoopActivation(loop.epoch, settled=True))
                loop.reason = f"it runs at most {plan.most + 1} times"
                return
        if not main:
            self._book.remember(here, LoopActivation(loop.epoch, settled=True))
            return
        self._book.remember(here, replace(here.known, failed=here.known.failed + 1))
        if isinstance(found, LoopSummary):
            loop.reason = "its iterations go different ways" if found.ends(state.model) else "no condition ends it"
        else:
            loop.reason = found.reason
        if not (may_guess and isinstance(found, Refusal) and self._guess(here, found)):
            self._book.failed(loop)

    def _can_pay_visit(self) -> bool:
        """Charge the technique for one visit, if it affords that."""
        self._account.charge(own=self._limits.visit)
        return self.every_block or self._account.balance() >= 0

    def _rest(self, key: IterationKey) -> None:
        """Watch a loop no more, for now: looking at loops has cost more here than it has brought."""
        loop = self._structure.known(key)
        loop.watch.on = False
        self._resting.append(loop)

    def _watch_again(self) -> None:
        for loop in self._resting:
            loop.switch_on()
        self._resting.clear()

    def _guess(self, here: Here, refusal: Refusal) -> bool:
        """Go on with a guess, if there is one to be made; the next visit may show more, unless there is none."""
        if refusal.iteration is None or self._scouts is None:
            return False
        found = guess(here.known.stops[0], refusal.iteration, LOOK - 2)
        now = found.moved_on(here.state.model)
        if now.last is None or not (here.known.failed or here.loop.guessed or now.last <= now.index):
            return False
        self._scouts.run_on(here, found)
        return True

    # Injection

    def _inject(self, here: Here, summary: LoopSummary, plan: SummaryPlan) -> None:
        """Put the state at the start of the last iteration, for all inputs that the plan is for."""
        state, base, loop = here.state, here.known.stops[0].state, here.loop
        for stop in here.known.stops:
            stop.family.closed = True
            for sibling in stop.family.siblings:
                if not sibling.taken and not (sibling.constraint is None and sibling.state.covered_new):
                    self._book.searcher.withdraw(sibling)
        removed = len(state.path) - len(base.path)
        path = self._turn_round(here, summary, plan)
        state.become(placed(base, after(summary.motions, plan.last), here.places))
        state.path = path
        phases = here.known.phases + 1
        arrived = LoopActivation(loop.epoch, arrived=True, settled=phases >= self._limits.phases, phases=phases)
        before = records(base)
        skipped = (*before.iterations, SkippedIterations(plan.last, summary.steps))
        state.extend(LoopRecords(before.activations.set(here.key, arrived), skipped))
        if state.run is self._run:
            self._book.summarized(loop, removed, len(summary.motions))
            loop.sound += 1
            saved = sum(len(stop.family.siblings) for stop in here.known.stops) + max(removed, 0) + plan.most
            self._account.credit(0, self._limits.sibling * saved)

    def _turn_round(self, here: Here, summary: LoopSummary, plan: SummaryPlan) -> PathCondition:
        """Queue a sibling for each condition of the plan; yields the path with all of them."""
        state, base = here.state, here.known.stops[0].state
        path = base.path
        other = LoopActivation(here.loop.epoch, arrived=True, summary=summary, phases=here.known.phases)
        assert base.frame is not None
        for number, condition in enumerate(plan.conditions):
            if condition in path:
                continue
            sibling = base.snapshot(base.frame.suspended(object(), base.frame.at, base.frame.live))
            sibling.depart()
            sibling.path = path
            sibling.model = state.model
            sibling.generation = state.generation + 1
            # Another way for a loop to go on is worth a test, the first time.
            sibling.covered_new = state.run is self._run and here.loop.turns_round(number)
            known = records(base)
            kept = known.activations.set(here.key, other)
            sibling.extend(replace(known, activations=kept, turned_round=True))
            state.run.add_pending(sibling, build.lnot(condition))
            path = path.add(condition)
        for fact in plan.facts:
            path = path.implying(fact)
        return path

    # Ends

    def _scout_ended(self, scouts: Scouts, state: State, end: PathEnd) -> None:
        """A path that goes back to a guess is charged to the technique, and what it covers is credited."""
        if SCOUT in activations(state):
            replays = scouts.ended(state, end)
            self._account.charge(own=replays * self._limits.replay, caused=state.steps // INSTRUCTIONS)
            if state.covered_new:
                self._accounts.notice()
                self._account.credit(1, self._accounts.price)

    def _ended(self, state: State, end: PathEnd) -> None:
        """Prefer inputs with which the path is short: they are to be run again."""
        kept = state.extension(LoopRecords)
        if kept is None:
            return
        if self._scouts is not None:
            self._scout_ended(self._scouts, state, end)
        counts = [skipped.count for skipped in kept.iterations]
        if not counts or state.model_is_fixed or not isinstance(end, Exited | Failed):
            return
        if state.length() <= self._limits.test_instructions:
            return
        if isinstance(end, Failed) and end.kind == "uninitialized":
            return  # what shows that is in the model alone
        for most in (1_000, 50_000):
            few = [(-count + most).not_negative() for count in counts]
            with self._run.solver.patience.of(self._limits.iteration_questions):
                result = self._run.solver.feasible(state.path, build.conjunction(few), state.model)
            if result.answer is Answer.SAT:
                assert result.model is not None
                state.model = result.model
                return
