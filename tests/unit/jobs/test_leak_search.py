"""Leaks in native runs: LeakSanitizer has its own time, and where it does not work that is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from clew.base.options import ReplayRequest
from clew.jobs import replay
from clew.jobs.native.leak_search import LeakSearch, judge_leak_search
from clew.jobs.replay import run_replay
from clew.report.replay_records import Replayed, Status

ENDED = {"exit": 42, "stopped": "", "err": "", "seconds": 2.0}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, LeakSearch(9.0)),
        ({"stopped": "time"}, LeakSearch(problem="its search does not end within 60 seconds")),
        (
            {"exit": 99, "err": "==3==LeakSanitizer has encountered a fatal error.\n"},
            LeakSearch(problem="it may not look into processes (ptrace)"),
        ),
        ({"exit": 1}, LeakSearch(problem="a program without leaks ends with exit code 1")),
        ({"failed": "gone"}, LeakSearch(problem="could not be run: gone")),
    ],
)
def test_what_is_to_be_expected(change: dict[str, Any], found: LeakSearch) -> None:
    assert judge_leak_search({**ENDED, **change}) == found


def _replayed(folder: Path) -> Replayed:
    (folder / "o/tests").mkdir(parents=True)
    (folder / "p.c").write_text("#include <stdlib.h>\nint main(void) { char *p = malloc(4); p = 0; return p != 0; }\n")
    error = {"kind": "memory-leak", "file": "p.c", "line": 2}
    test = {"inputs": [], "error": error, "ends": "memory-leak", "exit_code": None}
    (folder / "o/tests/000001.json").write_text(json.dumps(test))
    build = {"directory": None, "entry": "main", "function": None, "flags": [], "target": None, "data_model": None,
             "program_hash": None, "call": None, "argv": ["70"]}  # fmt: skip
    summary = {"command": "test", "files": [str(folder / "p.c")], "tests": 1, "build": build}
    (folder / "o/summary.json").write_text(json.dumps(summary))
    report = run_replay(ReplayRequest(folder / "o", seconds=0.5))
    if "ASan" not in report.compiler:
        pytest.skip("no AddressSanitizer")
    return report.tests[0]


needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")


@needs_compiler
@pytest.mark.native
@pytest.mark.thorough
def test_the_search_has_time_of_its_own(tmp_path: Path) -> None:
    """Half a second is not enough for it on every processor."""
    result = _replayed(tmp_path)
    assert result.status in (Status.AGREED, Status.UNDECIDED), result
    assert result.status is Status.AGREED or any("LeakSanitizer does not" in note for note in result.notes)


@needs_compiler
@pytest.mark.native
def test_without_a_search_nothing_is_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "try_leak_search", lambda *_: LeakSearch(problem="it may not"))
    result = _replayed(tmp_path)
    assert (result.observed, result.status) == ("exit 0", Status.UNDECIDED)
    assert "LeakSanitizer does not work here: it may not" in result.notes
