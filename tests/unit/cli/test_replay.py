"""``clew replay`` on the command line: exit codes and output."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.jobs.native.build import NoNativeProgram
from clew.report.replay_records import Replayed, ReplayReport, Status
from support.command_line import Clew


def _report(*statuses: Status, interrupted: bool = False) -> ReplayReport:
    tests = tuple(Replayed(f"tests/{n:06d}.json", "exit 0", "exit 0", status) for n, status in enumerate(statuses, 1))
    return ReplayReport("o", "cc", ("no network",), tests, ("beware",), interrupted)


@pytest.fixture
def replay(monkeypatch: pytest.MonkeyPatch) -> Callable[[ReplayReport | Exception], list[object]]:
    """Puts a stand-in in the place of the job."""

    def install(result: ReplayReport | Exception) -> list[object]:
        asked: list[object] = []

        def run_replay(request: object, progress: object) -> ReplayReport:
            asked.append(request)
            if isinstance(result, Exception):
                raise result
            return result

        module = types.ModuleType("clew.jobs.replay")
        module.run_replay = run_replay  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "clew.jobs.replay", module)
        return asked

    return install


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (_report(Status.AGREED, Status.UNDECIDED), 0),
        (_report(), 0),
        (_report(Status.AGREED, Status.DISAGREED), 1),
        (_report(Status.AGREED, interrupted=True), 3),
    ],
)
def test_exit_codes(clew: Clew, replay: Callable[..., list[object]], report: ReplayReport, code: int) -> None:
    asked = replay(report)
    outcome = clew("replay", "o", "--time", "3", "--memory", "99", "--cc", "gcc")
    assert outcome.code == code
    assert (asked[0].folder, asked[0].seconds, asked[0].memory_mb, asked[0].compiler) == (Path("o"), 3.0, 99, "gcc")  # type: ignore[attr-defined]
    assert outcome.err == "clew: warning: beware\n"
    assert outcome.out.rstrip().split("\n")[-1].startswith(f"{len(report.tests)} tests: ".replace("1 tests", "1 test"))


def test_json_and_quiet(clew: Clew, replay: Callable[..., list[object]]) -> None:
    replay(_report(Status.DISAGREED))
    data = json.loads(clew("replay", "o", "--json").out)
    assert (data["disagreed"], data["tests"][0]["status"]) == (1, "disagreed")
    quiet = clew("replay", "o", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (1, "", "")


def test_no_compiler(clew: Clew, replay: Callable[..., list[object]]) -> None:
    replay(NoNativeProgram("cannot be compiled natively", "cc: p.c:1: error"))
    outcome = clew("replay", "o")
    assert outcome.code == 3
    assert outcome.err == "clew: error: cannot be compiled natively\ncc: p.c:1: error\n"


def test_bad_folders(clew: Clew) -> None:
    Path("half").mkdir()
    Path("half/summary.json").write_text('{"command": "te')
    for name, said in (("absent", "does not exist"), ("half", "damaged or cut off")):
        outcome = clew("replay", name)
        assert outcome.code == 2
        assert said in outcome.err and outcome.err.count("\n") == 1
    assert clew("replay").code == 2
    assert clew("replay", "half", "--time", "0").code == 2


def test_long_reports_leave_out_what_agreed() -> None:
    report = _report(*[Status.AGREED] * 50, Status.DISAGREED)
    short, full = (["".join(line) for line, _ in report.lines(verbose)] for verbose in (False, True))
    assert "... and 50 tests that agreed" in short
    assert len(full) > 50 > len(short)


def test_what_was_not_kept_is_said(clew: Clew, replay: Callable[..., list[object]]) -> None:
    asked = replay(ReplayReport("o", "cc", ("no network",), (), (), missing=("files elsewhere can be read",)))
    outcome = clew("replay", "o", "--uncontained")
    assert asked[0].uncontained  # type: ignore[attr-defined]
    assert "kept     no network\nNOT kept files elsewhere can be read" in outcome.out
    assert json.loads(clew("replay", "o", "--json").out)["not_contained"] == ["files elsewhere can be read"]


def test_what_a_program_says_does_not_steer_the_terminal(clew: Clew, replay: Callable[..., list[object]]) -> None:
    test = Replayed("tests/000001.json", "assert", "assert: \x1b[2J\r", Status.AGREED, ("note \x9b",))
    replay(ReplayReport("o", "cc", (), (test,)))
    assert "assert: \\x1b[2J\\x0d" in clew("replay", "o").out
