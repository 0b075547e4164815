"""What is to be done if the process of a run has to be ended: the supervisor does it, from the run's journal.

A will is told beforehand, with the limits of the run; its ``carry_out`` gives the exit code. The time for it is short.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from clew.base.budget import StopReason
from clew.base.dataclass import dataclass
from clew.base.messages import STANDING
from clew.base.options import Request
from clew.cli.display import Display
from clew.cli.exits import FAILURE, STOPPED, exit_of
from clew.report.baseline import Baseline
from clew.report.folder import OutputFolder
from clew.report.journal import FOUND, LOADED
from clew.report.lines import counted
from clew.report.recorder import Recorder
from clew.report.records import LossKind, LossNote, Summary, Test
from clew.techniques.statistics import no_statistics

CUT = "whatever was going on when the run had to be ended from outside"


@dataclass(frozen=True, slots=True)
class Death:
    """How the process of a run ended, which had no time to end by itself."""

    reason: StopReason
    text: str
    """In a few words, for the user."""
    wall_seconds: float
    peak_memory_mb: float


class Will(Protocol):
    """See the module."""

    def carry_out(self, entries: Sequence[tuple[str, bytes]], death: Death) -> int:
        """Do it; ``entries`` are the journal."""


@dataclass(frozen=True, slots=True)
class SessionWill:
    """Of a command with an output folder: its summary is still to be written."""

    request: Request
    folder: OutputFolder
    display: Display
    command: str
    baseline: Baseline | None = None

    def carry_out(self, entries: Sequence[tuple[str, bytes]], death: Death) -> int:
        recorder = Recorder(self.folder, self.request, self.command, no_statistics, self.baseline)
        standing, is_last = _tell(recorder, entries)
        self.folder.clean()
        summary = recorder.finish(_summary(recorder, standing, is_last, death))
        self.display.result(summary)
        return FAILURE if death.reason is StopReason.FAILED else exit_of(summary, self.request)


def _tell(recorder: Recorder, entries: Sequence[tuple[str, bytes]]) -> tuple[Summary | None, bool]:
    """What the recorder of the ended process knew; and how things stood last, with what later tests cover, and whether
    little was left to do."""
    told: dict[str, list[Any]] = {STANDING: [(None, False)], LOADED: [], FOUND: []}
    for tag, content in entries:
        told[tag].append(pickle.loads(content))
    for program in told[LOADED]:
        recorder.loaded(program)
    recorder.restore(told[FOUND])
    standing, is_last = told[STANDING][-1]
    if standing is not None:
        tests = (one for one in told[FOUND] if isinstance(one, Test))
        standing = replace(standing, coverage=standing.coverage.with_tests(tests))
    return standing, is_last


def _summary(recorder: Recorder, standing: Summary | None, is_last: bool, death: Death) -> Summary:
    """The summary of a run that was ended, with everything that was found, and what was not looked at."""
    known = recorder.partial(death.reason, death.text)
    losses: tuple[LossNote, ...] = (LossNote(LossKind.UNEXPLORED, CUT),)
    if standing is not None:
        bugs = f"{counted(len(known.bugs), 'bug')} found; "
        known = replace(
            standing,
            bugs=known.bugs,
            tests=known.tests,
            verdict=known.verdict,
            stopped=known.stopped,
            reason=f"{bugs if standing.command == 'test' else ''}{death.text}",
        )
        losses = standing.losses if is_last else (*standing.losses, *losses)
    seconds = max(known.stats.wall_seconds, death.wall_seconds)  # the run may be one that was gone on with
    stats = replace(known.stats, wall_seconds=seconds, peak_memory_mb=death.peak_memory_mb)
    return replace(known, losses=losses, stats=stats)


@dataclass(frozen=True, slots=True)
class TextWill:
    """Of a command that only prints something: what it would have printed so far."""

    text: str

    def carry_out(self, entries: Sequence[tuple[str, bytes]], death: Death) -> int:
        sys.stdout.write(self.text)
        return FAILURE if death.reason is StopReason.FAILED else STOPPED
