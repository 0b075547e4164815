"""Properties that hold at any number of iterations, by invariants.

The program's loops are cut open at the invariants that were found for them (see
``clew.techniques.invariants.loop_cutting``); the paths of what is left are finitely many, as far as loops go, and
another phase decides them. What none of them violates is proved. A path that violates something may be one that the
program does not have: then nothing is known about that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.checks.properties import Property, PropertyKey
from clew.describe.invariants import FactDescriber
from clew.execute.helpers import build_machine
from clew.jobs.phases.phase import Context
from clew.jobs.prepare import PreparedRun
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.kinds import UNPROVABLE
from clew.report.listener import Listener
from clew.techniques.cover_goals import has_loops
from clew.techniques.invariants.find import find
from clew.techniques.invariants.loop_cutting import Cut, cut_open
from clew.techniques.invariants.statistics import InvariantStatistics
from clew.techniques.tasks import Proved

SHARE = 0.25
MOST_SECONDS = 20.0
"""Of the time that is left: for the invariants, and again for the paths of the cut program."""
LEAST_SECONDS = 0.1
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
    """Invariants of the program of the run before, decided ``by`` another phase; the answers are owed to ``technique``.

    Iterations up to the bound of the request are looked at as they are.
    """

    def __init__(self, context: Context[VerifyRequest], by: type[Decider], technique: str) -> None:
        self._context = context
        self._by = by
        self._technique = technique
        self.over = False

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until all is done, or parts of the share are spent: one for the invariants, one for the decision."""
        self.over = True
        ledger = self._context.ledger
        if has_loops(ledger.answering.run.program):
            keys, text = self._proved(ledger.answering, share)
            ledger.answer_open({key: Proved(text) for key in keys})
        ledger.technique = self._technique

    def _proved(self, ready: PreparedRun, share: Budget) -> tuple[frozenset[PropertyKey], str]:
        """Which properties hold, and by which invariants."""
        began = share.elapsed()
        machine = build_machine(ready.loaded, all_models())
        effects = ModRef(machine.program, machine.callees)
        stop = _part(share).is_out_of_time
        found = find(machine, ready.entry.function.name, effects=effects, stop=stop)
        ready.run.statistics.of(InvariantStatistics).invariant_seconds += share.elapsed() - began
        if found is None:
            return frozenset(), ""
        cut = cut_open(effects, found, self._context.request.unroll or 0)
        if not cut.loops:
            return frozenset(), ""
        return self._decided(cut.program, _part(share)), _reason(FactDescriber(machine.program, found), cut)

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
        answers, shown = context.ledger.answers, context.ledger.findings.seen()
        kinds = {kind for kind, _ in shown}
        return frozenset(
            item.key
            for item in phase.properties
            if isinstance(answers.get(item.key), Proved)
            and item.kind not in UNPROVABLE
            and (item.kind not in kinds if item.collective else item.key not in shown)
        )


def _part(budget: Budget) -> Budget:
    return budget.share(SHARE, most=MOST_SECONDS, least=LEAST_SECONDS)


def _reason(describer: FactDescriber, cut: Cut) -> str:
    """What was used."""
    told = [text for function, header in cut.loops[:TOLD] if (text := describer.head(function, header))]
    which = f"by invariants of {len(cut.loops)} loop{'' if len(cut.loops) == 1 else 's'}"
    return f"{which} ({'; '.join(told)})" if told else which
