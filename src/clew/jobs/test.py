"""``clew test``: explore, keep the tests that matter, confirm what fails."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from clew.base.budget import Budget
from clew.base.garbage import rare_collection
from clew.base.options import TestRequest
from clew.base.watchdog import Stopped, watched
from clew.execute.run import Run
from clew.jobs.ledger import Ledger
from clew.jobs.phases.guided_exploration import GuidedExploration
from clew.jobs.pointer_functions import plainly
from clew.jobs.prepare import ExploreSettings, PreparedRun, load_checked, prepare_run, stop_text
from clew.jobs.results import too_late
from clew.models.registry import all_models
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.techniques.registry import load_techniques, make_techniques

LEAST_BOUND = 2
"""Iterations of loops that no branch depends on, where bounds come from invariants."""


def run_test(request: TestRequest, listener: Listener) -> Summary:
    """Explore the program and report tests and bugs as they are found."""
    budget = request.budget()
    ledger = Ledger(request, "test", budget)
    try:
        with watched(budget):
            program = load_checked(request, listener, meanwhile=partial(_prepare, request))
            request = plainly(request, program)
    except Stopped as stop:
        return _too_late(request, budget, stop)
    techniques = make_techniques(request)
    bound = LEAST_BOUND if isinstance(request.loop_bound, str) else request.loop_bound
    manner = ExploreSettings(
        "path" if request.goal == "path" else "branch", request.search, bound, request.start,
        techniques=techniques,
    )  # fmt: skip
    try:
        with watched(budget):
            ready = ledger.enter(prepare_run(request, listener, budget, manner, program, ledger.findings))
    except Stopped as stop:
        return _too_late(request, budget, stop)
    steering = GuidedExploration(ready, ledger)
    listener.so_far(lambda: ledger.summary(ready, so_far=True))
    try:
        with watched(budget), rare_collection():
            steering.explore(techniques)
    except Stopped as stop:
        ready.engine.stop(stop.reason)
    for text in _unused_starts(ready.run):
        ready.collector.warn(text)
    loops = tuple(statement for technique in techniques for statement in technique.statements())
    return replace(_summary(ready, ledger), unreachable=tuple(steering.unreachable.values()), loops=loops)


def _too_late(request: TestRequest, budget: Budget, stop: Stopped) -> Summary:
    reason = f"0 bugs found; {stop_text(stop.reason)} before the program could be run"
    return replace(too_late(request, "test", budget, stop.reason), reason=reason)


def _prepare(request: TestRequest) -> None:
    """Import what the run will most likely need: the compiler is at work by now."""
    all_models()
    load_techniques(request)


def _summary(ready: PreparedRun, ledger: Ledger) -> Summary:
    summary = ledger.summary(ready)
    return replace(summary, reason=_reason(summary))


def _unused_starts(run: Run) -> list[str]:
    """A name in --start that no input has is most likely mistyped."""
    unused = [start.name for place, start in enumerate(run.options.start) if place not in run.started]
    return [f"--start: the program read no input called {name!r}" for name in unused if name is not None]


def _reason(summary: Summary) -> str:
    possible = sum(bug.is_possible for bug in summary.bugs)
    certain = len(summary.bugs) - possible
    found = f"{certain} bug{'s' if certain != 1 else ''} found" + (f", {possible} possible" if possible else "")
    if summary.stopped is not None:
        return f"{found}; {stop_text(summary.stopped)}"
    explored = f"{found}; all paths explored" + " but for what the losses name" * bool(summary.losses)
    return explored + (f", leaving out {' and '.join(summary.narrowed)}" if summary.narrowed else "")
