"""Plain search for a target: run paths, those closest to it first, until one reaches it or all have come to their ends.

The effort of the search is the number of its forks and thousands of instructions, from its beginning on.
"""

from __future__ import annotations

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
from clew.jobs.prepare import PreparedRun
from clew.jobs.reexecution import EntryPoint
from clew.jobs.verdict import TARGET, doubt_of
from clew.report.statistics import RunStatistics
from clew.search.directed import Directed
from clew.techniques.tasks import Proved


class DirectedSearch:
    """One search; ``target`` is its target, for people."""

    def __init__(self, context: Context[ReachRequest], target: str) -> None:
        self._context = context
        self._target = target
        self._ready: PreparedRun | None = None
        self._begun = False
        self.over = False

    def prepare(self) -> PreparedRun:
        """The run, which the ledger has from now on."""
        if self._ready is None:
            settings = replace(reach_settings(self._context.request), around=self._closest_first)
            self._ready = self._context.prepare_run(settings)
        self._context.ledger.enter(self._ready)
        self._context.ledger.technique = "plain"
        return self._ready

    def _closest_first(
        self, strategy: Searcher, machine: Machine, kinds: frozenset[str], entry: EntryPoint
    ) -> Searcher:
        self._searcher = Directed(machine.program, probes_of(machine.program), drop=True)
        return self._searcher

    def run(self, share: Budget, effort: int | None) -> None:
        """Search until there is an answer, or the effort is spent, or the budget of the command."""
        ready = self.prepare()
        statistics = ready.run.statistics
        policy = replace(
            ready.engine.policy,
            finished=self._finished,
            pointless=self._pointless,
            pause=lambda: is_spent(effort, ready.run),
        )
        first = None if self._begun else ready.entry.start(ready.run)
        self._begun = True
        before = self._searcher.dropped
        try:
            ready.engine.explore(first, policy)
        finally:
            statistics.states_pruned += self._searcher.dropped - before
        self.over = not ready.engine.paused
        if self.over:
            refuted = Proved(f"no path leads to {self._target}: {_paths(statistics)}")
            self._context.ledger.answers[TARGET] = doubt_of(ready) or refuted

    def _finished(self, path: Finished) -> None:
        assert self._ready is not None
        self._ready.collector.finished(path)
        if self._context.ledger.findings.confirmed():
            for waiting in self._searcher.evict(len(self._searcher)):
                waiting.release()

    def _pointless(self, state: State) -> bool:
        hopeless = self._searcher.hopeless(state)
        state.run.statistics.states_pruned += hopeless
        return hopeless


def _paths(statistics: RunStatistics) -> str:
    count = statistics.paths_completed + statistics.paths_pruned
    if statistics.states_pruned:
        return f"{count} path{'' if count == 1 else 's'}, none left from where it might be reached"
    return "1 path, run to its end" if count == 1 else f"{count} paths, all run to their ends"
