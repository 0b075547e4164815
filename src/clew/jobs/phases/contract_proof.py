"""Properties that hold at any depth of recursion, by contracts of the functions that call themselves.

Recursion is cut open at contracts that were found for it (see ``clew.techniques.invariants.contracts``), and another
phase decides what is left. What none of its paths violates is proved. A path that violates something may be one that
the program does not have: then nothing is known about that.
"""

from __future__ import annotations

import math
from dataclasses import replace

from clew.analysis.callees import Callees
from clew.analysis.callgraph import CallGraph
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.execute.context import RunOptions
from clew.execute.helpers import build_machine
from clew.jobs.phases.acceleration_proof import AccelerationProof, holding
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.phase import Context
from clew.jobs.phases.settings import DEFAULT_CHECKS
from clew.jobs.prepare import heap_options, wanted_kinds
from clew.jobs.reexecution import find_entry
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener
from clew.techniques.cover_goals import has_loops
from clew.techniques.invariants.contracts.contract import component_of, recursive_components
from clew.techniques.invariants.contracts.cutting import cut_recursion
from clew.techniques.invariants.contracts.find import find_contracts
from clew.techniques.tasks import Proved

EFFORT = 20_000
"""Of the phase that decides the cut program."""


class ContractProof:
    """Contracts of recursive functions, and what they prove."""

    ready = None
    technique = "contracts"

    def __init__(self, context: Context[VerifyRequest]) -> None:
        self._context = context
        self.over = False

    def seconds_left(self, worked: float) -> float:
        return math.inf  # most of it is no exploration

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until all is done, or the share is spent; the effort is that of another phase, limited in any case."""
        self.over = True
        ledger = self._context.ledger
        if not ledger.findings.unasked:
            self._prove(share)
        ledger.technique = self.technique

    def _prove(self, share: Budget) -> None:
        """Cut the recursion of all components that can be, and decide what is left."""
        request, program = self._context.request, self._context.program
        entry = find_entry(program, request.function, heap_options(request))
        done: list[str] = []
        for names in recursive_components(_effects(program), entry.function.name):
            effects = _effects(program)
            component = component_of(effects, names)
            if component is None:
                continue
            contracts = find_contracts(effects, component, entry.start, self._options(), share)
            if contracts is not None:
                program = cut_recursion(effects, component, contracts)
                done += names
        if done:
            self._decide(program, share, f"by contracts of recursive functions ({', '.join(done)})")

    def _decide(self, program: Program, budget: Budget, reason: str) -> None:
        context = replace(
            self._context,
            request=replace(self._context.request, unroll=None),
            listener=Listener(),
            budget=budget,
            ledger=self._context.ledger.of_helper(),
            program=program,
        )
        phase = AccelerationProof(context) if has_loops(program) else Exhaustive(context)
        phase.run(budget, EFFORT)
        ledger = context.ledger
        proved = holding(self._context.ledger.properties, ledger, ledger.findings.seen())
        self._context.ledger.answer_open(dict.fromkeys(proved, Proved(reason)))

    def _options(self) -> RunOptions:
        request = self._context.request
        kinds = wanted_kinds(request, DEFAULT_CHECKS)
        return RunOptions(kinds, stdin=request.stdin, args=request.args, any_undefined="uninitialized" not in kinds)


def has_recursion(program: Program) -> bool:
    """Whether a function may call itself, directly or through others."""
    calls = CallGraph(program, Callees(program, all_models()))
    return any(calls.is_recursive(name) for name, function in program.functions.items() if function.blocks)


def _effects(program: Program) -> ModRef:
    machine = build_machine(program, all_models())
    return ModRef(machine.program, machine.callees)
