"""``clew explain``: places and bugs, from an output folder."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.base.errors import UserError
from clew.cli.app import run
from clew.report.explanation import explanation

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
    assert head.endswith("p.c:12  if (x > 5)") and ran.startswith("  run by 2 of 2 tests (1, 2)")
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
