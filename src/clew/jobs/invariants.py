"""``clew invariants``: linear facts that hold at the loops and branches of a program, whatever the inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from clew.analysis.absint.analyse import Invariants, Limits
from clew.analysis.absint.domains import DOMAINS
from clew.analysis.absint.fixpoint import Pace
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget, StopReason
from clew.base.garbage import no_collection
from clew.base.location import source_order
from clew.base.options import InvariantsRequest
from clew.base.watchdog import Stopped, watched
from clew.checks.check import sanitizers
from clew.describe.invariants import FactDescriber
from clew.describe.loops import own_functions
from clew.execute.context import RunOptions
from clew.execute.machine import Machine
from clew.jobs.prepare import heap_options, load_program, make_machine, wanted_kinds
from clew.jobs.reexecution import find_entry
from clew.program.module import Program
from clew.report.invariant_report import FunctionInvariants, InvariantReport
from clew.report.listener import Listener
from clew.techniques.invariants.candidates.lemmas import Lemmas, find_lemmas
from clew.techniques.invariants.find import find
from clew.techniques.unmodelled import Unmodelled

PATIENT = Limits(pace=Pace(patience=10.0))
"""Who asks for invariants has time for them."""
LEMMAS, LEMMA_SECONDS = 0.5, 20.0
"""Part of the time that is left, and seconds, for lemmas beside, from one entry."""


class _Told:
    """What was found out so far."""

    def __init__(self) -> None:
        self.functions: dict[str, FunctionInvariants] = {}
        self.domains: dict[str, None] = {}
        self.notes: dict[str, None] = {}

    def report(self, request: InvariantsRequest, stopped: StopReason | None) -> InvariantReport:
        functions = [note for note in self.functions.values() if note.points]
        functions.sort(key=lambda note: source_order(note.location))
        domain = ", ".join(self.domains) or request.domain
        return InvariantReport(tuple(functions), stopped, tuple(self.notes), domain)


def run_invariants(
    request: InvariantsRequest,
    listener: Listener,
    so_far: Callable[[Callable[[], InvariantReport]], None] = lambda report: None,
) -> InvariantReport:
    """Tell what holds in a program, or in one function and those it calls; what was found in time stays.

    ``so_far`` is given, again and again, what to tell if the time were over now.
    """
    DOMAINS.get(request.domain)  # UserError for a name that is none
    told = _Told()
    so_far(lambda: told.report(request, StopReason.TIME))
    stopped: StopReason | None = None
    budget = request.budget()
    try:
        with watched(budget), no_collection():
            program = load_program(request, listener, sanitizers(wanted_kinds(request)))
            machine = make_machine(program, RunOptions())
            _tell(request, budget, machine, told, lambda: so_far(lambda: told.report(request, StopReason.TIME)))
            stopped = budget.exhausted()
    except Stopped as stop:
        stopped = stop.reason
    return told.report(request, stopped)


def _tell(request: InvariantsRequest, budget: Budget, machine: Machine, told: _Told, heard: Callable[[], None]) -> None:
    effects = ModRef(machine.program, machine.callees)
    doubts = Unmodelled(machine.program, machine.callees, effects.calls)
    for entry, alone in _entries(request, machine.program, told):
        if budget.exhausted() is not None:
            return
        found = find(machine, entry, request.domain, PATIENT, True, lambda: budget.exhausted() is not None, effects)
        if found is None:
            if budget.exhausted() is None:
                told.notes[f"the program is too large to be analysed from {entry}()"] = None
            continue
        for doubt in doubts.below(entry):
            told.notes[f"{doubt}: what is said holds as long as that changes nothing"] = None
        told.domains[found.domain] = None
        told.notes.update(dict.fromkeys(found.notes))
        teller = FactDescriber(machine.program, found)
        known = {*told.functions, *machine.program.runtime}
        names = dict.fromkeys(frame.function.name for frame in found.frames if frame.function.name not in known)
        told.functions |= {name: teller.function(name, alone) for name in names}
        heard()
        lemmas = _lemmas(request, budget, effects, found, entry)
        told.functions |= {name: teller.function(name, alone, lemmas) for name in names if lemmas}
        heard()


def _lemmas(request: InvariantsRequest, budget: Budget, effects: ModRef, found: Invariants, entry: str) -> Lemmas:
    """What holds beside at the heads of loops, when the program starts at ``entry``."""
    as_program = request.function is None and entry == "main"
    start = replace(find_entry(effects.program, entry, heap_options(request)), as_program=as_program).start
    options = RunOptions(wanted_kinds(request), any_undefined=True)
    return find_lemmas(effects, found, start, options, budget.share(LEMMAS, LEMMA_SECONDS))


def _entries(request: InvariantsRequest, program: Program, told: _Told) -> Iterator[tuple[str, bool]]:
    """Where to begin, and whether that is a function that nothing calls: main, then what it does not come to."""
    if request.function is not None:
        yield find_entry(program, request.function).function.name, False
        return
    own = own_functions(program)
    if "main" in own:
        yield "main", False
    for name in own:
        if name not in told.functions:
            yield name, True
