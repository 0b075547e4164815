"""Ctrl-C, SIGTERM and SIGHUP: the first asks the run to stop in order, the second aborts it.

An abort is a ``KeyboardInterrupt`` wherever the run stands. From then on, and once the run is over,
signals change nothing: all that is left is to write the summary. Signals that were ignored before
(``nohup``) stay ignored.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from clew.base.budget import Interrupt

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Shield:
    """While ``up``, signals change nothing any more."""

    __slots__ = ("up",)

    def __init__(self) -> None:
        self.up = False


@contextmanager
def interruptible(interrupt: Interrupt, quiet: bool = False) -> Iterator[Shield]:
    """Within the block, signals are turned into ``interrupt``; afterwards everything is as before."""
    shield = Shield()

    def handle(number: int, frame: FrameType | None) -> None:
        if shield.up:
            return
        if interrupt.requested:
            shield.up = True
            raise KeyboardInterrupt
        interrupt.request()
        if not quiet and sys.stderr.isatty():
            # Not through sys.stderr: the signal may have come in the middle of a write there.
            os.write(2, b"\nclew: stopping; once more to abort\n")

    previous = {}
    try:
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                previous[number] = signal.signal(number, handle)
    except ValueError:
        pass  # not the main thread: signals are someone else's business
    try:
        yield shield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
