"""Properties by learning from conflicts (see ``clew.techniques.conflicts``)."""

from __future__ import annotations

import math

from clew.base.budget import Budget
from clew.base.errors import Unsupported
from clew.base.options import VerifyRequest
from clew.base.watchdog import Stopped
from clew.checks.properties import Property, PropertyKey
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import properties_of, verify_settings
from clew.jobs.prepare import PreparedRun
from clew.jobs.verdict import doubt_of
from clew.techniques.registry import technique
from clew.techniques.tasks import UNDECIDED, Answer, ProofTask, unsupported


class ConflictProof:
    """One run of the technique, over the properties that are not proved yet; its share ends it for good."""

    technique = "conflicts"

    def __init__(self, context: Context[VerifyRequest]) -> None:
        self._context = context
        self.properties: tuple[Property, ...] = ()
        self.ready: PreparedRun | None = None
        self.over = False

    def seconds_left(self, worked: float) -> float:
        return math.inf  # what is learned rules out paths that nobody has counted

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until every property has an answer, or the share is spent; there is no other measure of effort."""
        self.over = True
        request, ledger = self._context.request, self._context.ledger
        ready = self.ready = self._context.prepare_run(verify_settings(request, traced=True))
        run, entry = ready.run, ready.entry
        self.properties = ledger.properties = properties_of(run.machine, run.options.checks, entry.function)
        ledger.enter(ready)
        proved = ledger.proved()
        task = ProofTask(
            run=run,
            entry=entry.function,
            start=lambda: entry.start(run),
            budget=share,
            properties=tuple(item for item in self.properties if item.key not in proved),
            report=ready.collector.report,
            decide=request.decide,
            unroll=request.unroll,
            progress=ready.collector.progress,
        )
        otherwise: Answer | None = None
        try:
            technique(self.technique).prove(task)
            if task.stopped is not None:
                ready.engine.stop(task.stopped)
        except Unsupported as problem:
            otherwise = unsupported(self.technique, problem.feature)
        except Stopped as stop:
            ready.engine.stop(stop.reason)
        otherwise = otherwise or doubt_of(ready, request.unroll) or UNDECIDED
        answers: dict[PropertyKey, Answer] = {item.key: otherwise for item in self.properties}
        ledger.answer_open(answers | task.answers)
        ledger.technique = self.technique
