"""The invariants table with the runs replaced: what is run, what is shown, and that wrong results are loud."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import covering, invariants, scaling
from benchmarks.covering import Covering, Standing
from benchmarks.invariants import PROGRAMS, subject_of
from benchmarks.invariants_table import ALL, ALONE, LATER, SAME, SOONER, InvariantsTable, Row
from benchmarks.published_invariants import Paper, Published
from benchmarks.request import BenchRequest
from benchmarks.scaling import Scaling
from clew.base.errors import UserError
from clew.base.options import TestRequest


class Runs:
    """Stands for ``covering.measure``: notes what it is asked for."""

    def __init__(self, stopped: bool = False) -> None:
        self.asked: list[tuple[str, bool, bool, bool, float | None]] = []
        self.stopped = stopped
        self.seconds = iter([5.0, 1.0, 3.0, 2.0, 4.0, 6.0] * 100)

    def measure(self, request: TestRequest, branches: int, runs: int) -> Covering:
        assert runs == 100
        name = request.files[0].stem
        self.asked.append((name, request.summarize, request.navigate, request.invariants, request.seconds))
        stopped = self.stopped and not request.invariants
        end = Standing(3, branches - stopped, 7, next(self.seconds))
        return Covering(end, end, not stopped, stopped)


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> InvariantsTable:
    monkeypatch.setattr(covering, "measure", runs.measure)
    monkeypatch.setattr(scaling, "measure", lambda request, say: Scaling())
    return invariants.measure(request, lambda text: None)


def test_four_ways_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("halves",), seconds=9.0), runs, monkeypatch)
    alone = [("halves", False, False, False, 9.0), ("halves", False, False, True, 9.0)]
    every = [("halves", True, True, False, 9.0), ("halves", True, True, True, 9.0)]
    assert runs.asked == alone * 3 + every * 3
    assert [(row.name, row.kind, row.branches) for row in table.rows] == [("halves", ALONE, 4), ("halves", ALL, 4)]
    first = table.rows[0]
    assert first.plain is not None and (first.plain.end.seconds, first.invariants.end.seconds) == (4.0, 2.0)
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
    assert (
        table.rows[0].plain is None
        and not table.lines()[1].lstrip().startswith("without")
        and table.rows[0].compared() == ""
    )


def test_names() -> None:
    assert [one.name for one in invariants.chosen(BenchRequest())] == list(PROGRAMS)
    assert invariants.chosen(BenchRequest(only=("scaling",))) == []
    with pytest.raises(UserError, match="no program of the table invariants is called window"):
        invariants.chosen(BenchRequest(only=("window",)))


def test_the_series_is_measured_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BenchRequest] = []

    def series(request: BenchRequest, say: object) -> Scaling:
        asked.append(request)
        return Scaling()

    monkeypatch.setattr(covering, "measure", Runs().measure)
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


def run(seconds: float, runs: int = 4, covered: bool = True, **more: object) -> Covering:
    end = Standing(3, 6 if covered else 5, runs, seconds)
    limit = end if runs <= 100 else Standing(2, 4, 100, 0.5)
    return Covering(limit, end, covered, **{"stopped": not covered, "total": 6, **more})


def row(plain: Covering, with_invariants: Covering, kind: str = ALONE) -> Row:
    return Row("a", kind, 6, plain, with_invariants)


def test_wrong_results_are_loud() -> None:
    def complaints(plain: Covering, with_invariants: Covering) -> list[str]:
        table = InvariantsTable("invariants", (row(plain, with_invariants),))
        assert table.lines()[len(table.lines()) - len(table.complaints()) :] == table.complaints()
        return table.complaints()

    assert complaints(run(1.0), run(1.0)) == []
    assert complaints(run(1.0, covered=False), run(1.0)) == []
    assert complaints(run(1.0), run(1.0, covered=False, stopped=False)) == [
        "WRONG COVERAGE: a, alone, with invariants: 5 of 6 branches, and nothing left to run"
    ]
    assert complaints(run(1.0, unreachable=1), run(1.0)) == [
        "WRONG CLAIM: a, alone, without invariants: 1 of the branches said to be unreachable, none is"
    ]
    assert complaints(run(1.0), run(1.0, failed="it broke")) == ["FAILED: a, alone, with invariants: it broke"]


def test_compared() -> None:
    assert row(run(1.0), run(0.8)).compared() == SOONER
    assert row(run(1.0), run(1.2)).compared() == LATER
    assert row(run(1.0), run(0.95)).compared() == row(run(0.010), run(0.0119)).compared() == SAME
    assert row(run(9.0, covered=False), run(20.0)).compared() == SOONER
    assert row(run(9.0), run(2.0, covered=False)).compared() == LATER
    assert row(run(9.0, covered=False), run(2.0, covered=False)).compared() == ""


PAPER = Published(0.01, Paper(5, 75, 2.4, 100), Paper(3, 100, 2.3, 99))


def test_text() -> None:
    with_invariants = run(0.05, invariant_seconds=0.04, candidates=2, tests=1)
    rows = (
        Row("listing3", ALONE, 6, run(60.0, 1500, covered=False), with_invariants, PAPER),
        Row("listing3", ALL, 6, run(0.25), with_invariants, PAPER),
    )
    assert InvariantsTable("invariants", rows, machine="here", notes=("a note",)).lines() == [
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
    data = InvariantsTable("invariants", (Row("a", ALL, 6, None, run(1.0), PAPER),)).to_json()
    first = json.loads(json.dumps(data, allow_nan=False))["rows"][0]
    assert first["plain"] is None and first["invariants"]["end"]["runs"] == 4
    assert first["paper"]["invariants"] == {"tests": 3, "coverage": 100, "seconds": 2.3, "runs": 99}
    assert data["most_runs"] == 100 and data["complaints"] == [] and data["scaling"] == {"points": [], "summary": []}
