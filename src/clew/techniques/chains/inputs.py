"""Inputs for branches below loops that exploration does not come to, by navigation.

Exploration goes on until it has covered nothing new for a while; then each branch that is still uncovered becomes the
target of a short search with chains and counters (``clew.techniques.chains``), on a machine of its own. Searches that
come to no end get more work later, as far as the account of the technique allows (``techniques.accounts``). A way that
is found is a model of the inputs: a state that starts with it walks that way, with all that exploration does on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.base.budget import Budget
from clew.base.errors import Unsupported
from clew.base.options import TestRequest
from clew.execute.coverage import Coverage, Edge
from clew.execute.helpers import build_machine
from clew.execute.policy import Finished
from clew.execute.run import Run
from clew.expr.evaluate import Model
from clew.models.registry import all_models
from clew.report.records import BranchCoverage
from clew.solver.stats import SolverStats
from clew.techniques.accounts import work_of
from clew.techniques.chains.limits import USUAL, Limits
from clew.techniques.chains.navigator import navigate
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.cover_goals import Progress
from clew.techniques.registry import TECHNIQUES
from clew.techniques.tasks import Proved, ReachTask
from clew.techniques.technique import CoverTask, Technique, wants_inputs

NAVIGATION = "navigation"
"""Why a test was kept that goes back to a search for its branch."""


@TECHNIQUES.register("chains", "inputs from chains of loops and their counters")
class ChainTechnique(Technique):
    """Inputs from chains of loops, and paths to targets."""

    def __init__(self, limits: Limits = USUAL) -> None:
        self._limits = limits

    @classmethod
    def make(cls, request: TestRequest) -> ChainTechnique | None:
        return cls() if wants_inputs(request) else None

    def reach(self, task: ReachTask) -> None:
        navigate(task)

    def inputs(self, task: CoverTask) -> ChainInputs | None:
        return ChainInputs(task, self._limits) if task.goals.has_loops else None


class ChainInputs:
    """The searches of one run. One that comes to no end is begun again later, with more work to spend."""

    purpose = NAVIGATION

    def __init__(self, task: CoverTask, limits: Limits = USUAL) -> None:
        self._task = task
        self._limits = limits
        self._run = task.run
        self._progress = Progress(task.run, task.goals, limits.stuck_steps, limits.stuck_instructions)
        self.account = task.accounts.open("navigation", limits.capital, limits.share)
        self._searches: dict[Edge, int] = {}
        """How often a branch was searched for."""
        self._settled: set[Edge] = set()
        """Branches that are found, or refuted, or too much for this technique."""
        self._survey: ProgramFacts | None = None
        self._other: Run | None = None
        self._preparation = limits.preparation * task.goals.size
        self._solver = SolverStats()
        """Of the solvers that are asked about systems; what paths ask is counted with exploration."""

    def is_time(self) -> bool:
        least = self._limits.first_search + (self._preparation if self._other is None else 0)
        if not self._progress.is_stuck() or not self.account.affords(least):
            return False
        chosen = self._next()
        return chosen is not None and self.account.affords(self._effort(chosen[0]))

    def _effort(self, edge: Edge) -> int:
        """What the next search for a branch may spend."""
        limits = self._limits
        return int(limits.first_search * limits.growth ** self._searches.get(edge, 0))

    def _next(self) -> tuple[Edge, BranchCoverage] | None:
        """The branch that was searched for least."""
        waiting = self._task.goals.branches(self._limits.branches, self._settled)
        return min(waiting, key=lambda item: self._searches.get(item[0], 0), default=None)

    def kept(self, tests: int) -> None:
        pass

    def proposals(self) -> Iterator[Model]:
        """Inputs that lead to branches which are not covered, one after the other while there is work to spend."""
        while self.account.balance() > 0:
            chosen = self._next()
            if chosen is None or not self.account.affords(self._effort(chosen[0])):
                break
            found: list[Model] = []
            try:
                self._search(*chosen, found)
            except Unsupported:
                self._settled.add(chosen[0])
            yield from found
        self._progress.begin()

    def _budget(self, effort: int) -> Budget:
        """What a search may spend."""
        budget, limits = self._task.budget, self._limits
        memory = None if budget.memory_mb is None else budget.memory_used() + limits.memory_share * budget.memory_mb
        last = self._work() + effort
        return budget.share(memory_mb=memory, is_spent=lambda: self._work() > last)

    def _work(self) -> int:
        """Of all searches."""
        if self._other is None or self._survey is None:
            return 0
        return work_of(self._other.statistics, self._solver) + self._limits.block_work * self._survey.evaluated

    def _search(self, edge: Edge, branch: BranchCoverage, found: list[Model]) -> None:
        """Search for one branch once; adds inputs that lead there to ``found``."""
        run = self._machine()
        before, effort = self._work(), self._effort(edge)
        self._searches[edge] = self._searches.get(edge, 0) + 1
        run.losses.clear()
        reached: list[Model] = []

        def report(path: Finished) -> bool:
            reached.append(path.state.model)
            return True

        assert self._survey is not None
        quest = ReachTask(
            run=run,
            entry=self._task.entry,
            start=lambda: self._task.start(run),
            budget=self._budget(effort),
            spots=(),
            report=report,
            finished=lambda path: None,
            edges=frozenset((edge,)),
            progress=self._task.progress,
            most_systems=self._limits.systems,
            solver=self._solver,
        )
        try:
            navigate(quest, self._survey)
        finally:
            self.account.charge(own=self._work() - before)
        found += reached[:1]
        if quest.stopped is None:
            self._settled.add(edge)
        if isinstance(quest.answer, Proved) and not run.losses:
            self._task.unreachable(edge, branch, "no numbers of loop iterations lead there")

    def _machine(self) -> Run:
        """A run whose code can be led; made when it is first needed."""
        if self._other is None:
            run = self._run
            machine = build_machine(self._task.program, all_models(), traced=True)
            coverage = Coverage(machine.program, machine.compiler)
            options = replace(run.options, start=())
            self._other = Run(machine, run.solver, run.searcher, coverage, options)
            self._survey = ProgramFacts(machine, self._limits)
            self._task.assists(self._other.statistics, self._solver)
            self.account.charge(own=self._preparation)
        return self._other
