"""The ladders of ``clew test``, ``verify`` and ``reach``: which phases a command goes through, in which order, with
which part of the budget, and when it stops. A phase that is left keeps its place: a later rung may take it up again.

Phases are imported by the ladders that have them: that takes a while.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clew.base.budget import Budget, StopReason
from clew.base.options import ReachRequest, TestRequest, VerifyRequest
from clew.checks.check import chosen_kinds
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context, Phase
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.report.kinds import PLACED
from clew.techniques.technique import Technique

if TYPE_CHECKING:
    from clew.jobs.phases.chain_search import ChainSearch
    from clew.jobs.phases.directed_search import DirectedSearch
    from clew.jobs.phases.guided_exploration import GuidedExploration

QUICK_PATHS = 400
QUICK_SEARCH = 500
"""Effort of plain phases before others are tried, as most questions are easy: forks, and thousands of instructions."""


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

    def climb(self, budget: Budget) -> None:
        """Run the phase, unless it is over, or of no use."""
        if self.phase.over or self.effort == 0 or not self.when():
            return
        if self.share < 1.0 or self.most is not None:
            budget = budget.share(self.share, self.most, self.least, instructions=budget.instructions)
        self.phase.run(budget, self.effort)


def climb(ladder: tuple[Rung, ...], budget: Budget, is_decided: Callable[[], bool] = lambda: False) -> None:
    """Go through the rungs until nothing is left to decide."""
    for rung in ladder:
        rung.climb(budget)
        if is_decided():
            return


# clew test


def test_ladder(
    context: Context[TestRequest], techniques: tuple[Technique, ...]
) -> tuple[GuidedExploration, tuple[Rung, ...]]:
    """All the time for one phase, in which techniques propose inputs; that phase, and the ladder."""
    from clew.jobs.phases.guided_exploration import GuidedExploration

    exploration = GuidedExploration(context, techniques)
    return exploration, (Rung(exploration),)


# clew verify


def verify_ladder(context: Context[VerifyRequest], pointers: bool) -> tuple[Rung, ...]:
    """Of the strategy that the request names; ``pointers`` if it is about a function that is given some."""
    from clew.jobs.phases.exhaustive import Exhaustive

    strategy = context.request.strategy
    if pointers:  # depth first would follow the first list for as long as there is time
        return (Rung(Exhaustive(context, search=None)),)
    if strategy == "plain" or (strategy == "auto" and _paths_are_all(context.request)):
        return (Rung(Exhaustive(context)),)
    if strategy == "auto" and context.request.unroll is None:
        return _verify_auto(context)
    return _verify_conflicts(context)


def _verify_auto(context: Context[VerifyRequest]) -> tuple[Rung, ...]:
    from clew.jobs.phases.conflict_proof import ConflictProof
    from clew.jobs.phases.exhaustive import Exhaustive
    from clew.jobs.phases.invariant_proof import InvariantProof

    ledger, invariants = context.ledger, context.request.invariants
    paths = Exhaustive(context, summarize=True)
    return (
        Rung(paths, most=1.0, effort=QUICK_PATHS),
        Rung(InvariantProof(context, Exhaustive, "invariants"), when=lambda: invariants and _is_undisturbed(ledger)),
        Rung(paths, share=0.25, effort=QUICK_PATHS),  # if it was short of time only
        Rung(ConflictProof(context), share=0.5, least=0.1),
        Rung(paths, when=lambda: _is_in_time(ledger)),
    )


def _verify_conflicts(context: Context[VerifyRequest]) -> tuple[Rung, ...]:
    """Iterations beyond the bound are looked at as one, from any state that invariants allow."""
    from clew.jobs.phases.conflict_proof import ConflictProof
    from clew.jobs.phases.exhaustive import Exhaustive
    from clew.jobs.phases.invariant_proof import InvariantProof

    request, ledger = context.request, context.ledger
    conflicts = ConflictProof(context)

    def is_unsuited() -> bool:
        return request.strategy == "auto" and conflicts.unsupported

    return (
        Rung(conflicts, share=0.75 if request.invariants else 1.0),
        Rung(Exhaustive(context), when=is_unsuited),
        Rung(
            InvariantProof(context, ConflictProof, "conflicts"),
            when=lambda: request.invariants and not is_unsuited() and _is_in_time(ledger),
        ),
    )


def _paths_are_all(request: VerifyRequest) -> bool:
    """Whether running every path is all there is to do: within a bound, for errors that have no places of their own.

    So it is where allocations may fail, which the techniques that reason about code know nothing of.
    """
    if request.malloc_may_fail:
        return True
    kinds = chosen_kinds(DEFAULT_CHECKS if request.checks is None else request.checks)
    return request.unroll is not None and bool(kinds - PLACED - {"signed-overflow"})


def _is_undisturbed(ledger: Ledger) -> bool:
    return ledger.answering.engine.stopped is None and not ledger.findings.unasked


def _is_in_time(ledger: Ledger) -> bool:
    """Whether nothing but its share of the time has ended the last phase."""
    return ledger.answering.engine.stopped in (None, StopReason.TIME)


# clew reach


def reach_ladder(context: Context[ReachRequest], target: str) -> tuple[DirectedSearch | ChainSearch, tuple[Rung, ...]]:
    """The phase that comes first, and the ladder of the strategy that the request names."""
    from clew.jobs.phases.chain_search import ChainSearch
    from clew.jobs.phases.directed_search import DirectedSearch

    paths = DirectedSearch(context, target)
    if context.request.strategy == "plain":
        return paths, (Rung(paths),)
    chains = ChainSearch(context, otherwise="plain search" if context.request.strategy == "auto" else "")
    if context.request.strategy == "chains":
        return chains, (Rung(chains),)
    return paths, (
        Rung(paths, effort=QUICK_SEARCH),
        Rung(chains, share=0.5, least=0.1, when=lambda: not paths.over),
        Rung(paths, when=chains.leaves_open),
    )
