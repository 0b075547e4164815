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
        self._earlier = (0.0, 0.0)
        """Seconds, and of the processor, that the run took before it was gone on with."""

    def restore(self) -> None:
        """Go on with the file that there is, if it can be read."""
        try:
            head, *lines = (self._folder.path / NAME).read_text(encoding="utf-8").splitlines()
            seconds, cpu_seconds, *_ = lines[-1].split(",")
            self._earlier = float(seconds), float(cpu_seconds)
        except (OSError, ValueError, IndexError):
            return
        if head == self._lines[0]:
            self._lines += lines
            self._written = len(self._lines)

    def note(self, now: Snapshot, bugs: int) -> bool:
        """A line, if there is something new; whether it is time to write the file."""
        self._latest = now
        known = (now.branches_covered, now.lines_covered, bugs)
        if known != self._known:
            self._known = known
            work = (now.instructions, now.solver_queries, now.paths, now.merged)
            self._add(now.wall_seconds, (*work, now.branches_covered, now.lines_covered, now.tests, bugs))
        return self._written < len(self._lines) and now.wall_seconds >= self._due

    def write(self) -> None:
        """The file as it is by now."""
        self._due = self._latest.wall_seconds + INTERVAL
        self._folder.write(NAME, "\n".join([*self._lines, ""]))
        self._written = len(self._lines)

    def finish(self, end: RunStatistics, tests: int, bugs: int) -> None:
        """The last line, and the file; nothing where no run was noted. ``end`` may not have all counts, if the run was
        cut off."""
        if not self._known:
            return
        now = self._latest
        all_work = (end.instructions, end.solver_queries, end.paths_completed, end.paths_merged)
        own_work = (now.instructions, now.solver_queries, now.paths, now.merged)
        coverage = (now.branches_covered, now.lines_covered)
        self._add(
            max(end.wall_seconds - self._earlier[0], now.wall_seconds),
            (*map(max, all_work, own_work), *coverage, tests, bugs),
        )
        self.write()

    def _add(self, seconds: float, counts: Iterable[int]) -> None:
        at, cpu = self._earlier[0] + seconds, self._earlier[1] + time.process_time()
        self._lines.append(f"{at:.3f},{cpu:.3f},{','.join(map(str, counts))}")
