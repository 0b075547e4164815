"""What a person sees while a project is tested, on standard error: a line that is rewritten on a terminal.

    12 s (48 left) | functions 12/61, index_of | branches 300/928 32% | tests 40 | bugs 1

Where nobody looks at it, as in the log of a pipeline, there is a line for each function that is done.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from clew.base.budget import Interrupt
from clew.cli.display import Display
from clew.cli.watching import Watched
from clew.jobs.project.results import FunctionRun
from clew.report.lines import counted
from clew.report.listener import Listener
from clew.report.screen import Part, ProgressLine

Progress = tuple[int, int]
"""So many, of so many."""
TELL = 3.0
"""Seconds between two lines that say how far compiling is, where there is no terminal."""


class ProjectScreen(Listener):
    """Progress and warnings; with ``--quiet`` nothing, with ``--json`` warnings only."""

    def __init__(self, display: Display) -> None:
        self._warns = not display.quiet
        self._tells = not (display.quiet or display.json)
        self._verbose = display.verbose
        self._line = ProgressLine(sys.stderr, self._tells and not display.verbose)
        self._told = time.monotonic()
        self._tests = 0
        self._bugs = 0
        self._latest = ""

    def compiling(self, done: int, total: int) -> None:
        """Now and then, so that one sees that something happens."""
        now = time.monotonic()
        self._line.say([(0, f"{done:,} of {total:,} files compiled")])
        if self._tells and not self._line.enabled and now - self._told > TELL:
            self._told = now
            self._say(f"[{done:,}/{total:,}] files compiled")

    def warning(self, text: str) -> None:
        if self._warns:
            self._say(f"clew: {text}")

    def turn(self, function: str, seconds: float, found: int, left: int) -> None:
        """The turn of a function is over."""
        self._latest = function
        if self._tells and self._verbose:
            self._say(f"{function}: {seconds:.1f} s, {found} branches that are new, {left} left")

    def ended(self, run: FunctionRun, number: int, total: int) -> None:
        """A function is done."""
        told = run.to_json()
        tests, bugs = int(str(told["tests"])), int(str(told["bugs"]))
        self._tests += tests
        self._bugs += bugs
        if self._tells and (bugs or not self._line.enabled):
            state = {"done": "", "time": ", stopped by time"}.get(run.state, f", {run.state}")
            self._say(
                f"[{number}/{total}] {run.entry.shown}: {counted(tests, 'test')}, {counted(bugs, 'bug')}, "
                f"{told['possible']} possible, {float(str(told['seconds'])):.1f} s{state}"
            )

    def standing(self, seconds: float, left: float | None, functions: Progress, branches: Progress) -> None:
        """How things stand: seconds; functions that are done, and all; branches that are covered, and all."""
        self._line.say([*self._parts(seconds, left, functions, branches)])

    def _parts(self, seconds: float, left: float | None, functions: Progress, branches: Progress) -> Iterator[Part]:
        yield 1, f"{seconds:.0f} s" + ("" if left is None else f" ({max(left, 0):.0f} left)")
        yield 3, f"functions {functions[0]:,}/{functions[1]:,}"
        if self._latest:
            yield 5, self._latest
        if branches[1]:
            yield 2, f"branches {branches[0]:,}/{branches[1]:,} {branches[0] / branches[1]:.0%}"
        yield 4, f"tests {self._tests:,}"
        yield 0, f"bugs {self._bugs:,}"

    def close(self) -> None:
        self._line.clear()

    def _say(self, text: str) -> None:
        self._line.clear()
        print(text, file=sys.stderr, flush=True)


class WatchScreen(ProjectScreen):
    """The same, which also looks whether files change meanwhile, and then ends the round."""

    def __init__(self, display: Display, watched: Watched) -> None:
        super().__init__(display)
        self._watched = watched
        self.changed: list[Path] = []
        """What has changed."""
        self.interrupt: Interrupt | None = None
        """That of the round."""

    def ended(self, run: FunctionRun, number: int, total: int) -> None:
        if self._line.enabled or self._verbose:
            super().ended(run, number, total)

    def standing(self, seconds: float, left: float | None, functions: Progress, branches: Progress) -> None:
        super().standing(seconds, left, functions, branches)
        self.changed += self._watched.changed()
        if self.changed and self.interrupt is not None and not self.interrupt.requested:
            self.interrupt.request()
