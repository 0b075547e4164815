"""What the engine adds to loops (see ``clew.execute.loops``): counting against a bound, telling listeners."""

from __future__ import annotations

from typing import Any

from clew.execute.ends import Lost
from clew.execute.events import Visit
from clew.execute.invocation import Invocation
from clew.execute.loops import ENTER, HEADER
from clew.models.registry import model
from clew.program.values import MetadataArg


def _loop(call: Invocation) -> str:
    first = call.argument(0)
    assert isinstance(first, MetadataArg)
    return first.text


@model(HEADER, overrides=True)
def header(call: Invocation, _: Any, count: int, *values: Any) -> None:
    """Control is at a loop header. ``count``: how often it was before, in this activation, if that is counted."""
    state = call.state
    run = state.run
    if isinstance(count, bool):
        first = state.entering == (_loop(call), call.frame.depth)
        state.entering = None
    else:
        first = count == 0
    bound = run.loop_bounds.get(_loop(call), run.options.loop_bound)
    if bound is not None and count > bound:
        raise Lost("bounded", f"{_loop(call)} runs more than {bound} times")
    for listener in run.events.loop_header:
        listener(Visit(state, call.frame, call.point, call.live, _loop(call), first, values))


@model(ENTER, overrides=True)
def enter(call: Invocation, _: Any) -> None:
    """Control is outside of a loop, and may be about to enter it."""
    call.state.entering = (_loop(call), call.frame.depth)
