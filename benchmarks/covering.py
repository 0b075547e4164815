"""How many paths and seconds ``clew test`` needs until it has covered all of a program that can be covered.

A listener notes how things stand after so many paths, and when the last branch falls; then the run is asked to stop.
Each run has a process of its own: none finds modules loaded or expressions built by an earlier one. Time begins when
the program is loaded; compilation is the same for all.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

from benchmarks.apart import Died, apart
from clew.base.errors import ClewError
from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.listener import ProgramInfo, SilentListener, Snapshot
from clew.report.records import Summary


@dataclass(frozen=True, slots=True)
class Standing:
    """How a run stands at some moment."""

    tests: int = 0
    branches: int = 0
    runs: int = 0
    """Paths that ran to their end."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Covering:
    """One run: how it stood when the limit of paths was reached, and when everything was covered or it ended."""

    limit: Standing
    """The same as ``end``, if that came first."""
    end: Standing
    covered: bool = False
    """Is everything covered that can be?"""
    stopped: bool = False
    """Did the time limit end it? Otherwise, if not ``covered``, there was nothing left to run."""
    total: int = 0
    """Branches of the program."""
    unreachable: int = 0
    """Branches that were said to be that."""
    invariant_seconds: float = 0.0
    candidates: int = 0
    """Inputs that invariants proposed."""
    tests: int = 0
    """Of those, the ones that were kept."""
    failed: str = ""
    """Why there are no figures; empty if there are."""

    def to_json(self) -> dict[str, object]:
        data = asdict(self)
        for standing in (data["limit"], data["end"]):
            standing["seconds"] = round(standing["seconds"], 3)
        data["invariant_seconds"] = round(self.invariant_seconds, 3)
        return data


class Watch(SilentListener):
    """Listens to one run, and asks it to stop when ``branches`` are covered."""

    def __init__(self, request: TestRequest, branches: int, runs: int) -> None:
        self._interrupt = request.interrupt
        self._wanted = branches
        self._runs = runs
        self._begun = time.perf_counter()
        self._latest = Snapshot()
        self.limit: Standing | None = None
        self.end: Standing | None = None

    def loaded(self, program: ProgramInfo) -> None:
        self._begun = time.perf_counter()

    def progress(self, snapshot: Snapshot) -> None:
        """Only the ends of paths count: in the middle of one, branches are covered that no test covers yet."""
        if snapshot.paths == self._latest.paths:
            return
        self._latest = snapshot
        if self.limit is None and snapshot.paths >= self._runs:
            self.limit = self.standing()
        if self.end is None and snapshot.branches_covered >= self._wanted:
            self.end = self.standing()
            self._interrupt.request()

    def standing(self) -> Standing:
        """Now, as the latest path has left it."""
        now = self._latest
        return Standing(now.tests, now.branches_covered, now.paths, time.perf_counter() - self._begun)


def explore(request: TestRequest, branches: int, runs: int) -> Covering:
    """Run it in this process until that many branches are covered; the limit of paths is only noted."""
    watch = Watch(request, branches, runs)
    try:
        summary = run_test(request, watch)
    except ClewError as problem:
        return Covering(Standing(), Standing(), failed=str(problem))
    end = watch.end or watch.standing()
    return _covering(summary, watch.limit or end, end, watch.end is not None)


def _covering(summary: Summary, limit: Standing, end: Standing, covered: bool) -> Covering:
    stats = summary.stats
    return Covering(
        limit,
        end,
        covered,
        stopped=not covered and summary.stopped is not None,
        total=len(summary.coverage.branches),
        unreachable=len(summary.unreachable),
        invariant_seconds=stats.invariant_seconds,
        candidates=stats.invariant_candidates,
        tests=stats.invariant_tests,
    )


def measure(request: TestRequest, branches: int, runs: int) -> Covering:
    """The same, in a process of its own."""
    try:
        return apart(explore, request, branches, runs)
    except Died as died:
        return Covering(Standing(), Standing(), failed=str(died))
