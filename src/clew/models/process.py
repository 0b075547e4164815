"""How a program ends itself: exit, abort."""

from __future__ import annotations

from typing import Any, NoReturn

from clew.analysis.model_effect import ENDS, NOTHING
from clew.execute.ends import Exited
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr.node import Expr

ABORTED = 134
"""What a shell shows for a program that SIGABRT ended."""


@model("exit", "_exit", "_Exit", "quick_exit", effect=ENDS)
def exit_(call: Invocation, code: Any) -> NoReturn:
    call.exits(code)
    raise Exited(code)


@model("abort", effect=ENDS)
def abort(call: Invocation) -> NoReturn:
    """Ends the program, whatever its handlers would do before that."""
    run = call.state.run
    if not run.program.runtime.isdisjoint(("signal", "sigaction")):
        run.note_loss("unsupported", "abort() in a program that handles signals: a handler is not run", call.state)
    aborted(call)


def aborted(call: Invocation) -> NoReturn:
    """A bug, unless the run does not check for it (where ``abort`` is how a program states assumptions)."""
    checks = call.state.run.options.checks
    if checks is not None and "abort" not in checks:
        raise Exited(ABORTED)
    call.fail("abort", "abort() is called")


@model("__clew_result", effect=NOTHING)
def result(call: Invocation) -> Any:
    """Of the runtime: what ``main`` has just returned."""
    value = call.state.result
    fits = type(value) is int or (isinstance(value, Expr) and value.width == 32)
    return value if fits else 0


@model("__clew_destructor", effect=NOTHING)
def destructor(call: Invocation, index: Any) -> int:
    """Of the runtime: the program's destructors one by one, then null."""
    run = call.state.run
    names = run.program.destructors
    return run.globals.addresses[names[index]] if index < len(names) else 0


@model("__clew_end", effect=ENDS)
def end(call: Invocation, code: Any, returned: Any) -> NoReturn:
    """Of the runtime: all handlers have run."""
    call.exits(code)
    raise Exited(code, returned=bool(returned))


@model("klee_silent_exit", effect=ENDS)
def klee_silent_exit(call: Invocation, code: Any) -> NoReturn:
    raise Exited(code)
