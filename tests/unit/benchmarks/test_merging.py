"""The merging table with the runs replaced: what is run, what is shown, and that wrong results are loud."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import merging
from benchmarks.flows import VARIANTS
from benchmarks.merging import BAD, GOOD, MergingTable, verdict
from benchmarks.plot import ERROR, EVERY, PATH, WHOLE
from benchmarks.request import BenchRequest
from benchmarks.run import Run, explore
from benchmarks.subject import Error, Subject, expected_errors
from benchmarks.table import Row
from clew.base.errors import UserError
from clew.base.options import TestRequest

FLAW = ("out-of-bounds", "p.c", 9)


class Runs:
    """Stands for ``apart``: notes what it is asked for, finds what is there."""

    def __init__(self, stopped: bool = False) -> None:
        self.asked: list[TestRequest] = []
        self.stopped = stopped
        self.seconds = iter([5.0, 1.0, 3.0, 2.0, 4.0, 6.0] * 100)

    def __call__(self, function: object, request: TestRequest) -> Run:
        assert function is explore
        self.asked.append(request)
        good = "-DOMITBAD" in request.compiler_flags
        errors = () if good else tuple(expected_errors(request.files))
        stopped = "time" if self.stopped and not request.merge else None
        merged = 3 if request.merge else 0
        return run(next(self.seconds), 10 - merged, merged, errors=errors, stopped=stopped)


def run(
    seconds: float, completed: int, merged: int = 0, errors: tuple[Error, ...] = (), covered: int = 0, **more: Any
) -> Run:
    stats = {"paths_completed": completed, "paths_merged": merged, **more.pop("stats", {})}
    return Run(seconds, errors=errors, covered=covered, stats=stats, **more)


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> MergingTable:
    monkeypatch.setattr(merging, "apart", runs)
    return merging.measure(request, lambda text: None)


def row(half: str = WHOLE, **runs: Run) -> Row:
    """``path``, ``every``, ``error``: where one is not given, a run that is fine."""
    expected: frozenset[Error] = frozenset() if half == GOOD else frozenset({FLAW})
    fine = run(2.0, 10, covered=4, errors=tuple(expected))
    names = {PATH: "path", EVERY: "every", ERROR: "error"}
    runs_by_way = {way: runs.get(name, fine) for way, name in names.items()}
    return Row(Subject("12", (), half, errors=expected), runs_by_way)


def complaints(one: Row) -> list[str]:
    return MergingTable((one,)).complaints()


def test_three_ways_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("fig1",), seconds=9.0, repeat=3), runs, monkeypatch)
    ways = [(one.goal, one.merge) for one in runs.asked]
    assert ways == [("path", False), ("error", False), ("error", True)] * 3
    assert {(one.stdin, one.seconds) for one in runs.asked} == {(merging.STDIN, 9.0)}
    assert not any(one.summarize or one.navigate or one.invariants for one in runs.asked)
    assert {way: one.seconds for way, one in table.rows[0].runs.items()} == {PATH: 5.0, EVERY: 1.0, ERROR: 3.0}
    assert table.complaints() == []


def test_halves_of_a_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("54*",), plain=False), runs, monkeypatch)
    assert [one.kind for one in table.rows] == [GOOD, BAD, WHOLE]
    assert [one.compiler_flags for one in runs.asked] == [("-DOMITBAD",), ("-DOMITGOOD",), ()]
    assert [len(one.subject.errors) for one in table.rows] == [0, 1, 1]
    assert {len(one.files) for one in runs.asked} == {5}
    assert all(one.merge for one in runs.asked), "without plain there is one way"
    assert table.complaints() == [] and "no merging" not in "\n".join(table.lines()[:-3])


def test_what_was_stopped_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(stopped=True)
    table = measure(BenchRequest(only=("twenty",), repeat=2), runs, monkeypatch)
    assert [one.merge for one in runs.asked] == [False, False, True, True]
    assert ">10" in "\n".join(table.lines())


def test_quick_has_few_programs_and_little_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("12*",), quick=True), runs, monkeypatch)
    assert [one.kind for one in table.rows] == [WHOLE]
    assert [one.seconds for one in runs.asked] == [20.0, 20.0, 60.0]
    assert len(merging.chosen(BenchRequest(quick=True), tmp_path)) == 8


def test_all_programs(tmp_path: Path) -> None:
    subjects = merging.chosen(BenchRequest(), tmp_path)
    assert len(subjects) == 4 + 3 * len(VARIANTS)
    with pytest.raises(UserError, match="no program of the table merging is called window"):
        merging.chosen(BenchRequest(only=("window",)), tmp_path)


def test_no_complaint_about_what_is_right() -> None:
    assert complaints(row()) == complaints(row(GOOD)) == []
    assert [verdict(row(), way) for way in (PATH, EVERY, ERROR)] == ["ok"] * 3


def test_wrong_results_are_loud() -> None:
    fine = row().runs[ERROR]
    missed = row(error=replace(fine, errors=()))
    assert complaints(missed) == ["MISSED: 12, both, goal error: out-of-bounds at p.c:9"]
    alarm = row(GOOD, error=fine)
    assert complaints(alarm) == ["FALSE ALARM: 12, good, goal error: out-of-bounds at p.c:9"]
    more = row(error=run(2.0, 9, 2, fine.errors, 4))
    assert complaints(more) == [
        "MORE PATHS: 12, both: 11, goal path: 10", "MORE PATHS: 12, both: 11, no merging: 10",
    ]  # fmt: skip
    less = row(error=replace(fine, covered=3), every=replace(fine, stopped="time"))
    assert complaints(less) == ["WRONG COVERAGE: 12, both: 3 branches, goal path: 4"]
    failed = row(error=Run(failed="its process died"))
    assert complaints(failed) == ["FAILED: 12, both, goal error: its process died"]


def test_what_a_stopped_run_has_not_found_is_not_missed() -> None:
    stopped = row(path=replace(row().runs[PATH], errors=(), stopped="time"))
    assert verdict(stopped, PATH) == "time" and complaints(stopped) == []
    lost = row(path=replace(row().runs[PATH], errors=(), losses=("a call",)))
    assert verdict(lost, PATH) == "lost" and complaints(lost) == []


def test_text_and_json() -> None:
    fine = row().runs[ERROR]
    merged = run(0.5, 3, 2, fine.errors, 4, stats={"merge_checks": 5})
    good = row(GOOD, error=replace(merged, errors=()))
    table = MergingTable((good, row(error=merged)), ("a note",), "here")
    text = table.lines()
    assert text[0] == "merging on here"
    assert text[1].split() == "goal path no merging goal error faster".split()
    assert text[2].split() == "program half paths s verdict paths s verdict paths merged s verdict path none".split()
    assert text[4].split() == "12 both 10 2.000 ok 10 2.000 ok 5 2 0.500 ok 4.0 4.0".split()
    assert text[7].split() == "total of 2 20 4.000 2/2 20 4.000 2/2 10 4 1.000 2/2 4.0 4.0".split()
    assert "largest gain: 12, both: 5 paths in 0.500 s, 2 of them merged; goal path 10 paths" in "\n".join(text)
    assert any(line.startswith("all flow variants: 10 paths in 1.000 s, 4 of them merged;") for line in text)
    data = json.loads(json.dumps(table.to_json()))
    one = data["rows"][1]["runs"][ERROR]
    assert (one["paths_completed"], one["paths_merged"], one["merge_checks"], one["verdict"]) == (3, 2, 5, "ok")
    assert data["totals"]["total of 2"][ERROR]["paths_merged"] == 4


def test_a_folder_for_the_plot_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runs = Runs()
    with pytest.raises(UserError, match="there is no such folder"):
        measure(BenchRequest(only=("fig1",), plot=tmp_path / "no" / "p.html"), runs, monkeypatch)
    assert runs.asked == []
    measure(BenchRequest(only=("12*",), plot=tmp_path / "p.html"), runs, monkeypatch)
    assert "<svg" in (tmp_path / "p.html").read_text(encoding="utf-8")


def test_expectations_are_for_the_line_below(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int a;\n  // expect: division-by-zero @+1\n  a / 0;\n", encoding="utf-8")
    assert expected_errors([file]) == {("division-by-zero", "p.c", 3)}
