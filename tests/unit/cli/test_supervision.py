"""The supervisor, in processes of their own: native code that does not listen, crashes, memory, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

START = """
import ctypes, os, signal, sys, time, types
from clew.cli import supervision
from clew.cli.salvage import TextWill

supervision.LATE = 0.2

def stuck():
    ctypes.PyDLL(None).sleep(1000)  # native code that holds Python's lock
"""
WORK = """
def work(journal):
    {}

code = supervision.supervised(work)
sys.stdout.flush()
os._exit(code)
"""


def run(script: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", START + script]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder, check=False)


def work(*lines: str) -> subprocess.CompletedProcess[str]:
    return run(WORK.format("\n    ".join(lines)))


def test_the_exit_code_is_that_of_the_work() -> None:
    done = work("print('done')", "sys.stdout.flush()", "return 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "done\n", "")


def test_native_code_that_does_not_listen_is_ended() -> None:
    ended = work("journal.open(0.1, None, TextWill('so far'))", "stuck()")
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, "so far", "")


def test_what_is_done_may_take_its_time() -> None:
    done = work("journal.open(1.0, None, TextWill('no'))", "journal.close()", "time.sleep(1.5)", "return 0")
    assert (done.returncode, done.stdout) == (0, "")


def test_what_a_shell_did_before_in_this_process_does_not_count() -> None:
    lines = "journal.open(600.0, None, TextWill('late'))", "time.sleep(0.5)", "return 0"
    done = run("supervision.age = lambda: 3600.0" + WORK.format("\n    ".join(lines)))
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_memory_is_limited() -> None:
    ended = work("journal.open(None, 60.0, TextWill('big'))", "kept = b'x' * (1 << 27)", "stuck()")
    assert (ended.returncode, ended.stdout) == (3, "big")


@pytest.mark.slow
def test_a_crash_is_an_internal_error() -> None:
    ended = work("journal.open(60.0, None, TextWill('so far'))", "os.kill(os.getpid(), signal.SIGSEGV)")
    assert (ended.returncode, ended.stdout) == (2, "so far")
    assert ended.stderr == "clew: error: internal error: ended by SIGSEGV\n"
    assert work("os.kill(os.getpid(), signal.SIGABRT)").returncode == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_are_passed_on(number: signal.Signals) -> None:
    lines = (
        f"signal.signal({int(number)}, lambda number, frame: os._exit(number + 40))",
        "os.write(1, b'ready')",
        "time.sleep(1000)",
    )
    script = START + WORK.format("\n    ".join(lines))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(5)
        process.send_signal(number)
        assert process.wait(60) == number + 40


def test_the_work_ends_with_its_supervisor() -> None:
    script = START + WORK.format("os.write(1, b'%08d' % os.getpid())\n    stuck()")
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.read(8))
        assert os.path.exists(f"/proc/{child}") or not os.path.exists("/proc")  # noqa: PTH110
        process.kill()
        assert process.stdout.read() == b""  # the last one who could write has ended


JOB = """
from clew.base.budget import StopReason
from clew.cli import main
from clew.report.listener import ProgramInfo, Snapshot
from clew.report.records import (
    BranchCoverage, Bug, Coverage, FunctionCoverage, LineCoverage, LossKind, LossNote, Summary, Test,
)
from clew.report.values import InputValue

supervision.LATE = 0.5

def run_test(request, listener):
    inputs = (InputValue("x", "int", 32, 5),)
    files = tuple(str(file) for file in request.files)
    listener.loaded(ProgramInfo())
    listener.test_found(Test(inputs, frozenset(), None, "coverage"))
    losses = (LossNote(LossKind.UNEXPLORED, "paths that wait", None, 4711),)
    coverage = Coverage(
        tuple(BranchCoverage("main", "entry", which, None, "", not which) for which in range(3)),
        tuple(LineCoverage("p.c", line) for line in range(3)),
        (FunctionCoverage("main", "p.c", 1), FunctionCoverage("f", "p.c", 1)),
    )
    known = {{"losses": losses, "verdict": {verdict!r}, "coverage": coverage}}
    listener.so_far(lambda: Summary({command!r}, files, tests=1, **known))
    listener.progress(Snapshot(paths=3))
    bug = Bug("assert", "no", None, "main", (), inputs, True)
    takes, runs = frozenset([("main", "entry", 2)]), frozenset([("p.c", 1)])
    listener.test_found(Test(inputs, takes, bug, "bug", "assert", lines=runs))
    listener.bug_found(bug)
    if {is_over}:
        listener.stands(Summary({command!r}, files, tests=2, **(known | {{"losses": ()}})))
    stuck()

module = types.ModuleType("clew.jobs.{command}")
module.run_{command} = run_test
sys.modules["clew.jobs.{command}"] = module
main(["{command}", "p.c", "--time", "3", "--out", "out", "--quiet"])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "verdict", "is_over"), [("test", None, False), ("verify", "FALSE", False), ("test", None, True)]
)
def test_the_summary_of_a_run_that_was_ended(tmp_path: Path, command: str, verdict: str | None, is_over: bool) -> None:
    """What tests cover that came after the last summary counts; where only reasons were still to be found, nothing is
    lost of what was explored."""
    (tmp_path / "p.c").write_text("int main(void) { return 0; }")
    before = None if verdict is None else "UNKNOWN"
    ended = run(JOB.format(command=command, verdict=before, is_over=is_over), tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "")
    summary: dict[str, Any] = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (summary["stopped"], summary["verdict"], summary["tests"]) == ("time", verdict, 2)
    assert "stopped by time" in summary["reason"]
    assert [bug["test"] for bug in summary["bugs"]] == ["tests/000002.json"]
    assert [loss["count"] for loss in summary["losses"]] == ([] if is_over else [4711, 1])
    assert summary["coverage"]["branches"] == {"covered": 2, "total": 3}
    assert summary["coverage"]["lines"] == {"covered": 1, "total": 3}
    assert summary["stats"]["peak_memory_mb"] > 0
    assert len(list((tmp_path / "out" / "tests").glob("*.json"))) == 2
    assert not list((tmp_path / "out").rglob("*.part"))


def test_invariants_that_hang_say_that_they_stopped(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }")
    script = """
from clew.cli import main
module = types.ModuleType("clew.jobs.invariants")
module.run_invariants = lambda request, listener, so_far: stuck()
sys.modules["clew.jobs.invariants"] = module
main(["invariants", "p.c", "--time", "0.1", "--json"])
"""
    ended = run(script, tmp_path)
    assert ended.returncode == 3
    assert json.loads(ended.stdout)["stopped"] == "time"
