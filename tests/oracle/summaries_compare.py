"""``clew test`` on a program whose truth is known: branches, errors and each single test, compared with native runs."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.base.options import StartValue, TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener
from clew.report.records import BranchCoverage, BranchId, Summary, Test
from oracle.summaries_native import Bug, Native, Outcome, Truth
from oracle.verify_native import NotEnumerable


@dataclass(frozen=True)
class Way:
    """How to explore."""

    name: str
    options: str
    """As the command line has them."""
    summarize: bool = True
    loops: str = "ir"
    navigate: bool = True
    search: str | None = None

    def __str__(self) -> str:
        return self.name


WAYS = {
    way.name: way
    for way in (
        Way("plain", "--no-summarize", summarize=False),
        Way("summaries", ""),
        Way("alone", "--no-navigate", navigate=False),
        Way("at once", "--search default --no-navigate", search="default", navigate=False),
        Way("dynamic", "--loops dynamic --no-navigate", loops="dynamic", navigate=False),
        Way("dfs", "--search dfs --no-navigate", search="dfs", navigate=False),
        Way("bfs", "--search bfs --no-navigate", search="bfs", navigate=False),
        Way("generational", "--search generational --no-navigate", search="generational", navigate=False),
    )
}
"""``navigate`` finds what summaries lose, so most ways do without."""


@dataclass(frozen=True)
class Answer:
    """What became of one program in one way."""

    way: Way
    wrong: str = ""
    """What contradicts the truth, or is not allowed."""
    stopped: bool = False
    seconds: float = 0.0
    start: tuple[int, ...] = ()
    loops: tuple[tuple[str, str], ...] = ()
    """Status and reason of each loop."""
    stats: dict[str, int] = field(default_factory=dict)

    @property
    def options(self) -> str:
        start = f" --start {','.join(map(str, self.start))}" if self.start else ""
        return f"--validate {self.way.options}{start}"

    def __str__(self) -> str:
        return self.wrong or ("stopped" if self.stopped else "right")


class _Kept(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)


COUNTED = ("paths_completed", "summaries", "loops_summarized", "divergences", "instructions")


def compare(
    program: Path, truth: Truth, runner: Native, way: Way, seconds: float, start: tuple[int, ...] = ()
) -> Answer:
    """One run of ``clew test``. A failure of the tool is a wrong answer."""
    listener, begun = _Kept(), time.monotonic()
    request = TestRequest(
        (program,),
        seconds=seconds,
        compiler_flags=("-w",),
        validate=True,
        search=way.search,
        start=tuple(StartValue(None, value) for value in start),
        navigate=way.navigate,
        summarize=way.summarize,
        loops=way.loops,
    )
    try:
        summary = run_test(request, listener)
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        text = f"{type(problem).__name__} in {Path(where.filename).name}:{where.lineno}: {problem}"
        return Answer(way, text[:300], seconds=time.monotonic() - begun, start=start)
    wrong = "; ".join(_contradictions(program.read_text(encoding="utf-8"), summary, listener.tests, truth, runner))
    return Answer(
        way,
        wrong,
        summary.stopped is not None,
        time.monotonic() - begun,
        start,
        tuple((loop.status, loop.reason) for loop in summary.loops),
        {name: summary.stats.value(name) for name in COUNTED},
    )


def _contradictions(
    source: str, summary: Summary, tests: Sequence[Test], truth: Truth, runner: Native
) -> Iterable[str]:
    lines = _Lines(source, summary.coverage.branches)
    covered = lines.taken(branch.id for branch in summary.coverage.branches if branch.covered)
    real = lines.as_branches(truth.taken)
    found = frozenset((bug.kind, bug.location.line if bug.location else 0) for bug in summary.bugs)
    if covered - real:
        yield f"covered, but no input does: {sorted(covered - real)}"
    if found - truth.bugs:
        yield f"no input shows: {sorted(found - truth.bugs)}"
    if summary.stopped is None:
        if real - covered:
            yield f"not covered, though the run came to its end: {sorted(real - covered)}"
        if truth.bugs - found:
            yield f"not found, though the run came to its end: {sorted(truth.bugs - found)}"
        if summary.losses:
            yield f"losses: {summary.losses[0].text}"
    if summary.warnings:
        yield f"warning: {summary.warnings[0]}"
    if any(not bug.confirmed for bug in summary.bugs):
        yield "a bug is not confirmed"
    yield from _broken_tests(lines, tests, runner, covered, summary.stopped is None)


def _broken_tests(
    lines: _Lines, tests: Sequence[Test], runner: Native, covered: frozenset[Outcome], ended: bool
) -> Iterable[str]:
    """Each test does natively what is said of it, and together they cover what is claimed.

    Where time ends a run, they cover more: they run on to the end.
    """
    inputs = [[int(value.value) for value in test.inputs if isinstance(value.value, int)] for test in tests]
    try:
        runs = runner.tests(inputs)
    except NotEnumerable as problem:
        yield f"a test cannot be run: {problem}"
        return
    together: set[Outcome] = set()
    for test, values, run in zip(tests, inputs, runs, strict=True):
        taken = lines.as_branches(run.taken)
        together |= taken
        if taken != lines.taken(test.covers):
            yield f"a test with {values} takes {sorted(taken ^ lines.taken(test.covers))}, or not, other than it says"
        if test.error is not None:
            shown: Bug = (test.error.kind, test.error.location.line if test.error.location else 0)
            if shown not in run.bugs:
                yield f"a test with {values} does not show {shown}"
    if covered - together:
        yield f"no test covers {sorted(covered - together)}"
    if ended and together - covered:
        yield f"tests cover what is not said to be covered: {sorted(together - covered)}"


class _Lines:
    """Branches by line: what the macros of the program record natively, and what ``clew`` calls its branches."""

    def __init__(self, source: str, branches: Sequence[BranchCoverage]) -> None:
        marked = {
            number
            for number, line in enumerate(source.splitlines(), 1)
            if not line.startswith("#") and any(word in line for word in ("COND(", "SWITCH(", "assert("))
        }
        self._outcomes: dict[BranchId, Outcome] = {
            branch.id: (branch.location.line, branch.outcome)
            for branch in branches
            if branch.location is not None and branch.location.line in marked
        }
        self._of_line: dict[int, set[str]] = {}
        for line, outcome in self._outcomes.values():
            self._of_line.setdefault(line, set()).add(outcome)

    def taken(self, branches: Iterable[BranchId]) -> frozenset[Outcome]:
        return frozenset(self._outcomes[branch] for branch in branches if branch in self._outcomes)

    def as_branches(self, noted: Iterable[Outcome]) -> frozenset[Outcome]:
        """Of a switch the values become cases; conditions that became no branch are left out."""
        result = set()
        for line, outcome in noted:
            known = self._of_line.get(line, set())
            if outcome in known:
                result.add((line, outcome))
            elif "default" in known:
                case = f"case {outcome}"
                result.add((line, case if case in known else "default"))
        return frozenset(result)
