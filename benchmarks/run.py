"""One measured run, with its limits: a command as a user types it, or ``clew test`` without one.

A command is timed as a whole, start of the interpreter included. Without one, time begins when the program is loaded:
compilation is Clang's, and the same for all ways to explore a program. Either is a process of its own (``command``,
``apart``), so that nothing that ran before has an influence; ``explore`` runs in this one.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ParamSpec

from benchmarks.curve import Curve, read_curve
from benchmarks.subject import Error
from clew.base.errors import ClewError
from clew.base.options import TestRequest
from clew.frontend.process import run_tool
from clew.jobs.test import run_test
from clew.report.listener import Listener, ProgramInfo, Snapshot

P = ParamSpec("P")
Say = Callable[[str], None]
"""Takes a line for the user, while things are measured."""

LIMIT, END = "limit", "end"

_GRACE = 30.0
"""Seconds after its own time limit, and half of that limit, in which a command must have ended."""
_DECIDED = frozenset({"TRUE", "FALSE", "REACHED", "UNREACHABLE"})


@dataclass(frozen=True, slots=True)
class Mark:
    """How a run stands at some moment."""

    tests: int = 0
    branches: int = 0
    runs: int = 0
    """Paths that ran to their end."""
    seconds: float = 0.0

    def to_json(self) -> dict[str, object]:
        return {"tests": self.tests, "branches": self.branches, "runs": self.runs, "seconds": round(self.seconds, 3)}


@dataclass(frozen=True, slots=True)
class Run:
    """What a run answered, and what that took."""

    seconds: float = 0.0
    failed: str = ""
    """Why there are no figures: a crash, a usage error, a process that had to be killed; empty if there are."""
    verdict: str = ""
    """Of the summary (TRUE, REACHED, UNKNOWN ...), where the command gives one."""
    reason: str = ""
    stopped: str | None = None
    """What ended it early."""
    losses: tuple[str, ...] = ()
    tests: int = 0
    errors: tuple[Error, ...] = ()
    covered: int = 0
    branches: int = 0
    """All there are."""
    unreachable: int = 0
    """Branches that were said to be that."""
    stats: Mapping[str, float] = field(default_factory=dict)
    cpu: float = 0.0
    """Seconds of processor time: they say more than ``seconds`` when the machine has other things to do."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """How it stood at ``LIMIT`` and at ``END``, where somebody watched."""
    curve: Curve = field(default_factory=Curve)
    """How a command got on."""

    @property
    def complete(self) -> bool:
        """Was everything explored?"""
        return not self.failed and self.stopped is None and not self.losses

    @property
    def decided(self) -> bool:
        """Is the verdict one that can be right or wrong?"""
        return self.verdict in _DECIDED

    @property
    def paths(self) -> int:
        """Those that were tried, where a technique counts them; else those that ended."""
        return self.count("paths_explored") or self.count("paths_completed")

    @property
    def explored(self) -> int:
        """All paths, up to their end or to where they were merged."""
        return self.count("paths_completed") + self.count("paths_merged")

    def count(self, name: str) -> int:
        """A counter of the statistics."""
        return int(self.stats.get(name, 0))

    def wrong(self, expected: str) -> bool:
        """A verdict that contradicts the right one (no verdict is not wrong)."""
        return self.decided and self.verdict != expected

    def shown(self, expected: str) -> str:
        """The verdict in a table: marked where it is wrong, and what ended the run where there is none."""
        if self.failed:
            return "failed"
        if self.verdict == "UNKNOWN" and self.stopped:
            return self.stopped
        return self.verdict + ("!" if self.wrong(expected) else "")

    def __str__(self) -> str:
        """For the user, while others are measured."""
        if self.failed:
            return self.failed
        what, why = self.verdict, self.reason if not self.decided else ""
        if not self.verdict:
            what = f"{self.explored:,} paths, {self.tests:,} tests, {len(self.errors)} bugs, {self.covered} branches"
            why = f"stopped: {self.stopped}" if self.stopped else ""
        return f"{what} in {self.seconds:.2f} s" + (f" ({why})" if why else "")

    def verdict_json(self) -> dict[str, object]:
        """Of a run with a verdict."""
        return {
            "verdict": self.verdict or "failed",
            "seconds": round(self.seconds, 3),
            "paths": self.paths,
            "instructions": self.count("instructions"),
            "reason": self.reason or self.failed,
            "stopped": self.stopped,
            "stats": dict(self.stats),
        }


def read(summary: Mapping[str, Any], seconds: float) -> Run:
    """What a summary says, as ``summary.json`` has it."""
    branches = summary["coverage"]["branches"]
    places = [(bug["kind"], bug["file"], bug["line"]) for bug in summary["bugs"]]
    return Run(
        seconds,
        verdict=summary["verdict"] or "",
        reason=summary["reason"],
        stopped=summary["stopped"],
        losses=tuple(loss["what"] for loss in summary["losses"]),
        tests=summary["tests"],
        errors=tuple(sorted((kind, Path(file).name if file else "", line) for kind, file, line in places)),
        covered=branches["covered"],
        branches=branches["total"],
        unreachable=len(summary["unreachable"]),
        stats=summary["stats"],
    )


def command(name: str, files: Sequence[Path], options: Sequence[str], seconds: float) -> Run:
    """``clew NAME`` with a time limit, in one process of its own; never raises for what the run does."""
    with tempfile.TemporaryDirectory(prefix="clew-bench-") as folder:
        line = [sys.executable, "-m", "clew", name, *map(str, files), "--json", "--time", f"{seconds:g}"]
        out_folder = Path(folder) / "out"
        line += ["--jobs", "1", "--out", str(out_folder), *options]
        before, begun = _cpu(), time.perf_counter()
        try:
            done = run_tool(line, seconds=None if math.isinf(seconds) else seconds + _GRACE + seconds / 2)
            out, err = done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            out, err = "", "killed: it did not keep to its time limit"
        run = replace(_read(out, err, time.perf_counter() - begun), cpu=_cpu() - before)
        curve = read_curve(out_folder).ending(run.stats.get("wall_seconds", 0.0), run.cpu, run.stats)
        return replace(run, curve=curve)


def _read(out: str, err: str, seconds: float) -> Run:
    """The summary on standard output; without one, the last line of complaint."""
    try:
        return read(json.loads(out), seconds)
    except (ValueError, KeyError, TypeError, AttributeError):
        said = [line for line in err.splitlines() if line.strip()]
        return Run(seconds, said[-1] if said else "no summary")


def _cpu() -> float:
    """Of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Stopwatch(Listener):
    """Notes when the program is there and the first path is about to run."""

    def __init__(self) -> None:
        self.begun = time.perf_counter()

    def loaded(self, program: ProgramInfo) -> None:
        self.begun = time.perf_counter()


class Watch(Stopwatch):
    """Notes how a run stands after ``paths`` paths, and asks it to stop when ``branches`` are covered."""

    interval = 0.0

    def __init__(self, request: TestRequest, branches: int | None, paths: int) -> None:
        super().__init__()
        self._interrupt = request.interrupt
        self._wanted = math.inf if branches is None else branches
        self._paths = paths
        self._latest = Snapshot()
        self._limit: Mark | None = None
        self._end: Mark | None = None

    @property
    def covered(self) -> bool:
        """Is everything covered that can be?"""
        return self._end is not None

    def progress(self, snapshot: Snapshot) -> None:
        """Only the ends of paths count: in the middle of one, branches are covered that no test covers yet."""
        if snapshot.paths == self._latest.paths:
            return
        self._latest = snapshot
        if self._limit is None and snapshot.paths >= self._paths:
            self._limit = self._mark()
        if self._end is None and snapshot.branches_covered >= self._wanted:
            self._end = self._mark()
            self._interrupt.request()

    def marks(self) -> dict[str, Mark]:
        """At the end, which is when everything was covered, if it was; and at the limit, if that came first."""
        end = self._end or self._mark()
        return {LIMIT: self._limit or end, END: end}

    def _mark(self) -> Mark:
        """Now, as the latest path has left it."""
        now = self._latest
        return Mark(now.tests, now.branches_covered, now.paths, time.perf_counter() - self.begun)


def explore(request: TestRequest) -> Run:
    """``clew test`` in this process, without an output folder."""
    return _explore(request, Stopwatch())


def watch(request: TestRequest, branches: int | None, paths: int) -> Run:
    """The same until that many branches are covered; how it stands after so many paths is only noted."""
    listener = Watch(request, branches, paths)
    run = _explore(request, listener)
    return (
        run if run.failed else replace(run, marks=listener.marks(), stopped=None if listener.covered else run.stopped)
    )


def _explore(request: TestRequest, listener: Stopwatch) -> Run:
    try:
        summary = run_test(request, listener)
    except ClewError as problem:
        return Run(failed=str(problem))
    seconds = time.perf_counter() - listener.begun
    return read(summary.to_json(), seconds)


def apart(function: Callable[P, Run], *args: P.args, **named: P.kwargs) -> Run:
    """What a function of a module gives, in a new interpreter; never raises, since hundreds of runs may follow."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        try:
            return pool.submit(function, *args, **named).result()
        except BrokenProcessPool:
            return Run(failed="its process died")
        except Exception as problem:
            return Run(failed=f"{type(problem).__name__}: {problem}")


def by_turns(
    title: str,
    ways: Iterable[str],
    once: Callable[[str], Run],
    repeat: int,
    say: Say,
    key: Callable[[Run], float] = lambda run: run.seconds,
) -> dict[str, Run]:
    """The run in the middle of each way, by ``key``; the ways take turns, so that a slow minute of the machine hits
    them all. What its time limit has stopped, or what failed, is not run again."""
    found: dict[str, list[Run]] = {way: [] for way in ways}
    for _ in range(repeat):
        for way, runs in found.items():
            if not any(run.stopped or run.failed for run in runs):
                runs.append(once(way))
                say(f"{title}, {way}: {runs[-1]}")
    return {way: sorted(runs, key=key)[len(runs) // 2] for way, runs in found.items()}
