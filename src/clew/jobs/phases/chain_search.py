"""Search for a target with chains and counters of loops (``clew.techniques.chains``)."""

from __future__ import annotations

import math

from clew.base.budget import Budget
from clew.base.errors import Unsupported
from clew.base.options import ReachRequest
from clew.execute.instrument.targets import probes_of
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import reach_settings
from clew.jobs.prepare import PreparedRun
from clew.jobs.verdict import TARGET, doubt_of
from clew.techniques.chains.statistics import ChainStatistics
from clew.techniques.registry import technique
from clew.techniques.tasks import UNDECIDED, Open, ReachTask, unsupported

QUICK_LOOK = 0.1
"""Seconds of work that a system of constraints takes to set up, at most, where chains suit a program."""
LEAST = 1 / 8
"""What is left of the promise, at the least, where they take longer."""


class ChainSearch:
    """One search; its share ends it for good."""

    technique = "chains"

    def __init__(self, context: Context[ReachRequest]) -> None:
        self._context = context
        self._task: ReachTask | None = None
        self.ready: PreparedRun | None = None
        self.over = False

    def seconds_left(self, worked: float) -> float:
        return math.inf  # which paths a system of constraints makes unnecessary, nobody has counted

    @property
    def promise(self) -> float:
        """The less, the more of its systems have no answer: then it is a search without a plan. The less, too, the
        longer it takes to set them up: in loops that suit it, there is little to look ahead at."""
        task = self._task
        if task is None:
            return 1.0
        counts = task.run.statistics.of(ChainStatistics)
        answered = 1 - counts.systems_open / (1 + counts.systems_solved)
        looked, looks = task.looked, task.looks
        if task.looking is not None:
            looked, looks = looked + self._context.budget.worked() - task.looking, looks + 1
        return answered * max(LEAST, min(1.0, QUICK_LOOK * looks / looked if looked else 1.0))

    def prepare(self) -> PreparedRun:
        """The run, which the ledger has from now on."""
        if self.ready is None:
            self.ready = self._context.prepare_run(reach_settings(self._context.request, traced=True))
            self._context.ledger.enter(self.ready)
            self._context.ledger.technique = self.technique
        return self.ready

    def run(self, share: Budget, effort: int | None) -> None:
        """Search until there is an answer, or the share is spent; there is no other measure of effort."""
        self.over = True
        ready = self.prepare()
        try:
            self._search(ready, share)
        except Unsupported as problem:
            self._context.ledger.answer_open({TARGET: unsupported(self.technique, problem.feature)})

    def _search(self, ready: PreparedRun, share: Budget) -> None:
        run, entry, collector = ready.run, ready.entry, ready.collector
        task = self._task = ReachTask(
            run=run,
            entry=entry.function,
            start=lambda: entry.start(run),
            budget=share,
            spots=probes_of(run.program),
            report=collector.report,
            finished=collector.finished,
            progress=collector.progress,
            solver=collector.solver,
        )
        technique(self.technique).reach(task)
        if task.stopped is not None:
            ready.engine.stop(task.stopped)
        known = isinstance(task.answer, Open) and task.answer is not UNDECIDED
        self._context.ledger.answer_open({TARGET: task.answer if known else doubt_of(ready) or task.answer})
