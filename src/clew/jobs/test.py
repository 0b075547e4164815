"""``clew test``: explore, keep the tests that matter, confirm what fails."""

from __future__ import annotations

from clew.base.budget import Budget, StopReason, peak_memory_mb
from clew.base.garbage import rare_collection
from clew.base.options import TestRequest
from clew.base.watchdog import Stopped, watched
from clew.execute.run import Run
from clew.jobs.collect import Collector
from clew.jobs.compose import TOO_LATE, Manner, Preparation, compose, final_statistics, stop_text
from clew.jobs.functions import with_functions
from clew.report.listener import Listener
from clew.report.records import RunStatistics, Summary


def run_test(request: TestRequest, listener: Listener) -> Summary:
    """Explore the program and report tests and bugs as they are found."""
    budget = request.budget()
    manner = Manner(request.goal, request.search, request.loop_bound, request.start)
    try:
        with watched(budget):
            ready = compose(request, listener, budget, manner)
    except Stopped as stop:
        return _without_result(request, budget, stop.reason)
    try:
        with watched(budget), rare_collection():
            ready.engine.explore(ready.entry.start(ready.run))
    except Stopped as stop:
        ready.engine.stopped = stop.reason
    return _summary(ready)


def _summary(ready: Preparation) -> Summary:
    run, collector, stopped = ready.run, ready.collector, ready.engine.stopped
    for text in _unused_starts(run):
        collector.warn(text)
    return Summary(
        command="test",
        files=tuple(str(file) for file in ready.request.files),
        reason=_reason(stopped, collector, run),
        bugs=tuple(collector.bugs),
        tests=collector.tests,
        coverage=with_functions(run.coverage.record(), run.coverage, run.program),
        stats=final_statistics(run, collector.solver, ready.budget),
        stopped=stopped,
        losses=run.loss_notes(),
        seed=ready.request.seed,
        warnings=tuple(collector.warnings),
    )


def _unused_starts(run: Run) -> list[str]:
    """A name in --start that no input has is most likely mistyped."""
    unused = [start.name for place, start in enumerate(run.options.start) if place not in run.started]
    return [f"--start: the program read no input called {name!r}" for name in unused if name is not None]


def _without_result(request: TestRequest, budget: Budget, stopped: StopReason) -> Summary:
    """The summary of a run that ended before its first path could begin."""
    return Summary(
        command="test",
        files=tuple(str(file) for file in request.files),
        reason=f"0 bugs found; {stop_text(stopped)} before the program could be run",
        stats=RunStatistics(wall_seconds=budget.elapsed(), peak_memory_mb=peak_memory_mb()),
        stopped=stopped,
        losses=(TOO_LATE,),
        seed=request.seed,
    )


def _reason(stopped: StopReason | None, collector: Collector, run: Run) -> str:
    found = f"{len(collector.bugs)} bug{'s' if len(collector.bugs) != 1 else ''} found"
    if stopped is not None:
        return f"{found}; {stop_text(stopped)}"
    if run.losses:
        return f"{found}; all paths explored but for what the losses name"
    return f"{found}; all paths explored"
