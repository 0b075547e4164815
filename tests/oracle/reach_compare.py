"""``clew reach`` on a program whose truth is known: one verdict for each target, compared with enumeration."""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clew.base.options import ReachRequest
from clew.jobs.reach import run_reach
from clew.jobs.side_by_side.crew import KILLED_TWICE
from clew.report.listener import Listener
from clew.report.records import Summary, Test
from oracle.arms_apart import apart
from oracle.reach_native import Replay, Target, targets


@dataclass(frozen=True)
class Way:
    """How to search. ``kept``: with branches as they are in the source."""

    strategy: str
    kept: bool = False
    jobs: int = 1
    """Processes, which begin at once, see ``apart``."""
    kills: float = 0.0
    """How likely one of these is killed, at each look for messages."""

    def __str__(self) -> str:
        name = self.strategy if self.jobs == 1 else f"{self.strategy}/jobs{self.jobs}"
        return f"{name}/kept" if self.kept else name

    @property
    def options(self) -> str:
        """As the command line has them."""
        jobs = "" if self.jobs == 1 else f" --jobs {self.jobs}"
        return f"--strategy {self.strategy}{jobs}" + (" --keep-branches" if self.kept else "")


_ALL = (Way("plain"), Way("plain", True), Way("chains"), Way("chains", True), Way("merging"), Way("auto"))
WAYS = {str(way): way for way in _ALL}


@dataclass(frozen=True)
class Answer:
    """What became of one target in one way."""

    target: Target
    way: Way
    verdict: str
    seconds: float = 0.0
    reason: str = ""
    wrong: str = ""
    """What contradicts the truth, or is not allowed."""
    technique: str = ""
    stats: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"T{self.target.number} ({self.target.option}): {self.wrong or f'{self.verdict} ({self.reason})'}"


class _Kept(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)


def ask(program: Path, target: Target, way: Way, seconds: float, listener: Listener) -> Summary:
    request = ReachRequest(
        (program,),
        seconds=seconds,
        compiler_flags=("-w",),
        line=target.line if target.kind == "line" else None,
        label=f"T{target.number}" if target.kind == "label" else None,
        call=f"target{target.number}" if target.kind == "call" else None,
        strategy=way.strategy,
        keep_branches=way.kept,
        jobs=way.jobs,
    )
    with apart(f"{program.name} {target}", way.jobs, way.kills):
        return run_reach(request, listener)


def answer(program: Path, target: Target, reachable: bool, replay: Replay, way: Way, seconds: float) -> Answer:
    """Ask about one target. A failure of the tool is a wrong answer."""
    listener, begun = _Kept(), time.monotonic()
    try:
        summary = ask(program, target, way, seconds, listener)
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        text = f"{type(problem).__name__} in {Path(where.filename).name}:{where.lineno}: {problem}"
        return Answer(target, way, "FAILED", time.monotonic() - begun, wrong=text[:300])
    wrong = _contradiction(summary, target, reachable, way, listener.tests, replay)
    stats = {name: summary.stats.value(name) for name in ("paths_completed", "chains")}
    taken = time.monotonic() - begun
    return Answer(target, way, summary.verdict or "", taken, summary.reason, wrong, summary.technique, stats)


def _contradiction(
    summary: Summary, target: Target, reachable: bool, way: Way, tests: Sequence[Test], replay: Replay
) -> str:
    expected = "REACHED" if reachable else "UNREACHABLE"
    if summary.verdict == "UNKNOWN":
        # The programs have no undefined behaviour, and plain search has nothing to give up on but time.
        lost = way.kills > 0 and KILLED_TWICE in summary.reason
        open_ = way.strategy != "chains" and summary.stopped is None and not lost
        blamed = "undefined behaviour" in summary.reason or open_
        return f"UNKNOWN, should be {expected} ({summary.reason})" if blamed else ""
    if summary.verdict != expected:
        return f"{summary.verdict}, should be {expected} ({summary.reason})"
    if summary.bugs:
        return f"a bug is reported: {summary.bugs[0].message}"
    if not reachable:
        return "UNREACHABLE with a test" if tests else ""
    if not tests:
        return "REACHED without a test"
    for test in tests:
        inputs = [int(value.value) for value in test.inputs if isinstance(value.value, int)]
        if target.number not in replay.meets(inputs):
            return f"REACHED, but the native program does not reach it with {inputs}"
    return ""


def compare(
    program: Path, reached: frozenset[int], ways: Sequence[Way], seconds: float, only: int | None = None
) -> list[Answer]:
    """All targets of a program, or the one with a number, in all ways."""
    source = program.read_text(encoding="utf-8")
    replay = Replay(source, program.parent)
    return [
        answer(program, target, target.number in reached, replay, way, seconds)
        for way in ways
        for target in targets(source)
        if only is None or target.number == only
    ]
