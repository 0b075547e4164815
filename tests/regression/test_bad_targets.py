"""Targets of ``clew reach`` that do not exist, or that nothing leads to: said in one line, on real programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.cli.app import run
from regression.conftest import Outcome

Write = Callable[..., str]
Reach = Callable[..., Outcome]

PROGRAM = """\
static int twice(int x) {
  return 2 * x;
}

static int unused(int x) {
  return twice(x) + 1;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 3) goto out;
  x = twice(x);

  return x;
out:
  return 3;
lost:
  x = 4;
  goto lost;
}
"""
FIRST = 4
"""The line of the file that PROGRAM begins on."""


@pytest.fixture
def reach(write: Write, capfd: pytest.CaptureFixture[str]) -> Reach:
    """Runs ``clew reach`` in this process."""

    def call(*args: str) -> Outcome:
        code = run(["reach", "--out", "out", "--strategy", "plain", *args])
        captured = capfd.readouterr()
        assert "Traceback" not in captured.err
        return Outcome(code, captured.out, captured.err, Path("out"))

    return call


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("target", "words"),
    [
        (["--line", str(FIRST + 12)], ["p.c:16 has no code", "nearest lines: 15, 17"]),
        (["--line", "1"], ["p.c:1 has no code", "nearest lines: 5"]),
        (["--line", "99999999"], ["p.c:99999999 has no code", "nearest lines: 23"]),
        (["--line", "q.c:5"], ["no file with code 'q.c'; did you mean 'p.c'?"]),
        (["--label", "uot"], ["no label 'uot'; did you mean 'out'?"]),
        (["--label", "main"], ["no label 'main'; there is lost, out"]),
        (["--call", "twise"], ["no function 'twise'; did you mean 'twice'?"]),
        (["--call", "x" * 5000], ["no function 'xxx"]),
        (["--call", "-o/dev/null"], ["no function '-o/dev/null'"]),
    ],
)
def test_no_such_target(reach: Reach, write: Write, target: list[str], words: list[str]) -> None:
    outcome = reach(write(PROGRAM), *target)
    outcome.refused(*words)
    assert len(outcome.line) < 1100


def test_a_program_without_labels(reach: Reach, write: Write) -> None:
    reach(write("int main(void) { return 0; }"), "--label", "out").refused("no label 'out', and none other either")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (["--label", "lost"], "target is in dead code: nothing leads to it in main's control flow"),
        (["--line", str(FIRST + 17)], "target is in dead code: nothing leads to it in main's control flow"),
        (["--line", str(FIRST + 5)], "function unused is never called from main"),
        (["--call", "unused"], "function unused is never called from main"),
    ],
)
def test_nothing_leads_there(reach: Reach, write: Write, target: list[str], reason: str) -> None:
    outcome = reach(write(PROGRAM), *target)
    assert (outcome.code, outcome.out.splitlines()[0]) == (1, f"UNREACHABLE: {reason}")
    assert outcome.summary["stats"]["instructions"] == 0


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("int main(void) { return }", "p.c", ["p.c"]),
        ("int f(void) { return 0; }", "p.c", ["no main"]),
        ("define i32 @main() {\n  ret i32 0\n}\n", "p.ll", ["no line numbers", "-g"]),
    ],
)
def test_programs_that_have_no_lines_to_reach(
    reach: Reach, write: Write, text: str, name: str, words: list[str]
) -> None:
    reach(write(text, name), "--line", "1").refused(*words)


def test_code_without_line_numbers_has_functions(reach: Reach, write: Write) -> None:
    outcome = reach(write("define i32 @main() {\n  ret i32 0\n}\n", "p.ll"), "--call", "main")
    assert (outcome.code, outcome.out.splitlines()[0]) == (0, "REACHED: main() is reached")


def test_recursion_on_the_way(reach: Reach, write: Write) -> None:
    program = write(
        "static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\n"
        "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 9 && sum(n) == 10)\n    return 1;\n}\n"
    )
    outcome = reach(program, "--line", "8", "--time", "20")
    assert (outcome.code, outcome.out.splitlines()[0]) == (0, "REACHED: p.c:8 is reached with n=4")
