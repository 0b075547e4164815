"""The ledger of a command: all runs that it makes, what they add up to, and the answers to its questions.

A command may run a program several times, in different ways, and leave a run for another one. What the user is told
about the work, about coverage and about losses is that of all of them: only the answer is that of one.

A run that did not come to its end says so, however it ended: what waits is counted here, if the run could not do that
any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from clew.base.budget import Budget, StopReason, peak_memory_mb
from clew.base.dataclass import dataclass
from clew.base.options import Request
from clew.checks.properties import Property, PropertyKey
from clew.jobs.findings import Findings
from clew.jobs.pointer_functions import narrowed
from clew.jobs.prepare import PreparedRun
from clew.jobs.run_record import RunRecord, counted, coverage_of, record_of
from clew.jobs.uncovered import explained
from clew.report.reasons import Attempts
from clew.report.records import BranchId, Coverage, LoopInvariant, LossKind, LossNote, Summary, Unreachable, ranked
from clew.report.statistics import RunStatistics
from clew.solver.stats import SolverStats
from clew.techniques.statistics import no_statistics
from clew.techniques.tasks import Answer, Open, OpenReason, Proved

if TYPE_CHECKING:
    from clew.report.listener import Listener
    from clew.techniques.invariants.candidates.lemmas import Lemmas

LEFT = "paths that were left waiting when another technique took over"
LAST_SEEN = "paths that were waiting shortly before the run had to be ended"
TOO_LATE = LossNote(LossKind.UNEXPLORED, "the whole program: compiling and reading it took too long")
"""The loss of a command whose budget ended before its first run could begin."""
_REASONS = (
    OpenReason.BOUNDED, OpenReason.NOT_FOLLOWED, OpenReason.UNCONFIRMED, OpenReason.STOPPED, OpenReason.UNSUPPORTED,
    OpenReason.UNDECIDED,
)  # fmt: skip
"""Why a question is open, from what says most."""

RunKey = tuple[int, int]
"""A run of another process: the number of the process, and that of the run there."""


@dataclass(frozen=True, slots=True)
class DistantWork:
    """What another process has done."""

    runs: Mapping[PreparedRun | RunKey, tuple[RunRecord, Coverage]]
    """Those over the program itself that it has made, or went on with."""
    helpers: tuple[RunStatistics, SolverStats]
    """What runs have done there that help."""


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
        self._elsewhere: dict[int, DistantWork] = {}
        """What other processes have done, as these have told last, by their numbers."""
        self._helpers: list[tuple[RunStatistics, SolverStats]] = []
        self.findings = Findings()
        self.unreachable: dict[BranchId, Unreachable] = {}
        self.attempts: dict[BranchId, Attempts] = {}
        """What paths in other processes tell of outcomes that these did not cover."""
        """Branch outcomes that no inputs lead to."""
        self.stopped: StopReason | None = None
        """What ended the command before its first run, if something did."""
        self._answering: PreparedRun | RunKey
        """The run that was entered last: the summary tells what it has found."""
        self.properties: tuple[Property, ...] = ()
        """The questions, where they are properties: those of the answering run."""
        self.answers: dict[PropertyKey, Answer] = {}
        self._failures: list[LossNote] = []
        self.earlier_seconds = 0.0
        """That the command took before it was left, and gone on with."""
        self.technique = ""
        """What the answers are owed to."""
        self.loop_invariants: tuple[LoopInvariant, ...] = ()
        """On which proofs rest, as far as C can say them."""
        self.lemmas: dict[bool, Lemmas] = {}
        """What loops keep, as far as somebody has found out; by whether it was asked as well why they end."""

    def enter(self, ready: PreparedRun) -> PreparedRun:
        """A run over the program begins, or is taken up again."""
        if ready not in self.runs:
            self.runs.append(ready)
            if self.helped is not None:
                self.helped.assist(ready.run.statistics, ready.collector.solver)
        self._answering = ready
        return ready

    def credit(self, run: PreparedRun | RunKey) -> None:
        """The summary is to tell of a run that another process has told of."""
        self._answering = run

    @property
    def answering(self) -> RunRecord:
        """The run that the summary tells of."""
        return self._record(self._answering)

    def records(self) -> list[RunRecord]:
        """All runs over the program itself, wherever they were made."""
        return [self._record(run) for run in self._all_runs()]

    # Other processes

    def hear(self, process: int, work: DistantWork) -> None:
        """A process tells of all that it has done so far."""
        self._elsewhere[process] = work

    def forget(self, process: int) -> None:
        """A process is no more, and another one does again what it has done. If the summary was to tell of a run of
        its, it tells of one of this process, until there is another answer."""
        self._elsewhere.pop(process, None)
        if self.runs and not isinstance(self._answering, PreparedRun) and self._told(self._answering) is None:
            self._answering = self.runs[0]

    def stop_distant(self, process: int, reason: StopReason) -> None:
        """A process was ended with all its runs."""
        work = self._elsewhere.get(process)
        if work is not None:
            runs = {run: (replace(record, stopped=reason), covered) for run, (record, covered) in work.runs.items()}
            self._elsewhere[process] = replace(work, runs=runs)

    def _all_runs(self) -> dict[PreparedRun | RunKey, None]:
        distant = (run for work in self._elsewhere.values() for run in work.runs)
        return dict.fromkeys(self.runs) | dict.fromkeys(distant)

    def _told(self, run: PreparedRun | RunKey) -> tuple[RunRecord, Coverage] | None:
        return next((work.runs[run] for work in self._elsewhere.values() if run in work.runs), None)

    def _record(self, run: PreparedRun | RunKey) -> RunRecord:
        told = self._told(run)
        if told is not None:
            return told[0]
        assert isinstance(run, PreparedRun)
        return record_of(run)

    def _covered(self, run: PreparedRun | RunKey) -> Coverage:
        told = self._told(run)
        if told is not None:
            return told[1]
        assert isinstance(run, PreparedRun)
        return coverage_of(run)

    # Helpers

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
        for process in self._elsewhere:
            self.stop_distant(process, reason)
        if not self.runs:
            self.stopped = reason
        elif isinstance(self._answering, PreparedRun):
            self._answering.engine.stop(reason)

    def failed(self, technique: str, error: Exception, told: str = "") -> None:
        """An internal error has ended a technique, and others go on: that is said, whatever they answer.

        ``told`` is what another process says of it. Where the engine is to check its own answers, the error is raised.
        """
        if self._request.validate:
            raise error
        what = f"{technique}: {told or f'{type(error).__name__}: {error}'}"
        self._lost(what, f"internal error in {what}")

    def lost(self, technique: str, why: str, questions: Iterable[PropertyKey]) -> None:
        """A technique has no process to work in any more, and others go on: that is why questions are open, if any."""
        what = f"{technique}: {why}"
        self._lost(what, what)
        self.answer_open(dict.fromkeys(questions, Open(OpenReason.NOT_FOLLOWED, what)))

    def _lost(self, what: str, warning: str) -> None:
        self._failures.append(LossNote(LossKind.FAILED, what))
        self.findings.warnings.append(warning)

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
        records = self.records()
        notes = [note for record in records for note in record.losses(left)]
        if not self.runs:
            notes = [TOO_LATE]
        elif settled:
            notes = list(self.answering.notes)
        notes += () if settled else self._failures
        return Summary(
            command=self.command,
            files=tuple(str(file) for file in self._request.files),
            bugs=ranked(found.bugs),
            tests=found.tests,
            coverage=self.coverage(),
            stats=self.statistics(),
            stopped=self.answering.stopped if self.runs else self.stopped or StopReason.TIME,
            losses=_added(notes),
            narrowed=narrowed(self._request) if self.runs else (),
            assumed=self.runs[0].entry.assumed(self.runs[0].program) if self.runs else (),
            seed=self._request.seed,
            warnings=tuple(found.warnings),
            unreachable=tuple(self.unreachable.values()),
            accounts=tuple(account for record in records for account in record.accounts),
        )

    def explained(self, summary: Summary, listener: Listener) -> Summary:
        """The last summary of the command, with a reason for each outcome that is not covered. To find these may take
        longer than there is time: so the listener is told before how things stand."""
        listener.stands(summary)
        return explained(summary, self.runs, self.unreachable, self.attempts)

    def statistics(self) -> RunStatistics:
        """Of all runs together."""
        total = no_statistics()
        for record in self.records():
            total.add(record.statistics)
        for statistics, solver in (*self._helpers, *(work.helpers for work in self._elsewhere.values())):
            total.add(counted(statistics, solver).work())
        total.wall_seconds = self.earlier_seconds + self.budget.elapsed()
        total.peak_memory_mb = peak_memory_mb()
        return total

    def coverage(self) -> Coverage:
        """What any run has covered."""
        parts = [self._covered(run) for run in self._all_runs()]
        return Coverage(
            _any_covered((item.id, item) for part in parts for item in part.branches),
            _any_covered(((item.file, item.line), item) for part in parts for item in part.lines),
            _any_covered(((item.name, item.file, item.line), item) for part in parts for item in part.functions),
        )


def _worth(answer: Answer) -> int:
    """How much an answer says: a proof most; of reasons for not having one, those that are not a technique's own."""
    return -_REASONS.index(answer.reason) if isinstance(answer, Open) else 1


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
