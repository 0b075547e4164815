"""``clew verify`` by invariants: what is proved, by which loops, and what is not claimed."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.jobs import ladders
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Summary
from clew.techniques.invariants.statistics import InvariantStatistics
from unit.execute.support import PRELUDE


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is."""
    monkeypatch.setattr(ladders, "MOST_BEYOND", 120.0)
    monkeypatch.setattr(ladders, "BEYOND", 1.0)


def verify(folder: Path, code: str, **options: object) -> Summary:
    file = folder / "p.c"
    file.write_text(PRELUDE + '#include <assert.h>\n#line 1 "p.c"\n' + code, encoding="utf-8")
    given = {"seconds": 600.0, "compiler_flags": ("-w",), "unroll": 3, **options}
    return run_verify(VerifyRequest((file,), **given), Listener())  # type: ignore[arg-type]  # options by name


STEPS = """int main(void) {
  int way = 0, rounds = 0, n = __VERIFIER_nondet_int();
  while (rounds < n) {
    if (__VERIFIER_nondet_bool()) { if (way < 100) way++; else way = 7; }
    rounds++;
  }
  assert(way >= 0);
  assert(way < 101);
  return 0;
}
"""


@pytest.mark.slow
def test_a_property_of_any_number_of_iterations(tmp_path: Path) -> None:
    summary = verify(tmp_path, STEPS)
    assert summary.verdict == "TRUE", summary.reason
    assert "the loop at p.c:3 was replaced by its closure, exact" in summary.reason


def test_without_invariants_it_is_not_known(tmp_path: Path) -> None:
    summary = verify(tmp_path, STEPS, invariants=False)
    assert summary.verdict == "UNKNOWN" and summary.stats.of(InvariantStatistics).invariant_seconds == 0


@pytest.mark.slow
def test_what_is_violated_late_is_not_claimed(tmp_path: Path) -> None:
    summary = verify(tmp_path, STEPS.replace("way < 101", "way < 100"))
    assert summary.verdict != "TRUE"
    assert summary.verdict == "UNKNOWN" or summary.bugs[0].confirmed


def test_an_uninitialized_value_is_not_proved_by_new_values(tmp_path: Path) -> None:
    code = """int main(void) {
      int a[4], n = __VERIFIER_nondet_int(), i = 0, s = 0;
      while (i < n) { if (i > 9) s = a[2]; if (i == 20) a[1] = i; i++; }
      return s > 3;
    }
    """
    assert verify(tmp_path, code, checks=("uninitialized",)).verdict != "TRUE"


def test_nothing_is_proved_where_code_is_not_known(tmp_path: Path) -> None:
    code = "extern int other(int *);\n" + STEPS.replace("rounds++;", "rounds++; other(&way);")
    assert verify(tmp_path, code).verdict == "UNKNOWN"


def test_functions_of_the_program_are_not_taken_for_those_of_cut_loops(tmp_path: Path) -> None:
    """The program's own input functions give one value; a late iteration has others."""
    code = """
    static int mine(void) { return 0; }
    int main(void) {
      unsigned n = __VERIFIER_nondet_uint();
      int sum = 0;
      for (unsigned i = 0; i < n; i++) { if (i == 2000) sum = 1; }
      assert(sum == 0);
      return mine();
    }
    int __VERIFIER_nondet_int(void) { return 0; }
    void __VERIFIER_assume(int holds) { }
    void klee_make_symbolic(void *object, unsigned long size, const char *name) { }
    """
    assert verify(tmp_path, code).verdict != "TRUE"


def test_a_pointer_that_a_late_iteration_loses_is_not_proved_to_be_kept(tmp_path: Path) -> None:
    code = """#include <stdlib.h>
    int *kept;
    int main(void) {
      unsigned n = __VERIFIER_nondet_uint(), lost = 0;
      kept = malloc(4);
      for (unsigned i = 0; i < n; i++) if (i == 3000) kept = 0;
      return 0;
    }
    """
    assert verify(tmp_path, code, checks=("leak",)).verdict != "TRUE"


def test_a_local_that_outlives_an_iteration_gets_new_contents(tmp_path: Path) -> None:
    """It is declared around the loop and written in it, through a pointer."""
    code = """static void put(int *where, int what) { *where = what; }
    int main(void) {
      unsigned n = __VERIFIER_nondet_uint();
      int last = 0;
      for (unsigned i = 0; i < n; i++) put(&last, i == 2500);
      assert(last == 0 || n == 2501);
      assert(last == 0);
      return 0;
    }
    """
    summary = verify(tmp_path, code)
    assert [item.verdict for item in summary.properties if item.location and item.location.line == 7] != ["TRUE"]
