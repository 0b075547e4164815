"""``clew reach``: inputs that lead to a target, or that there are none."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from clew.analysis.callees import Callees
from clew.base.errors import UserError
from clew.base.garbage import no_collection
from clew.base.options import ReachRequest
from clew.base.watchdog import Stopped, watched
from clew.checks.targets import ReachTarget, find_target
from clew.execute.instrument.targets import insert_probes
from clew.jobs.fuzzer_entry import with_fuzzer_input
from clew.jobs.ladders import climb, import_arms, reach_ladder
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context
from clew.jobs.pointer_functions import plainly
from clew.jobs.prepare import KEEP_ALL, load_program
from clew.jobs.reexecution import find_entry
from clew.jobs.verdict import TARGET, reach_verdict, too_late
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener
from clew.report.records import LossKind, Summary, TargetRecord
from clew.techniques.tasks import Proved
from clew.techniques.unmodelled import called_from_outside


def run_reach(request: ReachRequest, listener: Listener) -> Summary:
    """Look for a way to the target; it is reported when it is found."""
    budget = request.budget()
    ledger = Ledger(request, "reach", budget)
    if request.malloc_may_fail:  # chains know nothing of that
        request = replace(request, strategy="plain")
    try:
        with watched(budget):
            source, target = _load(request, listener)
            program = insert_probes(source, target.places)
            request = plainly(with_fuzzer_input(request, program), program)
            first, ladder = reach_ladder(Context(request, listener, budget, ledger, program), target.text, source)
            ready = first.prepare()
    except Stopped as stop:
        ledger.stop(stop.reason)
        technique = "plain" if request.strategy == "auto" else request.strategy
        summary = replace(ledger.summary(), verdict="UNKNOWN", reason=too_late(ledger), technique=technique)
        return ledger.explained(summary, listener)
    if target.cut_off:
        ledger.answers[TARGET] = Proved(target.cut_off)
        if target.doubt:  # nothing is run that would meet it
            ready.run.note_loss(LossKind.UNDEFINED_FUNCTION, target.doubt, None)
    listener.so_far(lambda: _summary(ledger, target, so_far=True))
    try:
        with watched(budget), no_collection():
            if target.places and not target.cut_off:
                climb(ladder, budget, ledger)
    except Stopped as stop:
        ledger.stop(stop.reason)
    return ledger.explained(_summary(ledger, target), listener)


def _load(request: ReachRequest, listener: Listener) -> tuple[Program, ReachTarget]:
    """The program, and the target."""
    program = load_program(request, listener, meanwhile=partial(import_arms, request.strategy))
    try:
        target = _target(request, program)
    except UserError:
        # It may be in a function that nothing calls, or be a call that Clang has another form for.
        extra = () if request.call is None else (f"-fno-builtin-{request.call}",)
        program = load_program(request, Listener(), extra=(*KEEP_ALL, *extra))
        target = _target(request, program)
    return program, target


def _target(request: ReachRequest, program: Program) -> ReachTarget:
    entry = find_entry(program, request.function)
    callees = Callees(program, all_models())
    outside = called_from_outside(program, callees, entry.function, callbacks=not entry.as_program)
    return find_target(program, entry.function, request, outside)


def _summary(ledger: Ledger, target: ReachTarget, so_far: bool = False) -> Summary:
    verdict, reason = reach_verdict(ledger, target)
    summary = ledger.summary(verdict != "UNKNOWN", so_far)
    locations = tuple(dict.fromkeys(location for _, location in target.places if location is not None))
    return replace(
        summary,
        verdict=verdict,
        reason=reason + (summary.proviso if verdict == "UNREACHABLE" else ""),
        technique=ledger.technique,
        target=TargetRecord(target.text, locations, ledger.findings.arrival),
    )
