"""Execution steered by constraint systems: towards a target, or until it is shown that nothing leads there.

States run as they always do. Where one forks, it stops, and its system says which side to take: a solution is a plan,
how often to take which choice, that is followed as long as it has something to say. States on the other sides
wait; when it is their turn, their own system is solved first, and a state whose system has no solution is dropped. So
the search is over when the target is reached, or when no state is left.

Only path conditions decide what is feasible; systems steer, and prune.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from clew.base.budget import Budget, StopReason
from clew.execute.codegen.plan import PointKind
from clew.execute.coverage import Edge
from clew.execute.ends import Failed
from clew.execute.frame import Frame
from clew.execute.guided import GuidedExecutor, OutOfBudget
from clew.execute.instrument.targets import REACHED
from clew.execute.pending import Pending
from clew.execute.policy import Finished
from clew.execute.state import State
from clew.expr import build
from clew.expr.evaluate import Model
from clew.solver.chain import build_chain
from clew.solver.interface import Answer, SolverOptions
from clew.techniques.chains.constraint_system import System, SystemPlan, build_system
from clew.techniques.chains.forward_evaluation import PREFIX
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.chains.queries import IterationQueries
from clew.techniques.chains.recurrence import WIDE
from clew.techniques.chains.statistics import ChainStatistics
from clew.techniques.tasks import UNDECIDED, Open, OpenReason, Proved, ReachTask, Violated


def navigate(quest: ReachTask, survey: ProgramFacts | None = None) -> None:
    """Look for a way to the target. A survey of the run's program may serve several quests, one after the other."""
    if survey is None:
        survey = ProgramFacts(quest.run.machine)
    survey.aim(quest.spots, quest.edges)
    survey.uses_closures = False
    survey.is_over = lambda: quest.budget.exhausted() is not None
    try:
        Navigator(quest, survey).search()
    except OutOfBudget:  # in the middle of a look ahead
        quest.stopped = quest.budget.exhausted() or StopReason.TIME


class Waiting:
    """A state that waits: at a choice, perhaps, and with a plan if it has followed one so far."""

    __slots__ = ("edge", "pending", "plan")

    def __init__(self, pending: Pending, edge: Edge | None, plan: SystemPlan | None = None) -> None:
        self.pending = pending
        self.edge = edge
        self.plan = plan


class Navigator(GuidedExecutor):
    """One search."""

    def __init__(self, quest: ReachTask, survey: ProgramFacts) -> None:
        self._quest = quest
        self._survey = survey
        self.limits = limits = survey.limits
        self._solver = build_chain(_options(limits.system_seconds, quest.budget), quest.solver)
        self._questions = IterationQueries(
            build_chain(_options(limits.query_seconds, quest.budget), quest.solver), limits
        )
        self._waiting: deque[Waiting] = deque()
        """Siblings, the last one first."""
        self._tired: deque[Waiting] = deque()
        """States that had their turn and gave way to others, the first one first."""
        self._siblings: list[Waiting] = []
        """Of the running state, since it was started."""
        self._edges: dict[int, dict[int, Edge]] = {}
        self._at: Edge | None = None
        """The choice where the running state was stopped."""
        self._plan = SystemPlan()
        self._over = False
        self._reached = self._arrived = False
        self._doubts: dict[str, None] = {}
        self._rest = 0
        self._turns = 0
        super().__init__(quest.run, quest.budget, quest.progress)  # the run may be stopped from here on
        self._counts = self.run.statistics.of(ChainStatistics)

    # The search

    def search(self) -> None:
        """Until the target is reached, nothing is left, or the budget is."""
        first = self._quest.start()
        hidden = self._survey.hidden_ways(self._quest.entry.name)
        if hidden:
            self._doubts[hidden] = None
        plan = self._look(first)
        if plan is not None:
            self._advance(first, plan)
            if not self._over and len(self):  # once more from the start, with what closures say
                self._survey.uses_closures = True
                plan = self._look(self._quest.start())
                self._survey.uses_closures = False
        if plan is None:
            if not self._doubts:
                self._quest.answer = Proved("the constraints on its loops and branches have no solution")
            self._conclude()
            return
        while not self._over:
            following = self._next()
            if following is None:
                break
            self._advance(*following)
        self._conclude()

    def _conclude(self) -> None:
        quest = self._quest
        if self._reached:
            quest.answer = Violated()
        elif self.engine.stopped is not None:
            quest.stopped = self.engine.stopped
        elif self._doubts:
            quest.answer = Open(OpenReason.NOT_FOLLOWED, "; ".join(self._doubts))
        elif quest.answer is UNDECIDED:
            quest.answer = Proved("every way there was followed to its end, or its constraints have no solution")

    def _look(self, state: State) -> SystemPlan | None:
        """A plan for a state; None if nothing leads from it to the target. An empty one: nothing is known."""
        quest = self._quest
        if quest.most_systems is not None and quest.looks >= quest.most_systems:
            self._over = True
            self._doubts[f"more than {quest.most_systems} systems of constraints"] = None
        system = self._look_ahead(state)
        self._counts.systems_solved += 1
        self._counts.chains = max(self._counts.chains, system.chains)
        result = self._solver.feasible(state.path, system.moderate, state.model)
        if result.answer is Answer.UNSAT and system.moderate is not system.formula:
            result = self._solver.feasible(state.path, system.formula, state.model)
            if result.answer is Answer.SAT:
                return SystemPlan()
        if result.answer is Answer.UNSAT:
            self._doubts.update(dict.fromkeys(system.doubts))
            return None
        if result.model is None:
            self._counts.systems_open += 1
            self._rest = self.limits.rest
            return SystemPlan()
        solution = self._shorter(state, system, result.model)
        # Inputs that were read already follow the plan, so that its side of a choice is the one that runs.
        state.model = Model({symbol: value for symbol, value in solution.values.items() if symbol.value[:1] != PREFIX})
        return system.plan(solution)

    def _look_ahead(self, state: State) -> System:
        quest = self._quest
        quest.looking = began = quest.budget.worked()
        system = build_system(self._survey, state, self._questions)
        quest.looks += 1
        quest.looked += quest.budget.worked() - began
        quest.looking = None
        return system

    def _shorter(self, state: State, system: System, model: Model) -> Model:
        """A solution with about as few iterations as there can be: detours make plans that do not work out.

        One that is not twice as long as necessary is taken as it is.
        """
        length = system.length
        least, count = 0, model.eval(length)
        improved = False
        while count > self.limits.few_iterations and count - least > count // 8:
            if self._quest.budget.exhausted() is not None:  # asked between questions, so that others have their turn
                break
            middle = (least + count) // 2
            bound = build.ule(length, middle, WIDE)
            result = self._solver.feasible(state.path, build.land(system.moderate, bound), state.model)
            if result.model is not None:
                model, improved = result.model, True
                count = model.eval(length)
            elif improved:
                least = middle + 1
            else:
                break
        return model

    def _next(self) -> tuple[State, SystemPlan] | None:
        """The next state to run, and its plan."""
        while len(self) and not self._over:
            if self.engine.over_budget():
                self._over = True
                return None
            waiting = self._pick()
            state = self._activate(waiting)
            if state is None:
                continue
            plan = waiting.plan if waiting.plan is not None else self._look(state)
            if plan is not None:
                return state, plan
            self.run.statistics.states_pruned += 1
        return None

    def _pick(self) -> Waiting:
        """The last sibling; now and then the oldest one, and one that gave way, so that none waits for ever."""
        self._turns += 1
        turn = self._turns % self.limits.fair
        if not self._waiting or (self._tired and turn == 0):
            return self._tired.popleft()
        return self._waiting.popleft() if turn == self.limits.fair // 2 else self._waiting.pop()

    def _advance(self, state: State, plan: SystemPlan) -> None:
        """Run a state from choice to choice, with the side that the plan says, until its path ends or must wait."""
        for _ in range(self.limits.choices):
            siblings = self._run_to_choice(state, plan)
            if self._over or self._arrived:
                self._waiting.extend(siblings)
                if self._arrived:
                    self._report(state)
                return
            if not self.halted:  # its path has ended
                self._waiting.extend(siblings)
                return
            here = self._at
            if here is None:  # it has run for long: perhaps it leads nowhere
                self._waiting.extend(siblings)
                self._tired.append(Waiting(_as_pending(state), None))
                return
            chosen = self._choose(plan, Waiting(_as_pending(state), here), siblings)
            if chosen is None:
                return
            state, plan = chosen
        self._tired.append(Waiting(_as_pending(state), None, plan))

    def _run_to_choice(self, state: State, plan: SystemPlan) -> list[Waiting]:
        """Run a state until it has forked and comes to its next choice; the siblings."""
        self._plan, self._at = plan, None
        self._siblings = []
        try:
            self.run_until_halted(state, self.limits.instructions)
        except OutOfBudget:
            self.engine.abandon(state)
            self._over = True
        siblings, self._siblings = self._siblings, []
        return siblings

    def _activate(self, waiting: Waiting) -> State | None:
        """A state that has waited; None if it cannot go on, or is at the target."""
        state = self.engine.activate(waiting.pending)
        if state is not None and waiting.edge in self._quest.edges:
            self._report(state)
            return None
        return state

    def _report(self, state: State) -> None:
        """A state has taken a choice that is the target; its path goes no further."""
        self._arrived = False
        self._arrive(Finished(state, Failed(REACHED, "the target is reached"), None, ()))

    def _choose(self, plan: SystemPlan, here: Waiting, siblings: list[Waiting]) -> tuple[State, SystemPlan] | None:
        """Which of the sides goes on; the others wait."""
        if self._rest:
            self._rest -= 1
            self._waiting.extend(siblings)
            return here.pending.release(), plan
        sides = [here, *siblings]
        sides.sort(key=lambda side: (plan.urgency(side.edge), side is here))
        forced = True
        while sides:
            best = sides.pop()
            going = self._activate(best)
            if going is None:
                continue
            followed: SystemPlan | None = plan
            only = forced and not sides and plan.detours < self.limits.detours
            if only or (plan.wants(best.edge) and not self._tires(plan, best is here)):
                plan.take(best.edge)
            else:
                followed = self._look(going)
                forced = False
                if followed is not None:
                    followed.patience = 2 * plan.patience
            if followed is not None:
                self._waiting.extend(sides)
                return going, followed
            self.run.statistics.states_pruned += 1
        return None

    @staticmethod
    def _tires(plan: SystemPlan, by_itself: bool) -> bool:
        """Whether a state's inputs were against the plan so often that new ones are better."""
        plan.against += not by_itself
        return plan.against > plan.patience

    # What running states tell

    def step(self, choice: Any) -> bool:
        """A state takes an edge; True stops it there: if it has forked since it was started, or has arrived."""
        state = self.running
        assert state is not None and state.frame is not None
        if isinstance(choice, str):
            return False
        key = self._edge_key(state.frame, choice)
        if key in self._quest.edges:
            self._arrived = True
            return self.halt()
        if self._siblings and not self._is_best(key):
            self._at = key
            return self.halt()
        self._plan.take(key)
        return False

    def _is_best(self, key: Edge) -> bool:
        """Whether the side that the running state has taken is the one to take: then the others wait."""
        urgency = self._plan.urgency(key)
        if not urgency[0] or any(self._plan.urgency(side.edge) > urgency for side in self._siblings):
            return False
        self._waiting.extend(self._siblings)
        self._siblings.clear()
        return True

    def _edge_key(self, frame: Frame, number: int) -> Edge:
        function = frame.function
        known = self._edges.setdefault(id(function), {})
        key = known.get(number)
        if key is None:
            point = function.plan.points[number]
            key = known[number] = (function.name, point.block, point.target)
        return key

    def path_ended(self, path: Finished) -> None:
        if isinstance(path.end, Failed) and path.end.kind == REACHED:
            self._arrive(path)
        else:
            self._quest.finished(path)

    def _arrive(self, path: Finished) -> None:
        if self._quest.report(path):
            self._reached = self._over = True
        else:
            self._doubts["a path that leads there, which re-execution did not confirm"] = None

    # The searcher of the run

    def add(self, pending: Pending) -> None:
        """The other side of a choice, or of something within an instruction."""
        frame = pending.state.frame
        assert frame is not None
        point = frame.function.plan.points[frame.at]
        edge = self._edge_key(frame, frame.at) if point.kind is PointKind.EDGE else None
        self._siblings.append(Waiting(pending, edge))

    def evict(self, count: int) -> list[Pending]:
        """Give up those that wait longest."""
        victims: list[Pending] = []
        for queue in (self._waiting, self._tired):
            while queue and len(victims) < count:
                victims.append(queue.popleft().pending)
        return victims

    def __len__(self) -> int:
        return len(self._waiting) + len(self._tired) + len(self._siblings)


def _options(seconds: float, budget: Budget) -> SolverOptions:
    """For a solver that is asked often and need not answer."""
    return SolverOptions(
        time_limit=seconds,
        repair_attempts=0,
        recent_models=0,
        second_opinion=False,
        memory_mb=budget.memory_mb,
        stop=budget.is_out_of_time,
    )


def _as_pending(state: State) -> Pending:
    return Pending(state, None, None, None, 0)
