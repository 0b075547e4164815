"""What nobody defines: results of functions, objects behind pointers, variables; and native runs of their tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from clew.base.options import ReachRequest, ReplayRequest, TestRequest, VerifyRequest
from clew.cli.display import Display
from clew.cli.exits import exit_of
from clew.cli.session import run_session
from clew.jobs import replay
from clew.jobs.native.leak_search import LeakSearch
from clew.jobs.reach import run_reach
from clew.jobs.replay import run_replay
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.reading import read_tests
from clew.report.records import LossKind, Summary
from clew.report.replay_records import ReplayReport, Status

pytestmark = pytest.mark.native


def explored(folder: Path, code: str, **options: Any) -> Summary:
    (folder / "p.c").write_text(code, encoding="utf-8")
    request = TestRequest((folder / "p.c",), **{"seconds": 30.0, "compiler_flags": ("-w",), **options})
    return run_test(request, Listener())


def replayed(folder: Path, code: str, **options: Any) -> tuple[Summary, ReplayReport]:
    """What exploration finds, and what its tests do natively."""
    (folder / "p.c").write_text(code, encoding="utf-8")
    request = TestRequest((folder / "p.c",), **{"seconds": 30.0, "compiler_flags": ("-w",), **options})
    summary = run_session(run_test, request, folder / "out", Display(quiet=True), "test")
    return summary, run_replay(ReplayRequest(folder / "out", seconds=4.0))


def found(summary: Summary) -> list[tuple[str, str]]:
    return sorted((bug.kind, bug.report_class) for bug in summary.bugs)


RESULTS = """#include <stddef.h>
struct node { int value; struct node *next; };
struct pair { int a, b; };
struct mixed { double d; long n; };
struct large { int a[10]; };
struct node *head(void);
double temperature(void);
float rate(void);
_Bool ready(void);
struct pair both(void);
struct mixed mix(void);
struct large all(void);
int count(const char *, ...);
void nothing(int *);
int main(void) {
  struct node *n = head();
  if (n && n->value == 3) return 1;
  if (temperature() > 4.5) return 2;
  if (rate() < -1.5f) return 3;
  if (ready()) return 4;
  if (both().b == 7) return 5;
  struct mixed m = mix();
  if (m.d == 2.5 && m.n == 1L << 40) return 6;
  if (all().a[4] == 9) return 7;
  if (count("%d %d", 1, 2) == 11) return 8;
  int (*through)(const char *, ...) = count;
  if (through("x") == 12) return 9;
  nothing(NULL);
  return 0;
}
"""


@pytest.mark.slow
def test_results_of_all_types_and_the_same_natively(tmp_path: Path) -> None:
    summary, report = replayed(tmp_path, RESULTS)
    assert summary.bugs == ()
    assert summary.coverage.branches_covered == len(summary.coverage.branches)
    assert [test.status for test in report.tests] == [Status.AGREED] * len(report.tests)
    assert {test.observed for test in report.tests} >= {f"exit {code}" for code in range(10)}


def test_a_pointer_is_null_or_leads_to_an_object_of_its_own(tmp_path: Path) -> None:
    code = """#include <assert.h>
int *cell(void);
char *name(void);
int kept = 5;
int main(void) {
  int here = 7;
  int *c = cell(), *d = cell();
  if (!c || !d) return 1;
  assert(c != &kept && c != &here && c != d);
  c[2] = 1;
  d[2] = 2;
  assert(c[2] == 1 && kept == 5 && here == 7);
  return 0;
}
"""
    summary = explored(tmp_path, code)
    assert summary.bugs == ()
    assert summary.coverage.branches_covered >= 4


@pytest.mark.parametrize(
    "use, loss",
    [
        ("return cell()[5000];", "beyond the part of *cell()"),
        ("return cell()[5000 + argc] = 1;", "beyond the part of *cell()"),
        ("char *p = (char *)cell(); return (int)strlen(p + 250);", "beyond the part of *cell()"),
        ("struct node *n = (struct node *)cell(); if (n->next) return n->next->v;", "where it leads is not explored"),
        ("struct node *n = (struct node *)cell(); if (n->next) n->next->v = 3;", "where it leads is not explored"),
        ('fputs("a", (FILE *)cell());', "no stream"),
        ("struct node *n = (struct node *)cell(); if (n->text) puts(n->text);", "where it leads is not explored"),
        ("((void (*)(void))cell())();", "a function that was made up"),
    ],
)
def test_what_cannot_be_known_is_a_loss(tmp_path: Path, use: str, loss: str) -> None:
    start = """#include <stdio.h>
#include <string.h>
struct node { int v; struct node *next; char *text; };
int *nowhere(void);
int *cell(void);
int main(int argc, char **argv) { if (!cell()) return 0; """
    code = start.replace("if (!cell()) return 0;", "") + use + " return 0; }\n"
    summary = explored(tmp_path, code)
    assert {bug.kind for bug in summary.bugs} <= {"null-dereference"}, "it may be null"
    assert all(bug.is_possible for bug in summary.bugs)
    assert any(loss in note.what for note in summary.losses), [note.what for note in summary.losses]


def test_what_was_made_up_may_be_freed(tmp_path: Path) -> None:
    code = """#include <stdlib.h>
char *make(void);
int main(void) { char *p = make(); free(p); if (p) return p[0]; return 0; }
"""
    assert found(explored(tmp_path, code)) == [("use-after-free", "possible")]


VARIABLES = """#include <assert.h>
#include <stdio.h>
struct cfg { int n; char *name; struct cfg *next; };
extern int x;
extern const int limit;
extern double ratio;
extern _Bool flag;
extern char text[];
extern int table[20000];
extern struct unknown opaque;
extern char *path;
extern struct cfg cfg;
int main(void) {
  if (x == 7) return 1;
  if (limit > 5) return 2;
  if (ratio > 2.5) return 3;
  if (flag) return 4;
  if (text[100] == 'z') return 5;
  if (table[3] == 4) return 6;
  if (*(char *)&opaque == 8) return 7;
  if (path && path[3] == 'x') return 8;
  if (cfg.n == 5 && cfg.name && cfg.name[0] == 'c') return 9;
  x = 9;
  assert(x == 9);
  fputs("done", stdout);
  return 0;
}
"""


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(4))
def test_a_truth_value_is_none_that_it_is_compared_with(tmp_path: Path, seed: int) -> None:
    code = "extern _Bool flag; extern char c; int main(void) { return flag ? 1 : c == 9 ? 2 : c == 33 ? 3 : 0; }"
    summary, report = replayed(tmp_path, code, seed=seed)
    assert all(branch.covered for branch in summary.coverage.branches)
    assert {test.status for test in report.tests} == {Status.AGREED}
    inputs = [value for test in read_tests(tmp_path / "out") for value in test.inputs if value.name == "flag"]
    assert {(value.type, value.value) for value in inputs} == {("_Bool", 0), ("_Bool", 1)}


def test_a_seed_may_say_anything_of_a_truth_value(tmp_path: Path) -> None:
    code = "extern _Bool flag; int main(void) { if (flag) return 1; return 0; }"
    replayed(tmp_path, code)
    for path in (tmp_path / "out" / "tests").glob("*.json"):
        path.write_text(re.sub(r'("flag", "type": "_Bool", "value": )[01]', r"\g<1>9", path.read_text()))
    (tmp_path / "out").rename(tmp_path / "seeds")
    _, report = replayed(tmp_path, code, seeds=tmp_path / "seeds", validate=True)
    assert {test.status for test in report.tests} == {Status.AGREED}
    assert {value.value for test in read_tests(tmp_path / "out") for value in test.inputs} == {0, 1}


@pytest.mark.slow
def test_variables_have_any_value_and_the_same_natively(tmp_path: Path) -> None:
    summary, report = replayed(tmp_path, VARIABLES)
    assert summary.bugs == ()
    assert [test.status for test in report.tests] == [Status.AGREED] * len(report.tests)
    assert {test.observed for test in report.tests} >= {f"exit {code}" for code in range(10)}
    assert {note.kind for note in summary.losses} == {LossKind.UNDEFINED_VARIABLE}
    assert len(summary.losses) == 9


def test_a_report_that_rests_on_a_variable_is_possible(tmp_path: Path) -> None:
    code = "#include <assert.h>\nextern int x;\nint main(void) { int a[3] = {0}; assert(x != 3); return a[x & 3]; }\n"
    summary = explored(tmp_path, code)
    assert found(summary) == [("assert", "possible"), ("out-of-bounds", "possible")]
    assert {bug.rests_on for bug in summary.bugs} == {"depends on the value of x, which is not defined here"}
    assert exit_of(summary) == 0


def test_a_variable_without_a_definition_is_no_uninitialized_one(tmp_path: Path) -> None:
    code = "extern int x; extern int y[4];\nint main(void) { if (x) return 1; return y[2] ? 2 : 3; }\n"
    summary = explored(tmp_path, code, checks=("all",))
    assert summary.bugs == ()


def test_the_size_of_a_variable_counts_where_it_is_declared(tmp_path: Path) -> None:
    code = "extern int three[3]; extern int any[];\nint at(int i) { return i < 8 ? any[i] : three[i]; }\n"
    code += "int main(int argc, char **argv) { return at(argc + 2) + at(argc + 9); }\n"
    assert found(explored(tmp_path, code)) == [("out-of-bounds", "bug")]


def test_beyond_what_was_made_up_of_a_variable(tmp_path: Path) -> None:
    for use in ("any[4000]", "table[10000]", "table[argc * 9000]"):
        code = f"extern int any[]; extern int table[20000];\nint main(int argc, char **argv) {{ return {use}; }}\n"
        summary = explored(tmp_path, code)
        assert summary.bugs == ()
        assert any(note.kind is LossKind.BOUNDED for note in summary.losses)


@pytest.mark.slow
def test_one_variable_declared_in_two_files(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("extern int x; int other(void); int main(void) { return x == 4 ? other() : 0; }\n")
    (tmp_path / "b.c").write_text("extern int x; int other(void) { return x == 4 ? 1 : 2; }\n")
    files = (tmp_path / "a.c", tmp_path / "b.c")
    summary = run_session(run_test, TestRequest(files, seconds=30.0), tmp_path / "out", Display(quiet=True), "test")
    assert len(summary.losses) == 1
    report = run_replay(ReplayRequest(tmp_path / "out"))
    assert sorted(test.observed for test in report.tests) == ["exit 0", "exit 1"]
    assert report.agreed


def test_verify_and_reach_know_what_rests_on_a_variable(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text("#include <assert.h>\nextern int x;\nint main(void) {\n  assert(x != 3);\n}\n")
    files, options = (tmp_path / "p.c",), {"seconds": 30.0, "compiler_flags": ("-w",)}
    for strategy in ("auto", "plain", "conflicts"):
        summary = run_verify(VerifyRequest(files, strategy=strategy, **options), Listener())  # type: ignore[arg-type]
        assert (summary.verdict, summary.reason.partition(": ")[2]) == (
            "UNKNOWN", "depends on the value of x, which is not defined here",
        )  # fmt: skip
    reach = run_reach(ReachRequest(files, call="__assert_fail", **options), Listener())  # type: ignore[arg-type]
    assert reach.verdict == "UNKNOWN"


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "plain", "conflicts"])
def test_nothing_is_proved_where_something_is_not_defined(tmp_path: Path, strategy: str) -> None:
    (tmp_path / "p.c").write_text("#include <assert.h>\nextern int x;\nint main(void) { assert(x == x); }\n")
    request = VerifyRequest((tmp_path / "p.c",), seconds=30.0, compiler_flags=("-w",), strategy=strategy)
    summary = run_verify(request, Listener())
    assert (summary.verdict, summary.reason) == ("UNKNOWN", "x is not defined anywhere")


# Replay: the C library's own functions


@pytest.mark.slow
def test_replay_uses_what_the_c_library_has(tmp_path: Path) -> None:
    code = """#include <assert.h>
extern int get_nprocs(void);
int main(void) {
  int processors = get_nprocs();
  assert(processors > 0);
  return 0;
}
"""
    summary, report = replayed(tmp_path, code)
    assert found(summary) == [("assert", "possible")]
    assert report.agreed
    (bug,) = [test for test in report.tests if test.predicted == "assert"]
    assert (bug.status, bug.observed) == (Status.UNDECIDED, "exit 0")
    assert "get_nprocs: the C library has it" in bug.notes[0]
    assert "the possible bug does not show with it" in bug.notes[0]


@pytest.mark.slow
def test_replay_says_what_a_stub_gave(tmp_path: Path) -> None:
    code = "#include <assert.h>\nint sensor(void);\nint main(void) { assert(sensor() != 3); return 0; }\n"
    _, report = replayed(tmp_path, code)
    (bug,) = [test for test in report.tests if test.predicted == "assert"]
    assert bug.status is Status.AGREED
    assert "possible: it depends on what sensor() returns" in bug.notes[0]


# What functions that nobody defines do to memory

SHOWN = """#include <assert.h>
#include <stdlib.h>
struct io { char *buf; int n; };
int get(int *);
void fill(char *, double, int, char *);
void run(struct io *);
void note(const char *, ...);
int __VERIFIER_nondet_int(void);
int level = 3;
static int hidden = 4;
int main(void) {
  int k, r = 0, n = 8;
  get(&k);
  if (k == 4) r = 3;
  char buf[10], *heap = malloc(20), inner[8];
  if (!heap) return 1;
  fill(buf, 2.5, 10, heap + 4);
  if (buf[3] == 'x' && heap[7] == 'y' && heap[2] == 'z') r = 4;
  struct io io = { inner, 8 };
  run(&io);
  note("%d", 3);
  int x = __VERIFIER_nondet_int();
  if (x == 5) assert(hidden != 4);
  if (x == 6) assert(level != 3);
  if (x == 7) assert(n != 8);
  if (x == 8) assert(io.n != 8);
  if (x == 9 && inner[0]) r = 9;
  if (x == 10) return r;
  free(heap);
  return r;
}
"""


@pytest.mark.slow
def test_what_was_set_may_have_changed_and_what_was_not_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "try_leak_search", lambda *_: LeakSearch(problem="it takes long"))
    summary, report = replayed(tmp_path, SHOWN)
    lines = {(bug.kind, bug.location.line if bug.location else 0): bug.report_class for bug in summary.bugs}
    assert lines == {
        ("assert", 23): "bug", ("assert", 24): "possible", ("assert", 25): "bug", ("assert", 26): "possible",
        ("uninitialized", 27): "possible", ("memory-leak", 15): "possible",
    }  # fmt: skip
    by_line = {bug.location.line: bug.rests_on for bug in summary.bugs if bug.location}
    assert "does to memory, which is not defined here" in by_line[24]
    others = [test for test in report.tests if test.predicted != "memory-leak"]
    assert all(test.status is not Status.DISAGREED for test in others)
    assert {"exit 3", "exit 4"} <= {test.observed for test in others}


@pytest.mark.slow
def test_a_buffer_that_was_filled_is_not_uninitialized(tmp_path: Path) -> None:
    code = """int load(char *, int);
int main(void) {
  char b[100];
  int n = load(b, sizeof b);
  if (n < 1 || n > 100) return 1;
  if (b[n - 1] == 'x') return 2;
  return 3;
}
"""
    summary, report = replayed(tmp_path, code, checks=("all",))
    assert summary.bugs == ()
    assert report.agreed
    assert {test.observed for test in report.tests} == {"exit 1", "exit 2", "exit 3"}


# A hostile second look


def test_results_that_are_only_printed_or_returned_do_not_matter(tmp_path: Path) -> None:
    code = """#include <assert.h>
#include <stdio.h>
int sensor(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  printf("%d", sensor());
  assert(__VERIFIER_nondet_int() != 3);
  return sensor();
}
"""
    assert found(explored(tmp_path, code)) == [("assert", "bug")]


def test_results_kept_in_memory_and_compared_later(tmp_path: Path) -> None:
    code = """#include <assert.h>
int sensor(void);
static int kept[3];
int main(void) {
  for (int i = 0; i < 3; i++) kept[i] = sensor();
  int *p = kept;
  assert(p[2] - p[1] != 4 || p[1] < 0);
  return 0;
}
"""
    summary = explored(tmp_path, code)
    assert {bug.report_class for bug in summary.bugs} == {"possible"}
    assert {bug.kind for bug in summary.bugs} == {"assert", "signed-overflow"}


def test_loops_on_results(tmp_path: Path) -> None:
    code = """int count(void);
int main(void) {
  int a[3] = {0}, s = 0, k = count();
  for (int i = 0; i < k; i++) s += a[i];
  return s;
}
"""
    assert found(explored(tmp_path, code)) == [("out-of-bounds", "possible")]


@pytest.mark.slow
def test_weak_and_thread_local_symbols_natively(tmp_path: Path) -> None:
    code = """extern int weak __attribute__((weak));
extern __thread int mine;
__attribute__((weak)) int defined(void) { return 3; }
int main(void) {
  if (&weak && weak == 5) return 1;
  if (mine == 7) return 2;
  return defined();
}
"""
    summary, report = replayed(tmp_path, code)
    assert summary.bugs == ()
    assert report.agreed, "what rests on a weak symbol is not there natively, and that is said"
    assert {"exit 2", "exit 3"} <= {test.observed for test in report.tests if test.status is Status.AGREED}
    assert any("it is weak" in note for test in report.tests for note in test.notes)


@pytest.mark.parametrize("target", ["x86_64-linux-gnu", "aarch64-linux-gnu"])
def test_results_are_the_same_for_both_processors(tmp_path: Path, target: str) -> None:
    summary = explored(tmp_path, RESULTS, target=target)
    assert summary.bugs == ()
    assert summary.coverage.branches_covered == len(summary.coverage.branches)


def test_a_function_without_a_result_returns_nothing(tmp_path: Path) -> None:
    losses = explored(tmp_path, "void go(void); int ask(void); int main(void) { go(); return ask() == 3; }\n").losses
    assert sorted(note.what for note in losses) == [
        "ask() is not defined anywhere: it returns any value, and what else it might do is not explored",
        "go() is not defined anywhere: what it might do is not explored",
    ]
