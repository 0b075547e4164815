"""``clew loops`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import Clew, caller

PROGRAM = """int main(int n, char **arguments) {
  int i;
  for (i = 0; i < n; i += 4) {}
  return i == 15;
}
static int other(int n) {
  while (n > 0) n--;
  return n;
}
"""


@pytest.fixture
def clew(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Clew:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM)
    return caller(capfd, "loops")


def test_text(clew: Clew) -> None:
    outcome = clew("p.c", "-w")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("main (p.c:1)\n  loop at p.c:3\n    c1   when i < n: i += 4\n")
    assert not Path("clew-out").exists()


def test_without_a_run(clew: Clew) -> None:
    """Whether loops can be summarized takes a run of the program; everything else does not."""
    assert "    summary: " in clew("p.c", "-w").out
    outcome = clew("p.c", "-w", "--no-run")
    assert outcome.code == 0
    assert "leaves at p.c:3" in outcome.out
    assert "summary" not in outcome.out


def test_json_of_one_function(clew: Clew) -> None:
    outcome = clew("p.c", "-w", "--function", "other", "--json")
    data = json.loads(outcome.out)
    assert (data["command"], data["stopped"]) == ("loops", None)
    assert [function["function"] for function in data["functions"]] == ["other"]
    assert data["functions"][0]["loops"][0]["bounded"]


def test_stopped(clew: Clew) -> None:
    outcome = clew("p.c", "-w", "--time", "0.0001", "--json")
    assert (outcome.code, json.loads(outcome.out)["stopped"]) in ((3, "time"), (0, None))


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ([], "Missing argument 'FILE...'"),
        (["p.c", "--function", "mian"], "no function 'mian'; did you mean 'main'?"),
        (["q.c"], "q.c: no such file"),
        (["p.c", "--time", "0"], "--time must be"),
        (["p.c", "--line", "3"], "No such option"),
    ],
)
def test_wrong_usage_is_one_line(clew: Clew, args: list[str], text: str) -> None:
    outcome = clew(*args, "-w")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("clew: error: ") and outcome.err.count("\n") == 1
    assert text in outcome.err
