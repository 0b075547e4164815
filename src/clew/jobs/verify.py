"""``clew verify``: show for each property that no path violates it, or a path that does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from clew.base.budget import Budget, StopReason
from clew.base.errors import Unsupported
from clew.base.garbage import rare_collection
from clew.base.options import VerifyRequest
from clew.base.watchdog import Stopped, watched
from clew.checks.check import chosen_kinds
from clew.checks.properties import Property, PropertyKey, properties
from clew.jobs.exhaustive import ExhaustiveRun
from clew.jobs.invariant_proof import ByInvariants, Deciding, by_paths, prove
from clew.jobs.ledger import Ledger
from clew.jobs.pointer_functions import plainly
from clew.jobs.prepare import ExploreSettings, PreparedRun, load_checked, prepare_run
from clew.jobs.results import unknown_too_late
from clew.jobs.verdict import Judgement, doubt_of, judge
from clew.program.module import Program
from clew.report.kinds import PLACED, UNPROVABLE
from clew.report.listener import Listener, SilentListener
from clew.report.records import Summary
from clew.techniques.external_calls import called_from_outside
from clew.techniques.summaries.observer import Summaries
from clew.techniques.tasks import Answer, Open, OpenReason, ProofTask, Proved, unsupported

DEFAULT_CHECKS = ("assert", "abort")
"""What to check where the user does not say; ``abort`` does not count where programs state assumptions with it."""
QUICK = 400
QUICK_SECONDS = 1.0
"""Effort of a run over all paths before ``auto`` learns from conflicts: forks, and thousands of instructions."""


def run_verify(request: VerifyRequest, listener: Listener) -> Summary:
    """Decide every property of the program; counterexamples are reported as they are found."""
    budget = request.budget()
    job = _Job(request, listener, budget, Ledger(request, "verify", budget))
    listener.so_far(job.so_far)
    try:
        with watched(budget):
            program = load_checked(request, listener, DEFAULT_CHECKS)
            job = replace(job, program=program)
            plain = plainly(request, program)
            if plain is not request:
                # Depth first would follow the first list for as long as there is time.
                return _plain(replace(job, request=plain), None)
            if request.strategy == "plain" or (request.strategy == "auto" and _all_there_is(request)):
                return _plain(job)
            if request.strategy == "auto" and request.unroll is None:
                return _auto(job)
            return _conflicts(job)
    except Stopped as stop:
        return job.cut_off(stop.reason)


@dataclass(frozen=True, slots=True)
class _Job:
    """What all strategies are given."""

    request: VerifyRequest
    listener: Listener
    budget: Budget
    ledger: Ledger
    program: Program | None = None
    """As it was loaded; None before that."""

    def prepare_run(self, manner: ExploreSettings) -> PreparedRun:
        """A run over the program."""
        return self.ledger.enter(prepare_run(self.request, self.listener, self.budget, manner, self.program))

    def cut_off(self, stopped: StopReason) -> Summary:
        """The summary where a strategy was ended in the middle of something."""
        if not self.ledger.runs:
            return unknown_too_late(self.request, "verify", self.budget, self.request.strategy, stopped)
        ready = self.ledger.runs[-1]
        ready.engine.stop(stopped)
        return self.summary(ready, self.request.strategy, judge(_items(ready), ready, {}, None))

    def so_far(self) -> Summary:
        """The same, in case that it has to be ended."""
        if not self.ledger.runs:
            return unknown_too_late(self.request, "verify", self.budget, self.request.strategy, StopReason.TIME)
        ready = self.ledger.runs[-1]
        return self.summary(ready, self.request.strategy, judge(_items(ready), ready, {}, None), so_far=True)

    def summary(
        self,
        ready: PreparedRun,
        technique: str,
        judgement: Judgement,
        proved: ByInvariants | None = None,
        so_far: bool = False,
    ) -> Summary:
        """With the answer that one of the runs gave."""
        reason = judgement.reason
        if proved is not None and proved.keys and judgement.verdict == "TRUE":
            reason = f"{reason}, {proved.reason}"
        summary = self.ledger.summary(ready, judgement.settled, so_far)
        if summary.narrowed and judgement.verdict == "TRUE":
            reason = f"{reason}, leaving out {' and '.join(summary.narrowed)}"
        return replace(
            summary,
            verdict=judgement.verdict,
            reason=reason,
            technique=technique,
            properties=judgement.properties,
            checks=tuple(sorted(ready.run.options.checks or ())),
        )


def _items(ready: PreparedRun) -> tuple[Property, ...]:
    """The properties of a run's program."""
    kinds = ready.run.options.checks
    assert kinds is not None
    outside = called_from_outside(ready.run.program, ready.run.callees, ready.entry.function)
    return properties(ready.run.program, kinds, ready.entry.function, outside)


def _all_there_is(request: VerifyRequest) -> bool:
    """Whether running every path is all there is to do: within a bound, for errors that have no places of their own.

    So it is where allocations may fail, which the techniques that reason about code know nothing of.
    """
    if request.malloc_may_fail:
        return True
    kinds = chosen_kinds(DEFAULT_CHECKS if request.checks is None else request.checks)
    return request.unroll is not None and bool(kinds - PLACED - {"signed-overflow"})


# All paths


def _plain(job: _Job, search: str | None = "dfs") -> Summary:
    run = ExhaustiveRun(job.prepare_run, replace(_manner(job.request), search=search))
    run.explore()
    return job.summary(run.ready, "plain", judge(run.items, run.ready, run.answers(), job.request.unroll))


def _manner(request: VerifyRequest, traced: bool = False) -> ExploreSettings:
    return ExploreSettings(
        "error",
        "dfs",
        None if traced else request.unroll,
        checks=DEFAULT_CHECKS,
        traced=traced,
        convert=not request.keep_branches,
    )


# Conflicts


def _conflicts(job: _Job) -> Summary:
    """Learn from conflicts; if the program is not made for that and the choice is ours, run all paths.

    Iterations beyond the bound are then looked at as one, from any state that invariants allow.
    """
    request, budget = job.request, job.budget
    ready = job.prepare_run(_manner(request, traced=True))
    most = budget.share(0.75, instructions=budget.instructions)
    items, answers = _learn(request, ready, most if request.invariants else budget)
    if request.strategy == "auto" and any(map(_is_unsupported, answers.values())):
        return _plain(job)
    open_ = _open(items, answers, ready)
    proved = ByInvariants()
    if open_ and request.invariants and ready.engine.stopped in (None, StopReason.TIME):
        proved = prove(ready, budget, request.unroll or 0, _by_conflicts(job))
        answers |= dict.fromkeys(proved.keys & {item.key for item in open_}, Proved())
    return job.summary(ready, "conflicts", judge(items, ready, answers, request.unroll), proved)


def _is_unsupported(answer: Answer) -> bool:
    return isinstance(answer, Open) and answer.reason is OpenReason.UNSUPPORTED


def _open(items: tuple[Property, ...], answers: Mapping[PropertyKey, Answer], ready: PreparedRun) -> list[Property]:
    """Properties without an answer."""
    confirmed = ready.collector.confirmed()
    return [item for item in items if not isinstance(answers.get(item.key), Proved) and item.key not in confirmed]


def _by_conflicts(job: _Job) -> Deciding:
    """Learn from conflicts of a program whose loops are cut open."""
    unbounded = replace(job.request, unroll=None)

    def decide(program: Program, budget: Budget) -> frozenset[PropertyKey]:
        ready = prepare_run(unbounded, SilentListener(), budget, _manner(unbounded, traced=True), program)
        job.ledger.assist(ready.run.statistics, ready.collector.solver)
        items, answers = _learn(unbounded, ready, budget)
        return frozenset(
            item.key for item in items if isinstance(answers.get(item.key), Proved) and item.kind not in UNPROVABLE
        )

    return decide


def _learn(
    request: VerifyRequest, ready: PreparedRun, budget: Budget, known: frozenset[PropertyKey] = frozenset()
) -> tuple[tuple[Property, ...], dict[PropertyKey, Answer]]:
    """Hand the properties to the technique that learns from conflicts: they, and what it finds out.

    ``known`` are those that hold already.
    """
    from clew.techniques.conflicts import prove as conflicts

    run, entry = ready.run, ready.entry
    items = _items(ready)
    task = ProofTask(
        run=run,
        entry=entry.function,
        start=lambda: entry.start(run),
        budget=budget,
        properties=tuple(item for item in items if item.key not in known),
        report=ready.collector.report,
        decide=request.decide,
        unroll=request.unroll,
        progress=ready.collector.progress,
    )
    try:
        with watched(budget), rare_collection():
            conflicts.prove(task)
        if task.stopped is not None:
            ready.engine.stop(task.stopped)
    except Unsupported as problem:
        task.answers |= dict.fromkeys((item.key for item in items), unsupported("conflicts", problem.feature))
    except Stopped as stop:
        ready.engine.stop(stop.reason)
    return items, {**task.answers, **dict.fromkeys(known, Proved())}


# The choice is ours


def _auto(job: _Job) -> Summary:
    """Run paths for a moment, with loops summarized, as that may be all there is to do; then prove what invariants
    prove; then run a few more paths, however long questions take; then learn from conflicts for half of the time; then
    run the other paths."""
    request, budget = job.request, job.budget
    manner = replace(_manner(request), techniques=(Summaries(guesses=False),))
    paths = ExhaustiveRun(job.prepare_run, manner)
    if paths.explore(QUICK, budget.share(most=QUICK_SECONDS)) and not _doubt(paths):
        return job.summary(paths.ready, paths.technique, judge(paths.items, paths.ready, paths.answers(), None))
    proved = ByInvariants()
    if request.invariants and paths.ready.engine.stopped is None and not paths.ready.collector.unasked:
        proved = prove(paths.ready, budget, 0, by_paths(request, _manner(request), job.ledger))
    answers: dict[PropertyKey, Answer] = dict.fromkeys(proved.keys, Proved())
    if not _open(paths.items, answers, paths.ready):
        return job.summary(paths.ready, "invariants", judge(paths.items, paths.ready, answers, None), proved)
    if not paths.over and paths.explore(QUICK, budget.share(0.25)) and not _doubt(paths):  # it was short of time only
        return job.summary(paths.ready, paths.technique, judge(paths.items, paths.ready, paths.answers(), None))
    learned = job.prepare_run(_manner(request, traced=True))
    learned.collector.adopt(paths.ready.collector)
    items, answers = _learn(
        request, learned, budget.share(0.5, least=0.1, instructions=budget.instructions), proved.keys
    )
    open_ = _open(items, answers, learned)
    if not open_ or paths.over or learned.engine.stopped not in (None, StopReason.TIME):
        return job.summary(learned, "conflicts", judge(items, learned, answers, None), proved)
    paths.ready.collector.adopt(learned.collector)
    paths.explore()
    final = paths.answers() | {key: answer for key, answer in answers.items() if isinstance(answer, Proved)}
    technique = "conflicts" if _doubt(paths) else paths.technique
    return job.summary(paths.ready, technique, judge(paths.items, paths.ready, final, None), proved)


def _doubt(paths: ExhaustiveRun) -> bool:
    return doubt_of(paths.ready) is not None
