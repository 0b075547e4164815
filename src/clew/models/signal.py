"""signal.h: what a signal does that the program raises and has no handler for. Handlers are the runtime's, in C."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import NOTHING
from clew.execute.ends import Exited
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.models.process import aborted

SIGABRT = 6
_IGNORED = frozenset({17, 18, 23, 28})
"""SIGCHLD, SIGCONT, SIGURG, SIGWINCH."""


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
