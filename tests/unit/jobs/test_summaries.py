"""``clew test`` and loops: one execution stands for all numbers of iterations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.options import StartValue, TestRequest
from clew.jobs.test import run_test
from clew.report.records import BEST_EFFORT, NOT_SUMMARIZED, SOUND, Summary
from clew.solver.patience import Patience
from clew.techniques.summaries.statistics import SummaryStatistics
from unit.execute.support import PRELUDE
from unit.jobs.test_test import Heard


def job(folder: Path, code: str, *start: int, **options: Any) -> tuple[Summary, Heard]:
    path = folder / "p.c"
    path.write_text(PRELUDE + '#line 1 "p.c"\n' + code, encoding="utf-8")
    heard = Heard()
    given = tuple(StartValue(None, value) for value in start)
    options = {"compiler_flags": ("-w",), "navigate": False, "start": given, **options}
    return run_test(TestRequest((path,), **options), heard), heard


def values(heard: Heard) -> list[tuple[int, ...]]:
    return [tuple(int(value.value) for value in test.inputs) for test in heard.tests]


FIGURE_1 = """int main(void) {
  int x = klee_int("x"), c = 0, p = 0;
  while (1) {
    if (x <= 0) break;
    if (c == 50) abort();
    c = c + 1;
    p = p + c;
    x = x - 1;
  }
  if (c == 30) abort();
  return 0;
}
"""


def test_the_first_figure_of_the_paper(tmp_path: Path) -> None:
    summary, heard = job(tmp_path, FIGURE_1, 10, search="default")
    assert summary.stopped is None and not summary.losses
    assert sorted(values(heard)) == [(0,), (10,), (30,), (51,)]
    assert {bug.location.line for bug in summary.bugs if bug.location} == {5, 10}
    assert all(bug.confirmed for bug in summary.bugs)
    assert summary.stats.paths_completed == 4
    assert [loop.status for loop in summary.loops] == [SOUND]


def test_an_iteration_is_lost_where_loops_show_only_by_running(tmp_path: Path) -> None:
    summary, heard = job(tmp_path, FIGURE_1, 10, loops="dynamic")
    assert sorted(values(heard)) == [(1,), (10,), (30,), (51,)]
    assert summary.stats.paths_completed == 5  # no iteration, and one: a path for each
    assert [loop.status for loop in summary.loops] == [SOUND]


def test_without_summaries_there_is_a_path_for_every_count(tmp_path: Path) -> None:
    summary, _ = job(tmp_path, FIGURE_1, 10, summarize=False, merge=False, invariants=False)
    assert summary.stats.paths_completed == 52
    assert summary.stats.of(SummaryStatistics).summaries == 0 and not summary.loops


FIGURE_2 = """int main(void) {
  int x = klee_int("x"), y = klee_int("y"), z = klee_int("z");
  int cy = 0, y1 = 0;
  if (y <= 0) return 0;
  while (1) {
    if (x <= 0) break;
    y1 = y;
    while (1) {
      if (y1 <= 0) break;
      y1--;
      cy = cy + 1;
    }
    if (z <= 0) break;
    x--;
    z--;
  }
  if (cy == y * 101) abort();
  return 0;
}
"""


@pytest.mark.thorough
def test_the_second_figure_of_the_paper(tmp_path: Path) -> None:
    """The product of two counts meets the product in the condition, in a sibling of the first run."""
    heard = Heard()
    found = []

    def stop_at(bug: Any) -> None:
        found.append(bug)
        request.interrupt.request()

    heard.bug_found = stop_at  # type: ignore[method-assign]  # ends the run: what follows is arithmetic
    path = tmp_path / "p.c"
    path.write_text(PRELUDE + '#line 1 "p.c"\n' + FIGURE_2, encoding="utf-8")
    start = tuple(StartValue(None, value) for value in (10, 20, 30))
    request = TestRequest(
        (path,), start=start, checks=("abort",), compiler_flags=("-w",), navigate=False, search="generational"
    )
    summary = run_test(request, heard)
    assert [bug.location.line for bug in found] == [17] and found[0].confirmed
    assert found[0].inputs[0].value == 101
    assert summary.stats.generations == 1
    assert [loop.status for loop in summary.loops] == [SOUND, SOUND]


@pytest.mark.slow
def test_a_hundred_thousand_iterations(tmp_path: Path) -> None:
    code = """int main(void) {
      unsigned n = klee_int("n"), c = 0;
      for (unsigned i = 0; i < n; i++) c++;
      if (c == 100000) abort();
      return 0;
    }
    """
    summary, _ = job(tmp_path, code)
    assert [bug.inputs[0].value for bug in summary.bugs] == [100000] and summary.bugs[0].confirmed
    assert summary.stats.instructions < 1000


HASH = """int main(void) {
  int n = klee_int("n");
  if (n > 60) return 0;
  unsigned h = 7;
  int i;
  for (i = 0; i < n; i++) h = h * 31 + i;
  if (i == 47) abort();
  return h == 3;
}
"""


def test_a_guess_leads_there_and_nothing_is_lost(tmp_path: Path) -> None:
    summary, heard = job(tmp_path, HASH, 12)
    plain, _ = job(tmp_path, HASH, 12, summarize=False)
    (loop,) = summary.loops
    assert loop.status == BEST_EFFORT and "h is no induction variable" in loop.reason
    assert [bug.inputs[0].value for bug in summary.bugs] == [47]
    # The abort is found before the paths that count up to it; those are run in the end.
    assert values(heard).index((47,)) <= 4
    assert summary.stopped is None and not summary.losses
    assert summary.stats.paths_completed >= plain.stats.paths_completed
    assert {b.id for b in summary.coverage.branches if b.covered} == {
        b.id for b in plain.coverage.branches if b.covered
    }


@pytest.mark.slow
def test_inputs_that_take_another_way_are_counted(tmp_path: Path) -> None:
    """As far as it was run, nothing in the loop sets ``late``: so a guess has it that it is 0 for n = 30, too."""
    code = """int main(void) {
      unsigned char n = klee_int("n");
      unsigned h = 1, late = 0, i;
      for (i = 0; i < n; i++) {
        h = h * 5 + 1;
        if (h == 305175781) late = i;
      }
      if (i + late == 30) abort();
      return 0;
    }
    """
    summary, _ = job(tmp_path, code, 8)
    plain, _ = job(tmp_path, code, 8, summarize=False)
    assert summary.stopped is None
    assert [loop.status for loop in summary.loops] == [BEST_EFFORT]
    assert summary.stats.of(SummaryStatistics).divergences > 0
    assert [bug.inputs for bug in summary.bugs] == [bug.inputs for bug in plain.bugs]


def test_an_iteration_is_not_generalized_that_the_solver_leaves_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What undefined bytes do to a character that is printed takes a solver to say, where the iteration is any."""
    code = """#include <stdio.h>
    int main(void) {
      unsigned char t[2], n = klee_int("n");
      for (unsigned i = 0; i < n; i++)
        putchar('a' + t[0] * (t[0] + 1) * (t[0] + 2) * (i & 7) % 3);
      return 0;
    }
    """
    whole = Patience.of
    monkeypatch.setattr(Patience, "of", lambda self, questions: whole(self, 0))
    summary, _ = job(tmp_path, code, 8, search="dfs", max_instructions=2_000, engine="interpreter")
    assert [loop.reason for loop in summary.loops] == ["the solver left open what an iteration of it does"]


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("for (int i = 0; i < n; i++) s += __VERIFIER_nondet_uchar();", "reads inputs"),
        ("for (int i = 0; i < n; i++) { char *p = malloc(4); if (i == 3) q = p; }", "allocated"),
        ("for (int i = 1; i < n; i *= 2) s++;", "i is no induction variable"),
        ("if (n < 2) for (int i = 0; i < n; i++) s++;", "never ran for three iterations"),
        ("for (int i = 0; i < 9; i++) s++; s += n;", "does not depend on the input"),
        ("for (int i = 0; t[i] < n; i++) s++;", "not linear"),
    ],
)
def test_a_reason_is_given(tmp_path: Path, body: str, reason: str) -> None:
    code = f"""int main(void) {{
      int s = 0, t[6] = {{1, 4, 9, 30, 40, 99}};
      char *q = 0;
      unsigned char n = klee_int("n");
      {body}
      return s;
    }}
    """
    options: dict[str, Any] = {"search": "default", "max_instructions": 60_000, "checks": ("assert",)}
    summary, _ = job(tmp_path, code, 1 if "n < 2" in body else 5, **options)
    (loop,) = summary.loops
    assert loop.status in (NOT_SUMMARIZED, BEST_EFFORT)
    assert reason in loop.reason


GUESS_INSIDE = """int main(void) {
  unsigned char n = klee_int("n"), m = klee_int("m");
  klee_assume(n < 10 & m < 10);
  unsigned h = 1;
  for (int i = 0; i < n; i++) {
    h = 1;
    for (int j = 0; j < m; j++) h = h * 31 + 7;
  }
  klee_assume(n + m == 11);
  if (n == 5) h++;
  if (n == 8) h++;
  return 0;
}
"""
SHORT_COUNTS = """int main(void) {
  unsigned char n = klee_int("n"), x = klee_int("x");
  klee_assume(n < 13 & x < 13);
  unsigned h = 1;
  for (int i = 0; i < n; i++) h = h * 31 + 7;
  if (h == 38) {
    if (x == 3) h++;
    if (x == 5) abort();
  }
  return 0;
}
"""
CONDITIONS_IN_CALLEES = """static int more(int i, int n, int m) {
  if (i < n) {
    if (i < m) return 1;
  }
  return 0;
}
static int walk(int from, int n, int m, int count, int x) {
  int i, hits = 0;
  for (i = from; more(i, n, m); i++) {
    if (count) {
      if (x > 3) hits++;
    }
  }
  return i + 100 * hits;
}
int main(void) {
  unsigned char n = klee_int("n"), m = klee_int("m"), x = klee_int("x");
  klee_assume(n < 10 & m < 10 & x < 10);
  int r = walk(0, n, m, 0, 0), s = walk(0, 6, 6, 0, 0), t = 0;
  if (m < n) {
    t = walk(20, 40, 40, 1, x);
    if (t % 100 != 40) abort();
    if (t == 2040) r++;
    if (t == 40) r++;
  }
  return r + s + t;
}
"""


@pytest.mark.sample(4)
@pytest.mark.slow
@pytest.mark.parametrize("search", ["dfs", "bfs", "default"])
@pytest.mark.parametrize(
    ("code", "start"),
    [
        pytest.param(GUESS_INSIDE, (5, 5), id="a guess inside of what is summarized"),
        pytest.param(SHORT_COUNTS, (2,), id="counts too short for a guess"),
        pytest.param(CONDITIONS_IN_CALLEES, (5, 8, 5), id="a loop whose conditions are in a callee"),
    ],
)
def test_the_same_is_found_without(tmp_path: Path, code: str, start: tuple[int, ...], search: str) -> None:
    alone = {"search": search, "merge": False}
    found, plain = (job(tmp_path, code, *start, summarize=way, **alone)[0] for way in (True, False))
    assert found.stats.of(SummaryStatistics).summaries and not plain.stats.of(SummaryStatistics).summaries
    for summary in (found, plain):
        assert summary.stopped is None and not summary.losses and not summary.warnings
    assert {b.id for b in found.coverage.branches if b.covered} == {b.id for b in plain.coverage.branches if b.covered}
    assert {(bug.kind, bug.location) for bug in found.bugs} == {(bug.kind, bug.location) for bug in plain.bugs}


@pytest.mark.slow
def test_inputs_that_show_an_uninitialized_value_stay(tmp_path: Path) -> None:
    """Fewer iterations would be quicker to run again, but then the value does not matter."""
    code = """int main(void) {
      unsigned n = klee_int("n"), i;
      int x;
      for (i = 0; i < n; i++) ;
      if ((x & (n == 60000)) == 1) return 5;
      return 0;
    }
    """
    summary, _ = job(tmp_path, code)
    assert [(bug.kind, bug.inputs[0].value, bug.confirmed) for bug in summary.bugs] == [("uninitialized", 60000, True)]


NEAR_AND_FAR = """int main(void) {
  int k = klee_int("k"), n = klee_int("n"), x = 0;
  if (k > 50) return 1;
  for (int i = 0; i < n; i++) x++;
  if (x == 5000) return 2;
  return 0;
}
"""


def test_what_is_near_comes_before_what_lies_behind_iterations_that_were_skipped(tmp_path: Path) -> None:
    summary, heard = job(tmp_path, NEAR_AND_FAR, 0, 10)
    assert summary.stopped is None and summary.stats.of(SummaryStatistics).loops_summarized
    order = [("near" if k > 50 else "far") for k, n in values(heard) if k > 50 or n == 5000]
    assert order == ["near", "far"]
