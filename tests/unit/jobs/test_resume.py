"""``clew resume``: both runs together are one; folders that cannot be gone on with are refused with one line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from clew.report import runlog
from clew.report.runlog import NAME, StoredLog, _framed, reopened
from support.command_line import Clew, caller
from unit.execute.support import PRELUDE

BITS = """
#include <assert.h>
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  int n = 0;
  for (int i = 0; i < 4; i++) if (c >> i & 1) n += 1 << i;
  assert(n != 13);
  return n;
}
"""


@pytest.fixture
def clew(capfd: pytest.CaptureFixture[str]) -> Clew:
    return caller(capfd)


@pytest.fixture
def stopped(clew: Clew, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a run that was stopped after a few paths."""
    monkeypatch.chdir(tmp_path)
    Path("bits.c").write_text(PRELUDE + BITS, encoding="utf-8")
    outcome = clew("test", "bits.c", "--goal", "path", "--max-instructions", "300", "--out", "o")
    assert (outcome.code, (tmp_path / "o" / NAME).exists()) == (3, True), outcome
    return tmp_path / "o"


def results(folder: Path) -> tuple[list[int], list[str], int]:
    tests = sorted((folder / "tests").glob("*.json"))
    summary = json.loads((folder / "summary.json").read_text())
    assert [path.stem for path in tests] == [f"{number:06d}" for number in range(1, summary["tests"] + 1)]
    kept = [json.loads(path.read_text()) for path in tests]
    codes = sorted(test["exit_code"] for test in kept if test["ends"] == "exit")
    return codes, [bug["kind"] for bug in summary["bugs"]], summary["stats"]["paths_completed"]


def test_both_runs_together_are_one(clew: Clew, stopped: Path) -> None:
    assert (stopped / NAME).exists()
    first = json.loads((stopped / "summary.json").read_text())
    outcome = clew("resume", "o", "--max-instructions", "100000")
    assert outcome.code == 1
    codes, bugs, paths = results(stopped)
    assert (sorted(set(codes)), bugs, paths) == ([n for n in range(16) if n != 13], ["assert"], 16)
    second = json.loads((stopped / "summary.json").read_text())
    assert second["losses"] == [] and first["losses"] != []
    assert second["stats"]["instructions"] > first["stats"]["instructions"]
    assert second["coverage"]["branches"]["covered"] == second["coverage"]["branches"]["total"]
    assert not (stopped / NAME).exists()
    again = clew("resume", "o")
    assert (again.code, "nothing left to do" in again.err) == (1, True)


def test_it_may_be_stopped_again(clew: Clew, stopped: Path) -> None:
    for _ in range(100):
        clew("resume", "o")  # as many instructions again
        if not (stopped / NAME).exists():
            break
    codes, bugs, paths = results(stopped)
    assert (sorted(set(codes)), bugs, paths) == ([n for n in range(16) if n != 13], ["assert"], 16)


def test_from_another_folder(clew: Clew, stopped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert clew("resume", str(stopped), "--max-instructions", "100000").code == 1
    assert results(stopped)[2] == 16


def test_a_changed_program_is_refused(clew: Clew, stopped: Path) -> None:
    Path("bits.c").write_text(PRELUDE + BITS.replace("13", "14"), encoding="utf-8")
    outcome = clew("resume", "o")
    assert outcome.code == 2
    assert outcome.err.strip().endswith("has changed since: start anew")
    Path("bits.c").write_text(PRELUDE + BITS, encoding="utf-8")
    assert clew("resume", "o", "--max-instructions", "100000").code == 1
    assert results(stopped)[2] == 16


def test_a_log_that_is_cut_off_is_gone_on_with_from_before(clew: Clew, stopped: Path) -> None:
    log = stopped / NAME
    log.write_bytes(log.read_bytes()[:-40])
    outcome = clew("resume", "o", "--max-instructions", "100000")
    assert "is damaged: going on from what is whole of it" in outcome.err
    codes, bugs, _ = results(stopped)
    assert (sorted(set(codes)), bugs) == ([n for n in range(16) if n != 13], ["assert"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda log: log.write_bytes(b"nothing of the kind"), "is damaged, or of another version of Clew"),
        (lambda log: log.write_bytes(b""), "is damaged, or of another version of Clew"),
        (lambda log: log.unlink(), "has no resume.log: its run cannot be resumed"),
        (lambda log: aged(log), "is of Clew 0.0.0"),
    ],
)
def test_what_cannot_be_gone_on_with(clew: Clew, stopped: Path, change: Callable[[Path], object], said: str) -> None:
    change(stopped / NAME)
    outcome = clew("resume", "o")
    assert outcome.code == 2
    assert said in outcome.err
    assert len(outcome.err.splitlines()) == 1


def aged(log: Path) -> None:
    """Make a log one of another version."""
    stored, lock = reopened(log.parent)
    os.close(lock)
    object.__setattr__(stored.head, "clew", "0.0.0")
    log.write_bytes(b"".join(_framed(tag, value) for tag, value in stored.frames()))


def test_other_folders(clew: Clew, tmp_path: Path) -> None:
    assert "is not the output folder" in clew("resume", str(tmp_path)).err
    assert "is not the output folder" in clew("resume", str(tmp_path / "missing")).err
    (tmp_path / "tests").mkdir()
    (tmp_path / "summary.json").write_text('{"command": "verify"}')
    assert "only runs of 'clew test' are resumed" in clew("resume", str(tmp_path)).err


def test_a_folder_in_use(clew: Clew, stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runlog, "PATIENCE", 0.0)
    _, lock = reopened(stopped)
    outcome = clew("resume", "o")
    assert (outcome.code, "is in use" in outcome.err) == (2, True)
    os.close(lock)
    assert clew("resume", "o", "--max-instructions", "100000").code == 1


def test_a_log_names_no_code_but_its_own(tmp_path: Path) -> None:
    class Hostile:
        def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
            return os.system, (f"touch {tmp_path}/harm",)

    (tmp_path / NAME).write_bytes(_framed("H", Hostile()))
    with pytest.raises(Exception, match="damaged"):
        reopened(tmp_path)
    assert not (tmp_path / "harm").exists()


def test_what_a_log_says_can_be_said_shorter(stopped: Path) -> None:
    stored, lock = reopened(stopped)
    os.close(lock)
    data = b"".join(_framed(tag, value) for tag, value in stored.frames())
    (stopped / NAME).write_bytes(data)
    again, lock = reopened(stopped)
    os.close(lock)
    assert isinstance(again, StoredLog)
    assert (again.found, again.later, again.jobs) == (stored.found, stored.later, stored.jobs)
