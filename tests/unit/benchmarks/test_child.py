"""``clew verify`` and ``clew test`` in processes of their own: summaries are read, and what goes wrong is a result."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import child
from benchmarks.child import FAILED, Measured

STATS = {"paths_completed": 8, "instructions": 68}


def summary(**stats: int) -> str:
    return json.dumps({"verdict": "TRUE", "reason": "all hold", "stopped": None, "stats": {**STATS, **stats}})


def test_a_summary() -> None:
    found = child.read(summary(), "", 1.5)
    assert (found.verdict, found.seconds, found.paths, found.instructions) == ("TRUE", 1.5, 8, 68)
    assert found.to_json()["reason"] == "all hold"


def test_paths_that_were_tried_go_before_those_that_ended() -> None:
    assert child.read(summary(paths_explored=2), "", 1.0).paths == 2
    assert child.read(summary(paths_explored=0), "", 1.0).paths == 8


@pytest.mark.parametrize("out", ["", "[]", "{}", "null", '{"stats": {}}'])
def test_no_summary_is_a_failure(out: str) -> None:
    found = child.read(out, "clew: warning\nclew: error: no such file\n", 0.5)
    assert found == Measured(FAILED, 0.5, reason="clew: error: no such file")


def test_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def run(command: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        commands.append(list(command))
        assert seconds > 7
        return subprocess.CompletedProcess(command, 0, summary(), "")

    monkeypatch.setattr(child, "run_tool", run)
    assert child.verify([Path("a.c"), Path("b.c")], ["--strategy", "plain"], 7.0).verdict == "TRUE"
    assert commands[0][1:8] == ["-m", "clew", "verify", "a.c", "b.c", "--json", "--time"]
    assert commands[0][8] == "7" and commands[0][-2:] == ["--strategy", "plain"]


def test_a_run_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired(list(command), seconds)

    monkeypatch.setattr(child, "run_tool", run)
    found = child.verify([Path("a.c")], [], 1.0)
    assert found.verdict == FAILED and "time limit" in found.reason


TEST_SUMMARY: dict[str, object] = {
    "tests": 4,
    "bugs": [{"kind": "abort"}],
    "coverage": {"branches": {"covered": 5, "total": 6}},
    "stopped": None,
    "losses": [],
    "stats": {"summaries": 2, "wall_seconds": 0.25},
}


def test_a_summary_of_test() -> None:
    found = child.read_test(json.dumps(TEST_SUMMARY), "", 1.5)
    assert (found.tests, found.bugs, found.branches, found.complete) == (4, 1, (5, 6), True)
    assert (found.count("summaries"), found.figure("wall_seconds"), found.count("divergences")) == (2, 0.25, 0)
    assert found.to_json()["branches"] == {"covered": 5, "total": 6}


def test_a_run_is_complete_if_nothing_was_left_out() -> None:
    for part in ({"stopped": "time"}, {"losses": [{"kind": "bounded"}]}):
        assert not child.read_test(json.dumps(TEST_SUMMARY | part), "", 1.5).complete


def test_without_a_summary_test_has_failed() -> None:
    found = child.read_test("{}", "clew: error: no such file\n", 0.5)
    assert found.failed == "clew: error: no such file" and not found.complete
