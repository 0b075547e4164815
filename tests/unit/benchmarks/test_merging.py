"""The merging table with the runs replaced: what is run, what is shown, and that wrong results are loud."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import exploring, merging
from benchmarks.exploring import Exploration, expected_errors
from benchmarks.merging_flows import VARIANTS
from benchmarks.merging_table import BAD, ERROR, EVERY, GOOD, PATH, WHOLE, MergingTable, Row
from benchmarks.request import BenchRequest
from clew.base.errors import UserError
from clew.base.options import TestRequest

FLAW = ("out-of-bounds", "p.c", 9)


class Runs:
    """Stands for ``exploring.measure``: notes what it is asked for, finds what is there."""

    def __init__(self, stopped: bool = False) -> None:
        self.asked: list[TestRequest] = []
        self.stopped = stopped
        self.seconds = iter([5.0, 1.0, 3.0, 2.0, 4.0, 6.0] * 100)

    def measure(self, request: TestRequest) -> Exploration:
        self.asked.append(request)
        good = "-DOMITBAD" in request.compiler_flags
        errors = () if good else tuple(expected_errors(request.files))
        stopped = "time" if self.stopped and not request.merge else None
        merged = 3 if request.merge else 0
        return Exploration(next(self.seconds), 10 - merged, merged, errors=errors, stopped=stopped)


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> MergingTable:
    monkeypatch.setattr(exploring, "measure", runs.measure)
    return merging.measure(request, lambda text: None)


def row(half: str = WHOLE, **runs: Exploration) -> Row:
    """``path``, ``every``, ``error``: where one is not given, a run that is fine."""
    expected = frozenset() if half == GOOD else frozenset({FLAW})
    fine = Exploration(2.0, 10, branches=4, errors=tuple(expected))
    names = {PATH: "path", EVERY: "every", ERROR: "error"}
    return Row("12", half, expected, {way: runs.get(name, fine) for way, name in names.items()})


def test_three_ways_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("fig1",), seconds=9.0, repeat=3), runs, monkeypatch)
    ways = [(one.goal, one.merge) for one in runs.asked]
    assert ways == [("path", False), ("error", False), ("error", True)] * 3
    assert {(one.stdin, one.seconds) for one in runs.asked} == {(merging.STDIN, 9.0)}
    assert not any(one.summarize or one.navigate or one.invariants for one in runs.asked)
    assert {way: run.seconds for way, run in table.rows[0].runs.items()} == {PATH: 5.0, EVERY: 1.0, ERROR: 3.0}
    assert table.complaints() == []


def test_halves_of_a_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("54*",), plain=False), runs, monkeypatch)
    assert [one.half for one in table.rows] == [GOOD, BAD, WHOLE]
    assert [one.compiler_flags for one in runs.asked] == [("-DOMITBAD",), ("-DOMITGOOD",), ()]
    assert [len(one.expected) for one in table.rows] == [0, 1, 1]
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
    assert [one.half for one in table.rows] == [WHOLE]
    assert [one.seconds for one in runs.asked] == [20.0, 20.0, 60.0]
    assert len(merging.chosen(BenchRequest(quick=True), tmp_path)) == 8


def test_all_programs(tmp_path: Path) -> None:
    subjects = merging.chosen(BenchRequest(), tmp_path)
    assert len(subjects) == 4 + 3 * len(VARIANTS)
    with pytest.raises(UserError, match="no program of the table merging is called window"):
        merging.chosen(BenchRequest(only=("window",)), tmp_path)


def test_no_complaint_about_what_is_right() -> None:
    assert row().complaints() == row(GOOD).complaints() == []
    assert [row().verdict(way) for way in (PATH, EVERY, ERROR)] == ["ok"] * 3


def test_wrong_results_are_loud() -> None:
    fine = row().runs[ERROR]
    missed = row(error=replace(fine, errors=()))
    assert missed.complaints() == ["MISSED: 12, both, goal error: out-of-bounds at p.c:9"]
    alarm = row(GOOD, error=fine)
    assert alarm.complaints() == ["FALSE ALARM: 12, good, goal error: out-of-bounds at p.c:9"]
    more = row(error=replace(fine, completed=9, merged=2))
    assert more.complaints() == [
        "MORE PATHS: 12, both: 11, goal path: 10", "MORE PATHS: 12, both: 11, no merging: 10",
    ]  # fmt: skip
    less = row(error=replace(fine, branches=3), every=replace(fine, stopped="time"))
    assert less.complaints() == ["WRONG COVERAGE: 12, both: 3 branches, goal path: 4"]
    failed = row(error=Exploration(failed="its process died"))
    assert failed.complaints() == ["FAILED: 12, both, goal error: its process died"]


def test_what_a_stopped_run_has_not_found_is_not_missed() -> None:
    stopped = row(path=replace(row().runs[PATH], errors=(), stopped="time"))
    assert stopped.verdict(PATH) == "time" and stopped.complaints() == []
    lost = row(path=replace(row().runs[PATH], errors=(), lost=("a call",)))
    assert lost.verdict(PATH) == "lost" and lost.complaints() == []


def test_text_and_json() -> None:
    fine = row().runs[ERROR]
    merged = Exploration(0.5, 3, 2, 4, 5, 2, branches=4, errors=fine.errors)
    good = row(GOOD, error=replace(merged, errors=()))
    table = MergingTable("merging", (good, row(error=merged)), "here", ("a note",))
    text = table.lines()
    assert text[0] == "merging on here"
    assert text[1].split() == "goal path no merging goal error faster".split()
    assert text[2].split() == "program half paths s verdict paths s verdict paths merged s verdict path none".split()
    assert text[4].split() == "12 both 10 2.000 ok 10 2.000 ok 5 2 0.500 ok 4.0 4.0".split()
    assert text[7].split() == "total of 2 20 4.000 2/2 20 4.000 2/2 10 4 1.000 2/2 4.0 4.0".split()
    assert "largest gain: 12, both: 5 paths in 0.500 s, 2 of them merged; goal path 10 paths" in "\n".join(text)
    assert any(line.startswith("all flow variants: 10 paths in 1.000 s, 4 of them merged;") for line in text)
    data = json.loads(json.dumps(table.to_json()))
    run = data["rows"][1]["runs"][ERROR]
    assert (run["paths_completed"], run["paths_merged"], run["merge_checks"], run["verdict"]) == (3, 2, 5, "ok")
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
