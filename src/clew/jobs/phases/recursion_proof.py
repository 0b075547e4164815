"""Properties that hold at any depth of recursion, by contracts of the functions that call themselves.

Runs of the program suggest contracts; those that are inductive are kept (see ``clew.techniques.recursion``). Then the
recursion is cut open, and another phase decides what is left. What none of its paths violates is proved. A path that
violates something may be one that the program does not have: then nothing is known about that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.analysis.callees import Callees
from clew.analysis.callgraph import CallGraph
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.base.watchdog import Stopped
from clew.execute.ends import Failed
from clew.execute.helpers import build_machine
from clew.execute.instrument.candidates import REFUTED, SAMPLES
from clew.execute.policy import Finished
from clew.expr.node import Expr
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.invariant_proof import InvariantProof, proved_in
from clew.jobs.phases.phase import Context, is_spent
from clew.jobs.phases.settings import verify_settings
from clew.jobs.prepare import PreparedRun
from clew.jobs.reexecution import find_entry
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.listener import Listener
from clew.techniques.cover_goals import has_loops
from clew.techniques.recursion.conditions import Condition
from clew.techniques.recursion.contracts import Component, Contract, component_of, recursive_components
from clew.techniques.recursion.cutting import cut_recursion, numbered
from clew.techniques.recursion.sampling import proposed, sampling
from clew.techniques.tasks import Proved

DEPTHS = (0, 2)
"""Calls from inside that are followed before recursion is cut open, in the attempts that are made."""
SAMPLED = 60
"""Paths that are run for samples."""
SAMPLING = 600
ASKING = 3_000
EFFORT = 20_000
"""Forks and thousands of instructions of a run for samples, of one that asks for candidates, and of the last one."""
ROUNDS = 40


class RecursionProof:
    """Contracts of recursive functions, and what they prove."""

    ready = None
    technique = "recursion"

    def __init__(self, context: Context[VerifyRequest]) -> None:
        self._context = context
        self.over = False

    def seconds_left(self, worked: float) -> float:
        return math.inf

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until all is done, or the share is spent."""
        self.over = True
        ledger = self._context.ledger
        if not ledger.findings.unasked:
            for depth in DEPTHS:
                self._attempt(share, depth)
                if share.exhausted() is not None:
                    break
        ledger.technique = self.technique

    def _attempt(self, share: Budget, depth: int) -> None:
        """Cut the recursion of all components that can be, and decide what is left."""
        program, texts = self._context.program, list[str]()
        entry = find_entry(program, self._context.request.function).function.name
        for names in recursive_components(_effects(program), entry):
            cut = self._cut(program, names, depth, share)
            if cut is not None:
                program, text = cut
                texts.append(text)
        if not texts:
            return
        context = self._of(program, share)
        phase = InvariantProof(context, Exhaustive, "invariants") if has_loops(program) else Exhaustive(context)
        phase.run(share, EFFORT)
        reason = Proved(f"by contracts of recursive functions ({'; '.join(texts)})")
        self._context.ledger.answer_open(
            {key: reason for key in proved_in(context.ledger, self._context.ledger.properties)}
        )

    def _of(self, program: Program, budget: Budget) -> Context[VerifyRequest]:
        """What a helper works with that runs another program."""
        return replace(
            self._context,
            request=replace(self._context.request, unroll=None),
            listener=Listener(),
            budget=budget,
            ledger=self._context.ledger.of_helper(),
            program=program,
        )

    def _cut(self, program: Program, names: tuple[str, ...], depth: int, share: Budget) -> tuple[Program, str] | None:
        effects = _effects(program)
        component = component_of(effects, names)
        if isinstance(component, str):
            return None
        contracts = proposed(program, component, self._samples(effects, component, share))
        for _ in range(ROUNDS):
            asking = cut_recursion(effects, component, contracts, depth, asked=True)
            refuted = self._refuted(asking, share)
            if refuted is None:
                return None
            if not refuted:
                cut = cut_recursion(effects, component, contracts, depth)
                return cut, _text(component, contracts)
            contracts = _without(component, contracts, refuted)
        return None

    def _samples(self, effects: ModRef, component: Component, share: Budget) -> Sequence[tuple[int, ...]]:
        """Values of calls that were run: concrete ones, as the models of the paths have them."""
        found: dict[tuple[int, ...], None] = {}

        def finished(path: Finished) -> None:
            model = path.state.model
            for taken in path.state.environment.get(SAMPLES, ()):
                found[tuple(int(model.eval(value)) if isinstance(value, Expr) else int(value) for value in taken)] = (
                    None
                )

        self._explore(sampling(effects, component), share, SAMPLING, finished)
        return list(found)

    def _refuted(self, program: Program, share: Budget) -> frozenset[int] | None:
        """The candidates that do not always hold; None if that cannot be told."""
        found: set[int] = set()
        strange: list[Finished] = []

        def finished(path: Finished) -> None:
            if isinstance(path.end, Failed):
                if path.end.kind == REFUTED:
                    found.add(int(path.end.message))
                elif path.end.kind not in (self._kinds or ()):
                    strange.append(path)

        ready = self._explore(program, share, ASKING, finished)
        if ready.engine.stopped is not None or ready.engine.paused or ready.run.losses or strange:
            return frozenset(found) if found else None
        return frozenset(found)

    def _explore(
        self, program: Program, share: Budget, effort: int, finished: Callable[[Finished], None]
    ) -> PreparedRun:
        settings = replace(verify_settings(self._context.request), search="dfs")
        ready = self._of(program, share).prepare_run(settings)
        self._kinds = ready.run.options.checks
        policy = replace(ready.engine.policy, finished=finished, pause=lambda: is_spent(effort, ready.run))
        try:
            ready.engine.explore(ready.entry.start(ready.run), policy)
        except Stopped as stop:
            ready.engine.stop(stop.reason)
        return ready


def _effects(program: Program) -> ModRef:
    machine = build_machine(program, all_models())
    return ModRef(machine.program, machine.callees)


def _without(component: Component, contracts: dict[str, Contract], refuted: frozenset[int]) -> dict[str, Contract]:
    """The contracts without some of their conditions."""
    left: dict[str, tuple[list[Condition], list[Condition]]] = {name: ([], []) for name in component.names}
    for number, name, first, condition in numbered(component, contracts):
        if number not in refuted:
            left[name][0 if first else 1].append(condition)
    return {name: Contract(tuple(first), tuple(second)) for name, (first, second) in left.items()}


def _text(component: Component, contracts: dict[str, Contract]) -> str:
    return ", ".join(component.names)


def has_recursion(program: Program) -> bool:
    """Whether a function may call itself, directly or through others."""
    effects = CallGraph(program, Callees(program, all_models()))
    return any(effects.is_recursive(name) for name, function in program.functions.items() if function.blocks)
