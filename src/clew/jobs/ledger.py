"""The ledger of a command: all runs that it makes, what they add up to, and the answers to its questions.

A command may run a program several times, in different ways, and leave a run for another one. What the user is told
about the work, about coverage and about losses is that of all of them: only the answer is that of one.

A run that did not come to its end says so, however it ended: what waits is counted here, if the run could not do that
any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from clew.base.budget import Budget, StopReason, peak_memory_mb
from clew.base.options import Request
from clew.checks.properties import Property, PropertyKey
from clew.jobs.findings import Findings
from clew.jobs.function_coverage import with_functions
from clew.jobs.pointer_functions import narrowed
from clew.jobs.prepare import PreparedRun
from clew.jobs.uncovered import explained
from clew.report.records import BranchId, Coverage, LoopInvariant, LossKind, LossNote, Summary, Unreachable, ranked
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats
from clew.techniques.statistics import no_statistics
from clew.techniques.tasks import Answer, Open, OpenReason, Proved

LEFT = "paths that were left waiting when another technique took over"
LAST_SEEN = "paths that were waiting shortly before the run had to be ended"
TOO_LATE = LossNote(LossKind.UNEXPLORED, "the whole program: compiling and reading it took too long")
"""The loss of a command whose budget ended before its first run could begin."""
_REASONS = (
    OpenReason.BOUNDED, OpenReason.NOT_FOLLOWED, OpenReason.UNCONFIRMED, OpenReason.STOPPED, OpenReason.UNSUPPORTED,
    OpenReason.UNDECIDED,
)  # fmt: skip
"""Why a question is open, from what says most."""
_CUT_SHORT = (LossKind.UNEXPLORED, LossKind.EVICTED)


class Ledger:
    """Of one command, from its first run to its summary."""

    def __init__(self, request: Request, command: str, budget: Budget, helped: Ledger | None = None) -> None:
        self._request = request
        self.command = command
        self.budget = budget
        self.helped = helped
        """The ledger of the command, if this one is that of runs which help it."""
        self.runs: list[PreparedRun] = []
        """Those over the program itself, in order."""
        self._helpers: list[tuple[RunStatistics, SolverStats]] = []
        self.findings = Findings()
        self.unreachable: dict[BranchId, Unreachable] = {}
        """Branch outcomes that no inputs lead to."""
        self.stopped: StopReason | None = None
        """What ended the command before its first run, if something did."""
        self.answering: PreparedRun
        """The run that was entered last: the summary tells what it has found."""
        self.properties: tuple[Property, ...] = ()
        """The questions, where they are properties: those of the answering run."""
        self.answers: dict[PropertyKey, Answer] = {}
        self._failures: list[LossNote] = []
        self.technique = ""
        """What the answers are owed to."""
        self.loop_invariants: tuple[LoopInvariant, ...] = ()
        """On which proofs rest, as far as C can say them."""

    def enter(self, ready: PreparedRun) -> PreparedRun:
        """A run over the program begins, or is taken up again."""
        if ready not in self.runs:
            self.runs.append(ready)
            if self.helped is not None:
                self.helped.assist(ready.run.statistics, ready.collector.solver)
        self.answering = ready
        return ready

    def of_helper(self) -> Ledger:
        """A ledger for runs over another program, which help: their work counts here, their paths do not."""
        return Ledger(self._request, self.command, self.budget, self)

    def answer_open(self, answers: Mapping[PropertyKey, Answer], of_run: bool = False) -> None:
        """Enter these answers where none is known that says more. A proof stands.

        ``of_run``: they are about a run as a whole, so that what is known about the question itself says more.
        """
        for key, answer in answers.items():
            known = self.answers.get(key)
            if known is None or _worth(answer) > _worth(known) - (isinstance(known, Open) and not of_run):
                self.answers[key] = answer

    def proved(self) -> set[PropertyKey]:
        """The properties that hold."""
        return {key for key, answer in self.answers.items() if isinstance(answer, Proved)}

    def stop(self, reason: StopReason) -> None:
        """The command was ended in the middle of something."""
        if self.runs:
            self.answering.engine.stop(reason)
        else:
            self.stopped = reason

    def failed(self, technique: str, error: Exception) -> None:
        """An internal error has ended a technique, and others go on: that is said, whatever they answer.

        Where the engine is to check its own answers, the error is raised.
        """
        if self._request.validate:
            raise error
        note = LossNote(LossKind.FAILED, f"{technique}: {type(error).__name__}: {error}")
        self._failures.append(note)
        self.findings.warnings.append(f"internal error in {note.what}")

    def assist(self, statistics: RunStatistics, solver: SolverStats) -> None:
        """A run that helps, over another program or for inputs only: its work counts, its paths do not."""
        self._helpers.append((statistics, solver))

    def assistance(self) -> tuple[RunStatistics, SolverStats]:
        """All that runs have done which help."""
        total, asked = no_statistics(), SolverStats()
        for statistics, solver in self._helpers:
            total.add(statistics)
            asked.add(solver)
        return total, asked

    def summary(self, settled: bool = False, so_far: bool = False) -> Summary:
        """All but the answer.

        ``settled``: that leaves no question open, so what other runs have left out does not matter. ``so_far``: the
        command goes on, and this is in case that it does not come to its end.
        """
        found, left = self.findings, LAST_SEEN if so_far else LEFT
        notes = [note for ready in self.runs for note in losses_of(ready, left)]
        if not self.runs:
            notes = [TOO_LATE]
        elif settled:
            notes = list(self.answering.run.loss_notes())
        notes += () if settled else self._failures
        known = Summary(
            command=self.command,
            files=tuple(str(file) for file in self._request.files),
            bugs=ranked(found.bugs),
            tests=found.tests,
            coverage=self.coverage(),
            stats=self.statistics(),
            stopped=self.answering.engine.stopped if self.runs else self.stopped or StopReason.TIME,
            losses=_added(notes),
            narrowed=narrowed(self._request) if self.runs else (),
            assumed=self.runs[0].entry.assumed(self.runs[0].program) if self.runs else (),
            seed=self._request.seed,
            warnings=tuple(found.warnings),
            unreachable=tuple(self.unreachable.values()),
            accounts=tuple(account for ready in self.runs for account in ready.accounts.records()),
        )
        return known if so_far else explained(known, self.runs, self.unreachable)

    def statistics(self) -> RunStatistics:
        """Of all runs together."""
        total = no_statistics()
        for ready in self.runs:
            total.add(_counted(ready.run.statistics, ready.collector.solver))
        for statistics, solver in self._helpers:
            total.add(_counted(statistics, solver).work())
        total.wall_seconds = self.budget.elapsed()
        total.peak_memory_mb = peak_memory_mb()
        return total

    def coverage(self) -> Coverage:
        """What any run has covered."""
        records = [
            with_functions(ready.run.coverage.record(), ready.run.coverage, ready.run.program) for ready in self.runs
        ]
        return Coverage(
            _any_covered((item.id, item) for record in records for item in record.branches),
            _any_covered(((item.file, item.line), item) for record in records for item in record.lines),
            _any_covered(((item.name, item.file, item.line), item) for record in records for item in record.functions),
        )


def losses_of(ready: PreparedRun, left: str = LEFT) -> tuple[LossNote, ...]:
    """What a run has left out, with what waits now: ``left`` says why it does where the run was not stopped."""
    run, stopped = ready.run, ready.engine.stopped
    notes = run.loss_notes()
    waiting = 0 if ready.engine.waiting_noted else len(run.searcher)
    if waiting:
        what = left if stopped is None else f"paths still waiting when the run stopped ({stopped})"
        return (*notes, LossNote(LossKind.UNEXPLORED, what, None, waiting))
    if stopped is not None and not any(note.kind in _CUT_SHORT for note in notes):
        return (*notes, LossNote(LossKind.UNEXPLORED, f"path cut when the run stopped ({stopped})"))
    return notes


def _worth(answer: Answer) -> int:
    """How much an answer says: a proof most; of reasons for not having one, those that are not a technique's own."""
    return -_REASONS.index(answer.reason) if isinstance(answer, Open) else 1


def _counted(statistics: RunStatistics, solver: SolverStats) -> RunStatistics:
    """The statistics of a run, with what its solver has counted."""
    return replace(
        statistics,
        solver_queries=solver.queries,
        solver_cache_hits=solver.cache_hits,
        solver_seconds=solver.seconds,
    )


def _added(notes: Iterable[LossNote]) -> tuple[LossNote, ...]:
    """Each loss once, with the sum of the counts."""
    found: dict[tuple[LossKind, str, object], LossNote] = {}
    for note in notes:
        key = (note.kind, note.what, note.location)
        known = found.get(key)
        found[key] = note if known is None else replace(known, count=known.count + note.count)
    return tuple(found.values())


class _Covered(Protocol):
    """Something that is covered or not."""

    @property
    def covered(self) -> bool: ...


C = TypeVar("C", bound=_Covered)


def _any_covered(items: Iterable[tuple[object, C]]) -> tuple[C, ...]:
    """Each item once: covered, if it is that in any place."""
    found: dict[object, C] = {}
    for key, item in items:
        known = found.get(key)
        if known is None or item.covered:
            found[key] = item
    return tuple(found.values())
