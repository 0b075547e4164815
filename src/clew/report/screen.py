"""What a person sees while a run goes on, on standard error only: warnings, and a line that is rewritten in place.

    12 s (48 left) | paths 1,234 +56 | branches 45/60 75% | tests 7 | bugs 1 | solver 34%

Where several processes explore, it is a line and a table:

    12 s (48 left) | workers 2, jobs 56 | paths 1,234, 310/s | branches 45/60 75% | tests 7 | bugs 1
    worker      jobs      paths    paths/s   branches
    0             31        634        161         12
    1             25        600        149          3

Where the terminal is narrow, what matters least is left out. All is shown on a terminal only, and not in the first
moments, so that a short run does not flicker.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from clew.base.printable import LINES, printable
from clew.report.bugtext import headline
from clew.report.listener import Listener, ProgramInfo, Snapshot
from clew.report.records import Bug, Test

_INTERVAL = 0.1
_LATELY = 3.0
"""Seconds over which a rate is taken."""
_ERASE = "\r\x1b[K"
_ERASE_LINES = "\r\x1b[{}A\x1b[J"
"""Erases the line of the cursor and so many above it."""
_ROW = "{:<9} {:>6} {:>10} {:>10} {:>10}"


Part = tuple[int, str]
"""Of a line: how soon it is left out where there is no room (0: last), and the text."""


def fitted(parts: Sequence[Part], room: int) -> str:
    """The parts in one line of at most ``room`` characters; those with the largest numbers are left out for that."""
    left = list(parts)
    while len(text := " | ".join(part for _, part in left)) > room and len(left) > 1:
        left.remove(max(left, key=lambda part: part[0]))
    return text[:room]


def progress_parts(snapshot: Snapshot, rate: float = 0.0) -> Iterator[Part]:
    """A snapshot in words, the pending paths after a plus sign; ``rate`` are paths in a second, lately."""
    left = "" if snapshot.seconds_left is None else f" ({snapshot.seconds_left:.0f} left)"
    yield 1, f"{snapshot.wall_seconds:.0f} s{left}"
    if snapshot.workers:
        yield 5, f"workers {len(snapshot.workers):,}, jobs {snapshot.pending:,}"
        yield 4, f"paths {snapshot.paths:,}, {rate:,.0f}/s"
    else:
        yield 4, f"paths {snapshot.paths:,} +{snapshot.pending:,}"
    if snapshot.branches_total:
        share = snapshot.branches_covered / snapshot.branches_total
        yield 2, f"branches {snapshot.branches_covered}/{snapshot.branches_total} {share:.0%}"
    yield 3, f"tests {snapshot.tests:,}"
    yield 0, f"bugs {snapshot.bugs:,}"
    if snapshot.wall_seconds > 0 and not snapshot.workers:
        yield 6, f"solver {min(1.0, snapshot.solver_seconds / snapshot.wall_seconds):.0%}"


def worker_table(snapshot: Snapshot, before: Snapshot, most: int) -> list[str]:
    """A row for each worker, as far as there is room for ``most``; rates are those since ``before``."""
    if not snapshot.workers or most < 2:
        return []
    seconds = snapshot.wall_seconds - before.wall_seconds
    then = {worker.name: worker.paths for worker in before.workers}
    rows = [_ROW.format("worker", "jobs", "paths", "paths/s", "branches")]
    for worker in snapshot.workers:
        rate = (worker.paths - then.get(worker.name, 0)) / seconds if seconds > 0 else 0.0
        numbers = (worker.jobs, worker.paths, round(rate), worker.covered)
        rows.append(_ROW.format(printable(worker.name), *(f"{number:,}" for number in numbers)))
    return rows if len(rows) <= most else [*rows[: most - 1], f"... and {len(rows) - most + 1:,} more"]


def _size(stream: TextIO) -> os.terminal_size:
    """Of the terminal behind a stream; standard output, which others ask about, may be a file."""
    if not os.environ.get("COLUMNS"):
        try:
            return os.get_terminal_size(stream.fileno())
        except (OSError, ValueError):
            pass
    return shutil.get_terminal_size()


class ProgressLine:
    """A line on a terminal that is rewritten in place; ``clear`` before anything else is printed there."""

    def __init__(self, stream: TextIO, enabled: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self.enabled = enabled and stream.isatty()
        self._clock = clock
        self._next = clock() + 3 * _INTERVAL
        self._lines = 0
        """How many are visible."""
        self._past: deque[Snapshot] = deque()
        """What the rate is that of: all in the last seconds, and one from before."""

    def show(self, snapshot: Snapshot) -> None:
        """Rewrite the line, unless that was done a moment ago."""
        if self._is_due():
            before = self._before(snapshot)
            seconds = snapshot.wall_seconds - before.wall_seconds
            rate = (snapshot.paths - before.paths) / seconds if seconds > 0 else 0.0
            rows = worker_table(snapshot, before, _size(self._stream).lines - 2)
            self._write([*progress_parts(snapshot, rate)], rows)

    def say(self, parts: Sequence[Part]) -> None:
        """The same for something else than the snapshot of a run."""
        if self._is_due():
            self._write(parts)

    def _is_due(self) -> bool:
        if not self.enabled or (now := self._clock()) < self._next:
            return False
        self._next = now + _INTERVAL
        return True

    def _write(self, parts: Sequence[Part], rows: Sequence[str] = ()) -> None:
        # One column less than the terminal has: a full line would wrap and could not be erased.
        room = max(10, _size(self._stream).columns - 1)
        lines = [fitted(parts, room), *(row[:room] for row in rows)]
        self._stream.write(self._erasure() + "\n".join(lines))
        self._stream.flush()
        self._lines = len(lines)

    def _before(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot from some seconds ago."""
        self._past.append(snapshot)
        while len(self._past) > 2 and self._past[1].wall_seconds < snapshot.wall_seconds - _LATELY:
            self._past.popleft()
        return self._past[0]

    def _erasure(self) -> str:
        return _ERASE if self._lines < 2 else _ERASE_LINES.format(self._lines - 1)

    def clear(self) -> None:
        """Leave no trace on the terminal."""
        if self._lines:
            self._stream.write(self._erasure())
            self._stream.flush()
            self._lines = 0


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
