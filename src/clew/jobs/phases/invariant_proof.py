"""Properties that hold at any number of iterations, by invariants.

The program's loops are cut open at the invariants that were found for them (see
``clew.techniques.invariants.loop_cutting``); the paths of what is left are finitely many, as far as loops go, and
another phase decides them. What none of them violates is proved. A path that violates something may be one that the
program does not have: then nothing is known about that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from clew.analysis.absint.analyse import Invariants
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.checks.properties import Property, PropertyKey
from clew.describe.invariants import FactDescriber
from clew.execute.context import RunOptions
from clew.execute.helpers import build_machine
from clew.jobs.ledger import Ledger
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import heap_options, wanted_kinds
from clew.jobs.reexecution import find_entry
from clew.jobs.verdict import open_properties
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.kinds import UNPROVABLE
from clew.report.listener import Listener
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats
from clew.techniques.cover_goals import has_loops
from clew.techniques.invariants.candidates.lemmas import NO_LEMMAS, Lemmas, find_lemmas
from clew.techniques.invariants.find import find
from clew.techniques.invariants.loop_cutting import Cut, cut_open
from clew.techniques.invariants.statistics import InvariantStatistics
from clew.techniques.tasks import Proved

EFFORT = 20_000
"""Of the phase that decides the cut program."""
TOLD = 2
"""Loops whose invariants are told."""


class Decider(Protocol):
    """A phase that decides properties."""

    properties: tuple[Property, ...]

    def __init__(self, context: Context[VerifyRequest]) -> None: ...

    def run(self, share: Budget, effort: int | None) -> None: ...


class InvariantProof:
    """Invariants of the program, decided ``by`` another phase; the answers are owed to ``technique``.

    Iterations up to the bound of the request are looked at as they are.
    """

    ready = None

    def __init__(self, context: Context[VerifyRequest], by: type[Decider], technique: str) -> None:
        self._context = context
        self._by = by
        self.technique = technique
        self.over = False

    def seconds_left(self, worked: float) -> float:
        return math.inf  # most of it is no exploration

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until all is done, or the share is spent; the effort is that of the other phase, limited in any case.

        Nothing is proved where paths have shown errors that nobody asked for: what comes behind these is not defined.
        """
        self.over = True
        ledger = self._context.ledger
        if has_loops(self._context.program) and not ledger.findings.unasked:
            self._prove(share)
        ledger.technique = self.technique

    def _prove(self, share: Budget) -> None:
        """By the invariants of abstract interpretation; what these leave open, by candidates that loops keep beside."""
        request, began = self._context.request, share.worked()
        entry = find_entry(self._context.program, request.function, heap_options(request))
        machine = build_machine(self._context.program, all_models())
        effects = ModRef(machine.program, machine.callees)
        found = find(machine, entry.function.name, effects=effects, stop=lambda: share.exhausted() is not None)
        self._account(share.worked() - began)
        if found is None:
            return
        describer = FactDescriber(machine.program, found)
        if not self._attempt(effects, found, NO_LEMMAS, describer, share) or not self._is_open():
            return
        began = share.worked()
        lemmas = find_lemmas(effects, found, entry.start, self._options(), share)
        self._account(share.worked() - began)
        if lemmas:
            self._attempt(effects, found, lemmas, describer, share)

    def _attempt(
        self, effects: ModRef, found: Invariants, lemmas: Lemmas, describer: FactDescriber, share: Budget
    ) -> bool:
        """Prove what can be proved with loops cut open; whether any could be."""
        cut = cut_open(effects, found, self._context.request.unroll or 0, lemmas)
        if cut.loops:
            keys, text = self._decided(cut.program, share), _reason(describer, cut, lemmas)
            self._context.ledger.answer_open({key: Proved(text) for key in keys})
        return bool(cut.loops)

    def _is_open(self) -> bool:
        ledger = self._context.ledger
        return not ledger.properties or bool(open_properties(ledger))

    def _options(self) -> RunOptions:
        """Of runs that look at single iterations: those of the command."""
        request = self._context.request
        kinds = wanted_kinds(request, DEFAULT_CHECKS)
        return RunOptions(kinds, stdin=request.stdin, args=request.args, any_undefined="uninitialized" not in kinds)

    def _account(self, seconds: float) -> None:
        work = RunStatistics()
        work.of(InvariantStatistics).invariant_seconds = seconds
        self._context.ledger.assist(work, SolverStats())

    def _decided(self, program: Program, budget: Budget) -> frozenset[PropertyKey]:
        """Which properties of the cut program hold."""
        context = replace(
            self._context,
            request=replace(self._context.request, unroll=None),
            listener=Listener(),
            budget=budget,
            ledger=self._context.ledger.of_helper(),
            program=program,
        )
        phase = self._by(context)
        phase.run(budget, EFFORT)
        return proved_in(context.ledger, phase.properties)


def proved_in(ledger: Ledger, properties: Iterable[Property]) -> frozenset[PropertyKey]:
    """Which properties of a changed program hold, that has all paths of the program itself, and maybe more."""
    answers, shown = ledger.answers, ledger.findings.seen()
    kinds = {kind for kind, _ in shown}
    return frozenset(
        item.key
        for item in properties
        if isinstance(answers.get(item.key), Proved)
        and item.kind not in UNPROVABLE
        and (item.kind not in kinds if item.collective else item.key not in shown)
    )


def _reason(describer: FactDescriber, cut: Cut, lemmas: Lemmas) -> str:
    """What was used."""
    told = [text for function, header in cut.loops[:TOLD] if (text := describer.head(function, header, lemmas))]
    which = f"by invariants of {len(cut.loops)} loop{'' if len(cut.loops) == 1 else 's'}"
    return f"{which} ({'; '.join(told)})" if told else which
