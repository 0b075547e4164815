"""``clew watch``: what has changed is seen, tested first, and told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from clew.cli.watching import Watched
from clew.report.project_change import change_lines

CODE = "int table[4];\nint get(int i) { return i >= 0 && i <= 4 ? table[i] : -1; }\n"


def test_changes_are_seen(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "clew-out").mkdir()
    for name in ("a.c", "a.h", "inner/b.c", "clew-out/c.c", "notes.txt"):
        (tmp_path / name).write_text("int x;\n")
    whole, one = Watched([tmp_path]), Watched([tmp_path / "a.c"])
    assert whole.changed() == one.changed() == []
    for name in ("a.h", "inner/b.c", "clew-out/c.c", "notes.txt"):
        (tmp_path / name).write_text("int longer;\n")
    assert whole.changed() == [tmp_path / "a.h", tmp_path / "inner/b.c"]
    assert one.changed() == [tmp_path / "a.h"], "what lies beside a file may be included by it"
    (tmp_path / "a.c").unlink()
    (tmp_path / "new.c").write_text("")
    assert whole.changed() == [tmp_path / "a.c", tmp_path / "new.c"]
    assert whole.changed() == []


def _data(covered: int, *bugs: tuple[str, int], left: tuple[str, ...] = ()) -> dict[str, Any]:
    told = [
        {"kind": "assert", "function": f, "message": "m", "entries": [f], "file": "p.c", "line": n} for f, n in bugs
    ]
    counts = {"covered": covered, "total": 10}
    return {"bugs": told, "coverage": {"branches": counts}, "left": list(left), "runs": [{"state": "done"}]}


def test_what_is_new_and_what_is_gone() -> None:
    first = _data(5, ("f", 3), ("g", 9))
    assert [text for text, _ in change_lines(None, first)] == [
        "2 bugs; branches 5 of 10 (50%)",
        "  p.c:3: assert: m, by f()",
        "  p.c:9: assert: m, by g()",
    ]
    moved = _data(7, ("f", 30), ("h", 2), left=("k",))
    assert [text for text, _ in change_lines(first, moved)] == [
        "2 bugs; branches 7 of 10 (70%), +2; 1 function not explored to the end",
        "  new: p.c:2: assert: m, by h()",
        "  gone: p.c:9: assert: m",
    ]


def _until(log: Path, words: str, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while words not in log.read_text():
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)


@pytest.mark.slow
def test_a_bug_comes_and_goes(tmp_path: Path) -> None:
    source, log = tmp_path / "a.c", tmp_path / "log.txt"
    source.write_text(CODE)
    with log.open("w") as out:
        command = [sys.executable, "-m", "clew", "watch", "a.c"]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=out, stderr=subprocess.DEVNULL)
        try:
            _until(log, "1 bug; branches")
            source.write_text(CODE.replace("<= 4", "< 4") + "int broken( {\n")
            _until(log, "does not compile")
            source.write_text(CODE.replace("<= 4", "< 4"))
            _until(log, "  gone: a.c:2: out-of-bounds")
        finally:
            os.kill(process.pid, signal.SIGINT)
            assert process.wait(60) == 0
    assert log.read_text().count("changed\n") == 2
