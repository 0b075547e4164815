"""errno.h: one ``int`` per path, made when the program or a model first needs it."""

from __future__ import annotations

from typing import Any

from clew.analysis.model_effect import WRITES_OWN
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import bv

EPERM, ENOENT, EINTR, EBADF, EAGAIN, ENOMEM, EACCES, ENODEV, ENOTDIR = 1, 2, 4, 9, 11, 12, 13, 19, 20
EINVAL, EMFILE, ENOTTY, EDOM, ERANGE, EOVERFLOW, ECONNREFUSED = 22, 24, 25, 33, 34, 75, 111


@model("__errno_location", "__errno", "__error", "_errno", effect=WRITES_OWN)
def errno_location(call: Invocation) -> int:
    """The address behind the macro ``errno``."""
    address: int = call.kept("errno", lambda: call.state.memory.allocate(4, "global", "errno", 4, None, b""))
    return address


def set_errno(call: Invocation, number: int, condition: Any = True) -> None:
    """What a failing function leaves behind; where ``condition`` is symbolic, only if it holds. Never forks."""
    if condition is False:
        return
    address = errno_location(call)
    value: Any = number
    if condition is not True:
        value = build.ite(condition, number, call.load(address, 4), bv(32))
    call.store(address, value, 4)


def get_errno(call: Invocation) -> Any:
    """Its value now."""
    return call.load(errno_location(call), 4)
