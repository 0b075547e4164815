"""All paths of a program, run one after the other, to decide its properties.

Loops may be summarized on the way (see ``clew.techniques.summaries``), without guesses: what is explored is exact, so
a run that comes to its end is a proof, whatever the number of iterations. The effort of such a run is the number of its
forks and thousands of instructions, from its beginning on.
"""

from __future__ import annotations

from dataclasses import replace

from clew.base.budget import Budget
from clew.base.garbage import rare_collection
from clew.base.options import VerifyRequest
from clew.base.watchdog import Stopped, watched
from clew.checks.properties import Property
from clew.execute.machine import Machine
from clew.execute.pending import Searcher
from clew.execute.policy import Finished
from clew.execute.state import State
from clew.jobs.phases.phase import Context, is_spent
from clew.jobs.phases.settings import properties_of, verify_settings
from clew.jobs.prepare import PreparedRun
from clew.jobs.reexecution import EntryPoint
from clew.jobs.verdict import doubt_of
from clew.search.preferring import Preferring
from clew.techniques.summaries.limits import UNLIMITED
from clew.techniques.summaries.statistics import SummaryStatistics
from clew.techniques.summaries.technique import Summaries
from clew.techniques.tasks import Proved


class Exhaustive:
    """A run over all paths, in depth-first order or as ``search`` says."""

    def __init__(self, context: Context[VerifyRequest], summarize: bool = False, search: str | None = "dfs") -> None:
        self._context = context
        self._summarize = summarize
        self._search = search
        self._ready: PreparedRun | None = None
        self._first: State | None = None
        self.properties: tuple[Property, ...] = ()
        self.over = False

    def run(self, share: Budget, effort: int | None) -> None:
        """Run paths until none is left, or the effort is spent, or the share, or the budget of the command."""
        ledger, fresh = self._context.ledger, self._ready is None
        ready = self._ready = self._ready or self._prepare()
        ledger.properties = self.properties
        ledger.enter(ready)
        if self.properties:
            self._explore(ready, share, effort)
        self.over = not ready.engine.paused or ready.engine.stopped is not None
        doubt = doubt_of(ready, self._context.request.unroll)
        if fresh or (self.over and doubt is None):
            ledger.technique = "summaries" if ready.run.statistics.of(SummaryStatistics).summaries else "plain"
        if self.over and doubt is None:
            ledger.answers |= {item.key: Proved() for item in self.properties}
        elif self.over and doubt is not None:
            ledger.answer_open({item.key: doubt for item in self.properties})

    def _prepare(self) -> PreparedRun:
        settings = replace(verify_settings(self._context.request), search=self._search, around=self._errors_first)
        if self._summarize:
            settings = replace(settings, techniques=(Summaries(guesses=False, limits=UNLIMITED),))
        ready = self._context.prepare_run(settings)
        self._wanted = {item.key for item in self.properties}
        self._collective = any(item.collective for item in self.properties)
        self._first = ready.entry.start(ready.run) if self.properties else None
        return ready

    def _errors_first(self, strategy: Searcher, machine: Machine, kinds: frozenset[str], entry: EntryPoint) -> Searcher:
        """A path that fails is over at once: without this, one in an endless loop could keep it waiting forever."""
        self.properties = properties_of(machine, kinds, entry.function)
        blocks = {(spot.function, spot.block) for item in self.properties for spot in item.spots}
        self._searcher = Preferring(strategy, blocks)
        return self._searcher

    def _explore(self, ready: PreparedRun, share: Budget, effort: int | None) -> None:
        budget = self._context.budget

        def hurry() -> bool:
            return share is not budget and share.time_left() == 0.0

        policy = replace(
            ready.engine.policy,
            finished=self._finished,
            urgent=self._searcher.preferred,
            pause=lambda: is_spent(effort, ready.run) or hurry(),
            hurry=hurry,
        )
        first, self._first = self._first, None
        try:
            with watched(budget), rare_collection():
                ready.engine.explore(first, policy)
        except Stopped as stop:
            ready.engine.stop(stop.reason)

    def _finished(self, path: Finished) -> None:
        """Once all there is to find is found, the rest is of no interest."""
        assert self._ready is not None
        searcher = self._ready.run.searcher
        self._ready.collector.finished(path)
        if self._wanted and not self._collective and self._wanted <= self._context.ledger.findings.confirmed():
            for waiting in searcher.evict(len(searcher)):
                waiting.release()
