"""One run from claim to summary: output folder, listeners, signals, and an orderly end whatever happens."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from clew.base.budget import StopReason, default_memory_mb
from clew.base.errors import UserError
from clew.base.options import Request
from clew.cli.display import Display
from clew.cli.salvage import SessionWill
from clew.cli.signals import interruptible
from clew.report.baseline import read_baseline
from clew.report.folder import OutputFolder
from clew.report.journal import Journal
from clew.report.judgement import Judgement
from clew.report.listener import Listener, Listeners
from clew.report.recorder import Recorder
from clew.report.records import Summary
from clew.report.runlog import RunLog
from clew.report.screen import Screen
from clew.techniques.statistics import no_statistics

R = TypeVar("R", bound=Request)
Job = Callable[[R, Listener], Summary]


def run_session(
    job: Job[R],
    request: R,
    out: Path | RunLog | None,
    display: Display,
    command: str,
    journal: Journal | None = None,
    resumable: bool = False,
) -> Summary:
    """Run ``job``; what it found is on disk when this returns or raises. ``journal`` is told everything, too.

    ``out`` is the output folder, or the log of the run in one that is gone on with; ``resumable``: there is to be one.
    """
    Judgement.of(request)  # a word that there is not is told now
    baseline = read_baseline(request.baseline)
    # Before the folder is there for others to see; no abort before there is someone to write the summary.
    with interruptible(request.interrupt, display.quiet, up=True) as shield:
        earlier = out.stored if isinstance(out, RunLog) else None
        folder = OutputFolder.claim(out) if not isinstance(out, RunLog) else OutputFolder.reopen(out.folder)
        log = out if isinstance(out, RunLog) else RunLog(folder.path, request) if resumable else None
        screen = Screen(sys.stderr, display.quiet, display.verbose)
        try:
            recorder = Recorder(folder, request, command, no_statistics, baseline)
            listeners: list[Listener] = [*(() if log is None else (log,)), recorder, screen]
            found = () if earlier is None else earlier.found
            recorder.restore(found)
            if journal is not None:
                will = SessionWill(request, folder, display, command, baseline)
                journal.open(request.seconds, request.memory_mb or default_memory_mb(), will)
                journal.restore(found)
                listeners.append(journal)
            try:
                shield.up = False
                summary = _outcome(job, request, recorder, Listeners(listeners))
                shield.up = True
            except KeyboardInterrupt:  # between the job's end and here
                summary = recorder.partial(StopReason.INTERRUPTED, "interrupted")
            if journal is not None:
                journal.close()  # what is left to do is short, and is not to be done twice
            complete = recorder.finish(summary)
            if log is not None:
                log.close(keep=summary.stopped is not None)
            return complete
        finally:
            if log is not None:
                log.close(keep=folder.published)
            if journal is not None:
                journal.close()
            screen.close()
            folder.discard_if_empty()


def _outcome(job: Job[R], request: R, recorder: Recorder, listener: Listener) -> Summary:
    """The job's summary, or one made of what was found before the job was cut off."""
    if request.interrupt.requested:  # while Python was starting
        return recorder.partial(StopReason.INTERRUPTED, "interrupted before the program could be run")
    return _attempt(job, request, recorder, listener)


def _attempt(job: Job[R], request: R, recorder: Recorder, listener: Listener) -> Summary:
    """The job itself; a failure leaves what was found before it."""
    try:
        return job(request, listener)
    except KeyboardInterrupt:
        return recorder.partial(StopReason.INTERRUPTED, "interrupted")
    except Exception as error:
        if request.interrupt.requested and isinstance(error, UserError):
            # Ctrl-C reaches the compiler too, whose death then looks like a compile error.
            return recorder.partial(StopReason.INTERRUPTED, "interrupted")
        if recorder.tests or recorder.bugs:
            recorder.finish(recorder.partial(StopReason.FAILED, f"internal error: {error}"))
        raise
