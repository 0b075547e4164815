"""One measured run of the engine: the time between the program being loaded and the end of the search.

Compilation is left out on purpose: it is Clang's, and the compile cache makes it a matter of the first run only.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from clew.base.options import TestRequest
from clew.base.statistics import RunStatistics
from clew.jobs.test import run_test
from clew.report.listener import ProgramInfo, SilentListener


class _Stopwatch(SilentListener):
    """Notes when the program is there and the first path is about to run."""

    def __init__(self) -> None:
        self.begun = time.perf_counter()

    def loaded(self, program: ProgramInfo) -> None:
        self.begun = time.perf_counter()


@dataclass(frozen=True, slots=True)
class Run:
    """Counters of a run, and the seconds they took."""

    stats: RunStatistics
    seconds: float

    @property
    def instructions_per_second(self) -> float:
        return self.stats.instructions / self.seconds

    @property
    def paths_per_second(self) -> float:
        return self.stats.paths_completed / self.seconds


def explore(source: Path, seconds: float | None = None, flags: tuple[str, ...] = ()) -> Run:
    """``clew test`` on a program, in this process, without an output folder; path by path, since that is measured."""
    stopwatch = _Stopwatch()
    request = TestRequest(files=(source,), seconds=seconds, compiler_flags=flags, merge=False)
    summary = run_test(request, stopwatch)
    return Run(summary.stats, time.perf_counter() - stopwatch.begun)


def command_seconds(source: Path) -> float:
    """Wall time of the whole command as a user types it, interpreter start included."""
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        command = [sys.executable, "-m", "clew", "test", str(source), "--quiet", "--out", str(Path(folder) / "out")]
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begun
