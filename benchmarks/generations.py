"""What one generation of tests covers: the first run, and the runs that turn one of its decisions round.

Such a sibling runs to its end, but what it would turn round itself is generation 2, and not run.
"""

from __future__ import annotations

from dataclasses import dataclass

from clew.base.options import TestRequest
from clew.execute.pending import Pending
from clew.jobs.test import run_test
from clew.report.listener import SilentListener, Snapshot
from clew.search.generational import Generational
from clew.search.registry import SEARCHERS, SearchContext

NAME = "first-generation"
"""For ``TestRequest.search``, once this module is imported; not in the command, since it leaves paths out."""


@SEARCHERS.register(NAME, "the first run and its siblings, without theirs")
class FirstGeneration(Generational):
    """Keeps nothing beyond generation 1.

    While the first run lasts, everything that comes is a part of it or a sibling of it. Later, only a sibling that
    gives way to others comes back; what was kept back while there was something better to do is not wanted.
    """

    def __init__(self, context: SearchContext) -> None:
        super().__init__(context)
        self._latest = 0
        """The latest generation that was begun; 2 when all is over."""

    def add(self, pending: Pending) -> None:
        gives_way = pending.constraint is None and pending.state.generation == self._latest
        if (self._latest == 0 and pending.state.generation <= 1) or gives_way:
            super().add(pending)
        else:
            pending.taken = True

    def select(self) -> Pending | None:
        pending = super().select()
        self._latest = 2 if pending is None else max(self._latest, pending.state.generation)
        return pending


@dataclass(frozen=True, slots=True)
class Generation:
    """Branches that were covered, and how."""

    first: int
    """By the first run alone."""
    branches: int
    """By it and its siblings."""
    runs: int
    """How many there were in all."""
    bugs: int
    stopped: str | None = None

    @property
    def new(self) -> int:
        """Covered by the siblings for the first time."""
        return self.branches - self.first

    def to_json(self) -> dict[str, object]:
        return {
            "first": self.first,
            "branches": self.branches,
            "new": self.new,
            "runs": self.runs,
            "bugs": self.bugs,
            "stopped": self.stopped,
        }


class _FirstRun(SilentListener):
    """Notes what is covered when the first path has ended."""

    def __init__(self) -> None:
        self.branches: int | None = None

    def progress(self, snapshot: Snapshot) -> None:
        if self.branches is None and snapshot.paths:
            self.branches = snapshot.branches_covered


def explore(request: TestRequest) -> Generation:
    """Run it in this process; the search of the request is to be ``NAME``, and it is not to navigate."""
    listener = _FirstRun()
    summary = run_test(request, listener)
    covered, stats = summary.coverage.branches_covered, summary.stats
    runs = stats.paths_completed + stats.paths_pruned + stats.paths_cut_short
    stopped = None if summary.stopped is None else str(summary.stopped)
    return Generation(listener.branches or 0, covered, runs, len(summary.bugs), stopped)
