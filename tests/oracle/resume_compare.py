"""``clew test`` that is killed, and gone on with, any number of times, against ``clew test`` that is not."""

from __future__ import annotations

import os
import pickle
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from traceback import print_exc
from unittest.mock import patch

from clew.base.budget import Interrupt
from clew.base.options import TestRequest
from clew.cli.display import Display
from clew.cli.session import run_session
from clew.jobs.test import run_test
from clew.program.module import Program
from clew.report import runlog
from clew.report.reading import stored_tests
from clew.report.records import Summary
from clew.report.runlog import RunLog, reopened
from oracle.jobs_compare import differences, soon
from oracle.merging_compare import Run, Way, alone, request_of, run_of

WAYS = (
    Way("path"),
    Way("path", jobs=2),
    Way("error"),
    Way("error", jobs=2),
    Way("branch"),
    alone("error", None),
    replace(alone("error", None), jobs=2),
)
KILLS = 3
"""Of one run, at most."""


def interrupted(program: Path, known: Program, way: Way, seconds: float, random: Random, count: Counter[str]) -> Run:
    """A run that is killed a few times, and gone on with; what its folder says in the end."""
    out, result = program.with_name(f"out-{count['runs']}"), program.with_name("summary.pickle")
    result.unlink(missing_ok=True)
    request = request_of(program, way, seconds)
    begun = time.monotonic()
    for left in reversed(range(KILLS + 1)):
        killer = _killer(random) if left else None
        code = _forked(partial(_session, request, known, out, result, killer, random.random()))
        if code == signal.SIGKILL:
            count["killed"] += 1
        elif code:
            return Run(way, failure=f"exit code {code}", seconds=time.monotonic() - begun)
        if result.exists():
            break
        count["gone on with"] += (out / runlog.NAME).exists()
        if code and not (out / runlog.NAME).exists() and out.exists():
            _forget(out)  # it was killed before there was anything to go on with, or when it was over
    count["runs"] += 1
    if not result.exists():
        return Run(way, failure="no summary", seconds=time.monotonic() - begun)
    summary: Summary = pickle.loads(result.read_bytes())
    found = run_of(way, summary, stored_tests(out, 0), _drops(program), time.monotonic() - begun)
    return replace(found, failure=found.failure or "; ".join(_faults(out, summary, way)))


def contradictions(every: Run, run: Run) -> Iterable[str]:
    """What a run claims or loses that was gone on with, in comparison with all paths."""
    return differences(every, run)


def _faults(out: Path, summary: Summary, way: Way) -> Iterable[str]:
    """What is wrong with an output folder."""
    names = sorted(path.name for path in (out / "tests").glob("*.json"))
    if names != [f"{number:06d}.json" for number in range(1, len(names) + 1)] or len(names) != summary.tests:
        yield f"{len(names)} tests up to {names[-1:]} where the summary counts {summary.tests}"
    bugs = len(list((out / "bugs").glob("*.json")))
    if bugs < len(summary.bugs):
        yield f"{bugs} bugs in the folder where the summary has {len(summary.bugs)}"
    inputs = Counter(test.inputs for test in stored_tests(out, 0))
    if way.goal != "path" and any(number > 1 for number in inputs.values()):
        yield "a test is there twice"
    if (out / runlog.NAME).exists():
        yield "the log is still there"


def _drops(program: Path) -> bool:
    source = program.read_text(encoding="utf-8")
    return any("__VERIFIER_assume(" in line for line in source.splitlines() if line.startswith(" "))


def _forget(out: Path) -> None:
    for path in sorted(out.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    out.rmdir()


def _killer(random: Random) -> tuple[str, float]:
    """How a process is killed: at so many frames of the log, in the middle of one, or after some time; or stopped."""
    kind = random.choice(("frame", "frame", "middle", "time", "stop"))
    return kind, random.choice((random.randint(0, 8), random.randint(0, 60))) if kind != "time" else random.random() / 2


def _forked(work: Callable[[], object]) -> int:
    """The exit code of a process that does the work; the signal if one has ended it."""
    child = os.fork()
    if not child:
        code = 99
        try:
            work()
            code = 0
        except Exception:
            print_exc()
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)


def _session(
    request: TestRequest, known: Program, out: Path, result: Path, killer: tuple[str, float] | None, seed: float
) -> None:
    """In a process of its own: begin the run, or go on with it."""
    random = Random(seed)
    with ExitStack() as stack:
        stack.enter_context(soon(random))
        stack.enter_context(patch("clew.jobs.sharing.checkpoints.INTERVAL", random.choice((0.0, 0.01, 0.1))))
        stack.enter_context(patch("clew.jobs.sharing.checkpoints.LOOK", 0.0))
        stack.enter_context(patch("clew.jobs.sharing.checkpoints.SELDOM", random.choice((0, 1, 8))))
        stack.enter_context(patch("clew.jobs.sharing.resumption.PORTION", random.choice((1, 3, 256))))
        stack.enter_context(patch("clew.report.runlog.LEAST_GROWTH", random.choice((100, 5000, 1 << 20))))
        interrupt = Interrupt()
        request = replace(request, interrupt=interrupt)
        if killer is not None:
            _arm(stack, killer, interrupt, random)
        job = partial(run_test, loaded=known)
        place: Path | RunLog = out
        if (out / runlog.NAME).exists():
            stored, lock = reopened(out)
            job, place = partial(run_test, loaded=known, earlier=stored), RunLog(out, request, stored, lock)
        summary = run_session(job, request, place, Display(quiet=True), "test", None, resumable=True)
        if summary.stopped is None:
            result.write_bytes(pickle.dumps(summary))


def _arm(stack: ExitStack, killer: tuple[str, float], interrupt: Interrupt, random: Random) -> None:
    kind, when = killer
    if kind == "time":
        signal.signal(signal.SIGVTALRM, lambda number, frame: os.kill(os.getpid(), signal.SIGKILL))
        signal.setitimer(signal.ITIMER_VIRTUAL, max(0.001, when))
        return
    frames, write = 0, runlog.write_all

    def deadly(file: int, data: bytes) -> None:
        nonlocal frames
        frames += 1
        if frames < when:
            write(file, data)
        elif kind == "stop":
            write(file, data)
            interrupt.request()
        else:
            write(file, data[: random.randrange(len(data))] if kind == "middle" else data)
            os.kill(os.getpid(), signal.SIGKILL)

    stack.enter_context(patch.object(runlog, "write_all", deadly))
