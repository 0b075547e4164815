"""Runs in processes of their own and in this one: summaries are read, and what goes wrong is a result."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import run
from benchmarks.run import END, LIMIT, Mark, Run, Watch, apart, by_turns, explore, read, watch
from clew.base.budget import positive
from clew.base.options import TestRequest
from clew.report.listener import Snapshot
from clew.report.records import Summary

SUMMARY = json.loads(json.dumps(Summary("verify", ("p.c",), "TRUE", "all hold").to_json()))


def summary(**parts: object) -> dict[str, object]:
    return SUMMARY | parts


def with_stats(**stats: int) -> dict[str, object]:
    return summary(stats={**SUMMARY["stats"], "paths_completed": 8, "instructions": 68, **stats})


def test_a_summary_with_a_verdict() -> None:
    found = read(with_stats(), 1.5)
    assert (found.verdict, found.seconds, found.paths, found.count("instructions")) == ("TRUE", 1.5, 8, 68)
    assert found.decided and found.wrong("FALSE") and not found.wrong("TRUE")
    assert found.verdict_json()["reason"] == "all hold" and str(found) == "TRUE in 1.50 s"


def test_paths_that_were_tried_go_before_those_that_ended() -> None:
    assert read(with_stats(paths_explored=2), 1.0).paths == 2
    assert read(with_stats(paths_explored=0), 1.0).paths == 8


def test_a_summary_with_bugs() -> None:
    bugs = [{"kind": "abort", "file": "lib/p.c", "line": 3}, {"kind": "abort", "file": None, "line": 0}]
    found = read(summary(verdict=None, tests=4, bugs=bugs, coverage={"branches": {"covered": 5, "total": 6}}), 1.5)
    assert found.errors == (("abort", "", 0), ("abort", "p.c", 3))
    assert (found.tests, found.covered, found.branches, found.complete) == (4, 5, 6, True)
    assert str(found) == "0 paths, 4 tests, 2 bugs, 5 branches in 1.50 s"


def test_a_run_is_complete_if_nothing_was_left_out() -> None:
    for part in ({"stopped": "time"}, {"losses": [{"what": "a call"}]}):
        assert not read(summary(**part), 1.5).complete


def test_a_verdict_in_a_table() -> None:
    assert Run(verdict="TRUE").shown("TRUE") == "TRUE" and Run(verdict="TRUE").shown("FALSE") == "TRUE!"
    assert Run(verdict="UNKNOWN").shown("TRUE") == "UNKNOWN"
    assert (
        Run(verdict="UNKNOWN", stopped="time").shown("TRUE") == "time" and Run(failed="why").shown("TRUE") == "failed"
    )
    assert str(Run(2.0, verdict="UNKNOWN", reason="a loop")) == "UNKNOWN in 2.00 s (a loop)"


class Tool:
    """Stands for the process of a command."""

    def __init__(self, out: str = "", err: str = "", ends: bool = True) -> None:
        self.lines: list[list[str]] = []
        self.out, self.err, self.ends = out, err, ends

    def __call__(self, line: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        self.lines.append(list(line))
        assert seconds > 7
        if not self.ends:
            raise subprocess.TimeoutExpired(list(line), seconds)
        return subprocess.CompletedProcess(line, 0, self.out, self.err)


def verify(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(run, "run_tool", tool)
    return run.command("verify", [Path("a.c"), Path("b.c")], ["--strategy", "plain"], 7.0)


def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = Tool(json.dumps(SUMMARY))
    assert verify(tool, monkeypatch).verdict == "TRUE"
    (line,) = tool.lines
    assert line[1:8] == ["-m", "clew", "verify", "a.c", "b.c", "--json", "--time"]
    assert line[8] == "7" and line[-2:] == ["--strategy", "plain"]


@pytest.mark.parametrize("out", ["", "[]", "{}", "null", '{"stats": {}}'])
def test_no_summary_is_a_failure(out: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = verify(Tool(out, "clew: warning\nclew: error: no such file\n"), monkeypatch)
    assert found.failed == "clew: error: no such file" and not found.complete
    assert found.verdict_json()["verdict"] == "failed" and found.verdict_json()["reason"] == found.failed


def test_a_run_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "time limit" in verify(Tool(ends=False), monkeypatch).failed


def ended(code: int) -> Run:
    os._exit(code)


def number() -> Run:
    return Run(reason=str(os.getpid()))


def refused(value: int) -> Run:
    positive("--time", value)
    return Run()


def test_another_process() -> None:
    assert apart(number).reason not in ("", str(os.getpid()))


def test_a_process_that_dies() -> None:
    assert apart(ended, 3).failed == "its process died"


def test_what_is_raised_is_a_failure() -> None:
    assert apart(refused, -1).failed.startswith("UserError: --time must be a number above 0")


CODE = """int klee_int(const char *name);
int main(void) {
  int divisor = klee_int("divisor");
  if (klee_int("more"))
    return 0;
  return 100 / divisor;
}
"""


def test_an_exploration(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(CODE, encoding="utf-8")
    found = explore(TestRequest(files=(file,), seconds=600.0, checks=("div",), goal="path"))
    assert found.complete and found.errors == (("division-by-zero", "p.c", 6),)
    assert (found.count("paths_completed"), found.explored, found.tests) == (3, 3, 3)
    assert found.covered >= 2 and found.seconds > 0 and found.marks == {}


PROGRAM = """
extern int klee_int(const char *name);
int main(void) {
  int n = klee_int("n"), passes = 0;
  while (passes < n) passes++;
  if (passes == 5) return 1;
  if (passes < 0) return 2;
  return 0;
}
"""


def request(tmp_path: Path, text: str = PROGRAM, seconds: float = 60.0) -> TestRequest:
    file = tmp_path / "p.c"
    file.write_text(text, encoding="utf-8")
    return TestRequest(files=(file,), seconds=seconds, summarize=False, navigate=False, invariants=False)


def standing(listener: Watch, moment: str) -> tuple[int, int, int]:
    mark = listener.marks()[moment]
    return mark.runs, mark.tests, mark.branches


def test_the_limit_is_noted_and_the_end_stops_the_run(tmp_path: Path) -> None:
    asked = request(tmp_path)
    listener = Watch(asked, branches=3, paths=2)
    listener.progress(Snapshot(paths=1, tests=1, branches_covered=1))
    assert standing(listener, LIMIT) == standing(listener, END) == (1, 1, 1), "both are now"
    listener.progress(Snapshot(paths=2, tests=1, branches_covered=2))
    listener.progress(Snapshot(paths=4, tests=2, branches_covered=2))
    assert standing(listener, LIMIT) == (2, 1, 2) and not listener.covered and not asked.interrupt.requested
    listener.progress(Snapshot(paths=5, tests=3, branches_covered=3))
    listener.progress(Snapshot(paths=6, tests=4, branches_covered=3))
    assert standing(listener, END) == (5, 3, 3) and standing(listener, LIMIT) == (2, 1, 2)
    assert listener.covered and asked.interrupt.requested


def test_what_a_path_covers_counts_when_it_has_ended(tmp_path: Path) -> None:
    listener = Watch(request(tmp_path), branches=3, paths=9)
    listener.progress(Snapshot(paths=1, branches_covered=2))
    listener.progress(Snapshot(paths=1, branches_covered=3))
    assert not listener.covered and standing(listener, END) == (1, 0, 2)
    listener.progress(Snapshot(paths=2, branches_covered=3))
    assert listener.covered


@pytest.mark.slow
def test_a_program_is_run_until_it_is_covered(tmp_path: Path) -> None:
    """Five of six branches can be covered: the last one of them by the sixth path."""
    found = apart(watch, request(tmp_path), 5, 4)
    limit, end = found.marks[LIMIT], found.marks[END]
    assert found.stopped is None and found.branches == 6
    assert end.branches == 5 and end.runs >= 5
    assert (limit.runs, limit.branches) == (4, 4) and limit.seconds <= end.seconds


def test_more_than_can_be_covered(tmp_path: Path) -> None:
    bounded = PROGRAM.replace("passes < n", "passes < n && passes < 9")
    found = watch(request(tmp_path, bounded), 9, 100)
    assert found.stopped is None and found.marks[LIMIT] == found.marks[END] and found.marks[END].branches == 7


def test_a_run_that_the_time_limit_ends(tmp_path: Path) -> None:
    found = watch(request(tmp_path, seconds=0.5), 6, 100)
    assert found.stopped is not None and found.marks[LIMIT].runs == 100 < found.marks[END].runs


def test_a_program_that_does_not_compile(tmp_path: Path) -> None:
    asked = request(tmp_path, "int main(void) {")
    for found in (watch(asked, 1, 100), explore(asked)):
        assert "p.c" in found.failed and not found.complete and found.marks == {}


def test_marks_in_json() -> None:
    assert Mark(1, 2, 3, 0.12345).to_json() == {"tests": 1, "branches": 2, "runs": 3, "seconds": 0.123}


def test_ways_take_turns_and_the_run_in_the_middle_counts() -> None:
    seconds, asked, said = iter([5.0, 1.0, 3.0, 2.0, 4.0, 6.0]), [], list[str]()

    def once(way: str) -> Run:
        asked.append(way)
        return Run(next(seconds), verdict="TRUE")

    found = by_turns("door", ("a", "b"), once, 3, said.append)
    assert asked == ["a", "b"] * 3 and said[:2] == ["door, a: TRUE in 5.00 s", "door, b: TRUE in 1.00 s"]
    assert {way: one.seconds for way, one in found.items()} == {"a": 4.0, "b": 2.0}


def test_what_was_stopped_or_failed_is_not_run_again() -> None:
    bad = {"a": Run(stopped="time"), "b": Run(failed="why"), "c": Run()}
    asked: list[str] = []

    def once(way: str) -> Run:
        asked.append(way)
        return bad[way]

    by_turns("door", bad, once, 3, lambda text: None)
    assert asked == ["a", "b", "c", "c", "c"]
