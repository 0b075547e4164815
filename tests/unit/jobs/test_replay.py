"""Native replay from end to end: agreement, containment, and what cannot be compiled."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.base.options import ReplayRequest
from clew.jobs.native.build import NoNativeProgram
from clew.jobs.replay import run_replay
from clew.report.replay_records import Replayed, ReplayReport, Status

pytestmark = [pytest.mark.native, pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")]

PROGRAM = r"""
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int __VERIFIER_nondet_int(void);
int unknown(int);
void reach_error(void) {}
int main(int argc, char **argv) {
  int table[4] = {0}, x = __VERIFIER_nondet_int();
  switch (x) {
  case 0: return argc == 1 && !strcmp(argv[0], "p") ? 7 : 6;
  case 1: assert(x != 1); break;
  case 2: reach_error(); return 0;
  case 3: table[x + 1] = 1; break;
  case 4: { char *p = malloc(3); free(p); return p[1]; }
  case 5: for (;;);
  case 6: for (;;) fork();
  case 7: { FILE *f = fopen(OUTSIDE, "w"); if (f) fputs("x", f); return f != 0; }
  case 8: if (!fork()) { setsid(); if (!fork()) for (;;) sleep(1); _exit(0); } usleep(50000); return 0;
  case 9: { int all[2]; return getenv("SECRET") != 0 || read(0, all, 4) != 0; }
  case 10: kill(-1, SIGKILL); return 0;
  case 11: return unknown(1) == 5 ? 9 : 8;
  case 13:
    for (int i = 0; i < 12; i++)
      if (!fork()) { memset(malloc(100 << 20), 1, 100 << 20); pause(); }
    for (;;) pause();
  case 14: {
    static char piece[1 << 20], name[] = "a";
    for (int i = 0; i < 100; i++) {
      name[0] = 'a' + i / 8;
      int file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
      if (write(file, piece, sizeof piece) != sizeof piece) return 8;
      close(file);
    }
    return 0;
  }
  }
  return table[0];
}
"""


def _folder(path: Path, program: Path, tests: list[dict[str, object]], **build: object) -> Path:
    """An output folder as ``clew test`` writes it."""
    (path / "tests").mkdir(parents=True)
    for number, test in enumerate(tests, 1):
        (path / f"tests/{number:06d}.json").write_text(json.dumps(test))
    made = {"directory": None, "entry": "main", "function": None, "flags": [], "target": None, "data_model": None,
            "program_hash": None, "call": None, "argv": ["70"], **build}  # fmt: skip
    summary = {"command": "test", "files": [str(program)], "tests": len(tests), "build": made}
    (path / "summary.json").write_text(json.dumps(summary))
    return path


def _test(x: int, kind: str = "", code: int | None = 0, extra: tuple[tuple[str, int], ...] = ()) -> dict[str, object]:
    named = (("x", x), *extra)
    inputs = [
        {"name": name, "type": "int", "value": value, "bits": 32, "kind": "made-up" if "()" in name else "nondet"}
        for name, value in named
    ]
    resting = "depends on what callers do" if kind == "error-call" else None
    error = {"kind": kind, "file": "p.c", "line": 1, "rests_on": resting} if kind else None
    return {"inputs": inputs, "error": error, "ends": kind or "exit", "exit_code": None if kind else code}


TESTS = [
    _test(0, code=7), _test(1, "assert"), _test(2, "error-call"), _test(3, "out-of-bounds"), _test(4, "use-after-free"),
    _test(5), _test(6), _test(7), _test(8), _test(9), _test(10), _test(11, code=9, extra=(("unknown()", 5),)), _test(0),
    _test(13), _test(14),
]  # fmt: skip


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that anyone may create or change."""
    folder = tmp_path_factory.mktemp("outside")
    folder.chmod(0o777)
    return folder / "file"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, outside: Path) -> ReplayReport:
    folder = tmp_path_factory.mktemp("replay")
    (folder / "p.c").write_text(PROGRAM)
    made = _folder(folder / "o", folder / "p.c", TESTS, flags=[f'-DOUTSIDE="{outside}"'])
    os.environ["SECRET"] = "1"
    try:
        # GCC if there is one: the sanitizers of Clang start a symbolizer, which needs more memory than that.
        report = run_replay(ReplayRequest(made, seconds=1.0, memory_mb=64, compiler=shutil.which("gcc") or "cc"))
    finally:
        del os.environ["SECRET"]
    assert json.loads((made / "replay.json").read_text()) == json.loads(json.dumps(report.to_json()))
    return report


def _of(report: ReplayReport, x: int) -> Replayed:
    return report.tests[x]


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("x", [0, 1, 2, 9, 10, 11])
def test_agreement(report: ReplayReport, x: int) -> None:
    assert _of(report, x).status is Status.AGREED, _of(report, x)


def test_a_possible_bug_says_what_it_depends_on(report: ReplayReport) -> None:
    """No stub gave anything."""
    assert _of(report, 2).notes == ("possible: it depends on what callers do",)


@pytest.mark.parametrize("x", [3, 4])
def test_memory_errors(report: ReplayReport, x: int) -> None:
    wanted = {Status.AGREED} if "ASan" in report.compiler else {Status.AGREED, Status.UNDECIDED}
    assert _of(report, x).status in wanted


def test_disagreement(report: ReplayReport) -> None:
    last = report.tests[12]
    assert (last.predicted, last.observed, last.status) == ("exit 0", "exit 7", Status.DISAGREED)
    assert not report.agreed
    text = "\n".join(line for line, _ in report.lines())
    assert "tests/000013.json  exit 0" in text
    assert "15 tests: " in text


def test_endless_tests_are_ended(report: ReplayReport) -> None:
    assert _of(report, 5).observed == "still running at the time limit"
    assert _of(report, 6).observed in ("starts more and more processes", "still running at the time limit")
    assert {_of(report, x).status for x in (5, 6)} == {Status.DISAGREED}


def test_memory_is_limited_for_all_processes_together(report: ReplayReport) -> None:
    assert _of(report, 13).observed == "used more memory than permitted"


def test_a_refused_write_is_told(report: ReplayReport) -> None:
    seen = _of(report, 14)
    told = [note for note in seen.notes if "disk limit" in note]
    assert (len(told), seen.observed, seen.status) == (1, "exit 8", Status.UNDECIDED) or (
        seen.observed == "wrote more than permitted"
    )
    assert not any("disk limit" in note for test in report.tests[:14] for note in test.notes)


def test_nothing_is_left_running(report: ReplayReport) -> None:
    assert any("of its processes running: ended" in note for note in _of(report, 8).notes)
    for _ in range(50):
        if not (names := [path for path in Path("/proc").glob("[0-9]*/exe") if _links_to_a_test(path)]):
            return
        time.sleep(0.1)
    raise AssertionError(f"still there: {names}")


def _links_to_a_test(path: Path) -> bool:
    try:
        return "clew-replay-" in str(path.readlink()) and str(path.readlink()).endswith("/program")
    except OSError:
        return False


def test_writes_stay_inside(report: ReplayReport, outside: Path) -> None:
    assert not outside.exists()
    assert _of(report, 7).status is Status.AGREED
    assert any("outside its folder, which was refused" in note for note in _of(report, 7).notes)


@pytest.mark.slow
def test_programs_that_do_not_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return nothing_of_the_kind; }\n")
    folder = _folder(tmp_path / "o", tmp_path / "p.c", [_test(0)])
    with pytest.raises(NoNativeProgram) as caught:
        run_replay(ReplayRequest(folder, compiler="cc"))
    assert "nothing_of_the_kind" in caught.value.details
    with pytest.raises(UserError, match="--cc no-such-compiler: no such program"):
        run_replay(ReplayRequest(folder, compiler="no-such-compiler"))
    foreign = _folder(tmp_path / "f", tmp_path / "p.c", [_test(0)], target="riscv64-linux-gnu")
    with pytest.raises(NoNativeProgram, match="cannot run on this machine"):
        run_replay(ReplayRequest(foreign))


@pytest.mark.slow
def test_a_changed_program_is_told(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("int main(void) { return 0; }\n")
    folder = _folder(tmp_path / "o", tmp_path / "p.c", [_test(0)], program_hash="0" * 64)
    report = run_replay(ReplayRequest(folder, compiler="cc"))
    assert report.agreed
    assert "has changed since" in report.warnings[0]


MILD = """
int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(), y = x << 31; y += y - 1; return *(int *)((char[8]){0} + 1) + 3; }
"""


@pytest.mark.parametrize(("checks", "status"), [(["memory"], Status.AGREED), (None, Status.DISAGREED)])
def test_what_the_run_did_not_look_for_stops_nothing(checks: list[str] | None, status: Status, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(MILD)
    folder = _folder(tmp_path / "o", tmp_path / "p.c", [_test(1, code=3)], checks=checks)
    [result] = run_replay(ReplayRequest(folder)).tests
    assert result.status is status


def test_limits_must_be_above_zero(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--time must be"):
        ReplayRequest(tmp_path, seconds=0)
