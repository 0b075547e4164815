"""Ctrl-C, SIGTERM and SIGHUP: the first asks the run to stop in order, the second aborts it.

An abort is a ``KeyboardInterrupt`` wherever the run stands, except where results are on their way to disk. From
then on, and once the run is over, signals change nothing: all that is left is to write the summary. Signals that were
ignored before (``nohup``) stay ignored; one that came before the run had begun (see ``early``) counts as the first.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from clew.base.budget import Interrupt
from clew.base.watchdog import is_held
from clew.cli.early_signals import SIGNALS, Early


class Shield:
    """While ``up``, no signal aborts the run."""

    __slots__ = ("up",)

    def __init__(self, up: bool) -> None:
        self.up = up


@contextmanager
def interruptible(interrupt: Interrupt, quiet: bool = False, up: bool = False) -> Iterator[Shield]:
    """Within the block, signals are turned into ``interrupt``; afterwards everything is as before."""
    shield = Shield(up)

    def handle(number: int, frame: FrameType | None) -> None:
        if interrupt.requested:
            if not shield.up and not is_held():
                shield.up = True
                raise KeyboardInterrupt
            return
        interrupt.request()
        if not quiet and sys.stderr.isatty():
            # Not through sys.stderr: the signal may have come in the middle of a write there.
            os.write(2, b"\nclew: stopping; once more to abort\n")

    previous = {}
    try:
        for number in SIGNALS:
            before = signal.getsignal(number)
            if before is not signal.SIG_IGN:
                previous[number] = signal.signal(number, handle)
            if isinstance(before, Early) and before.received:
                interrupt.request()
    except ValueError:
        pass  # not the main thread: signals are someone else's business
    try:
        yield shield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
