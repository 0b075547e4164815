"""Standard output and output folders: what is promised there, and two runs at once."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from regression.conftest import Outcome

Clew = Callable[..., Outcome]
Write = Callable[..., str]
Start = Callable[..., subprocess.Popen[str]]

BUG = "#include <assert.h>\nint main(void) { int x = __VERIFIER_nondet_int(); assert(x != 42); return undeclared(); }"


def test_json_is_alone_on_standard_output(clew: Clew, write: Write) -> None:
    outcome = clew(write(BUG), "--json")
    assert outcome.code == 1
    assert json.loads(outcome.out) == outcome.summary
    assert "undeclared" in outcome.err  # the compiler's warning


def test_quiet_is_silent(clew: Clew, write: Write) -> None:
    outcome = clew(write(BUG), "--quiet")
    assert (outcome.code, outcome.out, outcome.err) == (1, "", "")
    assert outcome.summary["bugs"]


def test_a_folder_that_holds_something_is_refused(clew: Clew, write: Write) -> None:
    Path("out").mkdir()
    Path("out/mine").write_text("")
    outcome = clew(write(BUG))
    assert outcome.code == 2 and "out is not empty" in outcome.line
    assert [path.name for path in Path("out").iterdir()] == ["mine"]


def test_a_folder_that_cannot_be_made(clew: Clew, write: Write) -> None:
    outcome = clew(write(BUG), "--out", "/proc/clew")
    assert outcome.code == 2 and "cannot write to /proc/clew" in outcome.line


def test_two_runs_with_one_folder(start: Start, write: Write) -> None:
    """One runs, the other is refused; neither sees the other's files."""
    name = write(BUG)
    runs = [start(name, "--quiet", "--out", "same") for _ in range(2)]
    said = [run.communicate()[1] for run in runs]
    assert sorted(run.returncode for run in runs) == [1, 2]
    assert sorted("same is not empty" in text for text in said) == [False, True]
    assert json.loads(Path("same/summary.json").read_text())["tests"] == len(list(Path("same/tests").glob("*.json")))


def test_two_runs_without_a_folder(start: Start, write: Write) -> None:
    name = write(BUG)
    runs = [start(name, "--quiet") for _ in range(2)]
    assert [run.communicate() for run in runs] == [("", ""), ("", "")]
    assert [run.returncode for run in runs] == [1, 1]
    assert sorted(path.name for path in Path("clew-out").iterdir()) == ["1", "2", "last"]
    assert all(Path(f"clew-out/{number}/summary.json").exists() for number in (1, 2))
