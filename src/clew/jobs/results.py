"""Summaries of runs: what all commands that explore a program say about one, beside their own answer."""

from __future__ import annotations

from dataclasses import replace

from clew.base.budget import Budget, StopReason, peak_memory_mb
from clew.base.options import Request
from clew.jobs.compose import Preparation, final_statistics
from clew.jobs.functions import with_functions
from clew.jobs.lazily import narrowed
from clew.jobs.verdicts import STOPS
from clew.report.records import LossKind, LossNote, RunStatistics, Summary, ranked

TOO_LATE = LossNote(LossKind.UNEXPLORED, "the whole program: compiling and reading it took too long")
"""The loss of a run whose budget ended before its first path could begin."""


def summary_of(ready: Preparation, command: str) -> Summary:
    """What a run found, without an answer."""
    run, collector = ready.run, ready.collector
    return Summary(
        command=command,
        files=_files(ready.request),
        bugs=ranked(collector.bugs),
        tests=collector.tests,
        coverage=with_functions(run.coverage.record(), run.coverage, run.program),
        stats=final_statistics(run, collector.solver, ready.budget),
        stopped=ready.engine.stopped,
        losses=run.loss_notes(),
        narrowed=narrowed(ready.request),
        seed=ready.request.seed,
        warnings=tuple(collector.warnings),
    )


def too_late(request: Request, command: str, budget: Budget, stopped: StopReason) -> Summary:
    """The summary of a run that ended before its first path could begin."""
    return Summary(
        command=command,
        files=_files(request),
        stats=RunStatistics(wall_seconds=budget.elapsed(), peak_memory_mb=peak_memory_mb()),
        stopped=stopped,
        losses=(TOO_LATE,),
        seed=request.seed,
    )


def unknown_too_late(request: Request, command: str, budget: Budget, technique: str, stopped: StopReason) -> Summary:
    """The same, for commands whose answer is a verdict."""
    reason = f"{STOPS[stopped]} before the program could be run"
    return replace(too_late(request, command, budget, stopped), verdict="UNKNOWN", reason=reason, technique=technique)


def half_of(budget: Budget) -> Budget:
    """Half of what is left: for a technique after which another one is to have time."""
    left = budget.time_left()
    seconds = None if left is None else max(left / 2, 0.1)
    return Budget(seconds, budget.memory_mb, budget.instructions, budget.interrupt)


def _files(request: Request) -> tuple[str, ...]:
    return tuple(str(file) for file in request.files)
