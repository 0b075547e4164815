"""The loops table with the runs replaced: which tasks there are, what is shown, and that a wrong verdict is loud."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import loops
from benchmarks.loop_engines import EnginesTable
from benchmarks.loop_tasks import TWIN, loop_tasks, tasks_of
from benchmarks.loops import LoopsTable
from benchmarks.request import BenchRequest
from benchmarks.run import Run
from benchmarks.subject import Subject
from benchmarks.table import Row
from clew.base.errors import UserError


def test_at_least_120_tasks_and_each_with_its_twin() -> None:
    tasks = loop_tasks()
    assert len(tasks) >= 120 and len({task.title for task in tasks}) == len(tasks)
    for task, twin in zip(tasks[::2], tasks[1::2], strict=True):
        assert task.files == twin.files and (task.kind, twin.kind) == ("", TWIN)
        assert {task.expected, twin.expected} == {"TRUE", "FALSE"}
        assert "MUTANT(" in task.files[0].read_text(encoding="utf-8")


def test_a_file_with_two_tasks(tmp_path: Path) -> None:
    path = tmp_path / "door.c"
    path.write_text("// verdict: FALSE\n// inputs: 7 -1*2\n// check: overflow\n", encoding="utf-8")
    task, twin = tasks_of(path)
    assert (task.expected, task.inputs, task.options) == ("FALSE", (7, -1, -1), ("--check", "overflow"))
    assert (twin.expected, twin.inputs, twin.options) == ("TRUE", (), ("--check", "overflow", "-DTWIN"))
    assert task.group == tmp_path.name and twin.title.endswith("/door, twin")


@pytest.mark.parametrize("text", ["", "// verdict: TRUE\n", "// inputs: 1\n", "// verdict: MAYBE\n// inputs: 1\n"])
def test_a_file_that_does_not_say_what_is_right(text: str, tmp_path: Path) -> None:
    path = tmp_path / "door.c"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"door\.c does not begin with its verdict"):
        tasks_of(path)


class Runs:
    """Stands for ``command``: notes the options, and gives the answers one after the other."""

    def __init__(self, *verdicts: str) -> None:
        self.verdicts = list(verdicts)
        self.asked: list[tuple[str, list[str], float]] = []

    def __call__(self, name: str, files: Sequence[Path], options: Sequence[str], seconds: float) -> Run:
        assert name == "verify"
        self.asked.append((files[0].stem, list(options), seconds))
        verdict = self.verdicts.pop(0)
        return Run(2.5, failed="it broke") if verdict == "failed" else Run(1.5, verdict=verdict, cpu=1.25)


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> LoopsTable:
    monkeypatch.setattr(loops, "command", runs)
    return loops.measure(request, lambda text: None)


def test_both_tasks_of_a_file_run(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs("TRUE", "FALSE")
    table = measure(BenchRequest(only=("wrap/around_once",), seconds=9.0), runs, monkeypatch)
    assert runs.asked == [("around_once", [], 9.0), ("around_once", ["-DTWIN"], 9.0)]
    assert table.complaints() == []
    assert table.lines()[1:6] == [
        "                                  default",
        "task                    expected  verdict     s  cpu s",
        "wrap/around_once        TRUE         TRUE  1.50   1.25",
        "wrap/around_once  twin  FALSE       FALSE  1.50   1.25",
        "total of 2 wrap                       2/2   3.0    2.5",
    ]
    assert table.findings() == ["default: 100.0 % right, 0 wrong, 0 unknown of 2 tasks"]


def test_a_wrong_verdict_and_a_failure_are_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    table = measure(BenchRequest(only=("wrap/around_once",)), Runs("FALSE", "failed"), monkeypatch)
    assert table.complaints() == [
        "WRONG VERDICT: wrap/around_once, default: FALSE, expected TRUE",
        "FAILED: wrap/around_once, twin, default: it broke",
    ]
    data = json.loads(json.dumps(table.to_json(), allow_nan=False))
    assert data["rows"][0]["runs"]["default"]["wrong"] is True
    assert data["totals"]["total of 2"]["default"] == {
        "tasks": 2, "right": 0, "wrong": 1, "unknown": 1, "seconds": 4.0, "cpu": 1.25,
    }  # fmt: skip


def test_other_ways_and_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(*["UNKNOWN"] * 8)
    table = measure(BenchRequest(only=("wrap", "phases"), ways=("plain",), quick=True), runs, monkeypatch)
    assert table.ways() == ["default", "plain"] and len(table.rows) == 4
    assert list(table.parts()) == ["total of 2 phases", "total of 2 wrap", "total of 4"]
    with pytest.raises(UserError, match="no configuration"):
        measure(BenchRequest(ways=("nothing",)), runs, monkeypatch)
    with pytest.raises(UserError, match="nothing"):
        measure(BenchRequest(only=("nothing",)), runs, monkeypatch)


def test_parts_without_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = EnginesTable((Row(Subject("wrap", ()), {"relations": Run(failed="it broke")}),))
    monkeypatch.setattr(loops, "measure_engines", lambda tasks, request, say: engines)
    table = measure(BenchRequest(only=("engines",)), Runs(), monkeypatch)
    assert table.rows == () and table.notes == () and table.series.rows == ()
    assert table.complaints() == ["FAILED: wrap, relations: it broke"]
    assert any("failed" in line for line in table.lines()) and "## engines" in table.markdown()
    assert json.loads(json.dumps(table.to_json()))["engines"]["rows"][0]["name"] == "wrap"
