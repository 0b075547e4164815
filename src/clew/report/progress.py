"""The live line on a terminal: one line of text, rewritten in place a few times a second.

    12 s (48 left) | paths 1,234 +56 | branches 45/60 75% | tests 7 | bugs 1 | solver 34%

Nothing is written when the stream is not a terminal, and nothing in the first moments, so that a
short run does not flicker.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from typing import TextIO

from clew.report.listener import Snapshot

_INTERVAL = 0.1
_ERASE = "\r\x1b[K"


def progress_text(snapshot: Snapshot) -> str:
    """A snapshot in one line, the pending paths after a plus sign."""
    left = "" if snapshot.seconds_left is None else f" ({snapshot.seconds_left:.0f} left)"
    parts = [f"{snapshot.wall_seconds:.0f} s{left}", f"paths {snapshot.paths:,} +{snapshot.pending:,}"]
    if snapshot.branches_total:
        share = snapshot.branches_covered / snapshot.branches_total
        parts.append(f"branches {snapshot.branches_covered}/{snapshot.branches_total} {share:.0%}")
    parts += [f"tests {snapshot.tests:,}", f"bugs {snapshot.bugs:,}"]
    if snapshot.wall_seconds > 0:
        parts.append(f"solver {min(1.0, snapshot.solver_seconds / snapshot.wall_seconds):.0%}")
    return " | ".join(parts)


class ProgressLine:
    """Shows snapshots on a terminal; ``clear`` before anything else is printed there."""

    def __init__(self, stream: TextIO, enabled: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._enabled = enabled and stream.isatty()
        self._clock = clock
        self._next = clock() + 3 * _INTERVAL
        self._visible = False

    def show(self, snapshot: Snapshot) -> None:
        """Rewrite the line, unless that was done a moment ago."""
        if not self._enabled or (now := self._clock()) < self._next:
            return
        self._next = now + _INTERVAL
        # One column less than the terminal has: a full line would wrap and could not be erased.
        room = max(10, shutil.get_terminal_size().columns - 1)
        self._stream.write(_ERASE + progress_text(snapshot)[:room])
        self._stream.flush()
        self._visible = True

    def clear(self) -> None:
        """Leave no trace on the terminal."""
        if self._visible:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._visible = False
