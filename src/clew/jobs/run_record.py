"""What a run amounts to, by value: all that a summary and a verdict tell of it, in whichever process it was made."""

from __future__ import annotations

from dataclasses import replace

from clew.base.budget import StopReason
from clew.base.dataclass import dataclass
from clew.execute.engine import CUT, LEFT_WAITING
from clew.jobs.function_coverage import with_functions
from clew.jobs.prepare import PreparedRun
from clew.report.records import Coverage, LossKind, LossNote, TechniqueAccount
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats

_CUT_SHORT = (LossKind.UNEXPLORED, LossKind.EVICTED)


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run, at one moment."""

    stopped: StopReason | None
    """What ended it before all paths were explored."""
    notes: tuple[LossNote, ...]
    """What it has left out."""
    waiting: int
    """Paths that wait, and are not among the notes."""
    statistics: RunStatistics
    accounts: tuple[TechniqueAccount, ...]
    checks: frozenset[str] | None
    """Kinds of errors that it looks for."""

    def losses(self, left: str) -> tuple[LossNote, ...]:
        """What it has left out, with what waits now: ``left`` says why it does where the run was not stopped."""
        if self.waiting:
            what = left if self.stopped is None else f"{LEFT_WAITING} ({self.stopped})"
            return (*self.notes, LossNote(LossKind.UNEXPLORED, what, None, self.waiting))
        if self.stopped is not None and not any(note.kind in _CUT_SHORT for note in self.notes):
            return (*self.notes, LossNote(LossKind.UNEXPLORED, f"{CUT} ({self.stopped})"))
        return self.notes


def record_of(ready: PreparedRun) -> RunRecord:
    """The record of a run of this process, as it is now."""
    run, engine = ready.run, ready.engine
    return RunRecord(
        engine.stopped,
        run.loss_notes(),
        0 if engine.waiting_noted else len(run.searcher),
        counted(run.statistics, ready.collector.solver),
        tuple(ready.accounts.records()),
        run.options.checks,
    )


def coverage_of(ready: PreparedRun) -> Coverage:
    """What a run of this process has covered so far."""
    run = ready.run
    return with_functions(run.coverage.record(), run.coverage, run.program)


def counted(statistics: RunStatistics, solver: SolverStats) -> RunStatistics:
    """The statistics of a run, with what its solver has counted."""
    return replace(
        statistics,
        solver_queries=solver.queries,
        solver_cache_hits=solver.cache_hits,
        solver_seconds=solver.seconds,
    )
