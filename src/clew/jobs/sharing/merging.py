"""What workers have done, added to the run that the coordinating process has: its summary is that of all of them."""

from __future__ import annotations

from dataclasses import replace

from clew.execute.run import Run
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import PreparedRun
from clew.parallel.messages import Commit, Knowledge
from clew.report.listener import Listener
from clew.report.reasons import Attempts
from clew.report.records import NOT_SUMMARIZED, BranchId, Bug, LoopStatement, Test
from clew.solver.stats import SolverStats
from clew.techniques.statistics import no_statistics


def known_to(run: Run) -> Knowledge:
    """What a run knows that holds for all."""
    coverage = run.coverage
    return Knowledge(
        frozenset(coverage.edges), frozenset(coverage.blocks), frozenset(coverage.lines), frozenset(run.reported)
    )


def learn(run: Run, news: Knowledge) -> None:
    """Let a run know what others do."""
    run.coverage.learn(news.edges, news.blocks, news.lines)
    run.reported |= news.reported


class Results:
    """Of all workers together."""

    def __init__(self, ready: PreparedRun, ledger: Ledger, listener: Listener) -> None:
        self._ready = ready
        self._ledger = ledger
        self._listener = listener
        self._helpers = no_statistics(), SolverStats()
        ledger.assist(*self._helpers)
        self._shown: set[BranchId] = set(ready.run.coverage.taken())
        """Outcomes of branches that some test takes."""
        self.loops: dict[tuple[str, object], LoopStatement] = {}
        """What workers say about loops."""

    def add(self, commit: Commit) -> Knowledge:
        """Add what a worker tells; what of it nobody knew."""
        ready, ledger, work = self._ready, self._ledger, commit.work
        run = ready.run
        news = commit.knowledge.without(known_to(run))
        learn(run, news)
        run.statistics.add(work.statistics)
        run.started |= work.started
        ready.collector.solver.add(work.solver)
        self._helpers[0].add(work.helpers[0])
        self._helpers[1].add(work.helpers[1])
        for key, count in work.losses.items():
            run.losses[key] = run.losses.get(key, 0) + count
        for branch, why in work.unreachable.items():
            ledger.unreachable.setdefault(branch, why)
        for name, total in work.accounts.items():
            ready.accounts.add(name, *total)
        for statement in commit.loops:
            self.note_loop(statement)
        for branch, attempts in commit.attempts.items():
            ledger.attempts[branch] = ledger.attempts.get(branch, Attempts()) + attempts
        for text in work.warnings:
            ready.collector.warn(text)
        self._tell(work.found, news)
        ready.collector.progress()
        return news

    def _tell(self, found: tuple[Test | Bug, ...], news: Knowledge) -> None:
        """Pass on what is new; a test that shows a bug comes before that."""
        test: Test | None = None
        for one in found:
            if isinstance(one, Test) and one.error is not None:
                test = one
            elif isinstance(one, Test):
                self._consider(one, news)
            elif self._ledger.findings.take(one):
                if test is not None:
                    self._pass_on(test)
                self._listener.bug_found(one)
            elif test is not None:
                self._consider(replace(test, error=None, reason="coverage"), news)

    def _consider(self, test: Test, news: Knowledge) -> None:
        """Pass a test on, if it is worth it beside those of other workers."""
        if self._ready.collector.every_path or test.covers - self._shown or news.lines or news.edges:
            self._pass_on(test)

    def _pass_on(self, test: Test) -> None:
        findings = self._ledger.findings
        self._shown |= test.covers
        if findings.is_written(test, self._ready.collector.every_path):
            return  # workers of a cluster do not know
        findings.tests += 1
        self._listener.test_found(test)

    def note_loop(self, statement: LoopStatement) -> None:
        """Of what several say about a loop, what says most; how often it was summarized, by all."""
        key = (statement.function, statement.location)
        known = self.loops.get(key)
        if known is not None:
            said = known if known.status != NOT_SUMMARIZED else statement
            statement = replace(said, summarized=known.summarized + statement.summarized)
        self.loops[key] = statement
