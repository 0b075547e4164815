"""``clew explain``: places and bugs, from an output folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clew.base.errors import UserError
from clew.cli.app import run
from clew.report.explanation import explanation
from clew.report.page.results import read_results
from clew.report.page.view import RunView

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int twice(int x) {
  return 2 * x;
}
int idle(int x) {
  if (x) return 1;
  return 0;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 5)
    if (x < 3)
      return 4;
  if (x == 17)
    assert(twice(x) == 35);
  return 0;
}
"""

Explain = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def explain(tmp_path_factory: pytest.TempPathFactory) -> Explain:
    folder = tmp_path_factory.mktemp("explained")
    (folder / "p.c").write_text(PROGRAM, encoding="utf-8")
    assert run(["test", str(folder / "p.c"), "--out", str(folder / "out"), "--quiet"]) == 1
    return lambda asked: [text for text, _ in explanation(folder / "out", asked, lambda *_: "not asked for")]


def test_a_line_that_is_run_names_its_tests_and_outcomes(explain: Explain) -> None:
    head, ran, *outcomes = explain("p.c:12")
    assert head.endswith("p.c:12  if (x > 5)") and ran.startswith("  run by 3 of 3 tests (1, 2, 3)")
    assert [line.split()[:2] for line in outcomes] == [["true", "taken"], ["false", "taken"]]


def test_an_outcome_that_no_test_takes_has_its_reason(explain: Explain) -> None:
    (missing,) = [line for line in explain("p.c:13") if "not taken" in line]
    assert missing.startswith("  true     not taken: No path: all paths were explored")


def test_a_line_that_is_not_run_names_what_is_before_it(explain: Explain) -> None:
    lines = explain("p.c:14")
    assert "  not run by any test (in main)" in lines
    assert "      line 13 (true): if (x < 3)" in lines


def test_a_function_that_the_entry_does_not_lead_to(explain: Explain) -> None:
    assert any("nothing that main calls, or names otherwise, leads to idle" in line for line in explain("p.c:7"))


def test_a_line_without_code(explain: Explain) -> None:
    assert explain("p.c:2")[1] == "  has no code"


def test_a_bug_with_its_path(explain: Explain) -> None:
    lines = explain("1")
    assert lines[0].startswith("bug 1: assert: assertion failed")
    assert "    int x = 17;" in lines
    assert any(line.split("  ")[-1] == "return 2 * x;" for line in lines)
    assert any(line.startswith("    clew replay") for line in lines)
    assert explain("bugs/000001.json") == lines


@pytest.mark.parametrize("asked", ["q.c:3", "2", "what", "p.c"])
def test_what_is_not_there_is_refused(asked: str, explain: Explain) -> None:
    with pytest.raises(UserError):
        explain(asked)


def test_conditions_of_a_line_are_told_apart(tmp_path: Path) -> None:
    """By their columns; those of a macro have the same one, and come in their order."""
    source = tmp_path / "p.c"
    source.write_text(
        "#define WITHIN(x, low, high) ((x) >= (low) && (x) < (high))\nint f(unsigned x, int y) {\n"
        "  if (WITHIN(x, 0, 10) && y > 3) return 1;\n  return 0;\n}\n"
    )
    out = tmp_path / "o"
    assert run(["test", str(source), "--function", "f", "--time", "20", "--out", str(out), "--quiet"]) == 0
    lines = [text for text, _ in explanation(out, "p.c:3", lambda *_: "")]
    heads = [line for line in lines if line.startswith("  condition ")]
    assert heads == [
        "  condition 1 of 3, at column 7",
        "  condition 2 of 3, at column 7",
        "  condition 3 of 3, at column 29",
    ]
    never = [at for at, line in enumerate(lines) if "not taken" in line]
    assert [lines[at - 2] for at in never] == heads[:1]  # an unsigned number is never below 0
    view = RunView(read_results(out))
    rows = [row[6] for group in view.groups() for row in group.rows]
    assert rows == ["condition 1 of 3: false"]
    marks = next(marks for number, _, _, marks in view.files[0].lines if number == 3)
    assert marks is not None and [one.title.partition(":")[0] for one in marks.outcomes[::2]] == [
        "column 7, condition 1 of 3",
        "column 7, condition 2 of 3",
        "column 29, condition 3 of 3",
    ]
    assert [one.is_first for one in marks.outcomes] == [False, False, True, False, True, False]


def test_a_project_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines by the tests of all functions, bugs by the numbers that the report names."""
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(
        "static int half(int n) {\n  return 8 / n;\n}\nint f(int n) {\n  return n > 2 ? half(n) : 0;\n}\n"
        "int g(int n) {\n  return half(n);\n}\n"
    )
    assert run(["project", "p.c", "--time", "20", "--out", "o", "--quiet"]) == 1
    _, ran, taken, other = (text for text, _ in explanation(Path("o"), "p.c:5", lambda *_: ""))
    assert ran == "  run by 2 tests: f (2) (in f)"
    assert taken.endswith("taken by 1 test: f (1)") and other.endswith("taken by 1 test: f (1)")
    lines = [text for text, _ in explanation(Path("o"), "p.c:2", lambda *_: "")]
    assert lines[1:] == ["  run by 2 tests: f (1), g (1) (in half)", "  bug 1: division-by-zero: division by zero"]
    told = [text for text, _ in explanation(Path("o"), "1", lambda run, _: run.folder.name)]
    assert told[0] == "bug 1: division-by-zero: division by zero"
    assert "    int n = 0;" in told and "    clew replay o/functions/g" in told
    assert any("(g)" in line for line in told), "the run of g was asked for a shorter way"
