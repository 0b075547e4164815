"""Search for a target by running paths, until one reaches it or all have come to their ends.

Plain search takes those closest to the target first. With a technique that spares paths (merging) the order is depth
first, since only what was explored to its end can be spared elsewhere. Paths from which no way in the control flow
leads to the target are given up in any case.

The effort of the search is the number of its forks and thousands of instructions, from its beginning on.
"""

from __future__ import annotations

import math
from dataclasses import replace

from clew.base.budget import Budget
from clew.base.options import ReachRequest
from clew.execute.instrument.targets import probes_of
from clew.execute.machine import Machine
from clew.execute.pending import Searcher
from clew.execute.policy import Finished
from clew.execute.state import State
from clew.jobs.phases.phase import Context, is_spent
from clew.jobs.phases.settings import reach_settings
from clew.jobs.phases.shared_paths import SharedPaths
from clew.jobs.phases.tree_size import ExploredPart, TreeSize
from clew.jobs.prepare import PreparedRun
from clew.jobs.reexecution import EntryPoint
from clew.jobs.verdict import TARGET, doubt_of
from clew.report.statistics import RunStatistics
from clew.search.directed import Directed
from clew.techniques.tasks import Proved
from clew.techniques.technique import Technique


class DirectedSearch:
    """One search; ``target`` is its target, for people."""

    def __init__(self, context: Context[ReachRequest], target: str, sparing: Technique | None = None) -> None:
        self._context = context
        self._target = target
        self._sparing = sparing
        self._size: ExploredPart | TreeSize | None = None
        self._begun = False
        self._counted = 0
        """How many states were dropped that are in the statistics."""
        self.ready: PreparedRun | None = None
        self.paths = SharedPaths(context.budget) if sparing is None else None
        self.over = False

    @property
    def technique(self) -> str:
        return "merging" if self.ready is not None and self.ready.run.statistics.paths_merged else "plain"

    def seconds_left(self, worked: float) -> float:
        return math.inf if self._size is None else self._size.seconds_left(worked)

    def prepare(self) -> PreparedRun:
        """The run, which the ledger has from now on."""
        if self.ready is None:
            settings = replace(reach_settings(self._context.request), around=self._closest_first)
            self.ready = self._context.prepare_run(settings.with_techniques(self._sparing))
            if self._size is None:
                self._size = ExploredPart(self.ready.run, self._context.budget.worked)
        self._context.ledger.enter(self.ready)
        self._context.ledger.technique = self.technique
        return self.ready

    def _closest_first(
        self, strategy: Searcher, machine: Machine, kinds: frozenset[str], entry: EntryPoint
    ) -> Searcher:
        self._directed = Directed(machine.program, probes_of(machine.program), drop=True)
        if self._sparing is None:
            return self._directed
        self._size = TreeSize(strategy)
        return self._size

    def run(self, share: Budget, effort: int | None) -> None:
        """Search until there is an answer, or the effort is spent, or the budget of the command."""
        ready = self.prepare()
        policy = replace(
            ready.engine.policy,
            finished=self._finished,
            pointless=self._pointless,
            pause=lambda: self._is_time() or is_spent(effort, ready.run),
        )
        first = None if self._begun else ready.entry.start(ready.run)
        self._begun = True
        try:
            ready.engine.explore(first, policy)
            while self.paths is not None and self.paths.more(ready.engine):
                ready.engine.explore(None, policy)
        finally:
            self._count_dropped()
        self.over = not ready.engine.paused
        if self.over:
            self.conclude()

    def conclude(self) -> None:
        """All paths have come to their ends, or the search was stopped: what that says about the target."""
        assert self.ready is not None
        self.over = True
        refuted = Proved(f"no path leads to {self._target}: {_paths(self.ready.run.statistics)}")
        self._context.ledger.answer_open({TARGET: doubt_of(self.ready) or refuted}, of_run=True)

    def _is_time(self) -> bool:
        self._count_dropped()
        return self.paths is not None and self.paths.is_time()

    def _count_dropped(self) -> None:
        assert self.ready is not None
        self.ready.run.statistics.states_pruned += self._directed.dropped - self._counted
        self._counted = self._directed.dropped

    def _finished(self, path: Finished) -> None:
        assert self.ready is not None
        self.ready.collector.finished(path)
        if self._context.ledger.findings.confirmed():
            self.ready.run.give_up_waiting()

    def _pointless(self, state: State) -> bool:
        hopeless = self._directed.hopeless(state)
        state.run.statistics.states_pruned += hopeless
        return hopeless


def _paths(statistics: RunStatistics) -> str:
    count = statistics.paths_completed + statistics.paths_pruned
    if statistics.paths_merged:
        return f"{_count(count)}, and {statistics.paths_merged} that could show no more than these"
    if statistics.states_pruned:
        return f"{_count(count)}, none left from where it might be reached"
    return f"{_count(count)}, {'run to its end' if count == 1 else 'all run to their ends'}"


def _count(paths: int) -> str:
    return "1 path" if paths == 1 else f"{paths} paths"
