"""``clew test`` in a process of its own, for what it explores: paths, merged ones, errors, and seconds.

Time begins when the program is loaded; compilation is the same for all ways to explore it. Nothing is written.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.apart import Died, apart
from clew.base.errors import ClewError
from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import ProgramInfo, SilentListener

Error = tuple[str, str, int]
"""Kind, name of the file, line."""

_EXPECT = re.compile(r"// expect: ([a-z-]+) @\+1\s*$")


@dataclass(frozen=True, slots=True)
class Exploration:
    """One run."""

    seconds: float = 0.0
    completed: int = 0
    merged: int = 0
    formulas: int = 0
    checks: int = 0
    hits: int = 0
    queries: int = 0
    branches: int = 0
    """Covered."""
    tests: int = 0
    errors: tuple[Error, ...] = ()
    stopped: str | None = None
    lost: tuple[str, ...] = ()
    failed: str = ""
    """Why there are no figures; empty if there are."""

    @property
    def explored(self) -> int:
        """All paths, up to their end or to where they were merged."""
        return self.completed + self.merged

    @property
    def complete(self) -> bool:
        """Was everything explored?"""
        return not self.failed and self.stopped is None and not self.lost

    def to_json(self) -> dict[str, object]:
        return {
            "seconds": round(self.seconds, 4),
            "paths_completed": self.completed,
            "paths_merged": self.merged,
            "merge_formulas": self.formulas,
            "merge_checks": self.checks,
            "merge_hits": self.hits,
            "solver_queries": self.queries,
            "branches": self.branches,
            "tests": self.tests,
            "errors": [{"kind": kind, "file": file, "line": line} for kind, file, line in self.errors],
            "stopped": self.stopped,
            "losses": list(self.lost),
            "complete": self.complete,
            "failed": self.failed,
        }


class _Stopwatch(SilentListener):
    def __init__(self) -> None:
        self.begun = time.perf_counter()

    def loaded(self, program: ProgramInfo) -> None:
        self.begun = time.perf_counter()


def explore(request: TestRequest) -> Exploration:
    """Run it in this process."""
    stopwatch = _Stopwatch()
    try:
        summary = run_test(request, stopwatch)
    except ClewError as problem:
        return Exploration(failed=str(problem))
    seconds, stats = time.perf_counter() - stopwatch.begun, summary.stats
    places = ((bug.kind, bug.location) for bug in summary.bugs)
    errors = ((kind, Path(place.file).name, place.line) if place else (kind, "", 0) for kind, place in places)
    return Exploration(
        seconds,
        stats.paths_completed,
        stats.paths_merged,
        stats.merge_formulas,
        stats.merge_checks,
        stats.merge_hits,
        stats.solver_queries,
        summary.coverage.branches_covered,
        summary.tests,
        tuple(sorted(errors)),
        None if summary.stopped is None else str(summary.stopped),
        tuple(loss.what for loss in summary.losses),
    )


def measure(request: TestRequest) -> Exploration:
    """The same, in a process of its own; never raises for what the run does, since hundreds of others may follow."""
    try:
        return apart(explore, request)
    except Died as died:
        return Exploration(failed=str(died))
    except Exception as problem:
        return Exploration(failed=f"{type(problem).__name__}: {problem}")


def expected_errors(files: Iterable[Path]) -> frozenset[Error]:
    """What comments announce for the line below them: ``// expect: out-of-bounds @+1``."""
    found = set()
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if match := _EXPECT.search(line):
                found.add((match[1], file.name, number + 1))
    return frozenset(found)
