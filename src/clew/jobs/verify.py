"""``clew verify``: show for each property that no path violates it, or a path that does."""

from __future__ import annotations

from dataclasses import replace

from clew.base.budget import Budget
from clew.base.errors import Unsupported
from clew.base.garbage import rare_collection
from clew.base.options import VerifyRequest
from clew.base.randomness import Randomness
from clew.base.watchdog import Stopped, watched
from clew.checks.check import chosen_kinds
from clew.checks.properties import PLACED, Property, properties
from clew.execute.engine import Finished
from clew.execute.observers import Observers
from clew.jobs.compose import Manner, Preparation, compose
from clew.jobs.results import half_of, summary_of, unknown_too_late
from clew.jobs.verdicts import Judgement, doubt_of, judge
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.search.preferring import Preferring
from clew.search.registry import SearchContext, make_searcher
from clew.techniques.proof import Proof

DEFAULT_CHECKS = ("assert", "abort")
"""What to check where the user does not say; ``abort`` does not count where programs state assumptions with it."""


def run_verify(request: VerifyRequest, listener: Listener) -> Summary:
    """Decide every property of the program; counterexamples are reported as they are found."""
    budget = request.budget()
    if request.strategy != "auto":
        return _run(request, listener, budget, request.strategy)
    try:
        return _run(request, listener, budget, _technique(request))
    except Unsupported:
        return _run(request, listener, budget, "plain")


def _technique(request: VerifyRequest) -> str:
    """What ``auto`` begins with. Errors that can show anywhere need a look at every path; within a bound, that is all
    there is to do."""
    return "plain" if request.unroll is not None and _anywhere(request) else "conflicts"


def _anywhere(request: VerifyRequest) -> bool:
    """Whether errors are asked for that have no places of their own."""
    kinds = chosen_kinds(DEFAULT_CHECKS if request.checks is None else request.checks)
    return bool(kinds - PLACED - {"signed-overflow"})


def _run(request: VerifyRequest, listener: Listener, budget: Budget, technique: str) -> Summary:
    """Verify in one way. With ``auto``, Unsupported if the program is not made for it: before anything was found."""
    try:
        with watched(budget):
            ready = compose(request, listener, budget, _manner(request, technique))
            kinds = ready.run.options.checks
            assert kinds is not None
            items = properties(ready.run.program, kinds, ready.entry.function)
    except Stopped as stop:
        return unknown_too_late(request, "verify", budget, technique, stop.reason)
    answers: dict[Property, str] | None = None
    try:
        with watched(budget), rare_collection():
            if technique == "plain":
                _plain(ready, items)
            else:
                answers = {}
                _conflicts(request, ready, items, answers)
                if _may_look_everywhere(request) and _unanswered(ready, items, answers):
                    _look_everywhere(request, ready, items, answers)
    except Stopped as stop:
        ready.engine.stopped = stop.reason
    return _summary(ready, technique, judge(items, ready, answers, request.unroll))


def _manner(request: VerifyRequest, technique: str) -> Manner:
    plain = technique == "plain"
    return Manner(
        "error",
        "dfs",
        request.unroll if plain else None,
        checks=DEFAULT_CHECKS,
        any_undefined=True,
        traced=not plain,
        convert=not request.keep_branches,
    )


def _plain(ready: Preparation, items: tuple[Property, ...]) -> None:
    """Run every path, unless all there is to find is found before."""
    engine, collector, run = ready.engine, ready.collector, ready.run
    wanted = {item.key for item in items}
    collective = any(item.collective for item in items)

    def finished(path: Finished) -> None:
        collector.finished(path)
        if wanted and not collective and wanted <= collector.confirmed():
            for waiting in run.searcher.evict(len(run.searcher)):
                waiting.release()

    engine.finished = finished
    # A path that fails is over at once: without this, one in an endless loop could keep it waiting forever.
    blocks = {(spot.function, spot.block) for item in items for spot in item.spots}
    run.searcher = searcher = Preferring(run.searcher, blocks)
    engine.urgent = searcher.preferred
    if items:
        engine.explore(ready.entry.start(run))


def _may_look_everywhere(request: VerifyRequest) -> bool:
    """Whether to run every path when learning from conflicts has not answered everything in half of the time."""
    return request.strategy == "auto" and request.unroll is None


def _unanswered(ready: Preparation, items: tuple[Property, ...], answers: dict[Property, str]) -> bool:
    violated = ready.collector.confirmed()
    return any(item not in answers and item.key not in violated for item in items)


def _look_everywhere(
    request: VerifyRequest, ready: Preparation, items: tuple[Property, ...], answers: dict[Property, str]
) -> None:
    """What can show anywhere, or took too long, is left: run every path. What that finds no fault with holds."""
    run = ready.run
    run.observe(Observers())
    run.searcher = make_searcher("dfs", SearchContext(run.program, run.coverage, Randomness(request.seed)))
    ready.engine.stopped = None
    _plain(ready, items)
    doubt = doubt_of(ready.engine.stopped, ready.collector, run.loss_notes())
    for item in items:
        if item not in answers or answers[item]:
            answers[item] = doubt


def _conflicts(
    request: VerifyRequest, ready: Preparation, items: tuple[Property, ...], answers: dict[Property, str]
) -> None:
    """Hand the properties to the technique that learns from conflicts; what it finds out ends up in ``answers``."""
    from clew.techniques.conflicts.prove import prove

    run, entry = ready.run, ready.entry
    task = Proof(
        run=run,
        entry=entry.function,
        start=lambda: entry.start(run),
        budget=half_of(ready.budget) if _may_look_everywhere(request) else ready.budget,
        properties=items,
        report=ready.collector.report,
        decide=request.decide,
        unroll=request.unroll,
        answers=answers,
    )
    try:
        prove(task)
    except Unsupported as problem:
        if request.strategy == "auto":
            raise
        for item in items:
            task.unknown(item, f"conflicts does not support {problem.feature}")
    ready.engine.stopped = task.stopped


def _summary(ready: Preparation, technique: str, judgement: Judgement) -> Summary:
    return replace(
        summary_of(ready, "verify"),
        verdict=judgement.verdict,
        reason=judgement.reason,
        technique=technique,
        properties=judgement.properties,
        checks=tuple(sorted(ready.run.options.checks or ())),
    )
