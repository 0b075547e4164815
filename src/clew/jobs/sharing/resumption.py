"""A run that is gone on with: what an earlier one has done counts as done, and what it has left is taken up again.

Prefixes are followed in portions, those with least of a path behind them first: many may be left, and each takes the
room of a state once it was followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from clew.base.budget import StopReason
from clew.base.dataclass import dataclass
from clew.checks.properties import PropertyKey
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun
from clew.jobs.sharing.merging import Results
from clew.parallel.messages import Commit, Knowledge, Work
from clew.parallel.prefix import Prefix
from clew.parallel.replay import Ended, Lost, follow
from clew.report.listener import Listener
from clew.report.records import Bug, LoopStatement, LossKind, Test
from clew.report.runlog import StoredLog

PORTION = 256
"""Prefixes that are followed before what comes of them is explored."""
GONE = "paths that could not be followed to where they were handed over"


@dataclass(frozen=True, slots=True)
class Standing:
    """All that a run has done, for who goes on with it another time."""

    work: Work
    """But for tests and bugs."""
    seconds: float
    possible: Counter[PropertyKey]
    unasked: dict[PropertyKey, str]
    doubtful: set[PropertyKey]
    """Failures, as findings have them."""
    loops: tuple[LoopStatement, ...] = ()


class Resumption:
    """Of one run; of one that begins anew, nothing is left."""

    def __init__(self, earlier: StoredLog | None) -> None:
        self._earlier = earlier
        self.left: list[Prefix] = []
        """What nobody has taken up, the next one last."""
        self.goes_on = earlier is not None and earlier.standing is not None
        """Whether the run begins with what is left of an earlier one."""
        self.numbers = () if earlier is None else tuple(earlier.jobs)
        """Of the jobs that were left, in the log."""
        self.loops: tuple[LoopStatement, ...] = ()
        if earlier is not None:
            self.take_over(job for job in earlier.jobs.values() if isinstance(job, Prefix))

    def take_over(self, jobs: Iterable[Prefix]) -> None:
        """These are left to this process."""
        self.left[:] = sorted(jobs, key=lambda job: job.depth, reverse=True)

    def restore(self, ready: PreparedRun, ledger: Ledger) -> None:
        """Count what the earlier run has done."""
        earlier = self._earlier
        if earlier is None:
            return
        results = Results(ready, ledger, Listener())
        findings, coverage = ledger.findings, ready.run.coverage
        for found in earlier.found:
            if isinstance(found, Test):
                findings.tests += 1
                findings.written[found.path] = findings.written[found.inputs] = found
            elif isinstance(found, Bug):
                findings.take(found)
            else:
                findings.warnings.append(found)
        standing = earlier.standing
        if isinstance(standing, Standing):
            self.loops = standing.loops
            knowledge = earlier.knowledge if isinstance(earlier.knowledge, Knowledge) else Knowledge()
            results.add(Commit((), (), standing.work, knowledge))
            ledger.earlier_seconds = standing.seconds
            if ready.budget.instructions is not None:
                ready.budget.instructions += standing.work.statistics.instructions
            findings.possible |= standing.possible
            findings.unasked.update(standing.unasked)
            findings.doubtful |= standing.doubtful
        for found in earlier.found[len(earlier.found) - earlier.later :]:
            if isinstance(found, Test):
                coverage.learn(coverage.edges_of(found.covers), (), ())

    def more(self, ready: PreparedRun) -> bool:
        """Follow some of the prefixes that are left; whether there was one."""
        if ready.engine.stopped is not None:
            return False
        portion = self.left[-PORTION:][::-1]
        taken = take_up(ready, portion)
        if len(taken) < len(portion):
            ready.engine.stop(ready.budget.exhausted() or StopReason.TIME)
        done = {id(portion[place]) for place in taken}
        self.left[-PORTION:] = [prefix for prefix in self.left[-PORTION:] if id(prefix) not in done]
        return bool(taken)


def take_up(
    ready: PreparedRun, prefixes: Sequence[Prefix], begin: Callable[[int], None] = lambda place: None
) -> Sequence[int]:
    """Queue the states that prefixes lead to: the places of those for which that was done before the time was over.

    ``begin`` is told which of them is followed from now on.
    """
    run, engine = ready.run, ready.engine
    found = follow(run, ready.entry.start, prefixes, lambda: ready.budget.exhausted() not in (None, "memory"), begin)
    for place, outcome in sorted(found.items()):
        if isinstance(outcome, Lost):
            run.note_loss(LossKind.UNEXPLORED, f"{GONE} ({outcome.why})", None)
        elif isinstance(outcome, Ended):  # who made the prefix was cut off while it filed that
            begin(place)
            engine.end(outcome.state, outcome.problem)
        else:
            run.searcher.add(outcome)
    return tuple(found)
