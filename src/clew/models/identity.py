"""unistd.h: who the process is. Inputs, the same each time they are asked for, but for what can change."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import NOTHING, PURE
from clew.execute.inputs import InputKind, read_input
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build


@model("getpid", "getppid", "getpgrp", "gettid", "getuid", "geteuid", "getgid", "getegid", effect=NOTHING)
def identity(call: Invocation) -> Any:
    """A number that is not negative, and positive for a process."""
    known = call.recall(call.name)
    if known is None:
        known = read_input(call.state, call.name, "int", 32, InputKind.NONDET)
        lowest = 1 if call.name in ("getpid", "getppid", "getpgrp", "gettid") else 0
        call.assume(build.sge(known, lowest, 32))
        call.remember(call.name, known)
    return known


@model("getpagesize", effect=PURE)
def getpagesize(call: Invocation) -> int:
    return 4096


@model("sched_yield", "sync", effect=NOTHING)
def nothing(call: Invocation) -> Any:
    return 0 if call.call.result is not None else None
