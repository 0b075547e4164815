"""``clew test`` and loops: inputs for branches that exploration does not come to, by navigation.

Exploration goes on until it has covered nothing new for a while; then each branch that is still uncovered becomes the
target of a short search with chains and counters (``clew.techniques.chains``), on a machine of its own. A way that
is found is a model of the inputs: a state that starts with it walks that way, with all that exploration does on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from clew.analysis.graph import control_flow, loop_forest
from clew.base.budget import Budget
from clew.base.errors import Unsupported
from clew.base.location import Location
from clew.execute.coverage import Coverage, Edge, all_branches
from clew.execute.engine import Engine, Finished
from clew.execute.observers import Observers
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.jobs.compose import Preparation, prepare
from clew.program import instructions as ir
from clew.report.records import BranchCoverage
from clew.techniques.chains.navigate import navigate
from clew.techniques.chains.survey import Survey
from clew.techniques.quest import Quest

NAVIGATION = "navigation"
"""Why a test was kept that goes back to a search for its branch."""
STUCK_STEPS = 600
"""Paths that ended and siblings that were queued since something new was covered: then exploration is stuck."""
STUCK_INSTRUCTIONS = 4_000_000
"""The same, in instructions."""
MOST_SECONDS = 3.0
MOST_SYSTEMS = 60
"""Effort per branch."""
SHARE = 0.25
"""Of the run's time, for all branches together."""
LONGEST_WAY = 10_000_000
"""Instructions of a path to a branch, before others get their turn."""
MOST_BRANCHES = 64
"""Branches that are looked for each time that exploration is stuck."""


def explore(ready: Preparation, unreachable: dict[Location, None]) -> None:
    """Explore, with searches for what stays uncovered. ``unreachable`` gets the branches that turn out to be that."""
    engine, entry, run = ready.engine, ready.entry, ready.run
    navigation = Navigation(ready, unreachable)
    engine.pause = navigation.is_stuck
    goes_on = _explore(engine, entry.start(run))
    while goes_on:
        for model in navigation.ways():
            state = entry.start(run)
            state.model = model
            ready.collector.purpose = NAVIGATION
            engine.pause = navigation.walked_by()
            goes_on = goes_on and _explore(engine, state)
            ready.collector.purpose = ""
        engine.pause = navigation.is_stuck
        navigation.progressed()
        goes_on = goes_on and _explore(engine, None)


def _explore(engine: Engine, first: State | None) -> bool:
    """Explore up to the next pause; False if there is nothing to go on with."""
    engine.explore(first)
    return engine.paused


class Navigation:
    """The searches of one run."""

    def __init__(self, ready: Preparation, unreachable: dict[Location, None]) -> None:
        self._ready = ready
        self._unreachable = unreachable
        self._run = ready.run
        program = ready.run.program
        self._branches = [branch for branch in all_branches(program) if branch.function not in program.runtime]
        self._tried: set[Edge] = set()
        self._spent = 0.0
        self._survey: Survey | None = None
        self._other: Run | None = None
        self._useless = not _has_loops(ready.run)
        self.progressed()

    # When

    def progressed(self) -> None:
        """Measure from here."""
        self._version = self._run.coverage.version
        self._steps, self._instructions = self._work()

    def _work(self) -> tuple[int, int]:
        statistics = self._run.statistics
        return self._ended() + statistics.forks, statistics.instructions

    def _ended(self) -> int:
        statistics = self._run.statistics
        return statistics.paths_completed + statistics.paths_pruned + statistics.paths_cut_short

    def walked_by(self) -> Callable[[], bool]:
        """Tells when the path that begins now has ended, or is long enough."""
        statistics = self._run.statistics
        paths, instructions = self._ended(), statistics.instructions + LONGEST_WAY
        return lambda: self._ended() > paths or statistics.instructions > instructions

    def is_stuck(self) -> bool:
        """Whether exploration has worked for some time without covering anything new, and there is something to do."""
        if self._useless:
            return False
        if self._run.coverage.version != self._version:
            self.progressed()
            return False
        steps, instructions = self._work()
        if steps - self._steps < STUCK_STEPS and instructions - self._instructions < STUCK_INSTRUCTIONS:
            return False
        return bool(self._uncovered()) and self._time() > 0

    def _time(self) -> float:
        """Seconds that are left for searches."""
        left = self._ready.budget.time_left()
        return MOST_SECONDS if left is None else min(left, (self._spent + left) * SHARE - self._spent)

    def _uncovered(self) -> list[tuple[Edge, BranchCoverage]]:
        """Branches nobody has looked for; those next to code that was run come first."""
        coverage = self._run.coverage
        found = []
        for branch in self._branches:
            edge = self._edge(branch)
            if (
                edge not in coverage.edges
                and edge not in self._tried
                and branch.function not in self._run.program.runtime
            ):
                found.append((edge, branch))
        found.sort(key=lambda item: item[0][:2] not in coverage.blocks)
        return found[:MOST_BRANCHES]

    def _edge(self, branch: BranchCoverage) -> Edge:
        block = self._run.compiler.function(branch.function).plan.blocks[branch.block]
        return (branch.function, branch.block, ir.successors(block.terminator)[branch.successor])

    # What

    def ways(self) -> list[Model]:
        """Inputs that lead to branches which were not covered."""
        found: list[Model] = []
        for edge, branch in self._uncovered():
            if self._time() <= 0:
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
        budget, entry = self._ready.budget, self._ready.entry
        run = self._machine()
        run.losses.clear()
        reached: list[Model] = []

        def report(path: Finished) -> bool:
            reached.append(path.state.model)
            return True

        assert self._survey is not None
        quest = Quest(
            run=run,
            entry=entry.function,
            start=lambda: entry.start(run),
            budget=Budget(min(MOST_SECONDS, self._time()), budget.memory_mb, None, budget.interrupt),
            spots=(),
            report=report,
            finished=lambda path: None,
            edges=frozenset((edge,)),
            most_systems=MOST_SYSTEMS,
        )
        navigate(quest, self._survey)
        self._run.statistics.systems_solved += quest.systems_solved
        found += reached[:1]
        if quest.refuted and not run.losses and branch.location is not None:
            self._unreachable[branch.location] = None

    def _machine(self) -> Run:
        """A run whose code can be led; made when it is first needed."""
        if self._other is None:
            run = self._run
            machine = prepare(self._ready.program, run.options, Observers(), traced=True)
            coverage = Coverage(machine.program, machine.compiler)
            options = replace(run.options, start=())
            self._other = Run(machine, run.solver, run.searcher, coverage, options)
            self._survey = Survey(machine)
        return self._other


def _has_loops(run: Run) -> bool:
    return any(
        loop_forest(control_flow(function)).loops
        for name, function in run.program.functions.items()
        if not function.is_declaration and name not in run.program.runtime
    )
