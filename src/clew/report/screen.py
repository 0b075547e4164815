"""The listener that talks to a person while the run goes on, on standard error only."""

from __future__ import annotations

from typing import TextIO

from clew.base.printable import LINES, printable
from clew.report.bugtext import headline
from clew.report.listener import Listener, ProgramInfo, Snapshot
from clew.report.progress import ProgressLine
from clew.report.records import Bug, Test


class Screen(Listener):
    """Progress line and warnings; with ``verbose`` also every test and bug; with ``quiet`` nothing."""

    def __init__(self, stream: TextIO, quiet: bool = False, verbose: bool = False) -> None:
        self._stream = stream
        self._quiet = quiet
        self._verbose = verbose
        self._line = ProgressLine(stream, enabled=not quiet)
        self._tests = 0
        self._warned: set[str] = set()

    def loaded(self, program: ProgramInfo) -> None:
        if self._verbose:
            self._say(f"clew: running {program.entry}, {program.pointer_bits}-bit")

    def progress(self, snapshot: Snapshot) -> None:
        self._line.show(snapshot)

    def test_found(self, test: Test) -> None:
        self._tests += 1
        if self._verbose:
            self._say(f"clew: test {self._tests} ({test.reason})")

    def bug_found(self, bug: Bug) -> None:
        if self._verbose:
            self._say(f"clew: {'possible ' if bug.is_possible else ''}bug: {headline(bug)}")

    def warning(self, text: str) -> None:
        """Each warning once: the same loop may give rise to it on every path."""
        if not self._quiet and text not in self._warned:
            self._warned.add(text)
            self._say(f"clew: warning: {text}")

    def close(self) -> None:
        self._line.clear()

    def _say(self, text: str) -> None:
        self._line.clear()
        self._stream.write(f"{printable(text, LINES)}\n")
        self._stream.flush()
