"""``clew test`` as a job: summaries, tests, bugs, options."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from clew.base.budget import StopReason
from clew.base.errors import UserError
from clew.base.options import StartValue, TestRequest
from clew.jobs.test import run_test
from clew.report.listener import Listener, ProgramInfo, Snapshot
from clew.report.records import Bug, Summary, Test
from clew.report.test_environment import setting_of
from support.concrete import run_concrete
from unit.execute.support import PRELUDE, c_program


@dataclass
class Heard(Listener):
    """Remembers what a job tells."""

    tests: list[Test] = field(default_factory=list)
    bugs: list[Bug] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    programs: list[ProgramInfo] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)

    def loaded(self, program: ProgramInfo) -> None:
        self.programs.append(program)

    def progress(self, snapshot: Snapshot) -> None:
        self.snapshots.append(snapshot)

    def test_found(self, test: Test) -> None:
        self.tests.append(test)

    def bug_found(self, bug: Bug) -> None:
        self.bugs.append(bug)

    def warning(self, text: str) -> None:
        self.warnings.append(text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def job(folder: Path, code: str, **options: Any) -> tuple[Summary, Heard]:
    path = folder / "program.c"
    path.write_text(PRELUDE + code, encoding="utf-8")
    heard = Heard()
    options = {"seconds": 600.0, "compiler_flags": ("-w",), **options}
    return run_test(TestRequest(files=(path,), **options), heard), heard


CODE = """
int main(void) {
  int a = __VERIFIER_nondet_int();
  unsigned r = 0;
  for (unsigned i = 0; i < 2; i++) if (a >> i & 1) r++;
  if (a == 12345) reach_error();
  return 100u / ((unsigned)a - 77u) + r;
}
"""


def test_summary(folder: Path) -> None:
    summary, heard = job(folder, CODE, validate=True)
    assert sorted(bug.kind for bug in summary.bugs) == ["division-by-zero", "error-call"]
    assert all(bug.confirmed for bug in summary.bugs)
    assert {bug.kind: bug.inputs[0].value for bug in summary.bugs} == {"division-by-zero": 77, "error-call": 12345}
    assert [bug.location.line if bug.location else 0 for bug in summary.bugs] == [
        {"division-by-zero": 7, "error-call": 6}[bug.kind] for bug in summary.bugs
    ]
    assert summary.tests == len(heard.tests)
    assert heard.bugs == list(summary.bugs)
    assert summary.stopped is None
    assert summary.losses == ()
    assert summary.coverage.branches and all(branch.covered for branch in summary.coverage.branches)
    assert [replace(program, digest="") for program in heard.programs] == [ProgramInfo("main", 64)]
    assert heard.snapshots[-1].bugs == 2
    assert summary.stats.wall_seconds > 0


def test_goal_path_keeps_every_path(folder: Path) -> None:
    by_branch, _ = job(folder, CODE)
    by_path, heard = job(folder, CODE, goal="path")
    assert by_path.tests == by_path.stats.paths_completed
    assert by_branch.tests < by_path.tests
    assert len({test.inputs for test in heard.tests}) == by_path.tests


def test_tests_do_what_they_say(folder: Path) -> None:
    """Each test, run again from nothing, covers what it claims; together they cover all there is."""
    summary, heard = job(folder, CODE, checks=("assert", "div"))
    program = c_program(CODE)
    together: set[object] = set()
    for test in heard.tests:
        outcome = run_concrete(program, list(test.inputs))
        assert outcome.covers == test.covers
        assert (outcome.end == "bug") == (test.error is not None)
        together |= outcome.covers
    assert len(together) == len({(b.function, b.block, b.successor) for b in summary.coverage.branches})


def test_start_values(folder: Path) -> None:
    _, heard = job(folder, CODE, start=(StartValue("a", 12345),))
    assert heard.tests[0].inputs[0].value == 12345
    assert heard.tests[0].error is not None


@pytest.mark.parametrize(
    ("checks", "kinds"),
    [
        (("assert",), ["error-call"]),
        (("div",), ["division-by-zero"]),
        (("division-by-zero", "assert"), None),
        (("shift",), []),
    ],
)
def test_checks_choose_what_counts(folder: Path, checks: tuple[str, ...], kinds: list[str] | None) -> None:
    summary, _ = job(folder, CODE, checks=checks)
    expected = ["division-by-zero", "error-call"] if kinds is None else kinds
    assert sorted(bug.kind for bug in summary.bugs) == expected


def test_unknown_check(folder: Path) -> None:
    with pytest.raises(UserError, match="divv"):
        job(folder, CODE, checks=("divv",))


def test_unknown_strategy(folder: Path) -> None:
    with pytest.raises(UserError, match="deepest"):
        job(folder, CODE, search="deepest")


def test_one_bug_per_place(folder: Path) -> None:
    code = """
    int main(void) {
      for (int i = 0; i < 4; i++) { int d = __VERIFIER_nondet_int(); if (100 / d == i) return i; }
      return 9;
    }
    """
    summary, heard = job(folder, code, goal="path")
    assert [bug.kind for bug in summary.bugs] == ["division-by-zero"]
    assert sum(test.error is not None for test in heard.tests) == 1


def test_uninitialized_is_confirmed(folder: Path) -> None:
    summary, heard = job(folder, "int main(void) { int x; int *p = &x;\n if (*p) return 1; return 0; }")
    assert [(bug.kind, bug.confirmed) for bug in summary.bugs] == [("uninitialized", True)]
    assert heard.warnings == []


def test_memory_errors_are_confirmed(folder: Path) -> None:
    code = """
    int main(void) {
      int *a = malloc(4 * sizeof(int));
      if (!a) return 0;
      a[__VERIFIER_nondet_uint()] = 1;
      free(a);
      if (__VERIFIER_nondet_bool()) free(a);
      return 0;
    }
    """
    summary, _ = job(folder, code)
    assert sorted(bug.kind for bug in summary.bugs) == ["double-free", "out-of-bounds"]


def test_loop_bound_is_a_loss(folder: Path) -> None:
    code = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; return i == 3; }"
    summary, _ = job(folder, code, loop_bound=5)
    assert [note.kind for note in summary.losses] == ["bounded"]
    assert summary.stats.paths_completed == 6
    assert summary.stopped is None


def test_instruction_limit(folder: Path) -> None:
    code = "int main(void) { volatile int x = 1; while (x) ; return 0; }"
    summary, _ = job(folder, code, max_instructions=100_000)
    assert summary.stopped is StopReason.INSTRUCTIONS
    assert "instructions" in summary.reason


@pytest.mark.slow
def test_function_harness(folder: Path) -> None:
    code = """
    struct item { int key; struct item *next; };
    int find(struct item *list, int key) {
      while (list) { if (list->key == key) return 1; list = list->next; }
      return 0;
    }
    int broken(int *p) { return *p; }
    """
    summary, heard = job(folder, code, function="find", max_instructions=3000)
    assert summary.bugs == ()
    assert heard.programs[0].entry == "find"
    kinds = {value.kind for test in heard.tests for value in test.inputs}
    assert kinds == {"parameter", "pointer", "memory", "cell"}
    summary, _ = job(folder, code, function="broken")
    assert [bug.kind for bug in summary.bugs] == ["null-dereference"]
    with pytest.raises(UserError, match="find"):
        job(folder, code, function="fnd")


def test_ilp32(folder: Path) -> None:
    code = "int main(void) { long x = __VERIFIER_nondet_long(); if (x == 2147483647) return sizeof x; return 0; }"
    summary, heard = job(folder, code, data_model="ILP32")
    assert heard.programs[0].pointer_bits == 32
    assert summary.tests == 2


def test_the_same_seed_gives_the_same_tests(folder: Path) -> None:
    runs = [[test.inputs for test in job(folder, CODE, seed=5)[1].tests] for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.slow
def test_every_strategy_finds_the_bugs(folder: Path) -> None:
    for name in ("dfs", "bfs", "random-path", "coverage", "default"):
        summary, _ = job(folder, CODE, search=name)
        assert len(summary.bugs) == 2


def test_tests_of_programs_that_read_are_short(folder: Path) -> None:
    code = """
#include <stdio.h>
static int table[4];
int main(void) {
  int n, x;
  if (scanf("%d", &n) != 1) return 1;
  for (int i = 0; i < n && i < 6; i++) {
    if (scanf("%d", &x) != 1) return 2;
    table[i] = x;
  }
  return 0;
}
"""
    summary, heard = job(folder, code, validate=True)
    (bug,) = summary.bugs
    assert bug.confirmed
    assert setting_of(bug.inputs).stdin == b"5 0 0 0 0 0"
    texts = [setting_of(test.inputs).stdin for test in heard.tests]
    assert b"0" in texts
    assert all(text is not None and len(text) <= 15 for text in texts)


def test_a_leak_tells_how_much_is_lost(folder: Path) -> None:
    code = """
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 3 || n > 100) return 0;
  char *p = malloc(n);
  if (n == 40) return 1;
  free(p);
  return 0;
}
"""
    summary, _ = job(folder, "unsigned __VERIFIER_nondet_uint(void);\n" + code, checks=("memory-leak",))
    (bug,) = summary.bugs
    assert "1 object, 40 bytes" in bug.message
