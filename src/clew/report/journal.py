"""The journal of a run, for whoever has to finish it: see ``clew.cli.supervision``.

Everything that a listener is told goes into a pipe the moment it happens, and now and then a summary of how things
stand. So if the process that runs must be ended in the middle of something, the one at the other end knows all that was
found, and can write the summary.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable

from clew.base.messages import STANDING, WILL, frame, limits_frame, write_all
from clew.base.watchdog import held
from clew.report.listener import Listener, ProgramInfo, Snapshot
from clew.report.records import Bug, Summary, Test

LOADED, FOUND = "PF"
"""Tags of messages, beside those of ``clew.base.messages``: about the program, and a test, a bug or a warning."""
INTERVAL = 1.0
SHARE = 200
"""Seconds between two summaries, and how often the processor time that the last one took: they must not cost much."""


class Journal(Listener):
    """The end that is written to; a listener. Without a reader it says nothing."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._standing: Callable[[], Summary] | None = None
        self._due = 0.0

    def open(self, seconds: float | None, memory_mb: float | None, will: object) -> None:
        """What the run may spend (None: anything), and what is to be done if it has to be ended (see
        ``cli.salvage``)."""
        self._write(frame(WILL, pickle.dumps(will)))
        self._write(limits_frame(seconds, memory_mb))

    def close(self) -> None:
        """All is done: the end may take as long as it takes."""
        self._write(limits_frame(None, None))

    def loaded(self, program: ProgramInfo) -> None:
        self._write(frame(LOADED, pickle.dumps(program)))

    def so_far(self, summary: Callable[[], Summary]) -> None:
        self._standing, self._due = summary, 0.0

    def progress(self, snapshot: Snapshot) -> None:
        """Tell how things stand, if it is time."""
        if self._standing is None or time.monotonic() < self._due or self._descriptor < 0:
            return
        began = time.thread_time()
        self._stands(self._standing(), False)
        self._due = time.monotonic() + max(INTERVAL, SHARE * (time.thread_time() - began))

    def stands(self, summary: Summary) -> None:
        self._stands(summary, True)

    def _stands(self, summary: Summary, is_last: bool) -> None:
        self._write(frame(STANDING, pickle.dumps((summary, is_last))))

    def restore(self, found: Iterable[Test | Bug | str]) -> None:
        """What a run has found that is gone on with."""
        for one in found:
            self._write(frame(FOUND, pickle.dumps(one)))

    def test_found(self, test: Test) -> None:
        self.restore([test])

    def bug_found(self, bug: Bug) -> None:
        self.restore([bug])
        self._due = 0.0

    def warning(self, text: str) -> None:
        self.restore([text])

    def _write(self, message: bytes) -> None:
        """One message, as a whole."""
        if self._descriptor < 0:
            return
        descriptor, self._descriptor = self._descriptor, -1  # if this is cut off, what follows would make no sense
        with held():
            try:
                write_all(descriptor, message)
            except OSError:
                return  # nobody reads it any more
            self._descriptor = descriptor
