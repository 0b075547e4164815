"""Inputs for branches that depend on loops, and branches that nothing leads to: what invariants do for coverage.

As soon as a path has covered nothing new, equalities that take no time to find give inputs for branches next to what
was run (``clew.techniques.invariants.closed_form_inputs``). Once many paths have not, invariants of the program are
computed; each branch outcome that is uncovered, and that they relate to loop counters, gets inputs from them
(``clew.techniques.invariants.invariant_points``). Inputs are run. Outcomes whose invariant is empty are unreachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from clew.base.options import TestRequest
from clew.execute.context import InputHints
from clew.execute.coverage import Edge
from clew.execute.instrument.loop_marks import name_of_loop
from clew.techniques.cover_goals import Progress
from clew.techniques.invariants.closed_form_inputs import ClosedFormInputs
from clew.techniques.invariants.find import find
from clew.techniques.invariants.invariant_points import InvariantPoints, needed_rounds
from clew.techniques.invariants.limits import USUAL, Limits
from clew.techniques.invariants.statistics import InvariantStatistics
from clew.techniques.registry import TECHNIQUES
from clew.techniques.technique import CoverTask, Technique, wants_inputs
from clew.techniques.unmodelled import Unmodelled

if TYPE_CHECKING:
    from clew.analysis.absint.analyse import Invariants

GUIDANCE = "invariants"
"""Why a test was kept whose inputs come from an invariant."""


@TECHNIQUES.register("loop-bounds", "iterations of loops that branches need")
class LoopBounds(Technique):
    """Gives each loop a bound of its own: the iterations that some branch cannot do without, and the run's at least."""

    @classmethod
    def make(cls, request: TestRequest) -> LoopBounds | None:
        return cls() if request.loop_bound == "auto" else None

    def begin(self, task: CoverTask) -> None:
        budget, run = task.budget, task.run
        began = budget.elapsed()
        found = find(run.machine, task.entry.name, stop=lambda: budget.exhausted() is not None)
        run.statistics.of(InvariantStatistics).invariant_seconds += budget.elapsed() - began
        if found is None:
            return
        least, bounds = run.options.loop_bound or 0, run.loop_bounds
        for (function, header), rounds in needed_rounds(found).items():
            name = name_of_loop(task.source_program, function, header)
            bounds[name] = max(rounds, least, bounds.get(name, 0))


@TECHNIQUES.register("invariants", "inputs from linear invariants")
class InvariantTechnique(Technique):
    """Inputs from invariants. They know nothing of allocations that may fail."""

    def __init__(self, limits: Limits = USUAL) -> None:
        self._limits = limits

    @classmethod
    def make(cls, request: TestRequest) -> InvariantTechnique | None:
        return cls() if wants_inputs(request) else None

    def inputs(self, task: CoverTask) -> InvariantInputs | None:
        return InvariantInputs(task, self._limits) if task.goals.has_loops else None


class InvariantInputs:
    """The invariants of one run, in two stages: shortcuts whenever there is a reason, and invariants of all kinds."""

    purpose = GUIDANCE

    def __init__(self, task: CoverTask, limits: Limits = USUAL) -> None:
        self._task = task
        self._limits = limits
        self._run = run = task.run
        self._uncovered = goals = task.goals
        few = limits.few_steps + goals.size // limits.instructions_per_step
        self._pause = Progress(run, goals, few, limits.stuck_instructions)
        self._progress = Progress(run, goals, limits.stuck_steps, limits.stuck_instructions)
        self.account = task.accounts.open("invariants", limits.capital, limits.share)
        self._shortcuts: ClosedFormInputs | None = None
        self._tried: set[Edge] = set()
        """The edges that shortcuts were asked for."""
        self._preparation = limits.preparation * goals.size
        self._analysis: int | None = limits.first_analysis
        """What the next analysis may cost, once it is prepared; None when there is none to come."""

    def is_time(self) -> bool:
        """Whether exploration has shown what it covers with ease, and there is more."""
        if self._is_time_for_invariants():
            return bool(self._uncovered.branches(1))
        if not self._pause.is_stuck():
            return False
        self._pause.begin()
        return self.account.affords(self._limits.closed_form_work) and bool(self._near())

    def _is_time_for_invariants(self) -> bool:
        analysis = self._analysis
        if analysis is None or not self._progress.is_stuck():
            return False
        return self.account.affords(self._preparation + analysis)

    def kept(self, tests: int) -> None:
        self._run.statistics.of(InvariantStatistics).invariant_tests = tests

    def proposals(self) -> Iterator[InputHints]:
        if self._is_time_for_invariants():
            yield from self._from_invariants()
        else:
            yield from self._from_shortcuts()

    def _near(self) -> list[Edge]:
        """Edges that control was close to, and that are not covered: those that shortcuts were not asked for."""
        blocks = self._run.coverage.blocks
        waiting = self._uncovered.branches(self._limits.branches, self._tried)
        return [edge for edge, _ in waiting if edge[:2] in blocks]

    def _from_shortcuts(self) -> Iterator[InputHints]:
        work = self._limits.closed_form_work
        waiting = self._near()
        if self._shortcuts is None:
            callees = self._run.machine.callees
            self._shortcuts = ClosedFormInputs(self._run.program, self._task.entry.name, callees, self._limits)
        for edge in waiting:
            if not self.account.affords(work):
                break
            self._tried.add(edge)
            self.account.charge(own=work)
            yield from self._wanted(edge, self._shortcuts.of(edge))

    def _wanted(self, edge: Edge, proposed: Iterable[InputHints]) -> Iterator[InputHints]:
        """Inputs that are proposed for an edge, until it is covered; the time of finding them is counted."""
        statistics, budget = self._run.statistics.of(InvariantStatistics), self._task.budget
        began = budget.elapsed()
        for hints in proposed:
            statistics.invariant_seconds += budget.elapsed() - began
            if self._uncovered.is_covered(edge):
                return
            statistics.invariant_candidates += 1
            yield hints
            began = budget.elapsed()
        statistics.invariant_seconds += budget.elapsed() - began

    def _from_invariants(self) -> Iterator[InputHints]:
        waiting = self._uncovered.branches(self._limits.branches)
        found = self._analyse() if waiting else None
        if found is None:
            return
        doubts = Unmodelled(self._run.program, self._run.machine.callees).below(self._task.entry.name)
        candidates = InvariantPoints(self._run.program, found, self._limits)
        for edge, branch in waiting:
            if not doubts and found.is_dead_edge(*edge):
                self._task.unreachable(edge, branch, found)
        for edge, _ in waiting:
            if self.account.balance() < 0:
                break
            yield from self._wanted(edge, candidates.of(edge))

    def _analyse(self) -> Invariants | None:
        """The invariants of the program; None where they are not found, or not with the work that may be spent now."""
        limits, budget, statistics = self._limits, self._task.budget, self._run.statistics
        assert self._analysis is not None
        most, began = self._analysis, budget.elapsed()
        self._analysis = None
        work = 0

        def stop() -> bool:
            nonlocal work
            work += limits.node_work
            return work > most or budget.is_out_of_time()

        found = find(self._run.machine, self._task.entry.name, stop=stop)
        statistics.of(InvariantStatistics).invariant_seconds += budget.elapsed() - began
        self.account.charge(own=self._preparation + work)
        if found is None and work > most:
            self._analysis = most * limits.growth
            self._progress.begin()
        return found
