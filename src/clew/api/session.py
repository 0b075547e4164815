"""One call of the Python API: the program as files, an output folder if there is to be one, and an orderly end.

Runs of one process take turns, since they share the table of expressions: calls from several threads wait for each
other. In the main thread a run's limits are kept by a timer signal as well; elsewhere only the engine itself looks at
them, between pieces of work.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TypeVar

from clew.api.options import Files, R, fields_of, make_request, paths_of
from clew.api.results import Result
from clew.base.budget import Interrupt, StopReason, current_memory_mb
from clew.base.errors import Unsupported, UserError
from clew.base.options import ResumeRequest, TestRequest
from clew.base.watchdog import may_cut
from clew.report.excerpt import Sources
from clew.report.folder import OutputFolder
from clew.report.listener import Listener, Listeners, Snapshot
from clew.report.recorder import Recorder
from clew.report.records import Summary, Test
from clew.report.runlog import RunLog, is_over, reopened
from clew.techniques.statistics import no_statistics

T = TypeVar("T")
Progress = Callable[[Snapshot], object]
Folder = str | os.PathLike[str]

SOURCE_FILE = "source.c"
"""The name of a program that is given as text."""
_GROWTH_MB = 48.0
"""What a run may leave in memory before it is looked for what can be given back."""
_TURNS = threading.RLock()


class _Gathering(Listener):
    """Keeps what a job finds, and passes its progress on."""

    def __init__(self, progress: Progress | None) -> None:
        self.tests: list[Test] = []
        self.warnings: list[str] = []
        self._progress = progress

    def progress(self, snapshot: Snapshot) -> None:
        if self._progress is not None:
            self._progress(snapshot)

    def test_found(self, test: Test) -> None:
        self.tests.append(test)

    def warning(self, text: str) -> None:
        self.warnings.append(text)


def explored(
    job: Callable[[R, Listener], Summary],
    command: str,
    kind: type[R],
    files: Files,
    source: str | None,
    out: Folder | None,
    progress: Progress | None,
    options: dict[str, object],
) -> Result:
    """The result of a job that explores paths."""
    with _one_at_a_time(), _claimed(out) as folder, _written(files, source, folder) as program:
        request = program.request(kind, options)
        gathered = _Gathering(progress)
        log = RunLog(folder.path, request) if folder is not None and command == "test" else None
        with _interruptible(request.interrupt):
            if folder is None:
                summary = job(request, gathered)
            else:
                summary = _recorded(job, request, command, folder, gathered, log)
        return _result(summary, gathered, Sources(program.folder))


def resumed(folder: Path, progress: Progress | None, options: Mapping[str, object]) -> Result:
    """The result of a run of ``clew.test`` or ``clew test`` that is gone on with, and of what it did before."""
    from clew.jobs.test import run_test

    with _one_at_a_time():
        began = time.monotonic()
        given = fields_of(ResumeRequest, options, {"interrupt": "interrupt"})
        interrupt = given.pop("interrupt", None) or Interrupt()
        asked = ResumeRequest(folder, **given)
        if is_over(folder) is not None:
            raise UserError(f"{folder}: nothing left to do, the run came to its end")
        stored, lock = reopened(folder)
        request = stored.head.request
        if Path.cwd() != Path(stored.head.directory) or not isinstance(request, TestRequest):
            os.close(lock)
            raise UserError(f"the run in {folder} began in {stored.head.directory}: go on with it from there")
        request = replace(asked.applied(request, began), interrupt=interrupt)
        if asked.jobs is None:  # as for a run that begins here, whoever began this one
            request = replace(request, jobs=1)
        gathered = _Gathering(progress)
        gathered.tests += [found for found in stored.found if isinstance(found, Test)]
        log = RunLog(folder, request, stored, lock)
        with _interruptible(request.interrupt):
            job = partial(run_test, earlier=stored)
            summary = _recorded(job, request, "test", OutputFolder.reopen(folder), gathered, log)
        return _result(summary, gathered, Sources())


def _result(summary: Summary, gathered: _Gathering, sources: Sources) -> Result:
    warnings = tuple(dict.fromkeys((*summary.warnings, *gathered.warnings)))
    for found in (*summary.bugs, summary.target and summary.target.arrival):
        if found:
            sources.line(found.location)  # read now: the file may be gone later
    return Result(replace(summary, warnings=warnings), tuple(gathered.tests), sources)


def described(
    job: Callable[[R, Listener], T], kind: type[R], files: Files, source: str | None, options: dict[str, object]
) -> T:
    """What a job says that describes a program."""
    with _one_at_a_time(), _written(files, source, None) as program:
        request = program.request(kind, options)
        with _interruptible(request.interrupt):
            return job(request, Listener())


def _recorded(
    job: Callable[[R, Listener], Summary],
    request: R,
    command: str,
    folder: OutputFolder,
    gathered: _Gathering,
    log: RunLog | None,
) -> Summary:
    """The summary of a job whose results go to an output folder, too; ``log``: from which it can be gone on with."""
    recorder = Recorder(folder, request, command, no_statistics)
    try:
        if log is not None and log.stored is not None:
            recorder.restore(log.stored.found)
        summary = job(request, Listeners([*(() if log is None else (log,)), recorder, gathered]))
        complete = recorder.finish(summary)
        if log is not None:
            log.close(keep=summary.stopped is not None)
    except BaseException as problem:
        if recorder.tests or recorder.bugs:
            recorder.finish(recorder.partial(StopReason.FAILED, f"{type(problem).__name__}: {problem}"))
        raise
    finally:
        if log is not None:
            log.close(keep=folder.published)
    return complete


@contextmanager
def _claimed(out: Folder | None) -> Iterator[OutputFolder | None]:
    """The output folder, if there is to be one; nothing is left of it if nothing was written."""
    if out is None:
        yield None
        return
    folder = OutputFolder.claim(Path(out))
    try:
        yield folder
    finally:
        folder.discard_if_empty()


@dataclass(frozen=True, slots=True)
class _Program:
    """The files to compile; of a program that was given as text, also where it is for a while."""

    files: tuple[Path, ...]
    folder: Path | None = None

    def request(self, kind: type[R], options: dict[str, object]) -> R:
        """The request, whose time begins now; reports will not name the folder."""
        request = replace(make_request(kind, self.files, options), began=time.monotonic())
        if self.folder is None:
            return request
        return replace(request, compiler_flags=(f"-ffile-prefix-map={self.folder}/=", *request.compiler_flags))


@contextmanager
def _written(files: Files, source: str | None, out: OutputFolder | None) -> Iterator[_Program]:
    """A program given as text is a file: in the output folder, so that it can be compiled again, or for a while."""
    if source is None:
        yield _Program(paths_of(files))
    elif out is not None:
        yield _Program((*paths_of(files), out.write(SOURCE_FILE, source)))
    else:
        with tempfile.TemporaryDirectory(prefix="clew-") as name:
            folder = Path(name)
            file = folder / SOURCE_FILE
            file.write_text(source, encoding="utf-8")
            try:
                yield _Program((*paths_of(files), file), folder)
            except UserError as error:
                raise UserError(*(text.replace(f"{folder}/", "") for text in (str(error), error.details))) from None


@contextmanager
def _interruptible(interrupt: Interrupt) -> Iterator[None]:
    """Ctrl-C ends the run in order, as native code knows nothing of exceptions; then it is what it always is.

    A second one does not wait for that. Handlers that somebody else has installed stay.
    """
    pressed, run = False, sys._getframe(2)

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed and may_cut(frame, run):
            raise KeyboardInterrupt
        pressed = True
        interrupt.request()

    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if pressed:
            raise KeyboardInterrupt


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """A run of the engine; errors of the user's come with what the compiler said, and memory is given back."""
    with _TURNS:
        before = current_memory_mb()
        try:
            yield
        except UserError as error:
            if error.details:
                error.add_note(error.details.rstrip("\n"))
            raise
        except Unsupported as problem:
            where = f" ({problem.location})" if problem.location else ""
            raise UserError(f"the program needs something Clew does not support: {problem.feature}{where}") from None
        finally:
            if current_memory_mb() > before + _GROWTH_MB:
                from clew.expr.node import prune_table

                gc.collect()
                prune_table()
