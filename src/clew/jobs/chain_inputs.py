"""``clew test`` and loops: inputs for branches that exploration does not come to, by navigation.

Exploration goes on until it has covered nothing new for a while; then each branch that is still uncovered becomes the
target of a short search with chains and counters (``clew.techniques.chains``), on a machine of its own. A way that
is found is a model of the inputs: a state that starts with it walks that way, with all that exploration does on it.
"""

from __future__ import annotations

from dataclasses import replace

from clew.base.budget import Budget
from clew.base.errors import Unsupported
from clew.execute.coverage import Coverage, Edge
from clew.execute.policy import Finished
from clew.execute.run import Run
from clew.expr.evaluate import Model
from clew.jobs.cover_goals import CoverGoals
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun, make_machine
from clew.report.records import BranchCoverage, BranchId, Unreachable
from clew.solver.stats import SolverStats
from clew.techniques.chains.navigator import navigate
from clew.techniques.chains.program_facts import ProgramFacts
from clew.techniques.tasks import Proved, ReachTask

NAVIGATION = "navigation"
"""Why a test was kept that goes back to a search for its branch."""
MOST_SECONDS = 3.0
MOST_SYSTEMS = 60
"""Effort per branch."""
SHARE = 0.25
"""Of the run's time, for all branches together."""
MEMORY_SHARE = 0.25
"""Of the memory limit, by which a search may make the process grow."""
MOST_BRANCHES = 64
"""Branches that are looked for each time that exploration is stuck."""


class ChainInputs:
    """The searches of one run."""

    def __init__(
        self, ready: PreparedRun, ledger: Ledger, uncovered: CoverGoals, unreachable: dict[BranchId, Unreachable]
    ) -> None:
        self._ready = ready
        self._ledger = ledger
        self._uncovered = uncovered
        self._unreachable = unreachable
        self._run = ready.run
        self._tried: set[Edge] = set()
        self._spent = 0.0
        self._survey: ProgramFacts | None = None
        self._other: Run | None = None
        self._solver = SolverStats()
        """Of the solvers that are asked about systems; what paths ask is counted with exploration."""

    def is_useful(self) -> bool:
        """Whether there is something to look for, and time."""
        return bool(self._branches()) and self._budget().time_left() != 0.0

    def _budget(self) -> Budget:
        """What a search may spend."""
        budget = self._ready.budget
        memory = None if budget.memory_mb is None else budget.memory_used() + MEMORY_SHARE * budget.memory_mb
        return budget.share(SHARE, most=MOST_SECONDS, spent=self._spent, memory_mb=memory)

    def _branches(self) -> list[tuple[Edge, BranchCoverage]]:
        """Branches nobody has looked for."""
        return self._uncovered.branches(MOST_BRANCHES, self._tried)

    # What

    def ways(self) -> list[Model]:
        """Inputs that lead to branches which were not covered."""
        found: list[Model] = []
        for edge, branch in self._branches():
            if self._budget().time_left() == 0.0:
                break
            self._tried.add(edge)
            before = self._ready.budget.elapsed()
            try:
                self._search(edge, branch, found)
            except Unsupported:
                continue
            finally:
                self._spent += self._ready.budget.elapsed() - before
        return found

    def _search(self, edge: Edge, branch: BranchCoverage, found: list[Model]) -> None:
        entry = self._ready.entry
        run = self._machine()
        run.losses.clear()
        reached: list[Model] = []

        def report(path: Finished) -> bool:
            reached.append(path.state.model)
            return True

        assert self._survey is not None
        quest = ReachTask(
            run=run,
            entry=entry.function,
            start=lambda: entry.start(run),
            budget=self._budget(),
            spots=(),
            report=report,
            finished=lambda path: None,
            edges=frozenset((edge,)),
            progress=self._ready.collector.progress,
            most_systems=MOST_SYSTEMS,
            solver=self._solver,
        )
        try:
            navigate(quest, self._survey)
        finally:
            run.statistics.systems_solved += quest.systems_solved
        found += reached[:1]
        if isinstance(quest.answer, Proved) and not run.losses and branch.location is not None:
            dead = Unreachable(branch.location, branch.outcome, "no numbers of loop iterations lead there")
            self._unreachable.setdefault(branch.id, dead)

    def _machine(self) -> Run:
        """A run whose code can be led; made when it is first needed."""
        if self._other is None:
            run = self._run
            machine = make_machine(self._ready.program, run.options, traced=True)
            coverage = Coverage(machine.program, machine.compiler)
            options = replace(run.options, start=())
            self._other = Run(machine, run.solver, run.searcher, coverage, options)
            self._survey = ProgramFacts(machine)
            self._ledger.assist(self._other.statistics, self._solver)
        return self._other
