"""Signals from the first moment on, before anything else of ours is imported.

One that comes before a run has begun is remembered: the run begins, finds that it is to stop, and leaves its
summary as after any other signal. The second one ends the process, as there is nothing to be lost yet.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
ABORTED = 3
_BLUNT = ("bench", "lsp")
"""Commands that have no orderly end: a signal is a ``KeyboardInterrupt`` there."""


class Early:
    """The handler of a process that has not come to its run yet, or is behind it."""

    def __init__(self, patient: bool) -> None:
        self.patient = patient
        self.received = 0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.received += 1
        if not self.patient:
            raise KeyboardInterrupt
        if self.received > 1:
            try:
                os.write(2, b"clew: error: interrupted\n")
            finally:
                os._exit(ABORTED)


def listen(args: Sequence[str] | None) -> None:
    """Take over from Python's own handlers. Signals that are ignored (``nohup``) stay ignored."""
    words = sys.argv[1:] if args is None else args
    handler = Early(patient=not words or words[0] not in _BLUNT)
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
