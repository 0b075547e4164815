"""How a program ends: exit, abort, signals, assertions; and calls that end the path, as no model can stand for them."""

from __future__ import annotations

from typing import Any, NoReturn

from clew.analysis.model_effect import ENDS, NOTHING
from clew.base.errors import Unsupported
from clew.execute.ends import Exited
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr.node import Expr

SIGABRT = 6
ABORTED = 128 + SIGABRT
"""What a shell shows for a program that SIGABRT ended."""
_IGNORED = frozenset({17, 18, 23, 28})
"""SIGCHLD, SIGCONT, SIGURG, SIGWINCH."""


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


# Signals that the program raises and has no handler for; handlers are the runtime's, in C


@model("__clew_default_action", effect=NOTHING)
def default_action(call: Invocation, number: Any) -> None:
    """Of the runtime: most signals end the program."""
    signal = call.concrete(number, 32)
    if signal == SIGABRT:
        aborted(call)
    if signal not in _IGNORED:
        raise Exited(128 + signal)


@model("sigprocmask", "pthread_sigmask", "siginterrupt", "sigaltstack", "sigpending", effect=NOTHING)
def no_signals(call: Invocation, *_: Any) -> int:
    """Nothing comes from outside, so there is nothing to hold back."""
    return 0


@model("alarm", "ualarm", "setitimer", effect=NOTHING.but(diverts=True))
def timer(call: Invocation, *_: Any) -> int:
    """Its signal never comes."""
    call.state.run.note_loss("bounded", f"{call.name}(): its signal never comes", call.state)
    return 0


@model("kill", "killpg", effect=NOTHING.but(diverts=True))
def kill(call: Invocation, process: Any, number: Any) -> Any:
    """Signals to other processes: success or failure, both explored."""
    call.state.run.note_loss("undefined-function", f"{call.name}(): its effect is not explored", call.state)
    return call.read_input(call.name, "int", 32)


# Functions that no model can stand for: without these, a call would return any value, and the path would go on


@model("pthread_create", "thrd_create", "clone", "fork", "vfork", effect=ENDS.but(diverts=True))
def concurrency(call: Invocation, *_: Any) -> NoReturn:
    raise Unsupported(f"{call.name}(): threads and processes")


# assert.h, and the functions that mark an error in competition programs


@model("__assert_fail", "__assert_perror_fail", "__assert", effect=ENDS)
def assert_fail(call: Invocation, expression: Any, *rest: Any) -> None:
    """glibc and musl: the expression is the first argument."""
    _failed(call, expression)


@model("__assert_rtn", effect=ENDS)
def assert_rtn(call: Invocation, function: Any, file: Any, line: Any, expression: Any) -> None:
    """macOS: the expression is the last argument."""
    _failed(call, expression)


def _failed(call: Invocation, expression: Any) -> None:
    text = call.text(expression)
    shown = f": {text.decode('utf-8', 'replace')}" if text else ""
    call.fail("assert", f"assertion failed{shown}")


@model("reach_error", "__VERIFIER_error", "__clew_invariant", overrides=True, effect=ENDS)
def reach_error(call: Invocation, *_: Any) -> None:
    """The call itself is the error, whatever the function would do."""
    call.fail("error-call", f"{call.name}() is called")


@model("klee_abort", effect=ENDS)
def klee_abort(call: Invocation) -> None:
    call.fail("abort", "klee_abort() is called")


@model("klee_report_error", effect=ENDS)
def klee_report_error(call: Invocation, file: Any, line: Any, message: Any, suffix: Any) -> None:
    text = call.text(message) or b"error"
    call.fail("other", text.decode("utf-8", "replace"))
