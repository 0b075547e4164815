"""``clew loops``: what the loops of a program do, in terms of counters; and whether a short run summarizes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget, StopReason
from clew.base.errors import UserError
from clew.base.garbage import no_collection
from clew.base.location import Location
from clew.base.options import LoopsRequest, TestRequest
from clew.base.watchdog import Stopped, watched
from clew.describe.lemmas import LemmaDescriber
from clew.describe.loops import notes_of, own_functions
from clew.describe.variable_names import LoopNumbers
from clew.execute.context import RunOptions
from clew.execute.machine import Machine
from clew.jobs.prepare import heap_options, load_program, make_machine
from clew.jobs.reexecution import find_entry
from clew.jobs.test import run_test
from clew.program.module import Program
from clew.report.listener import Listener
from clew.report.loop_report import FunctionLoops, LoopReport, Statements
from clew.techniques.invariants.candidates.lemmas import find_lemmas
from clew.techniques.invariants.find import find

Entry = tuple[str | None, FunctionLoops | None]
"""A function to start at, None for the program as a whole; and what was found out about its loops."""

_RUN_SECONDS = 2.0
_RUN_INSTRUCTIONS = 300_000
"""For a run from one entry: enough to meet loops, not to explore the program."""
_ALL_SECONDS = 6.0
"""For all runs together."""
_ENDINGS, _ENDING_SECONDS = 0.5, 20.0
"""Part of the time that is left, and seconds, for why loops end."""
_STDIN = 8
"""Symbolic bytes of standard input, for a program that reads it."""
_KEPT = ("files", "compiler_flags", "recipes", "target", "data_model", "clang", "verbose", "interrupt")
"""What a run has of the request."""


def run_loops(
    request: LoopsRequest, listener: Listener, so_far: Callable[[Callable[[], LoopReport]], None] = lambda report: None
) -> LoopReport:
    """Describe the loops of one function, or of all; what was found before the budget ended stays.

    ``so_far`` is given, again and again, what to tell if the time were over now.
    """
    found: list[FunctionLoops] = []
    so_far(lambda: LoopReport(tuple(found), StopReason.TIME))
    stopped: StopReason | None = None
    budget = request.budget()
    try:
        with watched(budget), no_collection():
            program = load_program(request, listener)
            names = own_functions(program)
            if request.function is not None:
                names = [find_entry(program, request.function).function.name]
            machine = make_machine(program, RunOptions())
            for note in notes_of(machine, names):
                found.append(note)
                so_far(lambda: LoopReport(tuple(found), StopReason.TIME))
                if budget.interrupt.requested:
                    stopped = StopReason.INTERRUPTED
                    break
            endings = _endings(request, machine, budget)
            found[:] = [note.ended(endings) for note in found]
    except Stopped as stop:
        stopped = stop.reason
    if request.run and stopped is None:
        statements = _run(request, budget, list(_entries(request, program, found)))
        found = [note.summarized(statements) for note in found]
        stopped = StopReason.INTERRUPTED if budget.interrupt.requested else None
    return LoopReport(tuple(found), stopped)


def _endings(request: LoopsRequest, machine: Machine, budget: Budget) -> dict[Location | None, str]:
    """Why loops end, by their places, when the program starts at main, or at the function that was asked for."""
    if request.function is None and "main" not in own_functions(machine.program):
        return {}
    entry = find_entry(machine.program, request.function, heap_options(request))
    effects = ModRef(machine.program, machine.callees)
    share = budget.share(_ENDINGS, _ENDING_SECONDS)
    invariants = find(machine, entry.function.name, effects=effects, stop=lambda: share.exhausted() is not None)
    if invariants is None:
        return {}
    options = RunOptions(stdin=_STDIN, any_undefined=True)
    lemmas = find_lemmas(effects, invariants, entry.start, options, share, ranked=True)
    describer = LemmaDescriber(machine.program)
    found: dict[Location | None, str] = {}
    for (name, _), ranking in lemmas.rankings.items():
        numbers = LoopNumbers(invariants.outline(invariants.frames_of(name)[0]))
        found[numbers.place(ranking.head.loop)] = describer.ranking(ranking)
    return found


def _entries(request: LoopsRequest, program: Program, found: Iterable[FunctionLoops]) -> Iterator[Entry]:
    """Where to start: at main, then at each function with loops."""
    main = program.functions.get("main")
    program_runs = request.function is None and main is not None and not main.is_declaration
    if program_runs:
        yield None, None
    names = {(function.source_name, function.location): function.name for function in program.functions.values()}
    for note in found:
        name = names[note.name, note.location]
        if name != "main" or not program_runs:
            yield name, note


def _run(request: LoopsRequest, budget: Budget, entries: Iterable[Entry]) -> Statements:
    """Run the program, and each function with loops that no run came to so far; as long as there is time."""
    statements = Statements()
    share = budget.share(most=_ALL_SECONDS)
    for name, note in entries:
        if share.is_out_of_time():
            break
        if note is None or not note.met(statements):
            try:
                statements.add(run_test(_test(request, name, share.share(most=_RUN_SECONDS).seconds), Listener()).loops)
            except UserError:  # it cannot be called without knowing more: its loops were not met
                continue
    return statements


def _test(request: LoopsRequest, function: str | None, seconds: float | None) -> TestRequest:
    kept = {name: getattr(request, name) for name in _KEPT}
    return TestRequest(
        function=function, seconds=seconds, max_instructions=_RUN_INSTRUCTIONS, stdin=_STDIN, navigate=False, **kept
    )
