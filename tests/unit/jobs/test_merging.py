"""``clew test`` and paths that meet: what can show nothing new is cut, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.options import TestRequest
from clew.jobs.test import run_test
from clew.report.records import Summary
from clew.techniques.merging.statistics import MergingStatistics
from unit.execute.support import PRELUDE
from unit.jobs.test_test import Heard

HEADERS = '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#line 1 "p.c"\n'


def explored(folder: Path, code: str, **options: Any) -> Summary:
    """Of a run with nothing else that saves paths."""
    path = folder / "p.c"
    path.write_text(PRELUDE + HEADERS + code, encoding="utf-8")
    alone = {"compiler_flags": ("-w",), "navigate": False, "summarize": False, "invariants": False}
    return run_test(TestRequest((path,), **{**alone, **options}), Heard())


def errors(summary: Summary) -> set[tuple[str, int]]:
    return {(bug.kind, bug.location.line if bug.location else 0) for bug in summary.bugs}


def covered(summary: Summary) -> set[Any]:
    return {branch.id for branch in summary.coverage.branches if branch.covered}


def paths(summary: Summary) -> int:
    return summary.stats.paths_completed + summary.stats.paths_merged


EITHER_WAY = """static int chance(void) { return klee_int("chance") & 1; }
static void example(void) {
  int data = -1;
  if (chance()) {
    if (chance()) data = klee_int("data");
  } else {
    data = 7;
  }
  if (chance()) {
    int cells[10] = {0};
    if (data >= 0) cells[data] = 1;
  } else {
    int cells[10] = {0};
    if (data >= 0 && data < 10) cells[data] = 1;
  }
}
int main(void) {
  example();
#ifdef TWICE
  example();
#endif
  return 0;
}
"""


@pytest.mark.parametrize("search", ["dfs", "default"])
def test_the_example_of_the_paper(tmp_path: Path, search: str) -> None:
    """The paper explores eight paths, three of which are merged."""
    summary = explored(tmp_path, EITHER_WAY, search=search)
    assert errors(summary) == {("out-of-bounds", 11)}
    assert paths(summary) <= 8 and summary.stats.paths_merged >= 3
    assert covered(summary) == covered(explored(tmp_path, EITHER_WAY, goal="path"))


def test_a_second_call_shows_nothing_new(tmp_path: Path) -> None:
    once = explored(tmp_path, EITHER_WAY, search="dfs")
    twice = explored(tmp_path, EITHER_WAY, search="dfs", compiler_flags=("-w", "-DTWICE"))
    # The first path of the second call is explored as the first call was; all others that come to it are merged there.
    assert twice.stats.paths_completed <= once.stats.paths_completed + 1
    assert paths(twice) <= 2 * paths(once)
    assert errors(twice) == errors(once)


@pytest.mark.slow
def test_goals_include_each_other(tmp_path: Path) -> None:
    """Figure 3 of the paper: what one goal merges, a lesser one merges too."""
    counts = [
        paths(explored(tmp_path, EITHER_WAY, goal=g, search="dfs")) for g in ("branch", "error", "context", "path")
    ]
    assert counts == sorted(counts) and counts[0] < counts[-1]


@pytest.mark.sample(5)
@pytest.mark.parametrize("search", ["dfs", "default"])
@pytest.mark.parametrize("count", [5, 10, 20])
def test_independent_branches_cost_a_path_each(tmp_path: Path, count: int, search: str) -> None:
    body = "".join(f'  if (klee_int("c{i}") > {i}) n++;\n' for i in range(count))
    code = f"int main(void) {{\n  int cells[{count + 1}] = {{0}}, n = 0;\n{body}  cells[n] = 1;\n  return 0;\n}}\n"
    summary = explored(tmp_path, code, search=search)
    assert not summary.bugs and summary.reason.endswith("all paths explored")
    assert paths(summary) <= 2 * count + 2
    small = code.replace(f"cells[{count + 1}]", f"cells[{count}]")
    assert {kind for kind, _ in errors(explored(tmp_path, small, search=search))} == {"out-of-bounds"}


DECISION = '  if (klee_int("c") > {0}) n += {0}; else n -= 1;\n'


@pytest.mark.parametrize("count", [10, 18, *(pytest.param(count, marks=pytest.mark.thorough) for count in (30, 60))])
@pytest.mark.parametrize("is_loop", [False, True], ids=["row", "loop"])
def test_different_sums_keep_no_paths_apart(tmp_path: Path, count: int, is_loop: bool) -> None:
    """All techniques take part, and the default search; a check behind the decisions depends on all of them."""
    most = count * (count - 1) // 2
    row = "".join(DECISION.format(number) for number in range(count))
    body = f"  for (int k = 0; k < {count}; k++) {{ {DECISION.format('k')} }}\n" if is_loop else row
    code = f"int main(void) {{\n  int n = 0;\n{body}  if (n > {most}) abort();\n  return 0;\n}}\n"
    everything = {"invariants": True, "summarize": True, "navigate": True}
    summary = explored(tmp_path, code, **everything)
    assert not summary.bugs and summary.reason.endswith("all paths explored")
    assert paths(summary) < 3 * count + 10
    found = explored(tmp_path, code.replace(f"n > {most}", f"n >= {most}"), **everything)
    assert {kind for kind, _ in errors(found)} == {"abort"}


@pytest.mark.parametrize("element", ["char", "short", "int"])
def test_marks_in_an_array_keep_few_paths_apart(tmp_path: Path, element: str) -> None:
    """All techniques take part, and the default search: without merging there are a million paths."""
    count = 20
    marks = "".join(f'  if (klee_int("c")) seen[{number}] = 1;\n' for number in range(count))
    check = '  int at = klee_int("at");\n  if (at >= 0 && at <= 10) cells[at] = 1;\n'
    code = f"int main(void) {{\n  {element} seen[{count}] = {{0}};\n  int cells[10] = {{0}};\n{marks}{check}"
    code += "  return seen[0];\n}\n"
    summary = explored(tmp_path, code, invariants=True, summarize=True, navigate=True)
    assert errors(summary) == {("out-of-bounds", count + 5)} and summary.reason.endswith("all paths explored")
    assert paths(summary) < 2 * count * count


def test_an_array_that_a_loop_fills_keeps_few_paths_apart(tmp_path: Path) -> None:
    """All its elements differ at one place."""
    count = 15
    code = f"""int main(void) {{
  int seen[{count}] = {{0}}, cells[10] = {{0}};
  for (int i = 0; i < {count}; i++)
    if (klee_int("c")) seen[i] = i;
  int at = klee_int("at");
  if (at >= 0 && at <= 10) cells[at] = 1;
  return seen[0];
}}
"""
    summary = explored(tmp_path, code, invariants=True, summarize=True, navigate=True)
    assert errors(summary) == {("out-of-bounds", 6)} and summary.reason.endswith("all paths explored")
    assert paths(summary) < 2**count // 8


def test_what_does_not_pay_is_switched_off(tmp_path: Path) -> None:
    """Each path has other objects, which live to the end: no two can be merged."""
    code = """int main(void) {
  char *kept[12] = {0};
  for (int i = 0; i < 11; i++) if (klee_int("c") > i) kept[i] = malloc(i + 1);
  for (int i = 0; i < 11; i++) free(kept[i]);
  return 0;
}
"""
    merged, plain = explored(tmp_path, code), explored(tmp_path, code, merge=False)
    assert paths(merged) == paths(plain) == 2048
    assert covered(merged) == covered(plain) and merged.reason == plain.reason
    assert merged.stats.value("merge_formulas") < 500


def test_without_merging_there_are_all_paths(tmp_path: Path) -> None:
    summary = explored(tmp_path, EITHER_WAY, merge=False)
    assert summary.stats.paths_merged == 0 and summary.stats.of(MergingStatistics).merge_formulas == 0
    assert summary.stats.paths_completed == explored(tmp_path, EITHER_WAY, goal="path").stats.paths_completed


FOUND_FIRST = """int main(void) {
  int x = klee_int("x"), flag = 0, cells[4] = {0};
  if (klee_int("a") > 0) flag = 1;
  if (klee_int("b") > 0) flag = flag;
  if (x >= 0) {
    if (x > 9) x = 9;
    cells[x] = 1;
  }
  return 0;
}
"""


def test_an_error_that_was_found_keeps_no_paths_apart(tmp_path: Path) -> None:
    summary = explored(tmp_path, FOUND_FIRST, search="dfs")
    assert errors(summary) == {("out-of-bounds", 7)}
    assert paths(summary) < paths(explored(tmp_path, FOUND_FIRST, goal="path"))


RELEVANT = {
    "a flag that decides much later": """int main(void) {
  int flag = 0, x = klee_int("x");
  if (klee_int("a") == 3) flag = 1;
  if (x > 5) x = 5;
  if (flag) { if (x == 2) abort(); }
  return 0;
}
""",
    "a cell of memory": """static int table[4];
int main(void) {
  if (klee_int("a") > 0) table[2] = 9;
  if (klee_int("b") > 0) table[1] = 1;
  int cells[5];
  cells[table[2] / 2] = 1;
  return 0;
}
""",
    "memory that is lost on one way only": """int main(void) {
  int *h = 0;
  if (klee_int("a")) h = malloc(4);
  else h = malloc(4);
  if (klee_int("b")) free(h);
  return 0;
}
""",
    "an object that is freed on one way": """int main(void) {
  int *h = malloc(4);
  if (!h) return 0;
  *h = 1;
  int freed = 0;
  if (klee_int("a")) { free(h); freed = 1; }
  if (klee_int("b")) h = h;
  int seen = *h;
  if (!freed) free(h);
  return seen;
}
""",
    "a value that is not defined on one way": """int main(void) {
  int x;
  if (klee_int("a")) x = 1;
  if (klee_int("b")) abort;
  if (x) return 1;
  return 0;
}
""",
    "bytes of a string that overlap": """int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  char s[8] = "a";
  if (a) strcpy(s, "abc");
  if (b) s[a & 1] = '1';
  if (strlen(s) == 0) exit(1);
  int v = 0;
  if (b) v = rand() % 2;
  return v;
}
""",
    "a double": """static double g = 1;
int main(void) {
  int *h = malloc(4);
  if (klee_int("a")) g = -0.0;
  free(h);
  if (klee_int("b")) h = 0;
  if (g == 0) { if (klee_int("c") == 4) abort(); }
  return 0;
}
""",
    "another object at the same address": """static int cells[4];
int main(void) {
  if (klee_int("a")) cells[3] = 1;
  int *h = 0;
  if (klee_int("b") != 3) h = malloc(8);
  if (h) *h = cells[3];
  FILE *f = fopen("kept", "w");
  free(h);
  return f == 0;
}
""",
    "how much was read": """int main(void) {
  int c = klee_int("c"), first = 0;
  if (c) first = getchar();
  int next = getchar();
  if (next == 'x' && !c) abort();
  return 0;
}
""",
    "the sign of zero": """int main(void) {
  double d = 0.0;
  if (klee_int("a") > 3) d = -0.0;
  if (klee_int("b") > 0) { if (1.0 / d < 0) abort(); }
  return 0;
}
""",
    "what a library function remembers": """int getpid(void);
static int either(int f, int a, int b) { if (f > 3) return a; return b; }
int main(void) {
  either(1, 1, 2);
  either(5, 1, 2);
  int p = getpid();
  p = either(klee_int("f"), 77, p);
  if (getpid() != p) abort();
  return 0;
}
""",
    "variable arguments": """#include <stdarg.h>
static int either(int f, int a, int b) { if (f > 3) return a; return b; }
static int first(int n, ...) {
  va_list list;
  n = either(klee_int("g"), 7, n);
  va_start(list, n);
  int v = va_arg(list, int);
  va_end(list);
  if (v != n) abort();
  return 0;
}
int main(void) {
  either(1, 1, 2);
  either(5, 1, 2);
  int x = klee_int("x");
  return first(x, x);
}
""",
    "an address of an object that is gone": """static long either(int f, long a, long b) {
  if (f > 3) return a;
  return b;
}
int main(void) {
  either(1, 1, 2);
  either(5, 1, 2);
  char *gone = malloc(4);
  free(gone);
  char *p = (char *)either(klee_int("f"), (long)gone, klee_int("x"));
  return *p == 3;
}
""",
    "an address that is all that is left": """static long either(int f, long a, long b) {
  if (f > 3) return a;
  return b;
}
static long kept;
int main(void) {
  either(1, 1, 2);
  either(5, 1, 2);
  char *a = malloc(4);
  char *b = malloc(4);
  kept = either(klee_int("f"), (long)a, klee_int("x"));
  return 0;
}
""",
    "a text that a library function must know": """static char name[4] = "A";
int main(void) {
  int f = klee_int("f");
  if (f == 1) name[0] = 'B';
  else if (f == 2) name[0] = 'C';
  if (getenv(name)) {
    if (name[0] == 'B') abort();
    if (name[0] == 'C') abort();
  }
  return 0;
}
""",
    "a number that a library function must know": """int main(void) {
  int f = klee_int("f"), n = 1;
  if (f == 1) n = 2;
  else if (f == 2) n = 3;
  else if (f == 3) n = 4;
  char *s = strerror(n);
  if (s[0] == 'N') abort();
  if (s[0] == 'I') abort();
  return 0;
}
""",
    "whether something is a number": """int klee_is_symbolic(unsigned long);
int main(void) {
  int f = klee_int("f"), n = 1;
  if (f == 1) n = 6;
  else if (f == 2) n = 8;
  if (klee_is_symbolic(n)) return 7;
  if (n == 6) abort();
  if (n == 8) abort();
  return 0;
}
""",
    "a condition that is a check and a branch": """static int x;
static int divided(int b) { return 10 / b; }
int main(void) {
  int f = klee_int("f"), b = klee_int("b"), m = klee_int("m");
  if (f == 0) { if (b == 0) return 0; }
  if (m <= 0) x = divided(b);
  else if (b == 0) abort();
  x = divided(klee_int("c"));
  return 0;
}
""",
    "a variable that the library points to": """struct words { char text[8]; };
static int either(int f, int a, int b) { if (f > 3) return a; return b; }
static int second(struct words w, int f) {
  either(1, 1, 2);
  either(5, 1, 2);
  strtok(w.text, ",");
  w.text[3] = either(f, 'x', 'y');
  if (klee_int("g") > 0) f = 0;
  char *next = strtok(0, ",");
  if (next && next[1] == 'x') abort();
  return 0;
}
int main(void) {
  struct words w = {"a,bc"};
  return second(w, klee_int("f"));
}
""",
    "a divisor": """int main(void) {
  int d = 3;
  if (klee_int("a") > 4) d = 2;
  if (klee_int("b") > 4) d -= 2;
  return 100 / d;
}
""",
}


@pytest.mark.slow
@pytest.mark.sample(10)
@pytest.mark.parametrize("search", ["dfs", "default", "bfs"])
@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in RELEVANT.items()])
def test_what_counts_is_not_merged(tmp_path: Path, code: str, search: str) -> None:
    every = explored(tmp_path, code, goal="path", stdin=3)
    for goal in ("branch", "error", "context"):
        summary = explored(tmp_path, code, goal=goal, search=search, stdin=3)
        assert summary.stopped is None and not summary.warnings
        assert covered(summary) == covered(every), goal
        if goal != "branch":
            assert errors(summary) == errors(every), goal


def test_paths_that_end_in_a_known_error_keep_their_tests(tmp_path: Path) -> None:
    code = 'int main(void) {\n  int n = 2;\n  if (klee_int("a")) n = 3;\n  char s[1];\n  memset(s, 1, n);\n}\n'
    path = tmp_path / "p.c"
    path.write_text(PRELUDE + HEADERS + code, encoding="utf-8")
    heard = Heard()
    run_test(TestRequest((path,), compiler_flags=("-w",)), heard)
    assert {tuple(bool(value.value) for value in test.inputs) for test in heard.tests} == {(False,), (True,)}


@pytest.mark.slow
def test_a_merged_path_that_covered_something_has_inputs_that_come_to_an_end(tmp_path: Path) -> None:
    code = """int main(void) {
  int a = klee_int("a"), b = klee_int("b");
  int n = 0;
  if (a > 5) n = n;
  klee_assume(b > 3);
  if (b > 7) n = 1;
  return n;
}
"""
    for goal in ("error", "branch"):
        summary = explored(tmp_path, code, goal=goal, search="dfs")
        assert covered(summary) == covered(explored(tmp_path, code, goal="path"))


@pytest.mark.slow
def test_a_loop_without_end_is_no_obstacle(tmp_path: Path) -> None:
    code = """int main(void) {
  int n = klee_int("n");
  if (klee_int("a") == 77) { if (klee_int("b") == 78) abort(); }
  for (unsigned i = 0; ; i++) { if (n == i) n++; }
}
"""
    summary = explored(tmp_path, code, max_instructions=60_000)
    assert summary.stopped is not None and not summary.reason.endswith("all paths explored")
    assert errors(summary) == {("abort", 3)}
