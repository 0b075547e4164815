"""``clew test`` with merging against ``clew test`` that runs every path: branches, errors, and the tests themselves."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.base.options import TestRequest
from clew.jobs.prepare import load_checked
from clew.jobs.test import run_test
from clew.program.module import Program
from clew.report.listener import Listener
from clew.report.records import BranchId, Summary, Test
from oracle.merging_programs import stdin_of

Error = tuple[str, str]
"""Kind and location."""


@dataclass(frozen=True)
class Way:
    """How to explore."""

    goal: str = "error"
    search: str | None = None
    summarize: bool = True
    invariants: bool = True
    navigate: bool = True
    loop_bound: int | None = None
    validate: bool = False
    seed: int = 0
    function: str | None = None
    jobs: int = 1
    cluster: str | None = None
    """Whose workers the jobs are, if they are no processes of this one."""
    engine: str = "interpreter"

    def __str__(self) -> str:
        """As the command line has it."""
        words = [f"--goal {self.goal}", f"--search {self.search}" if self.search else ""]
        words += ["" if self.summarize else "--no-summarize", "" if self.invariants else "--no-invariants"]
        words += [
            "" if self.navigate else "--no-navigate",
            f"--loop-bound {self.loop_bound}" if self.loop_bound else "",
        ]
        words += ["--validate" if self.validate else "", f"--seed {self.seed}" if self.seed else ""]
        words += [f"--function {self.function}" if self.function else "", f"--jobs {self.jobs}" * (self.jobs > 1)]
        words += [f"--cluster {self.cluster}" if self.cluster else "", f"--engine {self.engine}"]
        return " ".join(word for word in words if word)


SEARCHES = (None, "default", "dfs", "bfs", "random-path", "coverage", "generational")
GOALS = ("branch", "error", "context")


def alone(goal: str, search: str | None) -> Way:
    """Merging without anything that could find what it loses."""
    return Way(goal, search, summarize=False, invariants=False, navigate=False)


def every_path(way: Way) -> Way:
    """What to compare a way with."""
    return Way("path", loop_bound=way.loop_bound, function=way.function)


@dataclass(frozen=True)
class Run:
    """What one run found."""

    way: Way
    branches: frozenset[BranchId] = frozenset()
    shown: frozenset[BranchId] = frozenset()
    """What its tests cover, together."""
    errors: frozenset[Error] = frozenset()
    ended: bool = False
    drops: bool = False
    """Whether the program gives paths up, after they have covered something."""
    failure: str = ""
    """Of the tool, or something that no run may have."""
    seconds: float = 0.0
    stats: dict[str, int] = field(default_factory=dict)
    exits: int = 0
    """Tests with which the program ends by itself: with the goal ``path``, one for each such path."""

    @property
    def paths(self) -> int:
        return self.stats.get("paths_completed", 0) + self.stats.get("paths_merged", 0)


COUNTED = (
    "native_runs",
    "paths_completed",
    "paths_merged",
    "merge_formulas",
    "merge_checks",
    "merge_hits",
    "loops_summarized",
)


class _Kept(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)


def request_of(program: Path, way: Way, seconds: float) -> TestRequest:
    """What one run is asked for."""
    return TestRequest(
        (program,),
        function=way.function,
        seconds=seconds,
        compiler_flags=("-w",),
        stdin=stdin_of(program.read_text(encoding="utf-8")),
        goal=way.goal,
        search=way.search,
        summarize=way.summarize,
        invariants=way.invariants,
        navigate=way.navigate,
        loop_bound=way.loop_bound,
        validate=way.validate,
        seed=way.seed,
        jobs=way.jobs if way.cluster is None else 1,
        cluster=way.cluster,
        workers=None if way.cluster is None else way.jobs,
        engine=way.engine,
    )


def loaded(program: Path, way: Way) -> Program:
    """The program, for several runs."""
    return load_checked(request_of(program, way, 1.0), Listener())


def explore(program: Path, way: Way, seconds: float, known: Program | None = None) -> Run:
    """One run of ``clew test``, of a program that may be ``known``."""
    listener, begun = _Kept(), time.monotonic()
    source = program.read_text(encoding="utf-8")
    try:
        summary = run_test(request_of(program, way, seconds), listener, known)
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        text = f"{type(problem).__name__} in {Path(where.filename).name}:{where.lineno}: {problem}"
        return Run(way, failure=text[:300], seconds=time.monotonic() - begun)
    drops = any("__VERIFIER_assume(" in line for line in source.splitlines() if line.startswith(" "))
    return run_of(way, summary, listener.tests, drops, time.monotonic() - begun)


def run_of(way: Way, summary: Summary, tests: Sequence[Test], drops: bool, seconds: float) -> Run:
    failure = f"warning: {summary.warnings[0]}" if summary.warnings else ""
    if summary.stopped is None and not all(bug.confirmed for bug in summary.bugs):
        failure = "a bug is not confirmed"
    return Run(
        way,
        frozenset(branch.id for branch in summary.coverage.branches if branch.covered),
        frozenset(branch for test in tests for branch in test.covers),
        frozenset((bug.kind, str(bug.location)) for bug in summary.bugs),
        summary.stopped is None,
        drops,
        failure,
        seconds,
        {name: summary.stats.value(name) for name in COUNTED},
        sum(test.ends == "exit" for test in tests),
    )


def contradictions(every: Run, merged: Run) -> Iterable[str]:
    """What a run claims or loses, in comparison with all paths."""
    if merged.failure:
        yield merged.failure
    if merged.branches - every.branches:
        yield f"covered, but on no path: {_names(merged.branches - every.branches)}"
    if merged.errors - every.errors:
        yield f"found, but on no path: {_errors(merged.errors - every.errors)}"
    if not merged.ended:
        return
    if every.branches - merged.branches:
        yield f"branches lost: {_names(every.branches - merged.branches)}"
    if merged.way.goal != "branch" and every.errors - merged.errors:
        yield f"errors lost: {_errors(every.errors - merged.errors)}"
    if merged.branches - merged.shown and not merged.drops:
        yield f"no test covers: {_names(merged.branches - merged.shown)}"


def _names(branches: Iterable[BranchId]) -> str:
    return ", ".join(f"{function} {block}.{way}" for function, block, way in sorted(branches))


def _errors(errors: Iterable[Error]) -> str:
    return ", ".join(f"{kind} at {Path(where).name}" for kind, where in sorted(errors))
