"""Inputs for branches that depend on loops, and branches that nothing leads to: what invariants do for coverage.

As soon as a path has covered nothing new, equalities that take no time to find give inputs for branches next to what
was run (``clew.techniques.invariants.closed_form_inputs``). Once many paths have not, invariants of the program are
computed; each branch outcome that is uncovered, and that they relate to loop counters, gets inputs from them
(``clew.techniques.invariants.invariant_points``). Inputs are run. Outcomes whose invariant is empty are unreachable.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.base.options import TestRequest
from clew.execute.context import InputHints
from clew.execute.coverage import Edge
from clew.execute.instrument.loop_marks import loop_name
from clew.techniques.cover_goals import Progress
from clew.techniques.invariants.closed_form_inputs import ClosedFormInputs
from clew.techniques.invariants.find import find
from clew.techniques.invariants.invariant_points import InvariantPoints, needed_rounds
from clew.techniques.invariants.limits import USUAL, Limits
from clew.techniques.invariants.statistics import InvariantStatistics
from clew.techniques.registry import TECHNIQUES
from clew.techniques.technique import CoverTask, Technique, wants_inputs
from clew.techniques.unmodelled import Unmodelled

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
            body = task.source_program.functions[function]
            block = next(block for block in body.blocks if block.name == header)
            name = loop_name(body, block)
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
    """The invariants of one run, in two stages: shortcuts whenever there is a reason, invariants of all kinds once."""

    purpose = GUIDANCE
    until_stuck = False

    def __init__(self, task: CoverTask, limits: Limits = USUAL) -> None:
        self._task = task
        self._limits = limits
        self._run = run = task.run
        self._counts = run.statistics.of(InvariantStatistics)
        self._uncovered = goals = task.goals
        size = sum(len(block.instructions) for f in run.program.functions.values() for block in f.blocks)
        few = limits.few_steps + size // limits.instructions_per_step
        self._pause = Progress(run, goals, few, limits.stuck_instructions)
        self._progress = Progress(run, goals, limits.stuck_steps, limits.stuck_instructions)
        self._shortcuts: ClosedFormInputs | None = None
        self._left = limits.closed_form_seconds
        self._tried: set[Edge] = set()
        """The edges that shortcuts were asked for."""
        self.is_over = False

    def is_time(self) -> bool:
        """Whether exploration has shown what it covers with ease, and there is more."""
        if self._progress.is_stuck():
            return bool(self._uncovered.branches(1))
        if not self._pause.is_stuck():
            return False
        self._pause.begin()
        return bool(self._near())

    def kept(self, tests: int) -> None:
        self._counts.invariant_tests = tests

    def proposals(self) -> Iterator[InputHints]:
        if self._progress.is_stuck():
            self.is_over = True
            yield from self._from_invariants()
        else:
            yield from self._from_shortcuts()

    def _near(self) -> list[Edge]:
        """Edges that control was close to, and that are not covered: those that shortcuts were not asked for."""
        blocks = self._run.coverage.blocks
        waiting = self._uncovered.branches(self._limits.branches, self._tried)
        return [edge for edge, _ in waiting if edge[:2] in blocks]

    def _from_shortcuts(self) -> Iterator[InputHints]:
        budget = self._task.budget
        began = budget.elapsed()
        waiting = self._near()
        if self._shortcuts is None:
            callees = self._run.machine.callees
            self._shortcuts = ClosedFormInputs(self._run.program, self._task.entry.name, callees, self._limits)
        for edge in waiting:
            self._tried.add(edge)
            for hints in self._shortcuts.of(edge) if self._left > 0 else ():
                if self._uncovered.is_covered(edge):
                    break
                self._counts.invariant_candidates += 1
                self._spent(budget.elapsed() - began)
                yield hints
                began = budget.elapsed()
        self._spent(budget.elapsed() - began)

    def _spent(self, seconds: float) -> None:
        """Time for shortcuts, without that for running them."""
        self._left -= seconds
        self._counts.invariant_seconds += seconds

    def _from_invariants(self) -> Iterator[InputHints]:
        waiting = self._uncovered.branches(self._limits.branches)
        if not waiting:
            return
        budget, entry = self._task.budget, self._task.entry.name
        began = budget.elapsed()
        limits = self._limits
        share = budget.share(limits.time_share, most=limits.seconds)
        found = find(self._run.machine, entry, stop=share.is_out_of_time)
        self._counts.invariant_seconds += budget.elapsed() - began
        if found is None:
            return
        share = budget.share(2 * limits.time_share, most=2 * limits.seconds)  # for running what comes out
        doubts = Unmodelled(self._run.program, self._run.machine.callees).below(entry)
        candidates = InvariantPoints(self._run.program, found, limits)
        for edge, branch in waiting:
            if not doubts and found.is_dead_edge(*edge):
                self._task.unreachable(edge, branch, found)
        for edge, _ in waiting:
            for hints in candidates.of(edge):
                if self._uncovered.is_covered(edge):
                    break
                if share.time_left() == 0.0:
                    return
                self._counts.invariant_candidates += 1
                yield hints
