"""``clew test`` and loops: branches below them that exploration does not come to are found by navigation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.records import Summary
from clew.techniques.chains import inputs as chain_inputs
from clew.techniques.chains.limits import Limits
from clew.techniques.chains.navigator import navigate
from clew.techniques.chains.statistics import ChainStatistics
from support.patience import limit_technique
from unit.execute.support import PRELUDE
from unit.jobs.test_test import Heard

PATIENT = Limits(stuck_steps=60, share=10.0**6, first_search=10**8)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exploration is stuck after a few paths; there is work enough for searches."""
    limit_technique(monkeypatch, chain_inputs.ChainTechnique, PATIENT)


def job(folder: Path, code: str, **options: Any) -> tuple[Summary, Heard]:
    path = folder / "p.c"
    path.write_text(PRELUDE + '#line 1 "p.c"\n' + code, encoding="utf-8")
    heard = Heard()
    alone = {"invariants": False, "merge": False}
    options = {"compiler_flags": ("-w",), "max_instructions": 12_000, **alone, **options}
    return run_test(TestRequest((path,), **options), heard), heard


def uncovered(summary: Summary) -> set[tuple[int, str]]:
    """Lines of branches, and the sides of them that no test takes."""
    return {(b.location.line, b.outcome) for b in summary.coverage.branches if b.location and not b.covered}


COLOURS = """int main(void) {
  int red = 0, green = 0;
  for (int i = 0; i < 30; i++) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c == 1) red += 1;
    else if (c == 2) green += 2;
  }
  if (red == 15 && green == 8)
    return 1;
  if (green == 15)
    return 2;
  return 0;
}
"""


@pytest.mark.slow
def test_branches_below_a_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are found, and each is looked for once, however long exploration is stuck."""
    asked: list[object] = []

    def counted(quest: Any, survey: Any = None) -> None:
        asked.append(quest.edges)
        navigate(quest, survey)

    monkeypatch.setattr(chain_inputs, "navigate", counted)
    summary, heard = job(tmp_path, COLOURS)
    assert asked and len(asked) == len(set(map(str, asked)))
    assert uncovered(summary) == {(10, "true")}
    assert [branch.location.line for branch in summary.unreachable] == [10]
    found = [test for test in heard.tests if test.reason == "navigation"]
    assert found and {test.reason for test in heard.tests} == {"coverage", "navigation"}
    numbers = [[value.value for value in test.inputs] for test in found]
    assert any(n.count(1) == 15 and n.count(2) == 4 for n in numbers)
    assert all(n.count(1) == 15 for n in numbers)
    assert summary.stats.of(ChainStatistics).systems_solved > 0


def test_exploration_alone_does_not_come_there(tmp_path: Path) -> None:
    summary, heard = job(tmp_path, COLOURS, navigate=False)
    assert {(8, "true"), (10, "true")} <= uncovered(summary)
    assert summary.unreachable == ()
    assert {test.reason for test in heard.tests} == {"coverage"}
    assert summary.stats.of(ChainStatistics).systems_solved == 0


@pytest.mark.parametrize("options", [{"goal": "path"}, {"loop_bound": 8}])
def test_nor_do_searches_start_where_every_path_is_wanted_or_loops_are_bounded(
    tmp_path: Path, options: dict[str, Any]
) -> None:
    summary, heard = job(tmp_path, COLOURS, **options)
    assert summary.stats.of(ChainStatistics).systems_solved == 0
    assert "navigation" not in {test.reason for test in heard.tests}


@pytest.mark.slow
def test_errors_below_a_loop(tmp_path: Path) -> None:
    code = """int main(void) {
      unsigned s = 0;
      for (int i = 0; i < 40; i++) if (__VERIFIER_nondet_int() == 5) s += 3;
      if (s == 51) reach_error();
    }
    """
    summary, _ = job(tmp_path, code)
    (bug,) = summary.bugs
    assert (bug.kind, bug.confirmed) == ("error-call", True)
    assert sum(value.value == 5 for value in bug.inputs) == 17
    assert job(tmp_path, code, navigate=False)[0].bugs == ()


@pytest.mark.slow
def test_targets_in_functions(tmp_path: Path) -> None:
    code = """static int grade(int n) {
      if (n == 21)
        return 7;
      return 1;
    }
    int main(void) {
      int n = 0;
      for (int i = 0; i < 30; i++) if (__VERIFIER_nondet_bool()) n++;
      return grade(n);
    }
    """
    summary, heard = job(tmp_path, code)
    assert uncovered(summary) == set()
    (found,) = [test for test in heard.tests if test.reason == "navigation"]
    assert sum(value.value is True or value.value == 1 for value in found.inputs) == 21


@pytest.mark.slow
def test_programs_without_loops_are_left_alone(tmp_path: Path) -> None:
    tests = "".join(f"  if (__VERIFIER_nondet_int() == {n}) s++;\n" for n in range(12))
    code = f"int main(void) {{\n  int s = 0;\n{tests}  if (s == 17)\n    return 1;\n}}\n"
    summary, _ = job(tmp_path, code)
    assert summary.stats.of(ChainStatistics).systems_solved == 0
    assert (15, "true") in uncovered(summary)
    assert summary.unreachable == ()


def test_what_is_covered_anyway_needs_no_search(tmp_path: Path) -> None:
    code = """int main(void) {
      int s = 0;
      for (int i = 0; i < 30; i++) if (__VERIFIER_nondet_int() > 5) s++;
      return s > 0;
    }
    """
    summary, heard = job(tmp_path, code)
    assert uncovered(summary) == set()
    assert summary.stats.of(ChainStatistics).systems_solved == 0
    assert {test.reason for test in heard.tests} == {"coverage"}


LOOP = "for (int i = 0; i < 30; i++) if (__VERIFIER_nondet_int() > 5) s++;"


def test_a_branch_is_not_unreachable_where_something_is_not_known(tmp_path: Path) -> None:
    code = f"""extern int other(int);
    int main(void) {{
      int s = 0;
      {LOOP}
      if (s == 40)
        return 1;
      other(s);
      if (s == 41)
        return 2;
    }}
    """
    summary, _ = job(tmp_path, code)
    assert {(5, "true"), (8, "true")} <= uncovered(summary)
    assert [branch.location.line for branch in summary.unreachable] == [5]


def test_code_that_chains_cannot_do_is_explored_as_ever(tmp_path: Path) -> None:
    code = f"""int main(void) {{
      int s = 0, x = __VERIFIER_nondet_int();
      if (x > 9) goto in;
      for (x = 0; x < 3; x++) {{ s++; in: s++; }}
      {LOOP}
      if (s == 77)
        return 1;
    }}
    """
    summary, heard = job(tmp_path, code)
    assert summary.unreachable == ()
    assert (6, "true") in uncovered(summary)
    assert heard.tests
