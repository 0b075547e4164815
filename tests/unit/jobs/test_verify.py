"""``clew verify`` as a job, every path run: verdicts, reasons, counterexamples."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import StopReason
from clew.base.errors import UserError
from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Bug, Summary, Test
from clew.report.witness import witness_of
from unit.execute.support import PRELUDE


class Heard(Listener):
    def __init__(self) -> None:
        self.tests: list[Test] = []
        self.bugs: list[Bug] = []

    def test_found(self, test: Test) -> None:
        self.tests.append(test)

    def bug_found(self, bug: Bug) -> None:
        self.bugs.append(bug)


def verify(folder: Path, code: str, **options: Any) -> Summary:
    return heard(folder, code, **options)[0]


def heard(folder: Path, code: str, **options: Any) -> tuple[Summary, Heard]:
    file = folder / "p.c"
    file.write_text(PRELUDE + '#include <assert.h>\n#line 1 "p.c"\n' + code, encoding="utf-8")
    options = {"seconds": 600.0, "compiler_flags": ("-w",), "strategy": "plain", **options}
    listener = Heard()
    return run_verify(VerifyRequest((file,), **options), listener), listener


def verdicts(summary: Summary) -> list[tuple[str, int, str]]:
    return [(item.kind, item.location.line if item.location else 0, item.verdict) for item in summary.properties]


TWO = """int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x > 10) y = 1;
  assert(y == 0 || x > 10);
  assert(%s);
  return 0;
}
"""


def test_true(tmp_path: Path) -> None:
    summary, listener = heard(tmp_path, TWO % "y < 2")
    assert (summary.verdict, summary.reason) == ("TRUE", "all 2 properties hold on all paths")
    assert verdicts(summary) == [("assert", 4, "TRUE"), ("assert", 5, "TRUE")]
    assert (summary.command, summary.technique, summary.checks) == ("verify", "plain", ("assert", "error-call"))
    assert (listener.tests, listener.bugs, summary.tests) == ([], [], 0)


def test_false_with_a_counterexample(tmp_path: Path) -> None:
    summary, listener = heard(tmp_path, TWO % "x != 77")
    assert (summary.verdict, summary.reason) == ("FALSE", "assertion p.c:5 violated")
    assert verdicts(summary) == [("assert", 4, "TRUE"), ("assert", 5, "FALSE")]
    (bug,) = listener.bugs
    assert bug.confirmed and bug.inputs[0].value == 77
    assert [test.error for test in listener.tests] == [bug]


def test_several_violations(tmp_path: Path) -> None:
    code = """int main(void) {
      int x = __VERIFIER_nondet_int();
      if (x == 1) reach_error();
      assert(x != 2);
      assert(x == x);
    }
    """
    summary = verify(tmp_path, code)
    assert summary.reason == "2 of 3 properties violated (first: error-call at p.c:3)"


@pytest.mark.slow
def test_all_violated_ends_the_search(tmp_path: Path) -> None:
    code = """int main(void) {
      int x = __VERIFIER_nondet_int();
      assert(x != 3);
      for (;;) __VERIFIER_nondet_int() > x ? x++ : 0;
    }
    """
    summary = verify(tmp_path, code)
    assert (summary.verdict, summary.stopped) == ("FALSE", None)
    assert summary.stats.instructions < 200_000


def test_no_property(tmp_path: Path) -> None:
    summary = verify(tmp_path, "int main(void) { for (;;) ; }")
    assert (summary.verdict, summary.reason, summary.properties) == ("TRUE", "no property", ())


def test_abort_counts_where_it_states_no_assumption(tmp_path: Path) -> None:
    code = "void abort(void); int main(int c, char **v) {\n if (c != 1) return 1; abort(); }"
    file = tmp_path / "p.c"
    file.write_text(code, encoding="utf-8")
    summary = run_verify(VerifyRequest((file,), strategy="plain"), Listener())
    assert [(item.kind, item.verdict) for item in summary.properties] == [("abort", "FALSE")]
    assumes = "void abort(void); int main(void) { if (__VERIFIER_nondet_int() != 1) abort(); assert(1); }"
    assert verify(tmp_path, assumes).verdict == "TRUE"
    assert verify(tmp_path, assumes, checks=("all",)).verdict == "TRUE"
    assert verify(tmp_path, assumes, checks=("abort",)).verdict == "FALSE"


def test_undefined_behaviour_on_the_way(tmp_path: Path) -> None:
    code = "int main(void) {\n int x = __VERIFIER_nondet_int(), *p = x == 3 ? 0 : &x;\n *p = 1;\n assert(x == 1);\n}"
    summary = verify(tmp_path, code)
    reason = "undefined behaviour on the way (null-dereference at p.c:3)"
    assert (summary.verdict, summary.reason) == ("UNKNOWN", reason)
    assert [item.reason for item in summary.properties] == [reason]
    assert summary.bugs == ()
    asked = verify(tmp_path, code, checks=("assert", "memory"))
    assert (asked.verdict, asked.reason) == ("FALSE", "null-dereference at p.c:3")
    assert ("null-dereference", 3, "FALSE") in verdicts(asked)
    assert ("assert", 4, "TRUE") in verdicts(asked)


def test_ends_that_nobody_asked_for_are_just_ends(tmp_path: Path) -> None:
    code = """int main(void) {
      int x = __VERIFIER_nondet_int();
      assert(x != 3);
      if (x == 5) __builtin_trap();
      if (x == 4) reach_error();
    }
    """
    assert verify(tmp_path, code, checks=("error-call",)).verdict == "FALSE"
    summary = verify(tmp_path, code.replace("reach_error()", "x = 3"), checks=("error-call", "shift"))
    assert (summary.verdict, summary.reason) == ("TRUE", "no property")


@pytest.mark.slow
def test_kinds_without_places_of_their_own(tmp_path: Path) -> None:
    code = """int main(void) {
      int a[4], i = __VERIFIER_nondet_int();
      if (i >= 0 && i < %d) a[i] = 1;
      assert(i == i);
    }
    """
    summary = verify(tmp_path, code % 4, checks=("memory",))
    assert summary.verdict == "TRUE"
    assert summary.reason.endswith("no memory error on any path")
    both = verify(tmp_path, code % 4, checks=("assert", "memory", "div"))
    assert both.reason.endswith("no error on any path of: div, memory")
    wrong = verify(tmp_path, code % 5, checks=("memory",))
    assert wrong.verdict == "FALSE"
    assert ("out-of-bounds", 3, "FALSE") in verdicts(wrong)


LOOP = """int main(void) {
  int n = __VERIFIER_nondet_int(), s = 0;
  for (int i = 0; i < n; i++) s += 2;
  assert(s %% 2 == 0);
%s}
"""


def test_bound(tmp_path: Path) -> None:
    summary = verify(tmp_path, LOOP % "", unroll=5)
    assert (summary.verdict, summary.reason) == ("UNKNOWN", "1 property holds up to the bound of 5 (bounded)")
    wrong = verify(tmp_path, LOOP % " assert(n != 3);\n", unroll=5)
    assert wrong.reason == "assertion p.c:5 violated; 1 not decided (bounded: not looked at beyond the bound of 5)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "stopped", "reason"),
    [
        ({"seconds": 1.0}, StopReason.TIME, "time limit"),
        ({"max_instructions": 2000}, StopReason.INSTRUCTIONS, "instruction limit"),
    ],
)
def test_limits_leave_what_was_found(tmp_path: Path, options: Any, stopped: StopReason, reason: str) -> None:
    summary = verify(tmp_path, LOOP % " assert(n != 3);\n", **options)
    assert summary.stopped is stopped
    assert verdicts(summary) == [("assert", 4, "UNKNOWN"), ("assert", 5, "FALSE")]
    assert summary.reason == f"assertion p.c:5 violated; 1 not decided ({reason})"


def test_interrupted(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(PRELUDE + "#include <assert.h>\n" + LOOP % "", encoding="utf-8")
    request = VerifyRequest((file,), strategy="plain")
    request.interrupt.request()
    summary = run_verify(request, Listener())
    assert (summary.verdict, summary.reason, summary.stopped) == ("UNKNOWN", "interrupted", StopReason.INTERRUPTED)


@pytest.mark.slow
def test_a_failure_does_not_wait_behind_an_endless_loop(tmp_path: Path) -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int();
      assert(n != 17);
      unsigned s = 1;
      while (s != 99) s = s * 3 + __VERIFIER_nondet_int();
      assert(s == 99);
    }
    """
    assert verdicts(verify(tmp_path, code, max_instructions=1_000))[0] == ("assert", 3, "FALSE")


def test_undefined_function(tmp_path: Path) -> None:
    summary = verify(tmp_path, "int mystery(int);\nint main(void) {\n int r = mystery(3);\n assert(r == r);\n}")
    assert (summary.verdict, summary.reason) == (
        "UNKNOWN", "mystery() is called at p.c:3, and not defined anywhere",
    )  # fmt: skip


def test_a_function_instead_of_main(tmp_path: Path) -> None:
    code = "int half(unsigned n) {\n assert(n / 2 <= n);\n return n / 2; }"
    assert verify(tmp_path, code, function="half").verdict == "TRUE"
    with pytest.raises(UserError, match="no main"):
        verify(tmp_path, code)


def test_unknown_check(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="unknown check 'asert'"):
        verify(tmp_path, "int main(void) {}", checks=("asert",))


CHOICES = """int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  int low = x, most = y;
  if (y < x) low = y;
  if (x > y) most = x;
  if (low == 3 && most == 40)
    reach_error();
  return 0;
}
"""


@pytest.mark.parametrize("strategy", ["plain", "conflicts"])
def test_simple_branches_are_no_paths_of_their_own(tmp_path: Path, strategy: str) -> None:
    code = CHOICES.replace("most == 40", "most < low")
    fewer, more = (verify(tmp_path, code, strategy=strategy, keep_branches=kept) for kept in (False, True))
    assert fewer.verdict == more.verdict == "TRUE"
    assert verdicts(fewer) == verdicts(more)
    if strategy == "plain":
        assert fewer.stats.paths_completed == 1 < more.stats.paths_completed


@pytest.mark.parametrize("strategy", ["plain", "conflicts"])
def test_witnesses_are_those_of_the_source(tmp_path: Path, strategy: str) -> None:
    """The places of a witness are those of calls, whatever became of the branches between them."""
    for kept in (False, True):
        summary, _ = heard(tmp_path, CHOICES, strategy=strategy, keep_branches=kept)
        text = witness_of(summary, [tmp_path / "p.c"], 64, datetime(2026, 1, 2, tzinfo=UTC))
        assert text is not None
        assert re.findall(r"^ *line: (\d+)$", text, re.MULTILINE) == ["2", "3", "8"]
        assert sorted(re.findall(r"result == (-?\d+)", text)) == ["3", "40"]


def test_branches_stay_where_uninitialized_values_are_looked_for(tmp_path: Path) -> None:
    code = """int main(void) {
      int x, y = 0;
      if (__VERIFIER_nondet_int()) x = 1;
      if (x) y = 1;
      return y;
    }"""
    summary = verify(tmp_path, code, checks=("uninitialized",))
    assert verdicts(summary) == [("uninitialized", 4, "FALSE")]
    assert verify(tmp_path, code, checks=("memory",)).stats.paths_completed == 1
