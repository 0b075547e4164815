"""What holds at the heads of a program's loops: found once, for all phases that need it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from clew.analysis.absint.analyse import Invariants
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.execute.context import RunOptions
from clew.execute.helpers import build_machine
from clew.execute.machine import Machine
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS, is_large
from clew.jobs.prepare import heap_options, wanted_kinds
from clew.jobs.reexecution import EntryPoint, find_entry
from clew.models.registry import all_models
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats
from clew.techniques.invariants.candidates.heads import heads_of
from clew.techniques.invariants.candidates.lemmas import Lemmas, find_lemmas
from clew.techniques.invariants.candidates.limits import USUAL
from clew.techniques.invariants.find import find
from clew.techniques.invariants.statistics import InvariantStatistics

T = TypeVar("T")


class LoopFacts:
    """Of the program of a context. What is found counts as work on invariants, in the ledger."""

    def __init__(self, context: Context[VerifyRequest]) -> None:
        self._context = context
        self._invariants: Invariants | None = None
        self.are_known = False
        """Whether it is known what the invariants are, or that there are none."""

    @cached_property
    def entry(self) -> EntryPoint:
        """Where the program starts."""
        request = self._context.request
        return find_entry(self._context.program, request.function, heap_options(request))

    @cached_property
    def machine(self) -> Machine:
        """The program, ready to run."""
        return build_machine(self._context.program, all_models())

    @cached_property
    def effects(self) -> ModRef:
        """What its code may write."""
        return ModRef(self.machine.program, self.machine.callees)

    @cached_property
    def options(self) -> RunOptions:
        """Of runs that help to find out what holds."""
        request = self._context.request
        kinds = wanted_kinds(request, DEFAULT_CHECKS)
        return RunOptions(kinds, stdin=request.stdin, argv=request.argv, any_undefined="uninitialized" not in kinds)

    def invariants(self, share: Budget) -> Invariants | None:
        """By abstract interpretation; None for a program that is too large, or when the share is spent."""
        if not self.are_known:
            if is_large(self._context.program):  # it takes so long that others have their turn before
                share.give_way()
            entry, stop = self.entry.function.name, lambda: share.exhausted() is not None
            self._invariants = self._timed(share, lambda: find(self.machine, entry, effects=self.effects, stop=stop))
            self.are_known = True
        return self._invariants

    def lemmas(self, found: Invariants, share: Budget, ranked: bool = False) -> Lemmas:
        """What loops keep beside the invariants that were found; ``ranked``: and why they end.

        What another phase has found out, perhaps in another process, is used if it is about these very loops.
        """
        known = self._context.ledger.lemmas
        if ranked not in known or not known[ranked].are_of(heads_of(self.effects, found, USUAL)):
            known[ranked] = self._timed(
                share, lambda: find_lemmas(self.effects, found, self.entry.start, self.options, share, ranked=ranked)
            )
        return known[ranked]

    def _timed(self, share: Budget, work: Callable[[], T]) -> T:
        began = share.worked()
        result = work()
        statistics = RunStatistics()
        statistics.of(InvariantStatistics).invariant_seconds = share.worked() - began
        self._context.ledger.assist(statistics, SolverStats())
        return result
