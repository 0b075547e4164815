"""The summaries table with the runs replaced: what is run, what is shown, and that wrong results are loud."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import generations, summaries
from benchmarks.generations import explore_first
from benchmarks.request import BenchRequest
from benchmarks.run import LIMIT, Mark, Run, command
from benchmarks.subject import Error, Subject
from benchmarks.summaries import FIRST, ORDER, OVERHEAD, PLAIN, SUMMARIES, SummariesTable, cost, gain, subject_of
from benchmarks.table import Row
from clew.base.errors import UserError
from clew.base.options import StartValue, TestRequest


class Runs:
    """Stands for ``command`` and ``explore_first``: notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str], float]] = []
        self.firsts: list[TestRequest] = []
        self.seconds = iter([5.0, 1.0, 3.0] * 100)

    def command(self, name: str, files: Sequence[Path], options: Sequence[str], seconds: float) -> Run:
        assert name == "test"
        if "--max-instructions" in options:
            return Run(0.1)  # only fills the cache
        self.asked.append((files[0].stem, list(options), seconds))
        return Run(9.0, errors=errors(subject_of(files[0]).bugs), cpu=next(self.seconds))

    def explore(self, request: TestRequest) -> Run:
        self.firsts.append(request)
        return first(1, 2)


def errors(count: int) -> tuple[Error, ...]:
    return tuple(("abort", "p.c", line) for line in range(count))


def first(alone: int, covered: int, bugs: int = 0, stopped: str | None = None) -> Run:
    """Up to generation 1."""
    return Run(covered=covered, errors=errors(bugs), stopped=stopped, marks={LIMIT: Mark(branches=alone)})


def measure(request: BenchRequest, runs: Runs, monkeypatch: pytest.MonkeyPatch) -> SummariesTable:
    monkeypatch.setattr(summaries, "command", runs.command)
    monkeypatch.setattr(summaries, "explore_first", runs.explore)
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
    assert set(row.runs) == {PLAIN, SUMMARIES, *FIRST.values()} and row.paper["paper, summaries"]["bugs"] == 1
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
    assert [one.name for one in summaries.chosen(BenchRequest())] == list(ORDER)
    assert {one.name for one in summaries.chosen(BenchRequest(quick=True))} == set(summaries.QUICK)
    with pytest.raises(UserError, match="no program of the table summaries is called window"):
        summaries.chosen(BenchRequest(only=("window",)))


def program(tmp_path: Path, *comments: str) -> Path:
    path = tmp_path / "p.c"
    path.write_text("".join(f"// {comment}\n" for comment in comments) + "int main(void) { return 0; }\n")
    return path


def test_comments(tmp_path: Path) -> None:
    found = subject_of(program(tmp_path, "start: 4, 0x10", "bugs: 3", "check: abort,memory", "overhead"))
    assert found.settings["start"] == (StartValue(None, 4), StartValue(None, 16))
    assert (found.bugs, found.settings["checks"], found.kind) == (3, ("abort", "memory"), OVERHEAD)
    others = ("--no-merge", "--no-navigate", "--no-invariants")
    assert found.options == (*others, "--start", "4,16", "--check", "abort,memory")


def test_bytes_over_several_lines(tmp_path: Path) -> None:
    found = subject_of(program(tmp_path, r'start: file="a=\x01\0"', r'start:      "\"b"', "bugs: 0"))
    assert found.settings["start"] == (StartValue("file", b'a=\x01\x00"b'),) and not found.kind
    assert found.options[4] == r'file="\x61\x3d\x01\x00\x22\x62"'


def test_a_program_must_say_how_many_bugs_there_are(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="bugs"):
        subject_of(program(tmp_path, "start: 1"))


def run(
    seconds: float, bugs: int = 1, covered: int = 6, stopped: str | None = None, cpu: float = 1.0, **stats: float
) -> Run:
    counts = {"generations": 1, "solver_queries": 1234, "peak_memory_mb": 50.2, **stats}
    return Run(
        seconds, stopped=stopped, tests=4, errors=errors(bugs), covered=covered, branches=6, stats=counts, cpu=cpu
    )


def row(plain: Run, with_summaries: Run, kind: str = "", name: str = "a") -> Row:
    return Row(Subject(name, (), kind, bugs=1), {PLAIN: plain, SUMMARIES: with_summaries})


def complaints(plain: Run, with_summaries: Run) -> list[str]:
    table = SummariesTable((row(plain, with_summaries),))
    found = table.complaints()
    assert table.lines()[len(table.lines()) - len(found) :] == found
    return found


def test_wrong_results_are_loud() -> None:
    assert complaints(run(1.0), run(1.0)) == []
    assert complaints(run(1.0), run(1.0, bugs=2)) == ["WRONG BUGS: a, summaries: 2, expected 1"]
    assert complaints(run(1.0, bugs=0), run(1.0)) == ["WRONG BUGS: a, plain: 0, expected 1"]
    assert complaints(run(1.0), run(1.0, covered=5)) == [
        "WRONG COVERAGE: a: 6 branches (plain), 5 branches (summaries), though both were explored to the end"
    ]
    assert complaints(Run(1.0, "it broke"), run(1.0)) == ["FAILED: a, plain: it broke"]


def test_a_run_that_was_stopped_may_know_less() -> None:
    assert complaints(run(9.0, bugs=0, covered=3, stopped="time"), run(1.0)) == []


def test_overhead() -> None:
    slow = row(run(9.0, cpu=1.0), run(8.0, cpu=1.1, peak_memory_mb=75.3), OVERHEAD)
    assert cost(slow) == pytest.approx((10.0, 50.0))
    assert SummariesTable((slow,)).findings() == ["a: +10 % processor time, +50 % memory (paper: +50 % both)"]
    assert cost(row(run(2.0), run(2.0))) is None
    assert cost(row(run(2.0, stopped="time"), run(2.0), OVERHEAD)) is None


def test_gain() -> None:
    firsts = {FIRST[PLAIN]: first(10, 30), FIRST[SUMMARIES]: first(10, 36)}
    parser = Row(Subject("parser", (), bugs=1), firsts)
    assert SummariesTable((parser,)).findings() == [
        "parser: generation 1 covers 20 new branches without, 26 with summaries (+30 %, paper: +33 % instructions)"
    ]
    assert gain(Row(Subject("parser", ()), {})) is None


def test_text() -> None:
    counts = {"loops_summarized": 1, "summaries": 2, "constraints_removed": 30, "symbolic_updates": 4}
    firsts = {FIRST[PLAIN]: first(3, 4, stopped="time"), FIRST[SUMMARIES]: first(3, 6, 1)}
    runs = {PLAIN: run(60.25, 0, 5, "time", generations=1500), SUMMARIES: run(0.75, **counts)}
    one = Row(Subject("fig2", (), bugs=1), runs | firsts, {"paper": {"bugs": 1, "tests": 4}})
    assert SummariesTable((one,), ("a note",), "here").lines() == [
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
    table = SummariesTable((row(run(1.0), run(1.0, cpu=1.5), OVERHEAD),))
    data = json.loads(json.dumps(table.to_json(), allow_nan=False))
    one = data["rows"][0]
    assert one["runs"]["plain"]["complete"] is True and one["generation1"] == {} and one["gain"] is None
    assert one["overhead_percent"] == {"time": 50.0, "memory": 0.0} and data["complaints"] == []


def subject(name: str) -> Subject:
    return summaries.chosen(BenchRequest(only=(name,)))[0]


@pytest.mark.slow
def test_figure_1_ends_after_four_tests() -> None:
    one = subject("fig1")
    found = command("test", one.files, one.options, 60.0)
    assert found.complete, found.failed or found.stopped
    assert (found.tests, len(found.errors), found.covered, found.branches) == (4, 2, 6, 6)
    assert found.count("loops_summarized") == 1 and found.cpu > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "plain"),
    [
        pytest.param("fig2", 1, marks=pytest.mark.thorough),
        ("hundred_thousand", 0),
        pytest.param("nest3", 0, marks=pytest.mark.thorough),
        ("seq4", 0),
    ],
)
def test_errors_of_the_first_generation(name: str, plain: int) -> None:
    """Plain search finds the one of ``fig2``, too: y == 0 is enough for it."""
    one = subject(name)
    for summarize, bugs in ((True, 1), (False, plain)):
        found = explore_first(one.request(60.0, search=generations.NAME, summarize=summarize))
        assert len(found.errors) == bugs
