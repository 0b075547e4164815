"""``history.csv``: how coverage grew, for plots and comparisons of runs.

The first line has the names of the columns. Each other line says how the run stood when it had covered a new branch or
line, or found a bug; the last one how it stood at its end, with the work of runs that helped it. Times are seconds
since the command began, and of the processor since its process was there; instructions and questions to the solver are
a measure of work that does not depend on the machine. The bug that a line is the first to count has that number in the
folder ``bugs``.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from clew.report.folder import OutputFolder
from clew.report.listener import Snapshot
from clew.report.statistics import RunStatistics

NAME = "history.csv"
COLUMNS = (
    "seconds", "cpu_seconds", "instructions", "solver_queries", "paths", "merged", "branches", "lines", "tests", "bugs",
)  # fmt: skip
INTERVAL = 1.0
"""Seconds, at least, between two times that the file is written: so much of the end is missing if the run is killed."""


class History:
    """Of one run; the file is always a whole one."""

    def __init__(self, folder: OutputFolder) -> None:
        self._folder = folder
        self._lines = [",".join(COLUMNS)]
        self._latest = Snapshot()
        self._known: tuple[int, ...] = ()
        """What the last line counts."""
        self._written = 1
        """Lines that are on disk, or not worth a file."""
        self._due = 0.0

    def note(self, now: Snapshot, bugs: int) -> None:
        """A line, if there is something new; the file, if it is time."""
        self._latest = now
        known = (now.branches_covered, now.lines_covered, bugs)
        if known != self._known:
            self._known = known
            work = (now.instructions, now.solver_queries, now.paths, now.merged)
            self._add(now.wall_seconds, (*work, now.branches_covered, now.lines_covered, now.tests, bugs))
        if self._written < len(self._lines) and now.wall_seconds >= self._due:
            self._due = now.wall_seconds + INTERVAL
            self._write()

    def finish(self, end: RunStatistics, tests: int, bugs: int) -> None:
        """The last line, and the file; nothing where no run was noted."""
        if not self._known:
            return
        work = (end.instructions, end.solver_queries, end.paths_completed, end.paths_merged)
        coverage = (self._latest.branches_covered, self._latest.lines_covered)
        self._add(max(end.wall_seconds, self._latest.wall_seconds), (*work, *coverage, tests, bugs))
        self._write()

    def _add(self, seconds: float, counts: Iterable[int]) -> None:
        self._lines.append(f"{seconds:.3f},{time.process_time():.3f},{','.join(map(str, counts))}")

    def _write(self) -> None:
        self._folder.write(NAME, "\n".join([*self._lines, ""]))
        self._written = len(self._lines)
