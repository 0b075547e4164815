"""setjmp.h: places in functions that are still running, and jumps back to them.

``setjmp`` puts the address of a fresh object of its function's frame into the buffer, and keeps for this address where
the frame is to go on, with which registers. A copy of the buffer is as good as the buffer. Variables of a function that
calls ``setjmp`` stay in memory (``frontend.promotable``), so they have the values that they had at the jump.
"""

from __future__ import annotations

from typing import Any, NoReturn

from clew.analysis.model_effect import ENDS, WRITES_ARGUMENTS
from clew.base.dataclass import dataclass
from clew.execute.ends import Moved
from clew.execute.frame import Frame
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.expr import build
from clew.expr.sort import bv
from clew.program.jumps import SETJMP


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a frame goes on, and with which values of registers."""

    at: int
    live: tuple[Any, ...]


@model(*SETJMP, effect=WRITES_ARGUMENTS.but(diverts=True, jumps=True))
def setjmp(call: Invocation, buffer: Any, *_: Any) -> int:
    """The frame is suspended behind the call by now: that is the place to come back to."""
    frame, where, word = call.frame, call.pointer(buffer), call.pointer_bits // 8
    call.room(where, write=True)
    place = call.recall(f"setjmp into {where}")
    if place not in frame.allocated or call.recall(_label(place)).at != frame.at:
        place = call.state.memory.allocate(1, "stack", "place of setjmp", 1, call.location, b"")
        frame.allocated = (*frame.allocated, place)
        call.remember(f"setjmp into {where}", place)
    call.store(where, place, word)
    call.remember(_label(place), _Mark(frame.at, frame.live))
    return 0


@model("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", effect=ENDS.but(diverts=True, jumps=True))
def longjmp(call: Invocation, buffer: Any, value: Any) -> NoReturn:
    """The functions in between end where they are."""
    place = call.pointer(call.load(call.pointer(buffer), call.pointer_bits // 8))
    mark = call.recall(_label(place))
    if mark is None:
        message = f"{call.name}() with a buffer that setjmp() has not filled"
        call.fail_unless_given("other", message, "buffers that setjmp() has filled")
    target = _frame_of(call, place)
    if target is None:
        call.fail("other", f"{call.name}() into a function that has returned")
    _unwind(call, target)
    call.state.frame = target.suspended(call.state.owner, mark.at, mark.live)
    call.state.result = build.ite(build.eq(value, 0, 32), 1, value, bv(32))
    raise Moved


def _label(place: int) -> str:
    return f"setjmp {place}"


def _frame_of(call: Invocation, place: int) -> Frame | None:
    """The frame that an object belongs to."""
    frame: Frame | None = call.frame
    while frame is not None and place not in frame.allocated:
        frame = frame.parent
    return frame


def _unwind(call: Invocation, target: Frame) -> None:
    """End the life of all locals of the functions that ``target`` has called."""
    frame: Frame | None = call.frame
    while frame is not None and frame is not target:
        call.state.memory.release_stack(frame.allocated)
        frame = frame.parent
