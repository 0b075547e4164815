"""``clew verify``: show for each property that no path violates it, or a path that does."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from clew.base.garbage import no_collection
from clew.base.options import VerifyRequest
from clew.base.watchdog import Stopped, watched
from clew.jobs.fuzzer_entry import with_fuzzer_input
from clew.jobs.ladders import climb, import_arms, verify_ladder
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.pointer_functions import plainly
from clew.jobs.prepare import load_checked
from clew.jobs.property_verdict import answered
from clew.jobs.verdict import open_properties, verify_verdict
from clew.jobs.witness_check import witnessed
from clew.program.module import Program
from clew.report.listener import Listener
from clew.report.records import Summary


def run_verify(request: VerifyRequest, listener: Listener) -> Summary:
    """Decide every property of the program, or check a witness; counterexamples are reported as they are found."""
    if request.witness is None:
        return _verify(request, listener)
    with witnessed(request) as check:
        return replace(check.judged(_verify(check.request, listener)), files=tuple(map(str, request.files)))


def _verify(request: VerifyRequest, listener: Listener) -> Summary:
    budget = request.budget()
    ledger = Ledger(request, "verify", budget)
    listener.so_far(lambda: _summary(request, ledger, request.strategy, so_far=True))
    program: Program | None = None
    try:
        with watched(budget):
            program = load_checked(request, listener, DEFAULT_CHECKS, partial(import_arms, request.strategy))
            request = with_fuzzer_input(request, program)
            plain = plainly(request, program)
            context = Context(plain, listener, budget, ledger, program)
            with no_collection():
                climb(verify_ladder(context, plain is not request), budget, ledger, lambda: not open_properties(ledger))
    except Stopped as stop:
        ledger.stop(stop.reason)
        ledger.technique = request.strategy
    summary = ledger.explained(_summary(request, ledger, ledger.technique), listener)
    return answered(summary, request.specification, program)


def _summary(request: VerifyRequest, ledger: Ledger, technique: str, so_far: bool = False) -> Summary:
    judgement = verify_verdict(ledger, request.unroll)
    summary = ledger.summary(judgement.settled, so_far)
    reason = judgement.reason + (summary.proviso if judgement.verdict == "TRUE" else "")
    return replace(
        summary,
        verdict=judgement.verdict,
        reason=reason,
        technique=technique,
        properties=judgement.properties,
        loop_invariants=ledger.loop_invariants if judgement.verdict == "TRUE" else (),
        checks=tuple(sorted(ledger.answering.checks or ())) if ledger.runs else (),
    )
