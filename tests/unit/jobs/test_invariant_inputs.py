"""``clew test`` and invariants: branches behind loops get inputs from them, and dead branches are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.records import Summary
from clew.techniques.invariants import inputs as invariant_inputs
from clew.techniques.invariants.limits import Limits
from clew.techniques.invariants.statistics import InvariantStatistics
from support.patience import limit_technique
from unit.execute.support import PRELUDE
from unit.jobs.test_test import Heard


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is work enough for invariants."""
    limit_technique(monkeypatch, invariant_inputs.InvariantTechnique, Limits(share=10.0**6, first_analysis=10**8))


def job(folder: Path, code: str, **options: Any) -> tuple[Summary, Heard]:
    path = folder / "p.c"
    path.write_text(PRELUDE + '#line 1 "p.c"\n' + code, encoding="utf-8")
    heard = Heard()
    options = {
        "compiler_flags": ("-w",), "max_instructions": 5_000, "navigate": False, "summarize": False, **options
    }  # fmt: skip
    return run_test(TestRequest((path,), **options), heard), heard


def uncovered(summary: Summary) -> set[tuple[int, str]]:
    return {(b.location.line, b.outcome) for b in summary.coverage.branches if b.location and not b.covered}


HALVES = """int main(void) {
  int y = __VERIFIER_nondet_int(), x = 0;
  while (y > 0) { x = x + 1; y = y - 2; }
  if (x > 300)
    return 1;
  return 0;
}
"""


def test_a_branch_behind_many_iterations(tmp_path: Path) -> None:
    summary, heard = job(tmp_path, HALVES)
    assert uncovered(summary) == set()
    (found,) = [test for test in heard.tests if test.reason == invariant_inputs.GUIDANCE]
    assert [value.value for value in found.inputs] == [601]
    assert (
        summary.stats.of(InvariantStatistics).invariant_candidates >= 1
        and summary.stats.of(InvariantStatistics).invariant_tests == 1
    )


@pytest.mark.slow
def test_without_invariants_it_is_too_far_away(tmp_path: Path) -> None:
    summary, heard = job(tmp_path, HALVES, invariants=False)
    assert uncovered(summary) == {(4, "true")}
    assert invariant_inputs.GUIDANCE not in {test.reason for test in heard.tests}
    assert (
        summary.stats.of(InvariantStatistics).invariant_candidates,
        summary.stats.of(InvariantStatistics).invariant_tests,
    ) == (0, 0)


def test_simple_loops_need_no_abstract_interpretation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invariant_inputs, "find", None)
    summary, heard = job(tmp_path, HALVES)
    assert uncovered(summary) == set()
    assert [test.reason for test in heard.tests].index(invariant_inputs.GUIDANCE) <= 3, "no need to wait for it, either"


@pytest.mark.slow
def test_other_loops_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = HALVES.replace(", x = 0;", ";").replace("int main", "int x; int main")  # which is in memory then
    _, heard = job(tmp_path, code, max_instructions=8_000)
    assert invariant_inputs.GUIDANCE in {test.reason for test in heard.tests}
    monkeypatch.setattr(invariant_inputs, "find", lambda *_, **__: None)
    _, heard = job(tmp_path, code, max_instructions=8_000)
    assert invariant_inputs.GUIDANCE not in {test.reason for test in heard.tests}


def test_a_bug_behind_many_iterations(tmp_path: Path) -> None:
    code = HALVES.replace("return 1;", "reach_error();")
    (bug,) = job(tmp_path, code)[0].bugs
    assert (bug.kind, bug.confirmed, [value.value for value in bug.inputs]) == ("error-call", True, [601])


@pytest.mark.slow
def test_branches_that_nothing_leads_to_are_told_with_the_reason(tmp_path: Path) -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int(), i = 0, j = 0;
      while (i < n) { i++; j++; }
      if (i != j)
        return 1;
      return 0;
    }
    """
    summary, _ = job(tmp_path, code)
    (dead,) = summary.unreachable
    assert (dead.location.line, dead.outcome) == (4, "true") and dead.reason


@pytest.mark.slow
def test_nothing_is_told_where_something_is_not_known(tmp_path: Path) -> None:
    code = """extern void other(void);
    int main(void) {
      int n = __VERIFIER_nondet_int(), i = 0, j = 0;
      while (i < n) { i++; j++; }
      if (i != j)
        return 1;
      other();
      return 0;
    }
    """
    assert job(tmp_path, code)[0].unreachable == ()


def test_programs_without_loops_are_left_alone(tmp_path: Path) -> None:
    summary, _ = job(
        tmp_path, "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 2) return 1; return 0; }"
    )
    assert (summary.stats.of(InvariantStatistics).invariant_seconds, summary.unreachable) == (0.0, ())


def test_a_candidate_that_does_not_lead_there_does_no_harm(tmp_path: Path) -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int(), s = 0;
      for (int i = 0; i < n; i++) { s ^= i; if (i > 40) break; }
      if (s == 1000000)
        return 1;
      return 0;
    }
    """
    summary, heard = job(tmp_path, code)
    assert (4, "true") in uncovered(summary)
    assert summary.stats.of(InvariantStatistics).invariant_tests == len(
        [t for t in heard.tests if t.reason == invariant_inputs.GUIDANCE]
    )
    assert not summary.bugs
