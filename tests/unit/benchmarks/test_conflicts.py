"""The conflicts table with the runs replaced: what is run, what is shown, and that a wrong verdict is loud."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import conflicts
from benchmarks.conflicts import ConflictsTable
from benchmarks.request import BenchRequest
from benchmarks.run import Run
from benchmarks.subject import Subject
from benchmarks.table import Row
from clew.base.errors import UserError

PROGRAM = "int main(void) { while (1) { if (f()) goto ERROR; }\nERROR: return 1; }\n"


class Runs:
    """Stands for ``command``: notes what it is asked for, and answers by the name of the file."""

    def __init__(self, **verdicts: str) -> None:
        self.verdicts = verdicts
        self.asked: list[tuple[str, list[str]]] = []
        self.texts: list[str] = []
        self.seconds = iter([5.0, 1.0, 3.0] * 100)

    def __call__(self, name: str, files: Sequence[Path], options: Sequence[str], seconds: float) -> Run:
        assert name == "verify"
        if "--max-instructions" in options:
            return Run(0.1, verdict="UNKNOWN")  # only fills the cache
        name = files[0].name.split(".")[0]
        self.asked.append((name, list(options)))
        self.texts.append(files[0].read_text(encoding="utf-8"))
        return run(self.verdicts[name], next(self.seconds))


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    for name in ("door_safe.cil.c", "door_unsafe.cil.c", "s3_clnt_1_safe.cil.c"):
        (tmp_path / name).write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> ConflictsTable:
    monkeypatch.setattr(conflicts, "command", runs)
    return conflicts.measure(request, lambda text: None)


def test_every_way_on_every_task(tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(door_safe="TRUE", door_unsafe="FALSE", s3_clnt_1_safe="TRUE")
    table = measure(BenchRequest(tasks=tasks, decide=("guide", "learn:5"), unroll="9"), runs, monkeypatch)
    assert tuple(table.ways()) == ("plain", "guide", "learn:5")
    assert [row.name for row in table.rows] == ["door_safe", "s3_clnt_1_safe", "door_unsafe"]
    assert len(runs.asked) == 9
    name, options = runs.asked[1]
    assert name == "door_safe"
    assert options[:6] == ["--strategy", "conflicts", "--decide", "guide", "--unroll", "9"]
    assert options[6:] == ["--data-model", "ILP32", "-iquote", str(tasks.resolve())]
    assert all("ERROR: __VERIFIER_error();" in text and "while (1)" in text for text in runs.texts)
    assert table.complaints() == []


def test_bounded_copies(tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(door_safe="TRUE", door_unsafe="FALSE", s3_clnt_1_safe="TRUE")
    measure(BenchRequest(tasks=tasks, decide=(), bound=50), runs, monkeypatch)
    assert len(runs.texts) == 3
    assert all("++ >= 50) exit(0);" in text for text in runs.texts)
    assert all(path.read_text(encoding="utf-8") == PROGRAM for path in tasks.glob("*.c"))


def test_the_run_in_the_middle_counts(tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(door_safe="TRUE")
    table = measure(BenchRequest(3, tasks, ("door_safe",), decide=()), runs, monkeypatch)
    assert table.rows[0].runs["plain"].seconds == 3.0


def test_own_programs_run_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(diamond_safe="TRUE")
    table = measure(BenchRequest(only=("dia*",), plain=False, decide=("guide",)), runs, monkeypatch)
    assert runs.asked == [("diamond_safe", ["--strategy", "conflicts", "--decide", "guide"])]
    assert "1" in table.lines()[3]


def test_names(tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = conflicts.chosen(BenchRequest(tasks=tasks, only=("thesis",)))
    assert [task.name for task in found] == ["s3_clnt_1_safe"]
    assert len(conflicts.chosen(BenchRequest(tasks=tasks, only=("thesis", "*_unsafe")))) == 2
    with pytest.raises(UserError, match=r"no task in .* is called window"):
        conflicts.chosen(BenchRequest(tasks=tasks, only=("window",)))
    with pytest.raises(UserError, match="Clew's own programs"):
        conflicts.chosen(BenchRequest(only=("thesis",)))


@pytest.mark.slow
def test_a_real_run() -> None:
    said: list[str] = []
    table = conflicts.measure(BenchRequest(only=("diamond_safe",), decide=()), said.append)
    found = table.rows[0].runs["plain"]
    assert (found.verdict, found.paths) == ("TRUE", 2) and found.count("instructions") > 0
    assert said[0].startswith("1 of 1: diamond_safe, plain: TRUE in ") and table.complaints() == []


def test_nothing_to_measure() -> None:
    with pytest.raises(UserError, match="nothing to measure"):
        BenchRequest(decide=(), plain=False)
    with pytest.raises(UserError, match="--bound"):
        BenchRequest(bound=0)


def run(
    verdict: str, seconds: float = 1.5, paths: int = 2, instructions: int = 1000, stopped: str | None = None
) -> Run:
    stats = {"paths_completed": paths, "instructions": instructions}
    return Run(seconds, verdict=verdict, stopped=stopped, stats=stats)


def row(name: str, expected: str, *verdicts: str) -> Row:
    ways = ("plain", "guide", "learn:10")
    runs = {way: run(verdict) for way, verdict in zip(ways, verdicts, strict=False)}
    return Row(Subject(name, (), expected=expected), runs)


def test_wrong_verdicts_are_loud() -> None:
    failed = Row(Subject("c_safe", (), expected="TRUE"), {"plain": Run(failed="it broke")})
    rows = (row("a_safe", "TRUE", "FALSE"), row("b_unsafe", "FALSE", "TRUE"), failed)
    lines = ConflictsTable(rows).lines()
    assert lines[-3:] == [
        "WRONG VERDICT: a_safe, plain: FALSE, expected TRUE",
        "WRONG VERDICT: b_unsafe, plain: TRUE, expected FALSE",
        "FAILED: c_safe, plain: it broke",
    ]
    assert "FALSE!" in lines[3]
    assert "beyond the bound" in ConflictsTable(rows, bounded=True).complaints()[1]


def test_no_verdict_is_not_wrong() -> None:
    assert ConflictsTable((row("a_safe", "TRUE", "UNKNOWN"),)).complaints() == []


def test_text() -> None:
    nothing = {"seconds": None, "paths": None, "instructions": None}
    others = {"KLEE 2012": {"seconds": 0.25, "paths": None, "instructions": 999}, "KLEE 3.2": nothing}
    first = Row(Subject("a_safe", (), expected="TRUE"), {"plain": run("TRUE")}, others)
    second = Row(Subject("b_unsafe", (), expected="FALSE"), {"plain": run("UNKNOWN", 60.0, 9, 5000, stopped="time")})
    assert ConflictsTable((first, second), ("a note",), "here").lines() == [
        "conflicts on here",
        "                             plain                                 KLEE 2012",
        "task               expected  verdict       s  paths  instructions     s  instructions",
        "a_safe             TRUE         TRUE    1.50      2         1,000  0.25           999",
        "b_unsafe           FALSE        time   60.00      9         5,000",
        "total of 1 safe                  1/1    1.50      2         1,000  0.25           999",
        "total of 1 unsafe                0/1  >60.00     >9        >5,000",
        "total of 2                       1/2  >61.50    >11        >6,000  0.25           999",
        "a note",
    ]


def test_json() -> None:
    table = ConflictsTable((row("a_safe", "TRUE", "TRUE", "FALSE"),))
    data = json.loads(json.dumps(table.to_json(), allow_nan=False))
    assert data["rows"][0]["runs"]["guide"]["wrong"] is True and data["ways"] == ["plain", "guide"]
    assert data["totals"]["total of 1"]["plain"] == {
        "correct": 1, "tasks": 1, "seconds": 1.5, "paths": 2, "instructions": 1000, "complete": True,
    }  # fmt: skip
    assert len(data["complaints"]) == 1
