"""``clew test`` and invariants: inputs for branches that depend on loops, and branches that nothing leads to.

As soon as a path has covered nothing new, equalities that take no time to find give inputs for branches next to what
was run (``clew.techniques.invariants.closed_form_inputs``). Once many paths have not, invariants of the program are
computed; each branch outcome that is uncovered, and that they relate to loop counters, gets inputs from them
(``clew.techniques.invariants.invariant_points``). Inputs are run. Outcomes whose invariant is empty are unreachable.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.describe.invariants import FactDescriber
from clew.execute.coverage import Edge
from clew.execute.inputs import InputHints
from clew.execute.instrument.loop_marks import loop_name
from clew.jobs.cover_goals import CoverGoals, Progress
from clew.jobs.prepare import PreparedRun
from clew.report.records import BranchId, Unreachable
from clew.techniques.invariants.closed_form_inputs import ClosedFormInputs
from clew.techniques.invariants.find import LIBRARY, find
from clew.techniques.invariants.invariant_points import InvariantPoints, needed_rounds
from clew.techniques.unmodelled import Unmodelled

GUIDANCE = "invariants"
"""Why a test was kept whose inputs come from an invariant."""
FEW_STEPS = 2
INSTRUCTIONS_PER_STEP = 40
"""Without anything new, before shortcuts are looked for: their cost grows with the code."""
SHORTEST_SECONDS = 0.25
"""For shortcuts altogether."""
STUCK_STEPS = 120
STUCK_INSTRUCTIONS = 200_000
"""Without anything new, before invariants are computed: about what they cost in a small program."""
SHARE = 0.1
MOST_SECONDS = 5.0
"""Of the run's time, for the invariants."""
MOST_BRANCHES = 256


def set_loop_bounds(ready: PreparedRun, least: int) -> None:
    """Give each loop a bound of its own, at least ``least``: the iterations that some branch cannot do without."""
    budget, statistics = ready.budget, ready.run.statistics
    began = budget.elapsed()
    found = find(ready.run.machine, ready.entry.function.name, stop=lambda: budget.exhausted() is not None)
    statistics.invariant_seconds += budget.elapsed() - began
    if found is None:
        return
    for (function, header), rounds in needed_rounds(found).items():
        body = ready.loaded.functions[function]
        block = next(block for block in body.blocks if block.name == header)
        name = loop_name(body, block)
        bounds = ready.run.loop_bounds
        bounds[name] = max(rounds, least, bounds.get(name, 0))


class InvariantInputs:
    """The invariants of one run, in two stages: shortcuts whenever there is a reason, invariants of all kinds once."""

    def __init__(self, ready: PreparedRun, uncovered: CoverGoals, unreachable: dict[BranchId, Unreachable]) -> None:
        self._ready = ready
        self._run = ready.run
        self._uncovered = uncovered
        self._unreachable = unreachable
        size = sum(len(block.instructions) for f in ready.run.program.functions.values() for block in f.blocks)
        few = FEW_STEPS + size // INSTRUCTIONS_PER_STEP
        self._pause = Progress(ready.run, uncovered, few, STUCK_INSTRUCTIONS)
        self._progress = Progress(ready.run, uncovered, STUCK_STEPS, STUCK_INSTRUCTIONS)
        self._shortcuts: ClosedFormInputs | None = None
        self._left = SHORTEST_SECONDS
        self._tried: set[Edge] = set()
        """The edges that shortcuts were asked for."""
        self.is_over = False
        """Whether there is nothing more to come."""

    def is_time(self) -> bool:
        """Whether exploration has shown what it covers with ease, and there is more."""
        if self._progress.is_stuck():
            return bool(self._uncovered.branches(1))
        if not self._pause.is_stuck():
            return False
        self._pause.begin()
        return bool(self._near())

    def candidates(self) -> Iterator[InputHints]:
        """Inputs that may lead to branches which are not covered when their turn comes."""
        if self._progress.is_stuck():
            self.is_over = True
            yield from self._from_invariants()
        else:
            yield from self._from_shortcuts()

    def _near(self) -> list[Edge]:
        """Edges that control was close to, and that are not covered: those that shortcuts were not asked for."""
        blocks = self._run.coverage.blocks
        waiting = self._uncovered.branches(MOST_BRANCHES, self._tried)
        return [edge for edge, _ in waiting if edge[:2] in blocks]

    def _from_shortcuts(self) -> Iterator[InputHints]:
        budget, statistics = self._ready.budget, self._run.statistics
        began = budget.elapsed()
        waiting = self._near()
        if self._shortcuts is None:
            entry = self._ready.entry.function.name
            self._shortcuts = ClosedFormInputs(self._run.program, entry, self._run.machine.callees, LIBRARY)
        for edge in waiting:
            self._tried.add(edge)
            for wishes in self._shortcuts.of(edge) if self._left > 0 else ():
                if self._uncovered.is_covered(edge):
                    break
                statistics.invariant_candidates += 1
                self._spent(budget.elapsed() - began)
                yield wishes
                began = budget.elapsed()
        self._spent(budget.elapsed() - began)

    def _spent(self, seconds: float) -> None:
        """Time for shortcuts, without that for running them."""
        self._left -= seconds
        self._run.statistics.invariant_seconds += seconds

    def _from_invariants(self) -> Iterator[InputHints]:
        waiting = self._uncovered.branches(MOST_BRANCHES)
        if not waiting:
            return
        statistics, budget = self._run.statistics, self._ready.budget
        began = budget.elapsed()
        share = budget.share(SHARE, most=MOST_SECONDS)
        found = find(self._run.machine, self._ready.entry.function.name, stop=share.is_out_of_time)
        statistics.invariant_seconds += budget.elapsed() - began
        if found is None:
            return
        share = budget.share(2 * SHARE, most=2 * MOST_SECONDS)  # for running what comes out
        doubts = Unmodelled(self._run.program, self._run.machine.callees).below(self._ready.entry.function.name)
        candidates = InvariantPoints(self._run.program, found)
        teller = FactDescriber(self._run.program, found)
        for edge, branch in waiting:
            if not doubts and found.is_dead_edge(*edge) and branch.location is not None:
                dead = Unreachable(branch.location, branch.outcome, teller.dead(edge[0], edge[1]))
                self._unreachable.setdefault(branch.id, dead)
        for edge, _ in waiting:
            for wishes in candidates.of(edge):
                if self._uncovered.is_covered(edge):
                    break
                if share.time_left() == 0.0:
                    return
                statistics.invariant_candidates += 1
                yield wishes
