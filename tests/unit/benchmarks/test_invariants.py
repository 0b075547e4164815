"""The invariants table with the runs replaced: what is run, what is shown, and that wrong results are loud."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks import invariants, scaling
from benchmarks.invariants import (
    ALL,
    ALONE,
    LATER,
    ORDER,
    SAME,
    SOONER,
    WITH,
    WITHOUT,
    InvariantsTable,
    compared,
    subject_of,
)  # fmt: skip
from benchmarks.request import BenchRequest
from benchmarks.run import END, LIMIT, Mark, Run, watch
from benchmarks.scaling import Scaling
from benchmarks.subject import Subject
from benchmarks.table import Row
from clew.analysis.absint.domains import DOMAINS
from clew.base.errors import UserError
from clew.base.options import TestRequest


class Runs:
    """Stands for ``apart``: notes what it is asked for."""

    def __init__(self, stopped: bool = False) -> None:
        self.asked: list[tuple[str, bool, bool, bool, float | None]] = []
        self.stopped = stopped
        self.seconds = iter([5.0, 1.0, 3.0, 2.0, 4.0, 6.0] * 100)

    def __call__(self, function: object, request: TestRequest, branches: int, runs: int) -> Run:
        assert function is watch and runs == 100
        name = request.files[0].stem
        self.asked.append((name, request.summarize, request.navigate, request.invariants, request.seconds))
        stopped = self.stopped and not request.invariants
        end = Mark(3, branches - stopped, 7, next(self.seconds))
        return Run(stopped="time" if stopped else None, marks={LIMIT: end, END: end})


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> InvariantsTable:
    monkeypatch.setattr(invariants, "apart", runs)
    monkeypatch.setattr(scaling, "measure", lambda request, say: Scaling())
    return invariants.measure(request, lambda text: None)


def test_four_ways_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("halves",), seconds=9.0), runs, monkeypatch)
    alone = [("halves", False, False, False, 9.0), ("halves", False, False, True, 9.0)]
    every = [("halves", True, True, False, 9.0), ("halves", True, True, True, 9.0)]
    assert runs.asked == alone * 3 + every * 3
    assert [(row.name, row.kind, row.subject.branches) for row in table.rows] == [
        ("halves", ALONE, 4),
        ("halves", ALL, 4),
    ]
    first = table.rows[0]
    assert [first.runs[way].marks[END].seconds for way in (WITHOUT, WITH)] == [4.0, 2.0]
    assert table.complaints() == []


def test_what_was_stopped_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(stopped=True)
    measure(BenchRequest(only=("halves",), repeat=2), runs, monkeypatch)
    assert [given for _, _, _, given, _ in runs.asked] == [False, True, True] * 2


def test_quick_and_without_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    measure(BenchRequest(only=("listing?",), quick=True), runs, monkeypatch)
    assert [(name, seconds) for name, _, _, _, seconds in runs.asked] == [
        ("listing1", 20.0), ("listing1", 60.0), ("listing1", 20.0), ("listing1", 60.0),
        ("listing3", 20.0), ("listing3", 60.0), ("listing3", 20.0), ("listing3", 60.0),
    ]  # fmt: skip
    runs = Runs()
    table = measure(BenchRequest(only=("guards",), plain=False, repeat=1), runs, monkeypatch)
    assert [given for _, _, _, given, _ in runs.asked] == [True, True]
    assert list(table.rows[0].runs) == [WITH] and compared(table.rows[0]) == ""
    assert not table.lines()[1].lstrip().startswith("without")


def test_names() -> None:
    assert [one.name for one in invariants.chosen(BenchRequest())] == list(ORDER)
    assert invariants.chosen(BenchRequest(only=("scaling",))) == []
    with pytest.raises(UserError, match="no program of the table invariants is called window"):
        invariants.chosen(BenchRequest(only=("window",)))


def test_the_series_is_measured_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def series(request: BenchRequest, say: object) -> Scaling:
        asked.append(request)
        return Scaling()

    monkeypatch.setattr(invariants, "apart", Runs())
    monkeypatch.setattr(scaling, "measure", series)
    invariants.measure(BenchRequest(only=("guards",)), lambda text: None)
    assert asked == []
    table = invariants.measure(BenchRequest(only=("scaling",)), lambda text: None)
    assert len(asked) == 1 and table.rows == ()


def test_a_program_must_say_how_much_can_be_covered(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int main(void) { return 0; }\n")
    with pytest.raises(UserError, match="branches"):
        subject_of(path)


def run(seconds: float, runs: int = 4, covered: bool = True, **more: Any) -> Run:
    end = Mark(3, 6 if covered else 5, runs, seconds)
    limit = end if runs <= 100 else Mark(2, 4, 100, 0.5)
    stopped = None if covered else "time"
    return Run(**{"stopped": stopped, "branches": 6, "marks": {LIMIT: limit, END: end}, **more})


def row(
    plain: Run | None,
    with_invariants: Run,
    kind: str = ALONE,
    name: str = "a",
    paper: Mapping[str, object] | None = None,
) -> Row:
    runs = {way: one for way, one in ((WITHOUT, plain), (WITH, with_invariants)) if one is not None}
    return Row(Subject(name, (), kind, branches=6), runs, paper or {})


def test_wrong_results_are_loud() -> None:
    def complaints(plain: Run, with_invariants: Run) -> list[str]:
        table = InvariantsTable((row(plain, with_invariants),))
        assert table.lines()[len(table.lines()) - len(table.complaints()) :] == table.complaints()
        return table.complaints()

    assert complaints(run(1.0), run(1.0)) == []
    assert complaints(run(1.0, covered=False), run(1.0)) == []
    assert complaints(run(1.0), run(1.0, covered=False, stopped=None)) == [
        "WRONG COVERAGE: a, alone, with invariants: 5 of 6 branches, and nothing left to run"
    ]
    assert complaints(run(1.0, unreachable=1), run(1.0)) == [
        "WRONG CLAIM: a, alone, without invariants: 1 of the branches said to be unreachable, none is"
    ]
    assert complaints(run(1.0), Run(failed="it broke")) == ["FAILED: a, alone, with invariants: it broke"]


def test_compared() -> None:
    def words(plain: Run, with_invariants: Run) -> str:
        return compared(row(plain, with_invariants))

    assert words(run(1.0), run(0.8)) == SOONER
    assert words(run(1.0), run(1.2)) == LATER
    assert words(run(1.0), run(0.95)) == words(run(0.010), run(0.0119)) == SAME
    assert words(run(9.0, covered=False), run(20.0)) == SOONER
    assert words(run(9.0), run(2.0, covered=False)) == LATER
    assert words(run(9.0, covered=False), run(2.0, covered=False)) == ""


PAPER = {
    "invariant_seconds": 0.01,
    "plain": {"tests": 5, "coverage": 75, "seconds": 2.4, "runs": 100},
    "invariants": {"tests": 3, "coverage": 100, "seconds": 2.3, "runs": 99},
}


def test_text() -> None:
    stats = {"invariant_seconds": 0.04, "invariant_candidates": 2, "invariant_tests": 1}
    with_invariants = run(0.05, stats=stats)
    rows = (
        row(run(60.0, 1500, covered=False), with_invariants, name="listing3", paper=PAPER),
        row(run(0.25), with_invariants, ALL, "listing3", PAPER),
    )
    assert InvariantsTable(rows, ("a note",), "here").lines() == [
        "invariants on here",
        "                 without                        with invariants                                paper, without"
        "            paper, with",
        "program          tests  cover    runs        s  tests  cover  runs      s  inv s  tried  kept  tests  cover"
        "  runs     s  tests  cover  runs     s  inv s",
        "listing3  alone      2    4/6  >1,500  >60.000      3    6/6     4  0.050  0.040      2     1      5   75 %"
        "   100  2.40      3  100 %    99  2.30   0.01",
        "listing3  all        3    6/6       4    0.250      3    6/6     4  0.050  0.040      2     1",
        "alone, without -> with: 67 -> 100 % covered within 100 runs (mean), all within them on 0 -> 1 of 1; "
        "> 60.00 -> 0.05 s in all: sooner on 1",
        "all, without -> with: 100 -> 100 % covered within 100 runs (mean), all within them on 1 -> 1 of 1; "
        "0.25 -> 0.05 s in all: sooner on 1",
        "paper, mean: 75 -> 100 % covered, 2.40 -> 2.30 s",
        "a note",
    ]


def test_json() -> None:
    data = InvariantsTable((row(None, run(1.0), ALL, paper=PAPER),)).to_json()
    first = json.loads(json.dumps(data, allow_nan=False))["rows"][0]
    assert first["plain"] is None and first["invariants"]["end"]["runs"] == 4 and first["invariants"]["covered"] is True
    assert first["paper"]["invariants"] == {"tests": 3, "coverage": 100, "seconds": 2.3, "runs": 99}
    assert data["most_runs"] == 100 and data["complaints"] == [] and data["scaling"] == {"points": [], "summary": []}


def test_the_series_stands_before_the_notes() -> None:
    series = Scaling((Row(Subject("2 x 1", ()), {domain: Run(0.25, verdict=domain) for domain in DOMAINS.names()}),))
    table = InvariantsTable((), ("a note",), "here", series)
    assert table.lines() == ["invariants on here", *series.lines(), "a note"]
    assert "| 2 | 1 | 0.25 | 0.25 | 0.25 |" in table.markdown()
