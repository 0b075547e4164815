"""All paths of a program, run one after the other, for those who have to decide properties.

Loops may be summarized on the way (see ``clew.techniques.summaries``), without guesses: what is explored is exact, so
a run that comes to its end is a proof, whatever the number of iterations. Such a run can be left, and taken up again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from clew.base.budget import Budget
from clew.base.garbage import rare_collection
from clew.base.watchdog import Stopped, watched
from clew.checks.properties import Property, PropertyKey, properties
from clew.execute.machine import Machine
from clew.execute.pending import Searcher
from clew.execute.policy import Finished
from clew.execute.state import State
from clew.jobs.prepare import ExploreSettings, PreparedRun
from clew.jobs.reexecution import EntryPoint
from clew.jobs.verdict import doubt_of
from clew.search.preferring import Preferring
from clew.techniques.external_calls import called_from_outside
from clew.techniques.tasks import Answer, Proved


class ExhaustiveRun:
    """A run over all paths."""

    items: tuple[Property, ...]
    _searcher: Preferring

    def __init__(self, prepare: Callable[[ExploreSettings], PreparedRun], settings: ExploreSettings) -> None:
        self.ready = prepare(replace(settings, around=self._errors_first))
        self._wanted: set[PropertyKey] = {item.key for item in self.items}
        self._collective = any(item.collective for item in self.items)
        self._policy = replace(self.ready.engine.policy, finished=self._finished, urgent=self._searcher.preferred)
        self._first: State | None = self.ready.entry.start(self.ready.run) if self.items else None
        self.over = not self.items

    def _errors_first(self, strategy: Searcher, machine: Machine, kinds: frozenset[str], entry: EntryPoint) -> Searcher:
        """A path that fails is over at once: without this, one in an endless loop could keep it waiting forever."""
        outside = called_from_outside(machine.program, machine.callees, entry.function)
        self.items = properties(machine.program, kinds, entry.function, outside)
        self._searcher = Preferring(
            strategy, {(spot.function, spot.block) for item in self.items for spot in item.spots}
        )
        return self._searcher

    def explore(self, effort: int | None = None, share: Budget | None = None) -> bool:
        """Run paths until there are none, or ``effort`` is spent (forks, and thousands of instructions), or time;
        whether it was the first, or the budget's end."""
        if self.over:
            return True
        engine, statistics = self.ready.engine, self.ready.run.statistics

        def hurry() -> bool:
            return share is not None and share.time_left() == 0.0

        def pause() -> bool:
            return (effort is not None and statistics.forks + statistics.instructions // 1000 > effort) or hurry()

        first, self._first = self._first, None
        try:
            with watched(self.ready.budget), rare_collection():
                engine.explore(first, replace(self._policy, pause=pause, hurry=hurry))
        except Stopped as stop:
            engine.stop(stop.reason)
        self.over = not engine.paused or engine.stopped is not None
        return self.over

    def _finished(self, path: Finished) -> None:
        """Once all there is to find is found, the rest is of no interest."""
        collector, searcher = self.ready.collector, self.ready.run.searcher
        collector.finished(path)
        if self._wanted and not self._collective and self._wanted <= collector.confirmed():
            for waiting in searcher.evict(len(searcher)):
                waiting.release()

    def answers(self) -> dict[PropertyKey, Answer]:
        """What a run that is over says: a property holds if nothing stands against it."""
        answer = doubt_of(self.ready, self.ready.run.options.loop_bound) or Proved()
        return {item.key: answer for item in self.items}

    @property
    def technique(self) -> str:
        """What the answer is owed to."""
        return "summaries" if self.ready.run.statistics.summaries else "plain"
