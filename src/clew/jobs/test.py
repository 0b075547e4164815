"""``clew test``: explore, keep the tests that matter, confirm what fails."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from clew.base.garbage import no_collection
from clew.base.options import TestRequest
from clew.base.watchdog import Stopped, watched
from clew.execute.run import Run
from clew.jobs.fuzzer_entry import with_fuzzer_input
from clew.jobs.ladders import climb, test_ladder
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context
from clew.jobs.pointer_functions import plainly
from clew.jobs.prepare import import_engine, load_checked, stop_text
from clew.program.module import Program
from clew.report.lines import counted
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.report.runlog import StoredLog
from clew.techniques.registry import load_techniques, make_techniques


def run_test(
    request: TestRequest, listener: Listener, loaded: Program | None = None, earlier: StoredLog | None = None
) -> Summary:
    """Explore the program, which may be ``loaded`` already, and report tests and bugs as they are found.

    ``earlier``: the log of the run that is gone on with, if one is. The summary is that of both together.
    """
    with ExitStack() as stack:
        return _run(request, listener, loaded, earlier, stack)


def _run(
    request: TestRequest, listener: Listener, loaded: Program | None, earlier: StoredLog | None, stack: ExitStack
) -> Summary:
    """``stack``: what is to be closed in the end."""
    budget = request.budget()
    ledger = Ledger(request, "test", budget)
    try:
        with watched(budget):
            program = loaded or load_checked(request, listener, meanwhile=partial(prepare, request))
            request = plainly(with_fuzzer_input(request, program, listener.warning), program)
            techniques = make_techniques(request)
            first, ladder = test_ladder(Context(request, listener, budget, ledger, program), techniques, earlier)
            ready = first.prepare()
            if request.cluster is not None:
                from clew.jobs.sharing.crew import cluster_workers

                first.sharing.use(stack.enter_context(cluster_workers(request.cluster, request, program)))
    except Stopped as stop:
        ledger.stop(stop.reason)
        return _summary(ledger, listener)
    listener.so_far(lambda: ledger.summary(so_far=True))
    try:
        with watched(budget), no_collection():
            climb(ladder, budget, ledger)
    except Stopped as stop:
        ledger.stop(stop.reason)
    for text in _unused_starts(ready.run):
        ready.collector.warn(text)
    loops = first.sharing.loops(tuple(each for technique in techniques for each in technique.statements()))
    if ready.engine.stopped is not None:
        first.sharing.end(loops)
    return replace(_summary(ledger, listener), loops=loops)


def prepare(request: TestRequest) -> None:
    """Import what a run will most likely need, while the compiler is at work."""
    import_engine()
    load_techniques(request)


def _summary(ledger: Ledger, listener: Listener) -> Summary:
    summary = ledger.summary()
    reason = _reason(summary) + " before the program could be run" * (not ledger.runs)
    return ledger.explained(replace(summary, reason=reason), listener)


def _unused_starts(run: Run) -> list[str]:
    """A name in --start that no input has is most likely mistyped."""
    unused = [start.name for place, start in enumerate(run.options.start) if place not in run.started]
    return [f"--start: the program read no input called {name!r}" for name in unused if name is not None]


def _reason(summary: Summary) -> str:
    possible = sum(bug.is_possible for bug in summary.bugs)
    certain = len(summary.bugs) - possible
    found = f"{counted(certain, 'bug')} found" + (f", {possible} possible" if possible else "")
    if summary.stopped is not None:
        return f"{found}; {stop_text(summary.stopped)}"
    explored = f"{found}; all paths explored" + " but for what the losses name" * bool(summary.losses)
    return explored + summary.proviso
