"""``clew loops``: what the loops of a program do, in terms of counters."""

from __future__ import annotations

from clew.base.budget import StopReason
from clew.base.errors import Unsupported, UserError
from clew.base.garbage import rare_collection
from clew.base.options import Request
from clew.base.watchdog import Stopped, watched
from clew.execute.observers import Observers
from clew.execute.run import RunOptions
from clew.jobs.compose import load_program, prepare
from clew.jobs.concrete import find_entry
from clew.report.listener import Listener
from clew.techniques.chains.describe import notes_of, own_functions
from clew.techniques.chains.loopreport import FunctionNote, LoopReport


def run_loops(request: Request, listener: Listener) -> LoopReport:
    """Describe the loops of one function, or of all; what was found before the budget ended stays."""
    found: list[FunctionNote] = []
    stopped: StopReason | None = None
    budget = request.budget()
    try:
        with watched(budget), rare_collection():
            program = load_program(request, listener)
            names = own_functions(program)
            if request.function is not None:
                names = [find_entry(program, request.function).function.name]
            try:
                machine = prepare(program, RunOptions(), Observers())
            except Unsupported as problem:
                raise UserError(f"Clew does not support {problem.feature}") from None
            for note in notes_of(machine, names):
                found.append(note)
                if budget.interrupt.requested:
                    stopped = StopReason.INTERRUPTED
                    break
    except Stopped as stop:
        stopped = stop.reason
    return LoopReport(tuple(found), stopped)
