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
from clew.techniques.conflicts.clause_exchange import ClauseExchange
from clew.techniques.conflicts.technique import Conflicts
from clew.techniques.tasks import UNDECIDED, Answer, ProofTask, Proved, unsupported


class ConflictProof:
    """One run of the technique, over the properties that are not proved yet; its share ends it for good.

    ``exchange``: with other runs over the same program, for the same properties.
    """

    technique = "conflicts"

    def __init__(self, context: Context[VerifyRequest], exchange: ClauseExchange | None = None) -> None:
        self._context = context
        self._exchange = exchange
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
            proved=lambda key: ledger.answer_open({key: Proved()}),
            settled=lambda: ledger.proved() | ledger.findings.confirmed(),
        )
        otherwise: Answer | None = None
        try:
            Conflicts(exchange=self._exchange).prove(task)
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
