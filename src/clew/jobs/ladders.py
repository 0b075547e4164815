"""The ladders of ``clew test``, ``verify`` and ``reach``: which phases a command goes through, in which order, with
which part of the budget, and when it stops. A phase that is left keeps its place: a later rung may take it up again.

Where nobody can tell which phase will answer, they take turns (``clew.jobs.phases.dovetail``), as the arms of one rung.

Phases are imported by the ladders that have them: that takes a while.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from clew.analysis.callees import Callees
from clew.analysis.callgraph import CallGraph
from clew.base.budget import Budget, StopReason
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.options import ReachRequest, TestRequest, VerdictRequest, VerifyRequest
from clew.checks.check import chosen_kinds
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context, Phase
from clew.jobs.phases.settings import DEFAULT_CHECKS, is_large, reach_settings, verify_settings
from clew.jobs.prepare import ExploreSettings, import_engine
from clew.jobs.sharing.relay import Relay
from clew.jobs.verdict import is_answered, open_properties, open_within_bound
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.kinds import PLACED
from clew.techniques.cover_goals import has_loops
from clew.techniques.technique import Technique

if TYPE_CHECKING:
    from clew.jobs.arms import Arm, ArmPhase
    from clew.jobs.phases.acceleration_proof import AccelerationProof
    from clew.jobs.phases.chain_search import ChainSearch
    from clew.jobs.phases.conflict_proof import ConflictProof
    from clew.jobs.phases.directed_search import DirectedSearch
    from clew.jobs.phases.dovetail import Dovetail
    from clew.jobs.phases.exhaustive import Exhaustive
    from clew.jobs.phases.guided_exploration import GuidedExploration
    from clew.jobs.phases.induction_proof import InductionProof
    from clew.jobs.phases.loop_facts import LoopFacts
    from clew.jobs.phases.native_search import NativeSearch
    from clew.report.runlog import StoredLog
    from clew.techniques.conflicts.clause_exchange import ClauseExchange

V = TypeVar("V", bound=VerdictRequest)

QUICK_PATHS = 400
QUICK_SEARCH = 500
"""Effort of the first phase before others are tried, as most questions are easy: forks, thousands of instructions."""
CLOSURES = 0.5
"""Seconds for closures of loops before others are tried: where they are exact, that is most often enough."""
OFTEN, RARELY, SELDOM = 2.0, 0.5, 0.25
"""Shares of what is the first to answer more or less often than others."""
CELLS = 1.0
"""The same for cells of arrays, and for numbers that are read: a program without these takes no time."""
BEYOND = 0.5
MOST_BEYOND = 40.0
"""Part of the time that is left, and seconds, for what lies beyond a bound."""
STATES = 5000
"""At one place, with which merging compares others."""
LOOPLESS = 8
"""How many times of that there is for a program without loops: its paths come to an end by themselves."""
NATIVE_VERIFY, NATIVE_REACH = 4.0, 0.4
"""Seconds that others have worked before anything is compiled: most questions are answered by then, and a proof that is
near should not pay for it."""
SET_UP = 40e-6
"""Seconds for each instruction of a program in which others than plain search look at all of it, before they begin; and
what they do at first takes as long once more. Paths are run for twice as long before chains begin, and for three times
as long before merging and native runs do."""


@dataclass(frozen=True, slots=True)
class Rung:
    """One phase, for a while."""

    phase: Phase
    share: float = 1.0
    """Part of the time that is left."""
    most: float | None = None
    least: float = 0.0
    """Seconds."""
    effort: int | None = None
    """At most; None for as much as it takes, 0 to leave the rung out."""
    when: Callable[[], bool] = lambda: True
    """Asked when its turn comes: whether the rung is of use."""
    name: str = ""
    """For people, where the phase is one that the command can do without."""

    def climb(self, budget: Budget) -> None:
        """Run the phase, unless it is over, or of no use."""
        if self.phase.over or self.effort == 0 or not self.when():
            return
        if self.share < 1.0 or self.most is not None:
            budget = budget.share(self.share, self.most, self.least, instructions=budget.instructions)
        self.phase.run(budget, self.effort)


class Later:
    """A phase that is made when its turn comes: what it imports takes a while, and that may never be needed."""

    def __init__(self, make: Callable[[], Phase]) -> None:
        self._make = make

    @cached_property
    def phase(self) -> Phase:
        """The phase itself."""
        return self._make()

    @property
    def over(self) -> bool:
        return "phase" in self.__dict__ and self.phase.over

    def run(self, share: Budget, effort: int | None) -> None:
        self.phase.run(share, effort)


def climb(
    ladder: tuple[Rung, ...], budget: Budget, ledger: Ledger, is_decided: Callable[[], bool] = lambda: False
) -> None:
    """Go through the rungs until nothing is left to decide. An internal error ends a rung that has a name, and no
    more."""
    try:
        for rung in ladder:
            try:
                rung.climb(budget)
            except (UserError, MemoryError):
                raise
            except Exception as error:
                if not rung.name:
                    raise
                ledger.failed(rung.name, error)
            if is_decided():
                return
    finally:
        for ready in ledger.runs:
            ready.run.machine.compiler.store.keep()


def import_arms(strategy: str) -> None:
    """Import what the ladders of questions begin with, while the compiler is at work."""
    from clew.jobs.phases import dovetail, exhaustive  # noqa: F401

    if strategy == "conflicts":
        from clew.jobs.phases import conflict_proof  # noqa: F401

    import_engine()


# clew test


def test_ladder(
    context: Context[TestRequest], techniques: tuple[Technique, ...], earlier: StoredLog | None = None
) -> tuple[GuidedExploration, tuple[Rung, ...]]:
    """All the time for one phase, in which techniques propose inputs; that phase, and the ladder.

    ``earlier``: the log of the run that is gone on with, if one is.
    """
    from clew.jobs.phases.guided_exploration import GuidedExploration

    relay = Relay(context.listener)
    exploration = GuidedExploration(replace(context, listener=relay), techniques, relay, earlier)
    return exploration, (Rung(exploration),)


# clew verify


def verify_ladder(context: Context[VerifyRequest], pointers: bool) -> tuple[Rung, ...]:
    """Of the strategy that the request names; ``pointers`` if it is about a function that is given some."""
    from clew.jobs.phases.exhaustive import Exhaustive

    relay = Relay(context.listener)
    context, strategy = replace(context, listener=relay), context.request.strategy
    if pointers:  # depth first would follow the first list for as long as there is time
        return (_alone(context, relay, _all_paths_in_turn),)
    if strategy == "plain" or (strategy == "auto" and _paths_are_all(context.request)):
        return (_alone(context, relay, _all_paths),)
    if strategy in ("merging", "summaries"):
        return (_alone(context, relay, _merged if strategy == "merging" else _summarized),)
    proofs = {"acceleration": _accelerated, "cells": _cells, "numbers": _numbers}
    if strategy in proofs:  # what the program is that the answers are about, the first path tells
        return (Rung(Exhaustive(context), effort=1), Rung(proofs[strategy](context)))
    if strategy == "induction":
        return (Rung(_induction(context)),)
    if strategy == "contracts":
        return (Rung(_all_paths(context), effort=QUICK_PATHS), Rung(_contracts(context)))
    if strategy == "conflicts":
        return (Rung(_searching(context, relay), share=_up_to_the_bound(context)), _beyond_the_bound(context))
    return _verify_auto(context, relay) if context.request.unroll is None else _verify_bounded(context, relay)


def _verify_auto(context: Context[VerifyRequest], relay: Relay) -> tuple[Rung, ...]:
    """What loops need comes first where there are any; without loops every path ends, and some may be spared.

    As long as no loop was summarized, a run with summaries does what one without them does.
    """
    from clew.jobs.arms import Arm

    ledger = context.ledger
    others: list[Arm[Any]] = [_exhaustive(_merged, context, SELDOM), *_searches(context, _search_share(context))]
    if has_loops(context.program):
        first = _exhaustive(_summarized, context, OFTEN, effort=QUICK_PATHS)
        others.insert(
            0, _exhaustive(_all_paths, context, OFTEN, when=lambda: first.standing().technique == "summaries")
        )
        accelerated = Arm(
            _accelerated,
            context,
            share=_shares(context, RARELY),
            first_turn=CLOSURES,
            at_once=True,
            milestone=lambda phase: phase.facts.are_known or phase.ready is not None,
        )
        if context.request.invariants:
            others.insert(0, Arm(_cells, context, share=RARELY, first_turn=CELLS))
            others.insert(0, Arm(_numbers, context, share=RARELY, first_turn=CELLS))
            others.append(_after_invariants(accelerated, context))
        others.insert(0, accelerated)
    else:
        first = _exhaustive(_all_paths, context, OFTEN, effort=LOOPLESS * QUICK_PATHS)
    if _has_recursion(context.program):
        others.insert(0, Arm(_contracts, context))
    settings = verify_settings(context.request)
    arms = _with_native(context, (first, *others), settings, context.program, NATIVE_VERIFY, SELDOM)
    return (Rung(_dovetail(context, relay, arms, lambda: bool(ledger.runs) and not open_properties(ledger))),)


def _exhaustive(
    make: Callable[[Context[VerifyRequest]], Exhaustive],
    context: Context[VerifyRequest],
    share: float,
    effort: int | None = None,
    when: Callable[[], bool] = lambda: True,
) -> Arm[Exhaustive]:
    """A run over all paths; ``share``: what it gets in a large program whose tree of paths does not seem to go on for
    ever."""
    from clew.jobs.arms import Arm

    shares = _shares(context, share)
    return Arm(make, context, effort, when, share=shares, has_end=lambda phase: phase.is_shallow)


def _shares(context: Context[VerifyRequest], share: float) -> tuple[float, float]:
    """Those of an arm that has another share where the tree of paths has an end. What makes small programs hard are
    loops even there."""
    return (1.0, share if is_large(context.program) else 1.0)


def _with_native(
    context: Context[V],
    arms: Sequence[Arm[Any]],
    settings: ExploreSettings,
    source: Program,
    begin: float,
    share: float,
    when: Callable[[], bool] = lambda: True,
) -> tuple[Arm[Any], ...]:
    """The arms, and one of native runs where these may find something, which begins after so many seconds of work, and
    ``when`` somebody says so.

    ``source``: what is compiled.
    """
    from clew.jobs.arms import Arm

    request = context.request
    if request.engine == "interpreter" or request.function is not None:
        return tuple(arms)
    asked_for = request.engine == "native"

    def make(context: Context[V]) -> NativeSearch:
        from clew.jobs.phases.native_search import NativeSearch

        return NativeSearch(context, settings.with_techniques(None), source)

    def is_time() -> bool:
        return asked_for or (sum(arm.standing().worked for arm in arms) >= begin and when())

    native: Arm[NativeSearch] = Arm(
        make,
        context,
        when=is_time,
        share=1.0 if asked_for else share,
        at_once=asked_for,
        clock=lambda: native.phase.clock(),
        promise=lambda phase: phase.promise,
        beside=True,
    )
    return (*arms, native)


def _dovetail(context: Context[V], relay: Relay, arms: Sequence[Arm[Any]], is_decided: Callable[[], bool]) -> Dovetail:
    """Arms that take turns, or work side by side, if the request has several jobs."""
    from clew.jobs.phases.dovetail import Dovetail

    return Dovetail(context.ledger, arms, is_decided, relay, context.request.jobs)


def _alone(context: Context[V], relay: Relay, make: Callable[[Context[V]], ArmPhase]) -> Rung:
    """One phase, whose paths several processes may explore, if the request has several jobs."""
    from clew.jobs.arms import Arm

    if context.request.jobs == 1:
        return Rung(make(context))
    return Rung(_dovetail(context, relay, (Arm(make, context),), lambda: False))


def _after_invariants(accelerated: Arm[AccelerationProof], context: Context[VerifyRequest]) -> Arm[InductionProof]:
    """Induction with the invariants that acceleration has found, or as soon as that turns out to need none."""
    from clew.jobs.arms import Arm

    def make(context: Context[VerifyRequest]) -> InductionProof:
        return _induction(context, accelerated.phase.facts)

    share = SELDOM if is_large(context.program) else RARELY
    return Arm(make, context, when=lambda: accelerated.standing().passed, share=share)


def _has_recursion(program: Program) -> bool:
    """Whether a function may call itself, directly or through others."""
    calls = CallGraph(program, Callees(program, all_models()))
    return any(calls.is_recursive(name) for name, function in program.functions.items() if function.blocks)


def _verify_bounded(context: Context[VerifyRequest], relay: Relay) -> tuple[Rung, ...]:
    """Loops up to the bound in any way; iterations beyond it as one, from any state that invariants allow."""

    first, *more = _searches(context)
    arms: list[Arm[Any]] = [
        first, _exhaustive(_merged, context, SELDOM), _exhaustive(_all_paths, context, OFTEN), *more
    ]  # fmt: skip
    ledger = context.ledger
    bounded = _dovetail(context, relay, arms, lambda: bool(ledger.runs) and not open_within_bound(ledger))
    return (Rung(bounded, share=_up_to_the_bound(context)), _beyond_the_bound(context), _to_their_ends(context))


def _up_to_the_bound(context: Context[VerifyRequest]) -> float:
    return 0.75 if context.request.invariants else 1.0


def _beyond_the_bound(context: Context[VerifyRequest]) -> Rung:
    """Iterations beyond a bound, or all of them, by invariants."""

    def proof() -> Phase:
        from clew.jobs.phases.acceleration_proof import AccelerationProof

        return AccelerationProof(context, by_conflicts=True)

    request, ledger = context.request, context.ledger

    def is_of_use() -> bool:
        return request.invariants and bool(ledger.runs) and _is_in_time(ledger)

    return Rung(Later(proof), BEYOND, MOST_BEYOND, 0.1, when=is_of_use, name="invariants")


def _to_their_ends(context: Context[VerifyRequest]) -> Rung:
    """Loops that are known to have only so many iterations, beyond a bound."""

    def proof() -> Phase:
        from clew.jobs.phases.known_rounds import KnownRounds

        return KnownRounds(context)

    ledger = context.ledger

    def is_of_use() -> bool:
        return context.request.invariants and not open_within_bound(ledger)

    return Rung(Later(proof), when=is_of_use, name="rounds of loops")


def _is_in_time(ledger: Ledger) -> bool:
    """Whether nothing but its share of the time has ended the last phase."""
    return ledger.answering.stopped in (None, StopReason.TIME)


def _paths_are_all(request: VerifyRequest) -> bool:
    """Whether running every path is all there is to do: within a bound, for errors that have no places of their own.

    So it is where allocations may fail, which the techniques that reason about code know nothing of.
    """
    return request.malloc_may_fail or (request.unroll is not None and bool(_collective(request)))


def _collective(request: VerifyRequest) -> frozenset[str]:
    """The kinds of errors that are asked for, and that may happen anywhere."""
    kinds = chosen_kinds(DEFAULT_CHECKS if request.checks is None else request.checks)
    return kinds - PLACED - {"signed-overflow"}


# Phases of clew verify


def _all_paths(context: Context[VerifyRequest]) -> Exhaustive:
    from clew.jobs.phases.exhaustive import Exhaustive

    return Exhaustive(context)


def _all_paths_in_turn(context: Context[VerifyRequest]) -> ArmPhase:
    """The same in another order than depth first."""
    from clew.jobs.phases.exhaustive import Exhaustive

    return Exhaustive(context, search=None)


def _summarized(context: Context[VerifyRequest]) -> Exhaustive:
    """All paths, with loops summarized."""
    from clew.jobs.phases.exhaustive import Exhaustive
    from clew.techniques.summaries.limits import UNLIMITED
    from clew.techniques.summaries.technique import Summaries

    return Exhaustive(context, Summaries(guesses=False, limits=UNLIMITED))


def _merged(context: Context[VerifyRequest]) -> Exhaustive:
    """All paths but those that can show nothing new."""
    from clew.jobs.phases.exhaustive import Exhaustive

    return Exhaustive(_with_branches(context), _merging(), divisible=False)


def _conflicts(context: Context[VerifyRequest], exchange: ClauseExchange | None = None) -> ConflictProof:
    from clew.jobs.phases.conflict_proof import ConflictProof

    return ConflictProof(context, exchange)


def _searching(context: Context[VerifyRequest], relay: Relay) -> Phase:
    """Learning from conflicts alone: as many searches as there are jobs."""
    ledger = context.ledger
    if context.request.jobs == 1:
        return _conflicts(context)
    return _dovetail(context, relay, _searches(context), lambda: bool(ledger.runs) and not open_within_bound(ledger))


def _searches(context: Context[VerifyRequest], share: float = 1.0) -> list[Arm[ConflictProof]]:
    """Learning from conflicts: one search, and where there are more jobs than other arms, more of them.

    Each begins with a part of the properties, and they exchange what they learn.
    """
    from clew.jobs.arms import Arm

    def search(exchange: ClauseExchange | None, spare: bool) -> Arm[ConflictProof]:
        def make(context: Context[VerifyRequest]) -> ConflictProof:
            return _conflicts(context, exchange)

        return Arm(make, context, share=share, exchange=exchange, spare=spare)

    jobs = context.request.jobs
    if jobs == 1:
        return [search(None, False)]
    from clew.techniques.conflicts.clause_exchange import ClauseExchange

    return [search(ClauseExchange(number, jobs), number > 0) for number in range(jobs)]


def _search_share(context: Context[VerifyRequest]) -> float:
    """Of searches that learn from conflicts: these prove what has places in the program, and nothing else."""
    if _collective(context.request):
        return SELDOM
    return OFTEN if is_large(context.program) else RARELY


def _accelerated(context: Context[VerifyRequest]) -> AccelerationProof:
    """All paths, with loops replaced by closures or invariants."""
    from clew.jobs.phases.acceleration_proof import AccelerationProof

    return AccelerationProof(context)


def _induction(context: Context[VerifyRequest], facts: LoopFacts | None = None) -> InductionProof:
    from clew.jobs.phases.induction_proof import InductionProof

    return InductionProof(context, facts)


def _cells(context: Context[VerifyRequest]) -> ArmPhase:
    from clew.jobs.phases.cell_proof import CellProof

    return CellProof(context)


def _numbers(context: Context[VerifyRequest]) -> ArmPhase:
    from clew.jobs.phases.number_proof import NumberProof

    return NumberProof(context)


def _contracts(context: Context[VerifyRequest]) -> ArmPhase:
    from clew.jobs.phases.contract_proof import ContractProof

    return ContractProof(context)


def _with_branches(context: Context[V]) -> Context[V]:
    """With the branches of the source: an instruction that takes the place of one makes states differ for ever."""
    return replace(context, request=replace(context.request, keep_branches=True))


def _merging() -> Technique:
    """Merging for a run over all paths: it pays to keep many states, as a path may meet any of them again."""
    from clew.techniques.merging.limits import Limits
    from clew.techniques.merging.technique import Merging

    limits = Limits(
        formulas=STATES,
        all_formulas=4 * STATES,
        point_deficit=sys.maxsize,
        lifted_nodes=STATES,
        least_cell=1,
        closing=True,
    )
    return Merging("error", limits)


# clew reach


def reach_ladder(
    context: Context[ReachRequest], target: str, source: Program
) -> tuple[DirectedSearch | ChainSearch, tuple[Rung, ...]]:
    """The phase that comes first, and the ladder of the strategy that the request names.

    ``source``: the program without marks at the target.
    """
    from clew.jobs.arms import Arm
    from clew.jobs.phases.chain_search import ChainSearch
    from clew.jobs.phases.directed_search import DirectedSearch

    def plain(context: Context[ReachRequest]) -> DirectedSearch:
        return DirectedSearch(context, target)

    def merging(context: Context[ReachRequest]) -> DirectedSearch:
        return DirectedSearch(_with_branches(context), target, _merging())

    relay = Relay(context.listener)
    context = replace(context, listener=relay)
    ways: dict[str, Callable[[Context[ReachRequest]], DirectedSearch | ChainSearch]]
    ways = {"plain": plain, "merging": merging, "chains": ChainSearch}
    if context.request.strategy in ways:
        make = ways[context.request.strategy]
        if context.request.jobs == 1:
            phase = make(context)
            return phase, (Rung(phase),)
        arm = Arm(make, context)
        return arm.phase, (Rung(_dovetail(context, relay, (arm,), lambda: is_answered(context.ledger))),)
    ledger, paths = context.ledger, Arm(plain, context, QUICK_SEARCH, floor=1.0)  # it may arrive at any moment
    size = source.size()

    def after(looks: float) -> Callable[[], bool]:
        """Whether paths were run for so many looks at the whole program."""
        return lambda: paths.standing().worked >= looks * SET_UP * size

    chains = Arm(ChainSearch, context, when=after(2), promise=lambda phase: phase.promise)
    searches: list[Arm[Any]] = [paths, chains, Arm(merging, context, when=after(3), share=SELDOM)]
    arms = _with_native(context, searches, reach_settings(context.request), source, NATIVE_REACH, 1.0, after(3))
    return paths.phase, (Rung(_dovetail(context, relay, arms, lambda: is_answered(ledger))),)
