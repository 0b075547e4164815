"""How a program ends itself: exit, abort."""

from __future__ import annotations

from typing import Any, NoReturn

from clew.execute.ends import Exited
from clew.execute.invocation import Invocation
from clew.models.registry import model

ABORTED = 134
"""What a shell shows for a program that SIGABRT ended."""


@model("exit", "_exit", "_Exit", "quick_exit")
def exit_(call: Invocation, code: Any) -> NoReturn:
    raise Exited(code)


@model("abort")
def abort(call: Invocation) -> NoReturn:
    """A bug, unless the run does not check for it (where ``abort`` is how a program states assumptions)."""
    checks = call.state.run.options.checks
    if checks is not None and "abort" not in checks:
        raise Exited(ABORTED)
    call.fail("abort", "abort() is called")


@model("klee_silent_exit")
def klee_silent_exit(call: Invocation, code: Any) -> NoReturn:
    raise Exited(code)
