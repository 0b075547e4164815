"""``clew loops``: what the loops of a program do, in terms of counters; and whether a short run summarizes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from clew.base.budget import Budget, StopReason
from clew.base.errors import UserError
from clew.base.garbage import rare_collection
from clew.base.options import LoopsRequest, TestRequest
from clew.base.watchdog import Stopped, watched
from clew.describe.loops import notes_of, own_functions
from clew.execute.context import RunOptions
from clew.jobs.prepare import load_program, make_machine
from clew.jobs.reexecution import find_entry
from clew.jobs.test import run_test
from clew.program.module import Program
from clew.report.listener import Listener
from clew.report.loop_report import FunctionLoops, LoopReport, Statements

Entry = tuple[str | None, FunctionLoops | None]
"""A function to start at, None for the program as a whole; and what was found out about its loops."""

_RUN_SECONDS = 2.0
_RUN_INSTRUCTIONS = 300_000
"""For a run from one entry: enough to meet loops, not to explore the program."""
_ALL_SECONDS = 6.0
"""For all runs together."""
_STDIN = 8
"""Symbolic bytes of standard input, for a program that reads it."""


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
        with watched(budget), rare_collection():
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
    except Stopped as stop:
        stopped = stop.reason
    if request.run and stopped is None:
        statements = _run(request, budget, list(_entries(request, program, found)))
        found = [note.summarized(statements) for note in found]
        stopped = StopReason.INTERRUPTED if budget.interrupt.requested else None
    return LoopReport(tuple(found), stopped)


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
    return TestRequest(
        files=request.files,
        function=function,
        seconds=seconds,
        max_instructions=_RUN_INSTRUCTIONS,
        stdin=_STDIN,
        compiler_flags=request.compiler_flags,
        target=request.target,
        data_model=request.data_model,
        clang=request.clang,
        verbose=request.verbose,
        interrupt=request.interrupt,
        navigate=False,
    )
