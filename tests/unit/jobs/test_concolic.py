"""Concolic runs beside mutation and exploration: what they find is confirmed, and the same search does the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clew.base.cache import Cache
from clew.base.options import TestRequest
from clew.frontend.loading import load
from clew.frontend.options import CompileOptions
from clew.jobs import mutation
from clew.jobs.concolic import inputs
from clew.jobs.concolic.search import QUESTION_WORK, ConcolicSearch, ConcolicStatistics
from clew.jobs.test import run_test
from clew.native.trace import TracedProgram
from clew.report.listener import Listener
from clew.solver.chain import build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats

pytestmark = pytest.mark.native

COMPUTED = Path(__file__).parents[2] / "programs" / "concolic" / "computed.c"
BEHIND = Path(__file__).parents[2] / "programs" / "concolic" / "behind.c"


def test_what_is_found_is_confirmed_by_the_interpreter() -> None:
    summary = run_test(TestRequest((COMPUTED,), engine="native", seconds=120.0), Listener())
    assert [(bug.kind, bug.confirmed) for bug in summary.bugs] == [("abort", True)]
    (account,) = (one for one in summary.accounts if one.name == "concolic")
    assert account.branches > 0


def test_auto_finds_it_where_the_two_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exploration that proceeds depth first stays in the last loop; mutation does not get behind the comparisons."""
    monkeypatch.setattr(mutation, "AUTO", mutation.Pace(2_000, 0, 500, 1, 2_000_000, 1 << 40, 0.5))
    monkeypatch.setattr(inputs, "AUTO", inputs.Pace(1_000, 0, 0, 3, 1 << 40, 0.5))
    request = TestRequest((BEHIND,), seconds=120.0, max_instructions=60_000, search="dfs", merge=False)
    request = replace(request, summarize=False, invariants=False, navigate=False)
    summary = run_test(request, Listener())
    assert [(bug.kind, bug.confirmed) for bug in summary.bugs] == [("abort", True)]
    (account,) = (one for one in summary.accounts if one.name == "concolic")
    assert account.branches > 0
    monkeypatch.setattr(inputs, "AUTO", inputs.Pace(1 << 40, 0, 0, 3, 0, 0.0))
    assert not run_test(request, Listener()).bugs


STDIN = """
#include <stdio.h>
int main(void) {
  int total = 0, c;
  while ((c = getchar()) != EOF && c != '.') total = total * 7 + c;
  if (c == EOF) return 1;
  if (total == 38052) return 2;
  return 3;
}
"""


def searched(source: Path, seed: bytes, work: int, stdin: int | None = 8) -> tuple[set[int | None], ConcolicStatistics]:
    """The exit codes of all inputs that are found, and what was done."""
    program = load([source], CompileOptions(), None)
    with TracedProgram(program, program.functions["main"], cache=Cache.default()).executor(stdin) as executor:
        search = ConcolicSearch(executor, build_chain(SolverOptions(), SolverStats()), 10_000, stdin or 1000)
        search.add(seed)
        found = list(search.run(work))
        return {executor.run(data).exit_code for data in found}, search.statistics


def test_standard_input_is_followed(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(STDIN)
    codes, statistics = searched(source, b"abcdef", 2_000_000)
    assert 2 in codes and statistics.diverged == 0


def test_the_same_search_does_the_same(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(STDIN)
    assert searched(source, b"abcdef", 100_000) == searched(source, b"abcdef", 100_000)


FACTORS = """
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  unsigned long long a[2];
  klee_make_symbolic(a, sizeof a, "a");
  if (a[0] < 2 || a[1] < 2 || a[0] >> 32 || a[1] >> 32) return 1;
  if (a[0] * a[1] == 9223372036854775783u) return 2;
  return 3;
}
"""


def test_a_query_that_is_too_hard_is_ended_and_paid_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the solver does, not by the clock."""
    monkeypatch.setattr("clew.jobs.concolic.search.MOST_QUESTIONS", 100)
    source, stats = tmp_path / "p.c", SolverStats()
    source.write_text(FACTORS)
    program = load([source], CompileOptions(), None)
    with TracedProgram(program, program.functions["main"], cache=Cache.default()).executor() as executor:
        options = SolverOptions(1000.0, second_opinion=False, stop=lambda: search.is_too_dear())
        search = ConcolicSearch(executor, build_chain(options, stats), 10_000, 16)
        search.add(b"")
        codes = {executor.run(data).exit_code for data in search.run(200_000)}
    assert codes == {1, 3} and stats.unknowns > 0
    assert search.statistics.work > stats.questions * QUESTION_WORK > 100 * QUESTION_WORK


FILES = """
#include <stdio.h>
int main(void) {
  unsigned char head[20];
  FILE *f = fopen("table", "rb");
  if (!f) return 1;
  if (fread(head, 1, 20, f) < 18) return 2;
  if (head[0] * 3 + head[1] != 500 || head[17] != 'x') return 3;
  if (fread(head, 1, 1, f) != 1) return 4;
  if (getchar() != 'y') return 5;
  if (getchar() == EOF) return 6;
  return 7;
}
"""


def test_files_are_followed_as_inputs_in_the_order_of_the_interpreter(tmp_path: Path) -> None:
    """Whether there is one, how long it is, and what it holds."""
    source = tmp_path / "p.c"
    source.write_text(FILES)
    codes, statistics = searched(source, b"", 2_000_000, None)
    assert codes >= {2, 3, 4, 5, 6, 7} and statistics.diverged == 0


def test_files_that_native_runs_find_are_files_of_tests(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(FILES.replace("return 7", "return 1 / (head[2] / 256)"))
    request = TestRequest((source,), engine="native", seconds=120.0, merge=False, summarize=False, search="dfs")
    summary = run_test(request, Listener())
    assert [(bug.kind, bug.confirmed) for bug in summary.bugs] == [("division-by-zero", True)]
    assert sum(one.branches for one in summary.accounts if one.name in ("mutation", "concolic")) > 0


COUNTED = """
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() ^ 77, rounds = 0;
  if (n > 5000) return 1;
  for (unsigned i = 0; i < n; i += 2) rounds++;
  if (rounds == 1234) return 2;
  return 3;
}
"""
SCANNED = """
#include <string.h>
extern void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
  char s[901];
  klee_make_symbolic(s, 900, "s");
  s[900] = 0;
  if (strlen(s) != 777) return 1;
  int digits = 0;
  while (s[digits] >= '0' && s[digits] <= '9') digits++;
  return digits > 0 ? 2 : 3;
}
"""


def test_a_loop_goes_round_as_often_as_a_branch_on_a_counter_wants(tmp_path: Path) -> None:
    """The counter depends on no input: the conditions of the passes tell what input leads to any number of them."""
    source = tmp_path / "p.c"
    source.write_text(COUNTED)
    codes, statistics = searched(source, b"", 60_000, None)
    assert 2 in codes and statistics.diverged == 0


def test_a_text_gets_the_length_that_a_branch_wants(tmp_path: Path) -> None:
    """Each pass looks at another byte: the one that ends the scan is found in a text that is long enough."""
    source = tmp_path / "p.c"
    source.write_text(SCANNED)
    codes, statistics = searched(source, b"a" * 900, 150_000, None)
    assert codes & {2, 3} and statistics.diverged == 0
