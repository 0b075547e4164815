"""Inputs for branches below loops that exploration does not come to, by navigation.

Exploration goes on until it has covered nothing new for a while; then each branch that is still uncovered becomes the
target of a short search with chains and counters (``clew.techniques.chains``), on a machine of its own. A way that
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
from clew.techniques.chains.limits import USUAL, Limits
from clew.techniques.chains.navigator import navigate
from clew.techniques.chains.program_facts import ProgramFacts
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
    """The searches of one run."""

    purpose = NAVIGATION
    until_stuck = True
    is_over = False

    def __init__(self, task: CoverTask, limits: Limits = USUAL) -> None:
        self._task = task
        self._limits = limits
        self._run = task.run
        self._tried: set[Edge] = set()
        self._spent = 0.0
        self._survey: ProgramFacts | None = None
        self._other: Run | None = None
        self._solver = SolverStats()
        """Of the solvers that are asked about systems; what paths ask is counted with exploration."""

    def is_time(self) -> bool:
        return bool(self._branches()) and self._budget().time_left() != 0.0

    def _budget(self) -> Budget:
        """What a search may spend."""
        budget, limits = self._task.budget, self._limits
        memory = None if budget.memory_mb is None else budget.memory_used() + limits.memory_share * budget.memory_mb
        return budget.share(limits.time_share, most=limits.seconds, spent=self._spent, memory_mb=memory)

    def _branches(self) -> list[tuple[Edge, BranchCoverage]]:
        """Branches nobody has looked for."""
        return self._task.goals.branches(self._limits.branches, self._tried)

    def kept(self, tests: int) -> None:
        pass

    def proposals(self) -> Iterator[Model]:
        return iter(self._ways())

    def _ways(self) -> list[Model]:
        """Inputs that lead to branches which were not covered."""
        found: list[Model] = []
        for edge, branch in self._branches():
            if self._budget().time_left() == 0.0:
                break
            self._tried.add(edge)
            before = self._task.budget.elapsed()
            try:
                self._search(edge, branch, found)
            except Unsupported:
                continue
            finally:
                self._spent += self._task.budget.elapsed() - before
        return found

    def _search(self, edge: Edge, branch: BranchCoverage, found: list[Model]) -> None:
        run = self._machine()
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
            budget=self._budget(),
            spots=(),
            report=report,
            finished=lambda path: None,
            edges=frozenset((edge,)),
            progress=self._task.progress,
            most_systems=self._limits.systems,
            solver=self._solver,
        )
        navigate(quest, self._survey)
        found += reached[:1]
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
        return self._other
