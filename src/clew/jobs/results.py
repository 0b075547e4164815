"""Summaries of commands that ended before their first run."""

from __future__ import annotations

from dataclasses import replace

from clew.base.budget import Budget, StopReason, peak_memory_mb
from clew.base.options import Request
from clew.jobs.ledger import Ledger
from clew.jobs.verdict import STOPS
from clew.report.records import LossKind, LossNote, RunStatistics, Summary

TOO_LATE = LossNote(LossKind.UNEXPLORED, "the whole program: compiling and reading it took too long")
"""The loss of a run whose budget ended before its first path could begin."""


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


def unknown_too_late(request: Request, ledger: Ledger, technique: str) -> Summary:
    """The same, for commands whose answer is a verdict."""
    stopped = ledger.stopped or StopReason.TIME
    reason = f"{STOPS[stopped]} before the program could be run"
    summary = too_late(request, ledger.command, ledger.budget, stopped)
    return replace(summary, verdict="UNKNOWN", reason=reason, technique=technique)


def _files(request: Request) -> tuple[str, ...]:
    return tuple(str(file) for file in request.files)
