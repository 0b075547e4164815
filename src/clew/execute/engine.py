"""The exploration: run a state to the end of its path, file what it found, take the next one.

Everything a path can end with passes through here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from math import inf
from time import monotonic
from types import TracebackType
from typing import NamedTuple

from clew.base.budget import Budget, StopReason
from clew.base.errors import PathEnd, Unsupported
from clew.base.location import Location
from clew.base.watchdog import Stopped
from clew.checks.leaks import has_heap, lost_objects
from clew.execute.codegen.emitter import Origin
from clew.execute.coverage import Edge
from clew.execute.ends import AlreadyReported, Dropped, Exited, Failed, Lost, Moved
from clew.execute.heap.feasibility import is_realizable
from clew.execute.memory_pressure import Room
from clew.execute.pending import Pending
from clew.execute.policy import CodePosition, ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import InputRecord, State
from clew.expr.node import Expr, prune_table, table_size
from clew.memory.describe import count
from clew.report.records import LossKind, StackFrame
from clew.solver.interface import Answer

SLICE = 50_000
"""Instructions between two looks at the budget; a few of them may take longer than usual."""
CALM = 0.002
"""Seconds after a look at the budget in which paths that end are no reason for another: thousands may, in a second."""
WHEN_STOPPED = "when the run stopped"
CUT = f"path cut {WHEN_STOPPED}"
LEFT_WAITING = f"paths still waiting {WHEN_STOPPED}"
"""Losses of a run that was stopped."""
GIVEN_UP = "paths given up to stay within the memory limit"
TOLERATED = 1.05
"""Part of the memory limit at which a run stops that has nothing left to give up."""
PRUNE_EVERY = 16
"""States after which the number of expression nodes is looked at."""
PRUNE_GROWTH = 400_000
"""New expression nodes after which unused ones are dropped."""


class Obstacle(NamedTuple):
    """What keeps a path from taking an edge: the condition of the edge, others of the path that contradict it, if they
    do, and the inputs that both are about."""

    constraint: Expr | None
    others: frozenset[Expr]
    inputs: InputRecord | None


class Engine:
    """Explores one run."""

    def __init__(self, run: Run, budget: Budget, policy: ExplorePolicy) -> None:
        self.run = run
        self.budget = budget
        self.policy = policy
        self.stopped: StopReason | None = None
        """What ended the run before all paths were explored."""
        self.paused = False
        """Whether the last exploration was left by its policy, with something to go on with."""
        self.waiting_noted = False
        """Whether what waits, if anything still does, is among the losses."""
        self.running: State | None = None
        """The state that runs, if one does."""
        self.obstacles: dict[Edge, Obstacle] = {}
        """Of the first sibling that was refuted on a branch edge, what contradicts what."""
        self._counted = 0
        """Steps of the running state that are in the statistics."""
        self._calm_until = -inf
        self._pruned_at = table_size()
        self._selections = 0
        self._room = Room(budget)
        self._left: list[Pending] = []
        """What the end of the run left waiting: kept, since to take many states apart takes long, and nobody gains."""

    def awaited(self) -> dict[Edge, Obstacle]:
        """For the branch edges that siblings would have taken which the end of the run left waiting: what the first of
        them needs."""
        found: dict[Edge, Obstacle] = {}
        for pending in self._left:
            if pending.edge is not None and isinstance(pending.constraint, Expr):
                found.setdefault(pending.edge, Obstacle(pending.constraint, frozenset(), pending.state.inputs))
        return found

    def left(self) -> list[Edge]:
        """The branch edges that siblings would have taken which the end of the run left waiting."""
        return [pending.edge for pending in self._left if pending.edge is not None and pending.constraint is not None]

    def stop(self, reason: StopReason) -> None:
        """Note that something outside of an exploration has ended the run."""
        self.stopped = reason

    def explore(self, first: State | None, policy: ExplorePolicy | None = None) -> None:
        """Run ``first``, if given, and every sibling the searcher hands out, until none is left or the budget is.

        ``policy`` holds for this exploration, instead of the engine's own. One that was paused goes on with the next
        call.
        """
        self.paused = self.waiting_noted = False
        own, self.policy = self.policy, policy or self.policy
        try:
            self._explore_all(first)
        finally:
            self.policy = own

    def _explore_all(self, first: State | None) -> None:
        try:
            self._explore(first)
        except Stopped as stop:
            # Not in the program's code: in the solver, or while filing a path. One path is lost with it.
            self.stopped = stop.reason
            self.run.note_loss(LossKind.UNEXPLORED, self._cut_off(), first)
            if self.running is not None:
                self._leave(self.running)
                self.running = None
        if self.paused:
            return
        try:
            self._file_waiting()
        except Stopped as stop:
            self.stopped = stop.reason

    def _explore(self, first: State | None) -> None:
        state = first if first is not None else self._next()
        while state is not None:
            self._advance(state, self._turn)
            if self.stopped is not None:
                break
            state = self._next()

    def _file_waiting(self) -> None:
        """The run stopped with paths waiting. Those that had given way to others may have covered something."""
        searcher = self.run.searcher
        if not len(searcher):
            return
        # Counted before anything else: the watchdog may end this at any moment.
        note = (LossKind.UNEXPLORED, f"{LEFT_WAITING} ({self.stopped})", None)
        losses = self.run.losses
        losses[note] = losses.get(note, 0) + len(searcher)
        self.waiting_noted = True
        self._left = searcher.evict(len(searcher))
        for pending in self._left:
            if pending.constraint is None and pending.state.covered_new:
                losses[note] -= 1
                self._counted = pending.state.steps
                self.abandon(pending.release())
        if not losses[note]:
            del losses[note]

    # One state

    def run_until(self, state: State, halted: Callable[[], bool]) -> None:
        """Run a state until ``halted``, asked now and then, its path ends, or the budget is over (see ``stopped``)."""

        def slice_of(state: State) -> bool:
            self._prune()
            self.run_slice(state)
            self._sliced(state)
            return not self.over_budget() and not halted()

        self._advance(state, slice_of)

    def end(self, state: State, problem: PathEnd | Unsupported) -> None:
        """File a path that has ended elsewhere than in an exploration."""

        def ended(state: State) -> bool:
            raise problem

        self._advance(state, ended)

    def _advance(self, state: State, turn: Callable[[State], bool]) -> None:
        """Run a state for as many turns as it gets, or until its path ends."""
        self._counted = state.steps
        self.running = state
        try:
            while turn(state):
                pass
        except PathEnd as end:
            self._account(state)
            self._end(state, self._leaked(state, end) or end, _taken(end))
        except Unsupported as problem:
            self._account(state)
            self._end(state, Lost(LossKind.UNSUPPORTED, problem.feature), _taken(problem))
        self.running = None

    def _leaked(self, state: State, end: PathEnd) -> Failed | None:
        """A program that returns from its entry may have lost memory. (At ``exit`` locals may still point to it.)"""
        checks = self.run.options.checks
        if not isinstance(end, Exited) or not end.returned or checks is None or "memory-leak" not in checks:
            return None
        if not has_heap(state.memory):
            return None
        lost = lost_objects(state.memory, chain((end.code,), state.environment.values(), state.heap.shown))
        if not lost:
            return None
        first = min(lost, key=lambda obj: obj.base)
        total = count(sum(int(state.model.eval(state.memory.extent(obj))) for obj in lost))
        objects = "1 object" if len(lost) == 1 else f"{len(lost)} objects"
        message = f"memory is lost when the program ends: {objects}, {total}, the first allocated here"
        return Failed("memory-leak", message, first.site if isinstance(first.site, Location) else None)

    def _turn(self, state: State) -> bool:
        """Run for a turn; yields whether the state may have another one at once."""
        end_of_turn, forks = state.steps + self.policy.turn_steps, state.depth + self.policy.turn_forks
        while state.steps < end_of_turn and state.depth < forks:
            try:
                self.run_slice(state)
            except (Stopped, MemoryError) as problem:
                self._cut(state, problem.reason if isinstance(problem, Stopped) else StopReason.MEMORY)
                return False
            self._sliced(state)
            if self.over_budget():
                self.abandon(state)
                return False
            if state.is_surplus or self.policy.pointless(state):
                raise Dropped
            if self.policy.urgent() or self.policy.pause():
                break
        if not len(self.run.searcher) and not self.policy.pause():
            return True
        self.run.add_pending(state, None, gave_way=state.steps >= end_of_turn or state.depth >= forks)
        return False

    @staticmethod
    def run_slice(state: State, most: int | None = None) -> None:
        """Run until the slice is used up: generated code comes back when it is, at calls and at loops."""
        state.slice = SLICE if most is None else most
        state.stop = state.steps + state.slice
        while state.slice > 0 and state.steps < state.stop:
            frame = state.frame
            assert frame is not None
            code = frame.function.code.get(frame.at) or frame.function.compile(frame.at)
            try:
                code(state, frame)
            except Moved as moved:
                _interrupted(state, moved.__traceback__)

    def _sliced(self, state: State) -> None:
        self._account(state)
        for listener in self.run.events.slice_end:
            listener(state)

    def _account(self, state: State) -> None:
        self.run.statistics.instructions += state.steps - self._counted
        self._counted = state.steps

    def over_budget(self) -> bool:
        """Whether the budget is used up; if memory is short, states that wait are given up first."""
        reason = self.budget.exhausted(self.run.statistics.instructions)
        if reason in (None, StopReason.MEMORY) and len(self.run.searcher) and self._room.is_short():
            self._make_room()
        if reason is StopReason.MEMORY and (len(self.run.searcher) > 1 or self.budget.memory_share() < TOLERATED):
            reason = None
        if reason is not None:
            self.stopped = reason
        self.policy.progress()
        return reason is not None

    def _is_calm(self) -> bool:
        """Whether time and memory were looked at just now, and nothing else can have used up the budget."""
        budget, now = self.budget, monotonic()
        if now < self._calm_until and not budget.may_be_over(self.run.statistics.instructions):
            return True
        self._calm_until = now + CALM
        return False

    def _cut(self, state: State, reason: StopReason) -> None:
        """Something ended the state in the middle of an instruction: it cannot go on. Others may, if it was too big."""
        self._account(state)
        if reason is StopReason.MEMORY and len(self.run.searcher):
            self.run.statistics.states_evicted += 1
            self._end(state, Lost(LossKind.EVICTED, GIVEN_UP), None)
            return
        self.stopped = reason
        self.abandon(state)

    def abandon(self, state: State) -> None:
        """The budget ended in the middle of a path: what it covered is still worth a test."""
        self._end(state, Lost(LossKind.UNEXPLORED, self._cut_off()), None)
        state.covered_new = False
        self._leave(state)

    def _leave(self, state: State) -> None:
        """A path is cut here: whoever goes on with the run another time has to know of it."""
        if self.run.tracker is not None and state.frame is not None:
            self.run.new_pending(state, None)

    def _cut_off(self) -> str:
        return f"{CUT} ({self.stopped})"

    def _end(self, state: State, end: PathEnd, trace: TracebackType | None) -> None:
        run = self.run
        place = self._place(state, trace)
        if run.lazy and isinstance(end, Exited | Failed) and not is_realizable(state):
            end = Dropped()
        for extension in state.extensions.values():
            end = extension.end(end)
        self._count(state, end, place)
        for listener in run.events.path_end:
            listener(state, end)
        stack = self._stack(state, place) if isinstance(end, Failed) else ()
        self.policy.finished(Finished(state, end, place, stack))
        for listener in run.events.path_filed:
            listener(state, end)

    def _count(self, state: State, end: PathEnd, place: CodePosition | None) -> None:
        statistics = self.run.statistics
        if not state.counts:
            return
        if isinstance(end, Failed) and end.bound:
            self.run.note_loss(LossKind.BOUNDED, end.bound, state, place.location if place else None)
        statistics.paths_failed += isinstance(end, Failed | AlreadyReported)
        if isinstance(end, Exited | Failed):
            statistics.paths_completed += 1
        elif isinstance(end, Dropped):
            statistics.paths_pruned += 1
        elif isinstance(end, Lost):
            statistics.paths_cut_short += 1
            self.run.note_loss(end.kind, end.what, state, place.location if place else None)

    def _place(self, state: State, trace: TracebackType | None) -> CodePosition | None:
        """The instruction whose generated code raised: the innermost line that belongs to one.

        It counts as covered and as executed, and so does what was executed since generated code has counted last.
        """
        origin = _interrupted(state, trace)
        if origin is None:
            return None
        function, where = origin
        state.steps += where.uncounted
        self._account(state)
        instruction = self.run.compiler.function(function).instruction(where.block, where.position)
        location = instruction.location
        if location is None and function in self.run.program.runtime:
            location = self._called_from(state)
        return CodePosition(function, where.block, where.position, location)

    @staticmethod
    def _called_from(state: State) -> Location | None:
        """The innermost call in the user's own code, for what happens in a function of our runtime."""
        frame = state.frame.parent if state.frame is not None else None
        while frame is not None:
            point = frame.function.plan.points[frame.at]
            call = frame.function.instruction(point.block, max(point.index - 1, 0))
            if call.location is not None:
                return call.location
            frame = frame.parent
        return None

    def _stack(self, state: State, place: CodePosition | None) -> tuple[StackFrame, ...]:
        """Call stack, innermost first."""
        frames: list[StackFrame] = []
        frame = state.frame
        if place is not None and frame is not None:
            frames.append(StackFrame(frame.function.function.source_name, place.location))
            frame = frame.parent
        while frame is not None and len(frames) < 64:
            point = frame.function.plan.points[frame.at]
            call = frame.function.instruction(point.block, max(point.index - 1, 0))
            frames.append(StackFrame(frame.function.function.source_name, call.location))
            frame = frame.parent
        return tuple(frames)

    # The next state

    def _next(self) -> State | None:
        """The next sibling whose constraint can hold."""
        while True:
            if self._is_calm():
                self.policy.progress()
            elif self.over_budget():
                return None
            if self.policy.pause():
                self.paused = True
                return None
            self._prune()
            pending = self.run.searcher.select()
            if pending is None:
                return None
            state = self.activate(pending)
            if state is not None:
                return state

    def activate(self, pending: Pending) -> State | None:
        """Give a sibling its constraint and a model; None if there is none. It is released in any case."""
        state = self._activate(pending)
        if self.run.tracker is not None:
            self.run.tracker.activated(pending)
        pending.release()
        return state

    def _activate(self, pending: Pending) -> State | None:
        state, constraint, model = pending.state, pending.constraint, pending.model
        statistics = self.run.statistics
        statistics.generations = max(statistics.generations, state.generation)
        if constraint is not None and model is None:
            result = self.run.solver.feasible(state.path, constraint, state.model)
            if result.answer is Answer.UNSAT:
                self.run.refuted[pending.edge] += 1
                if pending.edge is not None and pending.edge not in self.obstacles:
                    others = result.core if result.core is not None else state.path.slice(constraint)
                    self.obstacles[pending.edge] = Obstacle(constraint, frozenset(others) - {constraint}, state.inputs)
                for listener in self.run.events.infeasible_sibling:
                    listener(pending, result.core)
                return None
            if result.answer is Answer.UNKNOWN:
                self.run.note_unknown(state, result.reason)
                self.run.statistics.paths_cut_short += 1
                return None
            model = result.model
        if constraint is not None:
            assert model is not None
            state.model = model
            state.path = state.path.add(constraint)
            state.go_on_with(model if pending.model is not None else self.policy.model(state))
        return state

    def _prune(self) -> None:
        self._selections += 1
        if self._selections % PRUNE_EVERY == 0 and table_size() > self._pruned_at + PRUNE_GROWTH:
            prune_table()
            self._pruned_at = table_size()

    def _make_room(self) -> None:
        """Forget what can be found again, and give up the least promising half of the waiting siblings; the losses
        say how many."""
        run = self.run
        self._room.giving_up()
        run.solver.clear()
        run.switches.clear()
        for listener in run.events.memory_short:
            listener()
        victims = run.searcher.evict(len(run.searcher) // 2)
        run.statistics.states_evicted += len(victims)
        while victims:
            victim = victims.pop()
            if victim.constraint is None and victim.state.covered_new:
                self._end(victim.state, Lost(LossKind.EVICTED, GIVEN_UP), None)
            else:
                run.statistics.paths_cut_short += 1
                run.note_loss(LossKind.EVICTED, GIVEN_UP, victim.state)
            victim.release()
        prune_table()
        self._pruned_at = table_size()
        self._room.given_up()


def _taken(problem: BaseException) -> TracebackType | None:
    """Where it was raised, which it forgets: it is kept with its path, and the frames there refer to both, a cycle."""
    trace = problem.__traceback__
    problem.__traceback__ = problem.__context__ = problem.__cause__ = None
    return trace


def _interrupted(state: State, trace: TracebackType | None) -> tuple[str, Origin] | None:
    """Where generated code was when something was raised in it; what it has run up to there counts as covered."""
    run, origin, frames = state.run, None, []
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    while origin is None and frames:  # the innermost that is generated code
        origin = run.compiler.origin(frames.pop())
    if origin is not None and run.coverage.interrupted(*origin):
        state.covered_new = True
    return origin
