"""All paths of a program, run one after the other, to decide its properties.

A technique may spare some of them. Loops are summarized (see ``clew.techniques.summaries``) without guesses: what is
explored is exact, so a run that comes to its end is a proof, whatever the number of iterations. Merging cuts paths that
can show no error that others have not shown, or come to, which is a proof as well.

The effort of such a run is the number of its forks and thousands of instructions, from its beginning on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.base.watchdog import Stopped
from clew.checks.properties import Property, PropertyKey
from clew.execute.context import SYMBOLIC_SIZE
from clew.execute.machine import Machine
from clew.execute.pending import Searcher
from clew.execute.policy import Finished
from clew.execute.state import State
from clew.jobs.phases.phase import Context, is_spent
from clew.jobs.phases.settings import properties_of, verify_settings
from clew.jobs.phases.shared_paths import SharedPaths
from clew.jobs.phases.tree_size import TreeSize
from clew.jobs.prepare import PreparedRun
from clew.jobs.reexecution import EntryPoint
from clew.jobs.verdict import doubt_of
from clew.search.preferring import Preferring
from clew.techniques.summaries.statistics import SummaryStatistics
from clew.techniques.tasks import Proved
from clew.techniques.technique import Technique


class Exhaustive:
    """A run over all paths, in depth-first order or as ``search`` says."""

    symbolic_size = SYMBOLIC_SIZE
    """Bytes an object of symbolic size may have."""

    def __init__(
        self,
        context: Context[VerifyRequest],
        sparing: Technique | None = None,
        search: str | None = "dfs",
        reason: str = "",
        loop_bounds: Mapping[str, int] | None = None,
        divisible: bool = True,
    ) -> None:
        """``reason``: what a proof rests on, for people. ``loop_bounds``: of loops that have bounds of their own.
        ``divisible``: whether several processes may explore together; what a technique learns from paths to spare
        others is of use in one process only.
        """
        self._context = context
        self._sparing = sparing
        self._search = search
        self._reason = reason
        self._loop_bounds = loop_bounds or {}
        self._first: State | None = None
        self._size: TreeSize | None = None
        self.ready: PreparedRun | None = None
        self.properties: tuple[Property, ...] = ()
        self.paths = SharedPaths(context.budget) if divisible else None
        self.over = False

    @property
    def technique(self) -> str:
        if self.ready is None:
            return "plain"
        statistics = self.ready.run.statistics
        if statistics.of(SummaryStatistics).summaries:
            return "summaries"
        return "merging" if statistics.paths_merged else "plain"

    def seconds_left(self, worked: float) -> float:
        return math.inf if self._size is None else self._size.seconds_left(worked)

    @property
    def is_shallow(self) -> bool:
        """Whether the tree of paths does not seem to go on for ever."""
        return self._size is not None and self._size.is_shallow

    def run(self, share: Budget, effort: int | None) -> None:
        """Run paths until none is left, or the effort is spent, or the budget of the command."""
        ledger = self._context.ledger
        ready = self.ready = self.ready or self._prepare()
        ledger.properties = self.properties
        ledger.enter(ready)
        if self.properties:
            self._explore(ready, share, effort)
        self.over = not ready.engine.paused or ready.engine.stopped is not None
        ledger.technique = self.technique
        if self.over:
            self.conclude()

    def conclude(self) -> None:
        """All paths are explored, or the run was stopped: what that says about the properties."""
        ledger, ready = self._context.ledger, self.ready
        assert ready is not None
        self.over = True
        reason = self._reason or (self._sparing.proof() if self._sparing is not None else "")
        answer = doubt_of(ready, self._context.request.unroll) or Proved(reason)
        shown = ledger.findings.unconfirmed if isinstance(answer, Proved) else {}
        ledger.answer_open({item.key: answer for item in self.properties if item.key not in shown}, of_run=True)

    def _prepare(self) -> PreparedRun:
        settings = replace(
            verify_settings(self._context.request),
            search=self._search,
            around=self._errors_first,
            symbolic_size=self.symbolic_size,
        )
        settings = settings.with_techniques(self._sparing)
        ready = self._context.prepare_run(settings)
        ready.run.loop_bounds.update(self._loop_bounds)
        self._wanted = {item.key for item in self.properties}
        self._collective = any(item.collective for item in self.properties)
        self._first = ready.entry.start(ready.run) if self.properties else None
        return ready

    def _errors_first(self, strategy: Searcher, machine: Machine, kinds: frozenset[str], entry: EntryPoint) -> Searcher:
        """A path that fails is over at once: without this, one in an endless loop could keep it waiting forever."""
        self.properties = properties_of(machine, kinds, entry.function)
        blocks = {(spot.function, spot.block) for item in self.properties for spot in item.spots}
        self._searcher = Preferring(strategy, blocks)
        self._size = TreeSize(self._searcher, edges_tell=self.paths is not None)
        return self._size

    def _explore(self, ready: PreparedRun, share: Budget, effort: int | None) -> None:
        paths = self.paths

        def is_time() -> bool:
            """Effort limits one process; of several, each explores until nothing is left."""
            if paths is None:
                return is_spent(effort, ready.run)
            return paths.is_time() or (not paths.is_divided and is_spent(effort, ready.run))

        policy = replace(ready.engine.policy, finished=self._finished, urgent=self._searcher.preferred, pause=is_time)
        first, self._first = self._first, None
        try:
            ready.engine.explore(first, policy)
            while paths is not None and paths.more(ready.engine):
                ready.engine.explore(None, policy)
        except Stopped as stop:
            ready.engine.stop(stop.reason)

    def _finished(self, path: Finished) -> None:
        """Once all there is to find is found, the rest is of no interest."""
        assert self.ready is not None
        self.ready.collector.finished(path)
        if self._wanted and not self._collective and self._wanted <= self._settled():
            self.ready.run.give_up_waiting()

    def _settled(self) -> set[PropertyKey]:
        """What is violated, or what others have proved."""
        ledger = self._context.ledger
        return ledger.findings.confirmed() | ledger.proved()
