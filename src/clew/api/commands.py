"""The calls of the Python API: one for each command, with the command's options as keyword arguments.

Nothing is printed, and nothing is written unless ``out`` asks for it. Runs of one process take turns, since they
share the table of expressions: calls from several threads wait for each other. In the main thread a run's limits are
kept by a timer signal as well; elsewhere only the engine itself looks at them, between pieces of work.
"""

from __future__ import annotations

import gc
import os
import tempfile
import threading
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from clew.api.options import Files, R, make_request, paths_of
from clew.api.results import Result
from clew.base.budget import StopReason, current_memory_mb
from clew.base.errors import Unsupported, UserError
from clew.base.options import InvariantsRequest, LoopsRequest, ReachRequest, TestRequest, VerifyRequest
from clew.report.excerpt import Sources
from clew.report.folder import OutputFolder
from clew.report.listener import Listener, Listeners, SilentListener, Snapshot
from clew.report.recorder import Recorder
from clew.report.records import Summary, Test

if TYPE_CHECKING:
    from clew.report.invariant_report import InvariantReport
    from clew.report.loop_report import LoopReport

T = TypeVar("T")
Progress = Callable[[Snapshot], object]
Folder = str | os.PathLike[str]

SOURCE_FILE = "source.c"
"""The name of a program that is given as text."""
_GROWTH_MB = 48.0
"""What a run may leave in memory before it is looked for what can be given back."""
_TURNS = threading.RLock()


def test(
    files: Files = (),
    *,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    out: Folder | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Explore a C program: tests that cover it, and the bugs in it. The same as ``clew test``.

    ``files`` is a file or several (.c, .ll, .bc), or ``source`` is the text of one. ``function`` is called with
    symbolic parameters instead of ``main``. ``time`` is in seconds, None for no limit. ``out`` is a new or empty folder
    for the tests; ``progress`` is called now and then with a ``Snapshot``. All other options are those of the command
    line, such as ``check="memory"``, ``goal="path"``, ``stdin=8``, ``merge=False``.

    >>> import clew
    >>> result = clew.test(source="int half(int n) { return 100 / n; }", function="half", time=10)
    >>> [bug.kind for bug in result.bugs]
    ['division-by-zero']
    >>> result.bugs[0].inputs[0].value
    0
    """
    from clew.jobs.test import run_test

    given = {"function": function, "time": time, **options}
    return _explored(run_test, "test", TestRequest, files, source, out, progress, given)


def verify(
    files: Files = (),
    *,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    out: Folder | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Prove that no input makes an assertion fail, or find one that does. The same as ``clew verify``.

    >>> import clew
    >>> text = '''#include <assert.h>
    ... void f(unsigned n) { assert(n / 2 <= n); }'''
    >>> clew.verify(source=text, function="f", time=10).verdict
    'TRUE'
    """
    from clew.jobs.verify import run_verify

    given = {"function": function, "time": time, **options}
    return _explored(run_verify, "verify", VerifyRequest, files, source, out, progress, given)


def reach(
    files: Files = (),
    *,
    line: int | str | None = None,
    label: str | None = None,
    call: str | None = None,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    out: Folder | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Result:
    """Find inputs that lead to a line (``12`` or ``"p.c:12"``), a label or a call. The same as ``clew reach``.

    >>> import clew
    >>> result = clew.reach(source="int f(int n) { if (n * 3 == 21) { deep: return 1; } return 0; }",
    ...                     label="deep", function="f", time=10)
    >>> result.verdict, result.target.arrival.inputs[0].value
    ('REACHED', 7)
    """
    from clew.jobs.reach import run_reach

    given = {"label": label, "call": call, "function": function, "time": time, **_line(line), **options}
    return _explored(run_reach, "reach", ReachRequest, files, source, out, progress, given)


def invariants(
    files: Files = (),
    *,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    **options: Any,
) -> InvariantReport:
    """Linear facts that hold at loops and branches, whatever the inputs. The same as ``clew invariants``.

    >>> import clew
    >>> report = clew.invariants(source="int main(void) { int i = 0; while (i < 10) i += 2; return i; }")
    >>> [fact.text for fact in report.functions[0].points[0].facts][:1]
    ['i == 2*#loop1']
    """
    from clew.jobs.invariants import run_invariants

    given = {"function": function, "time": time, **options}
    return _described(run_invariants, InvariantsRequest, files, source, given)


def loops(
    files: Files = (),
    *,
    source: str | None = None,
    function: str | None = None,
    time: float | None = 60.0,
    **options: Any,
) -> LoopReport:
    """What loops do, in terms of counters of their iterations. The same as ``clew loops``."""
    from clew.jobs.loops import run_loops

    given = {"function": function, "time": time, **options}
    return _described(run_loops, LoopsRequest, files, source, given)


def _line(line: int | str | None) -> dict[str, object]:
    """``12`` or ``p.c:12`` as fields of a request."""
    if not isinstance(line, str):
        return {"line": line}
    file, _, number = line.rpartition(":")
    if not number.isdecimal():
        raise UserError(f"line must be a number or 'FILE:N', not {line!r}")
    return {"file": file or None, "line": int(number)}


class _Gathering(SilentListener):
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


def _explored(
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
        summary = job(request, gathered) if folder is None else _recorded(job, request, command, folder, gathered)
        warnings = tuple(dict.fromkeys((*summary.warnings, *gathered.warnings)))
        sources = Sources(program.folder)
        for found in (*summary.bugs, summary.target and summary.target.arrival):
            if found:
                sources.line(found.location)  # read now: the file may be gone later
        return Result(replace(summary, warnings=warnings), tuple(gathered.tests), sources)


def _described(
    job: Callable[[R, Listener], T], kind: type[R], files: Files, source: str | None, options: dict[str, object]
) -> T:
    """What a job says that describes a program."""
    with _one_at_a_time(), _written(files, source, None) as program:
        return job(program.request(kind, options), SilentListener())


def _recorded(
    job: Callable[[R, Listener], Summary], request: R, command: str, folder: OutputFolder, gathered: _Gathering
) -> Summary:
    """The summary of a job whose results go to an output folder, too."""
    recorder = Recorder(folder, request, command)
    try:
        summary = job(request, Listeners([recorder, gathered]))
    except BaseException as problem:
        if recorder.tests or recorder.bugs:
            recorder.finish(recorder.partial(StopReason.FAILED, f"{type(problem).__name__}: {problem}"))
        raise
    return recorder.finish(summary)


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
        request = replace(make_request(kind, self.files, options), began=clock.monotonic())
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
