"""Search for a target with chains and counters of loops (``clew.techniques.chains``)."""

from __future__ import annotations

from clew.base.budget import Budget, StopReason
from clew.base.errors import Unsupported
from clew.base.options import ReachRequest
from clew.execute.instrument.targets import probes_of
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import reach_settings
from clew.jobs.prepare import PreparedRun
from clew.jobs.verdict import TARGET, doubt_of
from clew.techniques.registry import technique
from clew.techniques.tasks import UNDECIDED, Open, OpenReason, Proved, ReachTask, unsupported


class ChainSearch:
    """One search; its share ends it for good. ``otherwise`` is what follows if it gives no answer, for the user."""

    def __init__(self, context: Context[ReachRequest], otherwise: str = "") -> None:
        self._context = context
        self._otherwise = otherwise
        self._ready: PreparedRun | None = None
        self.over = False

    def prepare(self) -> PreparedRun:
        """The run, which the ledger has from now on."""
        if self._ready is None:
            self._ready = self._context.prepare_run(reach_settings(self._context.request, traced=True))
            self._context.ledger.enter(self._ready)
            self._context.ledger.technique = "chains"
        return self._ready

    def run(self, share: Budget, effort: int | None) -> None:
        """Search until there is an answer, or the share is spent; there is no other measure of effort."""
        self.over = True
        ready, answers = self.prepare(), self._context.ledger.answers
        try:
            self._search(ready, share)
        except Unsupported as problem:
            answers[TARGET] = unsupported("chains", problem.feature)
        if self._otherwise and self.leaves_open():
            ready.collector.warn(f"{self._failure(ready)}: {self._otherwise} instead")

    def _search(self, ready: PreparedRun, share: Budget) -> None:
        run, entry, collector = ready.run, ready.entry, ready.collector
        task = ReachTask(
            run=run,
            entry=entry.function,
            start=lambda: entry.start(run),
            budget=share,
            spots=probes_of(run.program),
            report=collector.report,
            finished=collector.finished,
            progress=collector.progress,
            count_chains=True,
            solver=collector.solver,
        )
        technique("chains").reach(task)
        if task.stopped is not None:
            ready.engine.stop(task.stopped)
        known = isinstance(task.answer, Open) and task.answer is not UNDECIDED
        self._context.ledger.answers[TARGET] = task.answer if known else doubt_of(ready) or task.answer

    def leaves_open(self) -> bool:
        """Whether it was run, the question is open, and there is time for another phase."""
        if not self.over or self._ready is None:
            return False
        answer, arrival = self._context.ledger.answers.get(TARGET, UNDECIDED), self._context.ledger.findings.arrival
        if isinstance(answer, Open) and answer.reason is OpenReason.UNSUPPORTED:
            return True
        if isinstance(answer, Proved) or (arrival is not None and not arrival.rests_on):
            return False
        return self._ready.engine.stopped in (None, StopReason.TIME) and self._context.budget.time_left() != 0.0

    def _failure(self, ready: PreparedRun) -> str:
        """Why there is no answer."""
        answer = self._context.ledger.answers[TARGET]
        open_ = answer if isinstance(answer, Open) else UNDECIDED
        if open_.reason is OpenReason.UNSUPPORTED:
            return open_.text
        return f"chains gave no answer {'in half of the time' if ready.engine.stopped else f'({open_.text})'}"
