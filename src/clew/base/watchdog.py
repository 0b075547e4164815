"""The watchdog: ends a run that does not notice in time that its budget is spent.

A run polls its budget between pieces of work, but a piece can take long: a compiler that hangs, a
huge expression, a copy of gigabytes. So a timer looks, too. When the budget has been spent for longer
than ``GRACE``, it raises ``Stopped`` wherever the main thread stands, and again every ``AGAIN`` seconds
until the run is over: whoever catches it first ends the run in better order than the one after.

``held`` protects what must not be cut in the middle: results on their way to disk, native code that
calls back into Python. Imports are not cut either: what is half imported would be imported again by
the next run of the process, and a native library that is begun twice may end that. Outside the main
thread there is no watchdog, as there are no signals.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from clew.base.budget import Budget, StopReason

TICK = 0.25
GRACE = 0.25
AGAIN = 1.5
MEMORY_SLACK = 1.06
"""Share of the memory limit from which on waiting for the run to make room is no option any more."""

_IMPORT = "<frozen importlib._bootstrap>"
"""What the code that imports modules calls its file."""

_holds = 0


class Stopped(BaseException):
    """Raised by the watchdog. Not an ``Exception``, so that nothing on the way swallows it."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def held() -> Iterator[None]:
    """Within the block the watchdog waits."""
    global _holds
    _holds += 1
    try:
        yield
    finally:
        _holds -= 1


def is_held() -> bool:
    """Whether something is going on that must not be cut."""
    return _holds > 0


def may_cut(frame: FrameType | None, run: FrameType) -> bool:
    """Whether an exception may be raised in ``frame``: nothing is held, and what ``run`` calls imports nothing."""
    while frame is not None and frame is not run:
        if frame.f_code.co_filename == _IMPORT:
            return False
        frame = frame.f_back
    return not is_held()


@contextmanager
def watched(budget: Budget) -> Iterator[None]:
    """Within the block, the budget's end cannot be missed for long."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    try:
        previous = signal.signal(signal.SIGALRM, _Look(budget, sys._getframe(2)))
    except ValueError:  # not the main thread
        yield
        return
    before = (0.0, 0.0)
    try:
        before = signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
        signal.setitimer(signal.ITIMER_REAL, *before)  # one budget may be watched within another


class _Look:
    """The handler of the timer's signal."""

    def __init__(self, budget: Budget, run: FrameType) -> None:
        """``run``: whose calls are watched."""
        self._budget = budget
        self._run = run
        self._since: float | None = None
        """When the budget was first seen spent."""

    def __call__(self, number: int, frame: FrameType | None) -> None:
        reason = self._spent()
        now = time.monotonic()
        if reason is None:
            self._since = None
            return
        if self._since is None:
            # A run that outgrows its limit that far must not grow for another moment.
            self._since = now - GRACE if reason is StopReason.MEMORY else now
        if now - self._since >= GRACE and may_cut(frame, self._run):
            self._since = now + AGAIN - GRACE
            raise Stopped(reason)

    def _spent(self) -> StopReason | None:
        reason = self._budget.exhausted()
        if reason is StopReason.MEMORY and self._budget.memory_share() < MEMORY_SLACK:
            return None
        return reason
