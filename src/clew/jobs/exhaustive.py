"""All paths of a program, run one after the other, for those who have to decide properties.

Loops may be summarized on the way (see ``clew.techniques.summaries``), without guesses: what is explored is exact, so
a run that comes to its end is a proof, whatever the number of iterations. Such a run can be left, and taken up again.
"""

from __future__ import annotations

from clew.base.garbage import rare_collection
from clew.base.watchdog import Stopped, watched
from clew.checks.properties import Property, PropertyKey, properties
from clew.execute.engine import Finished
from clew.execute.state import State
from clew.jobs.prepare import PreparedRun
from clew.search.preferring import Preferring
from clew.search.reserving import Reserve
from clew.techniques.external_calls import called_from_outside


class ExhaustiveRun:
    """A run over all paths."""

    def __init__(self, ready: PreparedRun) -> None:
        self.ready = ready
        run = ready.run
        kinds = run.options.checks
        assert kinds is not None
        outside = called_from_outside(run.program, run.callees, ready.entry.function)
        self.items: tuple[Property, ...] = properties(run.program, kinds, ready.entry.function, outside)
        self._wanted: set[PropertyKey] = {item.key for item in self.items}
        self._collective = any(item.collective for item in self.items)
        # A path that fails is over at once: without this, one in an endless loop could keep it waiting forever.
        blocks = {(spot.function, spot.block) for item in self.items for spot in item.spots}
        if isinstance(run.searcher, Reserve):
            searcher = run.searcher.strategy = Preferring(run.searcher.strategy, blocks)
        else:
            run.searcher = searcher = Preferring(run.searcher, blocks)
        ready.engine.urgent = searcher.preferred
        ready.engine.finished = self._finished
        self._first: State | None = ready.entry.start(run) if self.items else None
        self.over = not self.items

    def explore(self, effort: int | None = None, seconds: float | None = None) -> bool:
        """Run paths until there are none, or ``effort`` is spent (forks, and thousands of instructions), or time;
        whether it was the first, or the budget's end."""
        if self.over:
            return True
        engine, statistics = self.ready.engine, self.ready.run.statistics
        end = None if seconds is None else self.ready.budget.elapsed() + seconds
        engine.hurry.asked = lambda: end is not None and self.ready.budget.elapsed() > end
        engine.pause = lambda: (
            (effort is not None and statistics.forks + statistics.instructions // 1000 > effort) or engine.hurry.asked()
        )
        first, self._first = self._first, None
        try:
            with watched(self.ready.budget), rare_collection():
                engine.explore(first)
        except Stopped as stop:
            engine.stopped = stop.reason
        self.over = not engine.paused or engine.stopped is not None
        return self.over

    def _finished(self, path: Finished) -> None:
        """Once all there is to find is found, the rest is of no interest."""
        collector, searcher = self.ready.collector, self.ready.run.searcher
        collector.finished(path)
        if self._wanted and not self._collective and self._wanted <= collector.confirmed():
            for waiting in searcher.evict(len(searcher)):
                waiting.release()

    @property
    def technique(self) -> str:
        """What the answer is owed to."""
        return "summaries" if self.ready.run.statistics.summaries else "plain"
