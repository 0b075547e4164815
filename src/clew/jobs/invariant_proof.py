"""``clew verify`` and invariants: properties that hold at any number of iterations.

The program's loops are cut open at the invariants that were found for them (see
``clew.techniques.invariants.loop_cutting``); the paths of what is left are finitely many, as far as loops go, and a
strategy decides them. What none of them violates is proved. A path that violates something may be one that the program
does not have: then nothing is known about that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.checks.properties import PropertyKey
from clew.describe.invariants import FactDescriber
from clew.execute.machine import Machine
from clew.jobs.exhaustive import ExhaustiveRun
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import ExploreSettings, PreparedRun, prepare_run
from clew.jobs.verdict import doubt_of
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.kinds import UNPROVABLE
from clew.report.listener import SilentListener
from clew.techniques.cover_goals import has_loops
from clew.techniques.invariants.find import find
from clew.techniques.invariants.loop_cutting import Cut, cut_open

SHARE = 0.25
MOST_SECONDS = 20.0
"""Of the time that is left: for the invariants, and again for the paths of the cut program."""
LEAST_SECONDS = 0.1
EFFORT = 20_000
"""Forks, and thousands of instructions, of the cut program."""


TOLD = 2
"""Loops whose invariants are told."""


@dataclass(frozen=True, slots=True)
class ByInvariants:
    """What invariants prove."""

    keys: frozenset[PropertyKey] = frozenset()
    reason: str = ""
    """The invariants, in a few words."""


Deciding = Callable[[Program, Budget], frozenset[PropertyKey]]
"""Which properties of a cut program are shown to hold, within a budget."""


def prove(ready: PreparedRun, budget: Budget, bound: int, decide: Deciding) -> ByInvariants:
    """Which properties of a program hold by its invariants; iterations up to ``bound`` are looked at as they are."""
    if not has_loops(ready.run.program):
        return ByInvariants()
    began = budget.elapsed()
    share = _share(budget)
    machine = Machine(ready.loaded, all_models())
    effects = ModRef(machine.program, machine.callees)
    found = find(machine, ready.entry.function.name, effects=effects, stop=share.is_out_of_time)
    ready.run.statistics.invariant_seconds += budget.elapsed() - began
    if found is None:
        return ByInvariants()
    cut = cut_open(machine.program, machine.callees, effects, found, bound)
    if not cut.loops:
        return ByInvariants()
    keys = decide(cut.program, _share(budget))
    return ByInvariants(keys, _reason(FactDescriber(machine.program, found), cut))


def by_paths(request: VerifyRequest, manner: ExploreSettings, ledger: Ledger) -> Deciding:
    """Run all paths of the cut program."""

    def decide(program: Program, budget: Budget) -> frozenset[PropertyKey]:
        paths = ExhaustiveRun(
            lambda settings: prepare_run(request, SilentListener(), budget, settings, program), manner
        )
        ledger.assist(paths.ready.run.statistics, paths.ready.collector.solver)
        over = paths.explore(EFFORT)
        if not over or doubt_of(paths.ready):
            return frozenset()
        shown = paths.ready.collector.seen()
        kinds = {kind for kind, _ in shown}
        return frozenset(
            item.key
            for item in paths.items
            if item.kind not in UNPROVABLE and (item.kind not in kinds if item.collective else item.key not in shown)
        )

    return decide


def _share(budget: Budget) -> Budget:
    return budget.share(SHARE, most=MOST_SECONDS, least=LEAST_SECONDS)


def _reason(teller: FactDescriber, cut: Cut) -> str:
    """What was used."""
    told = [text for function, header in cut.loops[:TOLD] if (text := teller.head(function, header))]
    which = f"by invariants of {len(cut.loops)} loop{'' if len(cut.loops) == 1 else 's'}"
    return f"{which} ({'; '.join(told)})" if told else which
