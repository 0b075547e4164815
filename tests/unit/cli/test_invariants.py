"""``clew invariants`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import Clew, caller

PROGRAM = """int __VERIFIER_nondet_int(void);
static int triple(int a) {
  if (a > 9) return 27;
  return 3 * a;
}
int main(void) {
  int y = __VERIFIER_nondet_int(), x = 0;
  while (y > 0) { x++; y -= 2; }
  if (x < 0) return triple(4);
  return triple(5);
}
int other(int n) {
  int i = 0;
  while (i < 20) i += 4;
  return i > n;
}
"""


@pytest.fixture
def clew(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Clew:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM)
    return caller(capfd, "invariants")


def test_text(clew: Clew) -> None:
    outcome = clew("p.c", "-w")
    assert (outcome.code, outcome.err) == (0, "")
    assert "main (p.c:6)\n  p.c:8, loop1\n    x == #loop1\n    2*x == y@entry - y\n" in outcome.out
    assert "\n    true: never reached\n" in outcome.out
    assert "\nother (p.c:12), on its own\n  p.c:14, loop1\n    i == 4*#loop1\n" in outcome.out
    assert not Path("clew-out").exists()


def test_functions_are_in_the_order_of_the_source(clew: Clew) -> None:
    data = json.loads(clew("p.c", "-w", "--json").out)
    assert (data["command"], data["domain"], data["notes"], data["stopped"]) == ("invariants", "polyhedra", [], None)
    assert [function["function"] for function in data["functions"]] == ["triple", "main", "other"]
    assert [function["alone"] for function in data["functions"]] == [False, False, True]


def test_one_function(clew: Clew) -> None:
    """Its parameters are anything, whoever calls it in the program."""
    outcome = clew("p.c", "-w", "--function", "triple")
    assert outcome.out.startswith("triple (p.c:2)\n  p.c:3, branch\n    nothing is known\n    true: a >= 10\n")
    assert "main" not in outcome.out


def test_intervals(clew: Clew) -> None:
    outcome = clew("p.c", "-w", "--function", "other", "--domain", "intervals")
    assert outcome.code == 0
    assert "\n    0 <= i <= 23\n    i % 4 == 0\n    true: 0 <= i <= 19\n" in outcome.out


def test_nothing_to_tell(clew: Clew) -> None:
    Path("q.c").write_text("int main(void) { return 0; }")
    assert clew("q.c").out == "no loops and no branches\n"


def test_stopped(clew: Clew) -> None:
    outcome = clew("p.c", "-w", "--time", "0.0001", "--json")
    assert (outcome.code, json.loads(outcome.out)["stopped"]) in ((3, "time"), (0, None))


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ([], "Missing argument 'FILE...'"),
        (["p.c", "--function", "mian"], "no function 'mian'; did you mean 'main'?"),
        (["q.c"], "q.c: no such file"),
        (["p.c", "--domain", "boxes"], "'boxes' is not one of"),
        (["p.c", "--time", "0"], "--time must be"),
    ],
)
def test_wrong_usage_is_one_line(clew: Clew, args: list[str], text: str) -> None:
    outcome = clew(*args, "-w")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("clew: error: ") and outcome.err.count("\n") == 1
    assert text in outcome.err
