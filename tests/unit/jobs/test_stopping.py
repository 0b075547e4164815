"""Runs that are stopped at any moment: what they leave out is listed, and what they did is counted, always."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from clew.base import watchdog
from clew.base.budget import Budget, Interrupt, StopReason
from clew.base.options import ReachRequest, TestRequest, VerifyRequest
from clew.base.watchdog import Stopped
from clew.execute import engine
from clew.execute.pending import Pending
from clew.jobs import ladders
from clew.jobs.ledger import Ledger
from clew.jobs.phases import guided_exploration
from clew.jobs.phases.acceleration_proof import AccelerationProof
from clew.jobs.prepare import PreparedRun
from clew.jobs.reach import run_reach
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import LossKind, Summary
from clew.search.reserving import Reserve
from unit.execute.support import PRELUDE

Job = Callable[[Path, Interrupt, int | None], Summary]

PROGRAM = """#include <assert.h>
int main(void) {
  unsigned char s = 0, k = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c > 100) s++;
    if (c == 7 && s > 0) k++;
  }
  if (k == 9) { target: s = 1; }
  assert(k != 8);
  return s;
}
"""


class Poll(Interrupt):
    """Every budget of a run asks it. From the ``end``-th time on it says yes; with ``raising``, the watchdog strikes
    there first."""

    def __init__(self, end: int, raising: bool = False) -> None:
        self.end = end
        self.reason = StopReason.INTERRUPTED
        self.raising = raising
        self.asked = 0

    @property
    def requested(self) -> bool:  # type: ignore[override]
        self.asked += 1
        if self.raising and self.asked >= self.end and not watchdog._holds:
            self.raising = False
            raise Stopped(StopReason.TIME)
        return self.asked >= self.end and not self.raising


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many polls, and a part for every technique."""
    monkeypatch.setattr(engine, "SLICE", 40)
    monkeypatch.setattr(engine, "CALM", 0.0)
    monkeypatch.setattr(ladders, "QUICK_PATHS", 6)
    monkeypatch.setattr(ladders, "QUICK_SEARCH", 6)
    monkeypatch.setattr(guided_exploration, "STUCK_STEPS", 10)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[PreparedRun]:
    """All runs over the program itself that jobs make."""
    made: list[PreparedRun] = []
    enter = Ledger.enter

    def noted(self: Ledger, ready: PreparedRun) -> PreparedRun:
        if self.helped is None and ready not in made:
            made.append(ready)
        return enter(self, ready)

    monkeypatch.setattr(Ledger, "enter", noted)
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.c"
    path.write_text(PRELUDE + PROGRAM, encoding="utf-8")
    return path


def _test(file: Path, interrupt: Interrupt, instructions: int | None = None) -> Summary:
    request = TestRequest(
        (file,), interrupt=interrupt, max_instructions=instructions, compiler_flags=("-w",), seconds=60.0
    )
    return run_test(request, Listener())


def _verify(file: Path, interrupt: Interrupt, instructions: int | None = None, invariants: bool = True) -> Summary:
    request = VerifyRequest(
        (file,), interrupt=interrupt, max_instructions=instructions, compiler_flags=("-w",), seconds=60.0,
        keep_branches=True, invariants=invariants,
    )  # fmt: skip
    return run_verify(request, Listener())


def _reach(file: Path, interrupt: Interrupt, instructions: int | None = None) -> Summary:
    request = ReachRequest(
        (file,), label="target", interrupt=interrupt, max_instructions=instructions, compiler_flags=("-w",),
        seconds=60.0, keep_branches=True,
    )  # fmt: skip
    return run_reach(request, Listener())


def _conflicts(file: Path, interrupt: Interrupt, instructions: int | None = None) -> Summary:
    return _verify(file, interrupt, instructions, invariants=False)


JOBS: dict[str, Job] = {"test": _test, "verify": _verify, "conflicts": _conflicts, "reach": _reach}


def says_what_is_missing(summary: Summary, runs: list[PreparedRun]) -> None:
    """No answer without everything explored; what was left out is listed; what was done is counted."""
    kinds = {note.kind for note in summary.losses}
    if summary.stopped is not None or summary.verdict == "UNKNOWN":
        assert kinds & {LossKind.UNEXPLORED, LossKind.EVICTED}, summary
    assert summary.verdict in (None, "TRUE", "UNREACHABLE", "UNKNOWN"), summary
    assert all(note.count > 0 for note in summary.losses)
    waiting = sum(len(ready.run.searcher) for ready in runs)
    if summary.verdict in (None, "UNKNOWN"):
        counted = sum(note.count for note in summary.losses if note.kind is LossKind.UNEXPLORED)
        most = sum(ready.run.statistics.forks + 2 for ready in runs) if runs else 1  # while it was loaded: all of it
        assert waiting <= counted <= most
    for name in ("instructions", "forks", "paths_completed", "paths_cut_short"):
        assert getattr(summary.stats, name) >= sum(getattr(ready.run.statistics, name) for ready in runs), name
    covered = {branch.id for branch in summary.coverage.branches if branch.covered}
    for ready in runs:
        assert covered >= {branch.id for branch in ready.run.coverage.record().branches if branch.covered}


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("raising", [False, True], ids=["asked", "struck"])
@pytest.mark.parametrize("name", JOBS)
def test_stopped_at_the_nth_poll(name: str, raising: bool, file: Path, runs: list[PreparedRun]) -> None:
    whole = Poll(10**9)
    JOBS[name](file, whole, None)
    assert whole.asked > 12
    seen = set()
    for end in sorted({1, 2, *(round(whole.asked * part / 4) for part in range(1, 4))}):
        runs.clear()
        summary = JOBS[name](file, Poll(max(end, 1), raising), None)
        says_what_is_missing(summary, runs)
        seen.add(summary.stopped)
    assert seen & {StopReason.INTERRUPTED, StopReason.TIME}


def test_the_watchdog_strikes_while_paths_are_counted(
    file: Path, runs: list[PreparedRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits is counted once, whether it could be taken out of the queue or not."""

    def strike(self: Reserve, count: int) -> list[Pending]:
        raise Stopped(StopReason.TIME)

    monkeypatch.setattr(Reserve, "evict", strike)
    summary = _test(file, Interrupt(), 90)
    says_what_is_missing(summary, runs)
    assert len(runs[0].run.searcher) > 0
    assert sum("waiting" in note.what for note in summary.losses) == 1


@pytest.mark.parametrize("maker", ["conflicts.guided_execution.Prefix", "chains.navigator.SystemPlan"])
def test_the_watchdog_strikes_while_a_search_is_made(maker: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run knows its searcher when that is whole."""

    def strike(*given: object) -> NoReturn:
        raise Stopped(StopReason.TIME)

    monkeypatch.setattr(f"clew.techniques.{maker}", strike)
    flags: dict[str, Any] = {"compiler_flags": ("-w",), "seconds": 60.0}
    if maker.startswith("conflicts"):
        summary = run_verify(VerifyRequest((file,), strategy="conflicts", invariants=False, **flags), Listener())
    else:
        summary = run_reach(ReachRequest((file,), label="target", strategy="chains", **flags), Listener())
    assert (summary.verdict, summary.stopped) == ("UNKNOWN", StopReason.TIME)


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_stopped_by_instructions(name: str, file: Path, runs: list[PreparedRun]) -> None:
    for most in (1, 60, 900, 4000):
        runs.clear()
        says_what_is_missing(JOBS[name](file, Interrupt(), most), runs)


@pytest.fixture
def all_arms_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where one of them would be at its end soon; and none decides it all by changing the program."""

    def nothing(self: AccelerationProof, share: Budget, effort: int | None) -> None:
        self.over = True

    monkeypatch.setattr("clew.jobs.phases.turns.FIRST_TURN", 0.0)
    monkeypatch.setattr(AccelerationProof, "run", nothing)


@pytest.mark.usefixtures("all_arms_begin")
def test_answers_of_one_run_stand_whatever_others_left(file: Path, runs: list[PreparedRun]) -> None:
    summary = _conflicts(file, Interrupt())
    assert len(runs) > 1
    assert summary.verdict == "TRUE" and summary.stopped is None
    assert not summary.losses


@pytest.mark.usefixtures("all_arms_begin")
def test_all_runs_are_counted(file: Path, runs: list[PreparedRun]) -> None:
    """A verification that leaves a run for another one has done the work of both."""
    summary = _conflicts(file, Interrupt())
    assert len(runs) > 1
    assert summary.stats.instructions > max(ready.run.statistics.instructions for ready in runs)
    assert summary.stats.solver_queries >= sum(ready.collector.solver.queries for ready in runs)
