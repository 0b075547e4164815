"""Verdicts and counts of conflict-driven execution on small programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import StopReason
from clew.base.options import VerifyRequest
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.techniques.conflicts.statistics import ConflictStatistics
from support.patience import limit_conflicts
from unit.execute.support import PRELUDE
from unit.techniques.verifying import DECIDE, reasons, verdicts, verify

# Few paths suffice

ABSOLUTE = """int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 0) x = -x;
  if (y < 0) y = -y;
  long long result = (long long)x - y;
  if (x < y) result = (long long)y - x;
  assert(result >= 0);
}
"""
DIAMOND = """int main(void) {
  int p = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), a;
  __VERIFIER_assume(p);
  if (__VERIFIER_nondet_int()) a = 1; else a = 0;
  if (a) x = x + 1; else x = x - 1;
  if (!p) reach_error();
  return x;
}
"""
INDEPENDENT = (
    "int main(void) {\n  int z = __VERIFIER_nondet_int(), s = 0, y = 3;\n"
    + "".join(f"  if (__VERIFIER_nondet_int() > {i}) s += __VERIFIER_nondet_int();\n" for i in range(20))
    + "  if (z > 5) y = __VERIFIER_nondet_int() ? 4 : 5;\n  assert(y == 3 || z > 5);\n  return s;\n}\n"
)


@pytest.mark.parametrize("decide", DECIDE)
@pytest.mark.parametrize(
    ("code", "most"),
    [
        pytest.param(ABSOLUTE, 2, id="absolute difference"),
        pytest.param(DIAMOND, 1, id="diamond"),
        pytest.param(INDEPENDENT, 24, id="independent"),
    ],
)
def test_few_paths_suffice(tmp_path: Path, code: str, most: int, decide: str) -> None:
    summary = verify(tmp_path, code, decide=decide)
    assert (summary.verdict, summary.reason) == ("TRUE", "the property holds on all paths")
    assert 1 <= summary.stats.paths_explored <= most
    assert summary.stats.of(ConflictStatistics).conflicts > 0
    assert summary.technique == "conflicts"


def test_absolute_difference_that_may_overflow(tmp_path: Path) -> None:
    summary = verify(tmp_path, ABSOLUTE.replace("long long", "int"), compiler_flags=("-w", "-fwrapv"))
    assert summary.verdict == "FALSE"  # of the least int there is no absolute value


def test_what_was_learned_is_counted(tmp_path: Path) -> None:
    stats = verify(tmp_path, INDEPENDENT).stats.of(ConflictStatistics)
    assert stats.learned_clauses >= stats.conflicts > 0
    assert stats.learned_clauses <= stats.learned_literals <= stats.learned_clauses * stats.learned_largest
    assert 1 <= stats.learned_largest <= 6
    assert stats.instructions_repeated == 0


# One verdict each

SEVERAL = """int g;
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 77);
  if (x > 10) g = 1;
  assert(g == 0 || x > 10);
  if (x == 3) reach_error();
  assert(x != 3);
  if (g == 2) reach_error();
  assert(x * x != 49);
}
"""


@pytest.mark.parametrize("decide", DECIDE)
def test_every_property_has_its_verdict(tmp_path: Path, decide: str) -> None:
    summary = verify(tmp_path, SEVERAL, decide=decide)
    assert verdicts(summary) == {4: "FALSE", 6: "TRUE", 7: "FALSE", 8: "TRUE", 9: "TRUE", 10: "FALSE"}
    assert summary.reason == "3 of 6 properties violated (first: assertion p.c:4)"
    assert sorted(bug.location.line for bug in summary.bugs if bug.location) == [4, 7, 10]
    assert all(bug.confirmed for bug in summary.bugs)


def test_a_property_at_several_places_of_the_graph(tmp_path: Path) -> None:
    """One assertion, called from two places: one verdict."""
    code = """void check(int n) {
      assert(n != 5);
    }
    int main(void) {
      int x = __VERIFIER_nondet_int();
      if (x > 5) check(x); else check(x + %d);
    }
    """
    assert verdicts(verify(tmp_path, code % 7)) == {2: "FALSE"}
    assert verdicts(verify(tmp_path, code.replace("x + %d", "3"))) == {2: "TRUE"}


def test_no_property(tmp_path: Path) -> None:
    summary = verify(tmp_path, "int main(void) { for (;;) ; }")
    assert (summary.verdict, summary.reason, summary.properties) == ("TRUE", "no property", ())
    assert summary.stats.paths_explored == 0


def test_a_property_that_nothing_leads_to(tmp_path: Path) -> None:
    """Decided without running anything."""
    summary = verify(tmp_path, "int main(void) {\n for (;;) ;\n assert(0);\n}")
    assert summary.verdict == "TRUE"
    assert summary.stats.paths_explored == 0


# Loops

ENDLESS = """int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 100) for (;;) x = __VERIFIER_nondet_int();
  assert(x <= 100);
}
"""


def test_a_loop_that_never_ends_and_matters_to_nothing(tmp_path: Path) -> None:
    for decide in DECIDE:
        assert verify(tmp_path, ENDLESS, decide=decide).verdict == "TRUE"


COUNTED = """int main(void) {
  int n = __VERIFIER_nondet_uchar() %% %d, s = 0;
  for (int i = 0; i < n; i++) s += 2;
  assert(s %% 2 == 0);
  assert(s != 2 * %d);
}
"""


@pytest.mark.parametrize("decide", DECIDE)
def test_loops_that_end_within_the_bound(tmp_path: Path, decide: str) -> None:
    summary = verify(tmp_path, COUNTED % (6, 6), unroll=8, decide=decide)
    assert (summary.verdict, summary.reason) == ("TRUE", "all 2 properties hold on all paths")
    assert verify(tmp_path, COUNTED % (6, 6), decide=decide).verdict == "TRUE"


@pytest.mark.parametrize("decide", DECIDE)
def test_loops_that_go_on_beyond_it(tmp_path: Path, decide: str) -> None:
    summary = verify(tmp_path, COUNTED % (40, 3), unroll=5, decide=decide, invariants=False)
    assert verdicts(summary) == {4: "UNKNOWN", 5: "FALSE"}
    assert "bounded" in reasons(summary)[4]
    within = verify(tmp_path, COUNTED % (40, 9), unroll=5, decide=decide, invariants=False)
    assert verdicts(within) == {4: "UNKNOWN", 5: "UNKNOWN"}
    assert "bounded" in within.reason


@pytest.mark.slow
def test_the_bound_is_about_iterations(tmp_path: Path) -> None:
    """Three passes are needed to violate it: a bound of 3 shows that, one of 2 does not."""
    code = COUNTED % (40, 3)
    assert verdicts(verify(tmp_path, code, unroll=3))[5] == "FALSE"
    assert verdicts(verify(tmp_path, code, unroll=1))[5] == "UNKNOWN"


def test_properties_before_a_loop_do_not_mind_the_bound(tmp_path: Path) -> None:
    code = """int main(void) {
      unsigned n = __VERIFIER_nondet_uint(), s = 0;
      assert(n / 2 <= n);
      while (s < n) s++;
      assert(s >= n);
    }
    """
    summary = verify(tmp_path, code, unroll=3, invariants=False)
    assert verdicts(summary) == {3: "TRUE", 5: "UNKNOWN"}


@pytest.mark.slow
def test_what_is_beyond_the_bound_is_abstracted_by_its_invariant(tmp_path: Path) -> None:
    """The same, where invariants stand for the iterations that are not unrolled."""
    code = """int main(void) {
      unsigned n = __VERIFIER_nondet_uint(), s = 0;
      while (s < n) s++;
      assert(s >= n);
      assert(s == n);
      assert(s < 5);
    }
    """
    summary = verify(tmp_path, code, unroll=3)
    assert verdicts(summary) == {4: "TRUE", 5: "TRUE", 6: "UNKNOWN"}
    assert "replaced by its closure" in verify(tmp_path, code.replace("assert(s < 5);", ""), unroll=3).reason
    assert verdicts(verify(tmp_path, code, unroll=6)) == {4: "TRUE", 5: "TRUE", 6: "FALSE"}


def test_what_is_learned_in_one_iteration_holds_in_the_next(tmp_path: Path) -> None:
    """A fresh input in each iteration, and an assertion about it: one conflict speaks for all iterations."""
    code = """int main(void) {
      for (int i = 0; i < 12; i++) {
        int x = __VERIFIER_nondet_int(), y = 0;
        if (x > 3) { y = 1; __VERIFIER_nondet_int(); }
        assert(y == 0 || x > 0);
      }
    }
    """
    summary = verify(tmp_path, code)
    assert summary.verdict == "TRUE"
    assert summary.stats.of(ConflictStatistics).conflicts < 40


@pytest.mark.slow
def test_what_rests_on_the_start_of_a_loop_is_not_moved(tmp_path: Path) -> None:
    """i is 0 in the first iteration only; later ones violate what holds there."""
    code = """int main(void) {
      int i = 0, n = __VERIFIER_nondet_uchar() % 5;
      while (i < n) {
        if (i == 0) assert(n != 0);
        if (i == 3) assert(n != 4);
        i++;
      }
      assert(i <= 4);
    }
    """
    for decide in DECIDE:
        assert verdicts(verify(tmp_path, code, decide=decide)) == {4: "TRUE", 5: "FALSE", 8: "TRUE"}


@pytest.mark.slow
def test_nor_is_what_memory_held_before_it(tmp_path: Path) -> None:
    code = """int state;
    int main(void) {
      int seen = 0;
      for (int i = 0; i < 4; i++) {
        int in = __VERIFIER_nondet_int();
        assert(state != 2 || i >= 2);
        if (state == 3) assert(in == 1);
        if (in == 1) state++; else state = 0;
      }
    }
    """
    for decide in DECIDE:
        assert verdicts(verify(tmp_path, code, decide=decide)) == {6: "TRUE", 7: "FALSE"}


# Where execution cannot go

ASSEMBLY = """int main(void) {
  int x = __VERIFIER_nondet_int(), y = x;
  assert(x == y);
  if (x == 5) {
    __asm__ volatile("incl %0" : "+r"(y));
    assert(y != 9);
  }
  assert(y == x || x == 5);
}
"""


@pytest.mark.slow
def test_what_is_not_supported_keeps_its_own_properties_open(tmp_path: Path) -> None:
    for decide in DECIDE:
        summary = verify(tmp_path, ASSEMBLY, decide=decide)
        assert verdicts(summary)[3] == "TRUE"
        assert verdicts(summary)[6] == "UNKNOWN"
        assert "unsupported" in reasons(summary)[6] and "assembly" in reasons(summary)[6]
        assert verdicts(summary)[8] == "UNKNOWN"


def test_undefined_behaviour_on_the_way(tmp_path: Path) -> None:
    """Behind the null dereference nothing is known; what does not need it is proved."""
    code = """int main(void) {
      int x = __VERIFIER_nondet_int(), *p = x == 3 ? 0 : &x;
      assert(p == 0 || p == &x);
      *p = 1;
      assert(x == 1);
    }
    """
    summary = verify(tmp_path, code)
    assert verdicts(summary) == {3: "TRUE", 5: "UNKNOWN"}
    assert reasons(summary)[5] == "undefined behaviour on the way (null-dereference at p.c:4)"
    assert summary.bugs == ()


def test_a_jump_into_a_loop_is_left_to_plain(tmp_path: Path) -> None:
    code = """int main(void) {
      int x = __VERIFIER_nondet_uchar(), n = 0;
      if (x > 100) goto inside;
      for (x = 0; x < 3; x++) {
        n++;
    inside:
        n++;
      }
      assert(n != 1 || x > 100);
    }
    """
    summary = verify(tmp_path, code)
    assert (summary.verdict, summary.technique) == ("UNKNOWN", "conflicts")
    assert summary.reason == "conflicts does not support a goto into a loop (in main)"
    chosen = verify(tmp_path, code, strategy="auto")
    assert (chosen.verdict, chosen.technique) == ("TRUE", "plain")


# Limits

UNENDING = """int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), s = 0;
  assert(n != 17);
  assert(n / 3 <= n);
  for (unsigned i = 0; i < n; i++) s += __VERIFIER_nondet_uint() % 2 ? 2 : 4;
  assert(s % 2 == 0);
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "stopped", "reason"),
    [
        ({"seconds": 2.0}, StopReason.TIME, "time limit"),
        ({"max_instructions": 3000}, StopReason.INSTRUCTIONS, "instruction limit"),
    ],
)
def test_limits_leave_the_answers_given_so_far(
    tmp_path: Path, options: dict[str, Any], stopped: StopReason, reason: str
) -> None:
    summary = verify(tmp_path, UNENDING, invariants=False, **options)
    assert (summary.verdict, summary.stopped) == ("FALSE", stopped)
    found = verdicts(summary)
    assert (found[3], found[6]) == ("FALSE", "UNKNOWN")
    assert reasons(summary)[6] == reason


def test_interrupted(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(PRELUDE + "#include <assert.h>\n" + UNENDING, encoding="utf-8")
    request = VerifyRequest((file,), strategy="conflicts")
    request.interrupt.request()
    summary = run_verify(request, Listener())
    assert (summary.verdict, summary.stopped) == ("UNKNOWN", StopReason.INTERRUPTED)


def test_a_graph_that_grows_too_large_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit_conflicts(monkeypatch, nodes=30)
    summary = verify(tmp_path, UNENDING, invariants=False)
    assert verdicts(summary) == {3: "FALSE", 4: "TRUE", 6: "UNKNOWN"}
    assert reasons(summary)[6] == "the program unrolls to more than can be kept"
    assert summary.stopped is None


# Agreement with plain exploration

MIXED = """int table[4] = {3, 1, 4, 1};
int twice(int n) { return n + n; }
int thrice(int n) { return n * 3; }
int (*const functions[])(int) = {twice, thrice};
int up(int n) { return n <= 0 ? 0 : n + up(n - 1); }
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  if (a > 3 || b > 5) return 0;
  int picked = functions[a & 1](b), f = up(b), sum = 0;
  assert(picked == 2 * b || picked == 3 * b);
  assert(picked != 9);
  assert(f != 6);
  assert(f <= 15);
  table[a] = b;
  for (int i = 0; i < 4; i++) sum += table[i];
  assert(sum != 5 || a == 2);
  assert(sum >= b);
  switch (a) { case 0: case 1: sum = -1; break; case 2: sum = -2; }
  assert(sum < 0 || a == 3);
  assert(sum != -2 || b);
}
"""


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("decide", ["learn:10", "blackbox"])
def test_the_same_verdicts_as_plain(tmp_path: Path, decide: str) -> None:
    found = verdicts(verify(tmp_path, MIXED, decide=decide))
    assert found == verdicts(verify(tmp_path, MIXED, strategy="plain"))
    assert set(found.values()) == {"TRUE", "FALSE"}
