"""``clew reach``: inputs that lead to a target, or that there are none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clew.analysis.callees import Callees
from clew.base.budget import Budget, StopReason
from clew.base.errors import Unsupported, UserError
from clew.base.garbage import rare_collection
from clew.base.options import ReachRequest
from clew.base.watchdog import Stopped, watched
from clew.checks.targets import ReachTarget, find_target
from clew.execute.instrument.targets import REACHED, insert_probes, probes_of
from clew.execute.machine import Machine
from clew.execute.pending import Searcher
from clew.execute.policy import Finished
from clew.execute.state import State
from clew.jobs.ledger import Ledger
from clew.jobs.pointer_functions import plainly
from clew.jobs.prepare import KEEP_ALL, ExploreSettings, PreparedRun, load_program, prepare_run
from clew.jobs.reexecution import EntryPoint, find_entry
from clew.jobs.results import unknown_too_late
from clew.jobs.verdict import STOPS, doubt_of
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.csyntax import c_value
from clew.report.listener import Listener, SilentListener
from clew.report.records import Arrival, LossKind, RunStatistics, Summary
from clew.report.records import TargetRecord as TargetRecord
from clew.search.directed import Directed
from clew.techniques.external_calls import called_from_outside
from clew.techniques.tasks import UNDECIDED, Answer, Open, Proved, ReachTask, unsupported

UNCONFIRMED = "a path leads to it, but the run ended before re-execution could confirm that"
QUICK = 500
"""Effort of plain search before ``auto`` tries something else: forks, and thousands of instructions."""
_MANY_INPUTS = 6


@dataclass(slots=True)
class _Answer:
    """What a technique has to say where no path was seen to reach the target."""

    technique: str
    answer: Answer = UNDECIDED


def run_reach(request: ReachRequest, listener: Listener) -> Summary:
    """Look for a way to the target; it is reported when it is found."""
    budget = request.budget()
    ledger = Ledger(request, "reach", budget)
    if request.malloc_may_fail:  # chains know nothing of that
        request = replace(request, strategy="plain")
    technique = "plain" if request.strategy == "auto" else request.strategy
    try:
        with watched(budget):
            program, target = _load(request, listener)
            request = plainly(request, program)
            technique = "plain" if request.strategy == "auto" else request.strategy
            ready = ledger.enter(_ready(request, listener, budget, program, technique))
    except Stopped as stop:
        return unknown_too_late(request, "reach", budget, technique, stop.reason)
    answer = _Answer(technique, Proved(target.cut_off) if target.cut_off else UNDECIDED)
    if target.cut_off and target.doubt:  # nothing is run that would meet it
        ready.run.note_loss(LossKind.UNDEFINED_FUNCTION, target.doubt, None)
    listener.so_far(lambda: _summary(ledger, ledger.runs[-1], target, answer, so_far=True))
    try:
        with watched(budget), rare_collection():
            if target.places and not target.cut_off:
                ready = _search(request, listener, ledger, target, answer)
    except Stopped as stop:
        ready = ledger.runs[-1]
        ready.engine.stop(stop.reason)
    return _summary(ledger, ready, target, answer)


def _load(request: ReachRequest, listener: Listener) -> tuple[Program, ReachTarget]:
    """The program with marks at its target, and that target."""
    program = load_program(request, listener)
    try:
        target = _target(request, program)
    except UserError:
        # It may be in a function that nothing calls, or be a call that Clang has another form for.
        extra = () if request.call is None else (f"-fno-builtin-{request.call}",)
        program = load_program(request, SilentListener(), extra=(*KEEP_ALL, *extra))
        target = _target(request, program)
    return insert_probes(program, target.places), target


def _target(request: ReachRequest, program: Program) -> ReachTarget:
    entry = find_entry(program, request.function)
    callees = Callees(program, all_models())
    outside = called_from_outside(program, callees, entry.function, callbacks=not entry.as_program)
    return find_target(program, entry.function, request, outside)


def _ready(request: ReachRequest, listener: Listener, budget: Budget, program: Program, technique: str) -> PreparedRun:
    manner = ExploreSettings(
        "error",
        "dfs",
        kinds=frozenset((REACHED,)),
        traced=technique == "chains",
        convert=not request.keep_branches,
        around=None if technique == "chains" else _directed,
    )
    return prepare_run(request, listener, budget, manner, program)


def _directed(strategy: Searcher, machine: Machine, kinds: frozenset[str], entry: EntryPoint) -> Searcher:
    return Directed(machine.program, probes_of(machine.program), drop=True)


def _search(
    request: ReachRequest, listener: Listener, ledger: Ledger, target: ReachTarget, answer: _Answer
) -> PreparedRun:
    """Search as the request says; the run that has the results."""
    ready = ledger.runs[-1]
    if request.strategy == "auto":
        return _auto(request, listener, ledger, target, answer)
    if request.strategy == "plain":
        _Plain(ready, target).run(answer)
        return ready
    try:
        _chains(request, ready, answer)
    except Unsupported as problem:
        answer.answer = unsupported("chains", problem.feature)
    return ready


def _auto(
    request: ReachRequest, listener: Listener, ledger: Ledger, target: ReachTarget, answer: _Answer
) -> PreparedRun:
    """Plain search for a moment, as most questions are easy; then chains for half of the time; then plain search."""
    ready = ledger.runs[-1]
    plain = _Plain(ready, target)
    if QUICK and plain.run(answer, QUICK):
        return ready
    led = ledger.enter(_ready(request, listener, ready.budget, ready.run.program, "chains"))
    led.collector.adopt(ready.collector)
    try:
        _chains(request, led, answer)
    except Unsupported as problem:
        ready.collector.warn(f"chains does not support {problem.feature}: plain search instead")
    else:
        answer.technique = "chains"
        if not _open(led, answer):
            return led
        open_ = answer.answer if isinstance(answer.answer, Open) else UNDECIDED
        why = "in half of the time" if led.engine.stopped else f"({open_.text})"
        ready.collector.warn(f"chains gave no answer {why}: plain search instead")
    ready.collector.adopt(led.collector)
    answer.technique = "plain"
    plain.run(answer)
    return ready


def _open(ready: PreparedRun, answer: _Answer) -> bool:
    """Whether chains left the question open, and there is time for another technique."""
    arrival = ready.collector.arrival
    if isinstance(answer.answer, Proved) or (arrival is not None and not arrival.rests_on):
        return False
    return ready.engine.stopped in (None, StopReason.TIME) and ready.budget.time_left() != 0.0


class _Plain:
    """Plain search: run paths, those closest to the target first, until one reaches it or all have come to their ends.

    It can be left, and taken up again.
    """

    def __init__(self, ready: PreparedRun, target: ReachTarget) -> None:
        self._ready = ready
        self._target = target
        assert isinstance(ready.run.searcher, Directed)
        self._searcher = ready.run.searcher
        self._first: State | None = ready.entry.start(ready.run)

    def run(self, answer: _Answer, effort: int | None = None) -> bool:
        """Search until there is an answer, or ``effort`` is spent; whether there is one."""
        engine, run = self._ready.engine, self._ready.run
        statistics = run.statistics
        policy = replace(
            engine.policy,
            finished=self._finished,
            pointless=self._pointless,
            pause=lambda: effort is not None and statistics.forks + statistics.instructions // 1000 > effort,
        )
        first, self._first = self._first, None
        before = self._searcher.dropped
        try:
            engine.explore(first, policy)
        finally:
            statistics.states_pruned += self._searcher.dropped - before
        if engine.paused:
            return False
        refuted = Proved(f"no path leads to {self._target.text}: {_paths(statistics)}")
        answer.answer = doubt_of(self._ready) or refuted
        return True

    def _finished(self, path: Finished) -> None:
        self._ready.collector.finished(path)
        if self._ready.collector.confirmed():
            for waiting in self._searcher.evict(len(self._searcher)):
                waiting.release()

    def _pointless(self, state: State) -> bool:
        hopeless = self._searcher.hopeless(state)
        self._ready.run.statistics.states_pruned += hopeless
        return hopeless


def _paths(statistics: RunStatistics) -> str:
    count = statistics.paths_completed + statistics.paths_pruned
    if statistics.states_pruned:
        return f"{count} path{'' if count == 1 else 's'}, none left from where it might be reached"
    return "1 path, run to its end" if count == 1 else f"{count} paths, all run to their ends"


def _chains(request: ReachRequest, ready: PreparedRun, answer: _Answer) -> None:
    """Hand the target to the technique that navigates loops."""
    from clew.techniques.chains.navigator import navigate

    run, entry = ready.run, ready.entry
    quest = ReachTask(
        run=run,
        entry=entry.function,
        start=lambda: entry.start(run),
        budget=ready.budget.share(0.5, least=0.1, instructions=ready.budget.instructions)
        if request.strategy == "auto"
        else ready.budget,
        spots=probes_of(run.program),
        report=ready.collector.report,
        finished=ready.collector.finished,
        progress=ready.collector.progress,
        count_chains=True,
        solver=ready.collector.solver,
    )
    try:
        navigate(quest)
    finally:
        run.statistics.chains_root = quest.chains_root
        run.statistics.chains_all = quest.chains_all
        run.statistics.systems_solved = quest.systems_solved
    if quest.stopped is not None:
        ready.engine.stop(quest.stopped)
    open_ = isinstance(quest.answer, Open) and quest.answer is not UNDECIDED
    answer.answer = quest.answer if open_ else doubt_of(ready) or quest.answer


def _summary(ledger: Ledger, ready: PreparedRun, target: ReachTarget, answer: _Answer, so_far: bool = False) -> Summary:
    verdict, reason = _verdict(ready, target, answer)
    arrival = ready.collector.arrival
    locations = tuple(dict.fromkeys(location for _, location in target.places if location is not None))
    return replace(
        ledger.summary(ready, verdict != "UNKNOWN", so_far),
        verdict=verdict,
        reason=reason,
        technique=answer.technique,
        target=TargetRecord(target.text, locations, arrival),
    )


def _verdict(ready: PreparedRun, target: ReachTarget, answer: _Answer) -> tuple[str, str]:
    arrival = ready.collector.arrival
    if arrival is not None and arrival.rests_on:
        return "UNKNOWN", f"a path may lead to {target.text}: {arrival.rests_on}"
    if arrival is not None:
        return ("REACHED", _way(target, arrival)) if arrival.confirmed else ("UNKNOWN", UNCONFIRMED)
    if isinstance(answer.answer, Proved) and not target.doubt:
        return "UNREACHABLE", answer.answer.text
    stopped = STOPS[ready.engine.stopped] if ready.engine.stopped else ""
    known = answer.answer.text if isinstance(answer.answer, Open) and answer.answer is not UNDECIDED else ""
    return "UNKNOWN", known or stopped or target.doubt or UNDECIDED.text


def _way(target: ReachTarget, arrival: Arrival) -> str:
    """How the target is reached, in one line."""
    shown = [f"{value.name}={c_value(value)}" for value in arrival.inputs[:_MANY_INPUTS]]
    more = len(arrival.inputs) - len(shown)
    inputs = ", ".join(shown) + (f" and {more} more" if more else "")
    return f"{target.text} is reached" + (f" with {inputs}" if inputs else "")
