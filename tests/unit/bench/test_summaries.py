"""The summaries table with the runs replaced: what is run, what is shown, and that wrong results are loud."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.options import StartValue, TestRequest
from clew.bench import child, generations, summaries
from clew.bench.child import Explored
from clew.bench.generations import Generation
from clew.bench.published_summaries import Paper
from clew.bench.request import BenchRequest
from clew.bench.summaries import PROGRAMS, subject_of
from clew.bench.summaries_table import PLAIN, SUMMARIES, Row, SummariesTable


class Runs:
    """Stands for ``child.test`` and ``generations.explore``: notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str], float]] = []
        self.firsts: list[TestRequest] = []
        self.seconds = iter([5.0, 1.0, 3.0] * 100)

    def test(self, files: Sequence[Path], options: Sequence[str], seconds: float) -> Explored:
        if "--max-instructions" in options:
            return Explored(0.1)  # only fills the cache
        self.asked.append((files[0].stem, list(options), seconds))
        return Explored(9.0, bugs=subject_of(files[0]).bugs, cpu=next(self.seconds))

    def explore(self, request: TestRequest) -> Generation:
        self.firsts.append(request)
        return Generation(1, 2, 3, 0)


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> SummariesTable:
    monkeypatch.setattr(child, "test", runs.test)
    monkeypatch.setattr(generations, "explore", runs.explore)
    return summaries.measure(request, lambda text: None)


def test_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("fig2",), seconds=9.0, plain_seconds=70.0), runs, monkeypatch)
    options = ["--no-merge", "--no-navigate", "--no-invariants", "--start", "x=10,y=20,z=30", "--check", "abort"]
    assert runs.asked == [("fig2", [*options, "--no-summarize"], 70.0), ("fig2", options, 9.0)]
    assert [(one.summarize, one.navigate, one.invariants, one.search) for one in runs.firsts] == [
        (False, False, False, generations.NAME), (True, False, False, generations.NAME),
    ]  # fmt: skip
    assert runs.firsts[0].start[1] == StartValue("y", 20) and runs.firsts[0].checks == ("abort",)
    (row,) = table.rows
    assert set(row.runs) == set(row.firsts) == {PLAIN, SUMMARIES} and row.paper["paper, summaries"].bugs == 1
    assert table.complaints() == []


def test_plain_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    measure(BenchRequest(only=("nest?",), plain=False), runs, monkeypatch)
    assert [name for name, _, _ in runs.asked] == ["nest1", "nest2", "nest3"]
    assert not any("--no-summarize" in options for _, options, _ in runs.asked)


def test_overhead_is_measured_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs()
    table = measure(BenchRequest(only=("concrete",), seconds=9.0), runs, monkeypatch)
    assert ["--no-summarize" in options for _, options, _ in runs.asked] == [True, False] * 3
    assert {seconds for _, _, seconds in runs.asked} == {9.0}
    assert table.rows[0].runs[PLAIN].cpu == 3.0 and not runs.firsts


def test_names() -> None:
    assert [one.name for one in summaries.chosen(BenchRequest())] == list(PROGRAMS)
    assert {one.name for one in summaries.chosen(BenchRequest(quick=True))} == set(summaries.QUICK)
    with pytest.raises(UserError, match="no program of the table summaries is called window"):
        summaries.chosen(BenchRequest(only=("window",)))
    assert summaries.plain_limit(BenchRequest(quick=True)) == 20.0
    assert summaries.plain_limit(BenchRequest(plain_seconds=70.0)) == 70.0


def program(tmp_path: Path, *comments: str) -> Path:
    path = tmp_path / "p.c"
    path.write_text("".join(f"// {comment}\n" for comment in comments) + "int main(void) { return 0; }\n")
    return path


def test_comments(tmp_path: Path) -> None:
    found = subject_of(program(tmp_path, "start: 4, 0x10", "bugs: 3", "check: abort,memory", "overhead"))
    assert found.start == (StartValue(None, 4), StartValue(None, 16))
    assert (found.bugs, found.checks, found.overhead) == (3, ("abort", "memory"), True)
    others = ["--no-merge", "--no-navigate", "--no-invariants"]
    assert found.options() == [*others, "--start", "4,16", "--check", "abort,memory"]


def test_bytes_over_several_lines(tmp_path: Path) -> None:
    found = subject_of(program(tmp_path, r'start: file="a=\x01\0"', r'start:      "\"b"', "bugs: 0"))
    assert found.start == (StartValue("file", b'a=\x01\x00"b'),) and not found.overhead
    assert found.options()[4] == r'file="\x61\x3d\x01\x00\x22\x62"'


def test_a_program_must_say_how_many_bugs_there_are(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="bugs"):
        subject_of(program(tmp_path, "start: 1"))


def run(
    seconds: float, bugs: int = 1, covered: int = 6, stopped: str | None = None, cpu: float = 1.0, **stats: float
) -> Explored:
    counts = {"generations": 1, "solver_queries": 1234, "peak_memory_mb": 50.2, **stats}
    return Explored(seconds, "", 4, bugs, (covered, 6), stopped, 0, counts, cpu)


def row(plain: Explored, with_summaries: Explored, overhead: bool = False, name: str = "a") -> Row:
    return Row(name, 1, overhead, {PLAIN: plain, SUMMARIES: with_summaries}, {}, {})


def complaints(*rows: Row) -> list[str]:
    return SummariesTable("summaries", rows).lines()[3 + 2 * len(rows) :]


def test_wrong_results_are_loud() -> None:
    assert complaints(row(run(1.0), run(1.0))) == []
    assert complaints(row(run(1.0), run(1.0, bugs=2))) == ["WRONG BUGS: a, summaries: 2, expected 1"]
    assert complaints(row(run(1.0, bugs=0), run(1.0))) == ["WRONG BUGS: a, plain: 0, expected 1"]
    assert complaints(row(run(1.0), run(1.0, covered=5))) == [
        "WRONG COVERAGE: a: 6 branches (plain), 5 branches (summaries), though both were explored to the end"
    ]
    assert complaints(row(Explored(1.0, "it broke"), run(1.0))) == ["FAILED: a, plain: it broke"]


def test_a_run_that_was_stopped_may_know_less() -> None:
    assert complaints(row(run(9.0, bugs=0, covered=3, stopped="time"), run(1.0))) == []


def test_overhead() -> None:
    slow = row(run(9.0, cpu=1.0), run(8.0, cpu=1.1, peak_memory_mb=75.3), overhead=True)
    assert slow.cost() == pytest.approx((10.0, 50.0))
    assert SummariesTable("summaries", (slow,)).findings() == [
        "a: +10 % processor time, +50 % memory (paper: +50 % both)"
    ]
    assert row(run(2.0), run(2.0)).cost() is None
    assert row(run(2.0, stopped="time"), run(2.0), overhead=True).cost() is None


def test_gain() -> None:
    firsts = {PLAIN: Generation(10, 30, 9, 0), SUMMARIES: Generation(10, 36, 9, 0)}
    parser = Row("parser", 1, False, {}, firsts, {})
    assert SummariesTable("summaries", (parser,)).findings() == [
        "parser: generation 1 covers 20 new branches without, 26 with summaries (+30 %, paper: +33 % instructions)"
    ]
    assert Row("parser", 1, False, {}, {}, {}).gain() is None


def test_text() -> None:
    counts = {"loops_summarized": 1, "summaries": 2, "constraints_removed": 30, "symbolic_updates": 4}
    first = {PLAIN: Generation(3, 4, 9, 0, "time"), SUMMARIES: Generation(3, 6, 5, 1)}
    runs = {PLAIN: run(60.25, 0, 5, "time", generations=1500), SUMMARIES: run(0.75, **counts)}
    table = SummariesTable(
        "summaries", (Row("fig2", 1, False, runs, first, {"paper": Paper(1, 4)}),), "here", ("a note",)
    )
    assert table.lines() == [
        "summaries on here",
        " " * 111 + "generation 1",
        "program             bugs  tests    gens  loops  sums  removed  updates  diverged  branches  calls       s  MB"
        "  first  all  new  bugs",
        "fig2     plain       0/1      4  >1,500                                                5/6  1,234  >60.25  50"
        "      3   >4    1     0",
        "fig2     summaries   1/1      4       1      1     2       30        4         0       6/6  1,234    0.75  50"
        "      3    6    3     1",
        "fig2     paper         1      4",
        "a note",
    ]


def test_json() -> None:
    table = SummariesTable("summaries", (row(run(1.0), run(1.0, cpu=1.5), True),))
    data = json.loads(json.dumps(table.to_json(), allow_nan=False))
    first = data["rows"][0]
    assert first["runs"]["plain"]["complete"] is True and first["generation1"] == {} and first["gain"] is None
    assert first["overhead_percent"] == {"time": 50.0, "memory": 0.0} and data["complaints"] == []


def subject(name: str) -> summaries.Subject:
    return summaries.chosen(BenchRequest(only=(name,)))[0]


@pytest.mark.slow
def test_figure_1_ends_after_four_tests() -> None:
    one = subject("fig1")
    found = child.test([one.file], one.options(), 60.0)
    assert found.complete, found.failed or found.stopped
    assert (found.tests, found.bugs, found.branches) == (4, 2, (6, 6))
    assert found.count("loops_summarized") == 1 and found.cpu > 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "plain"), [("fig2", 1), ("hundred_thousand", 0), ("nest3", 0), ("seq4", 0)])
def test_errors_of_the_first_generation(name: str, plain: int) -> None:
    """Plain search finds the one of ``fig2``, too: y == 0 is enough for it."""
    one = subject(name)
    assert generations.explore(one.request(SUMMARIES, 60.0)).bugs == 1
    assert generations.explore(one.request(PLAIN, 60.0)).bugs == plain
