"""Why outcomes of branches are not covered: each reason in a program made for it; and no run contradicts one."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.base.options import VerifyRequest
from clew.jobs.ledger import Ledger
from clew.jobs.prepare import ExploreSettings, prepare_run
from clew.report.listener import Listener
from clew.report.reasons import Reason, WhyNot
from clew.report.records import BranchCoverage, Summary
from unit.execute.support import PRELUDE

from . import test_test


def job(folder: Path, code: str, **options: object) -> tuple[Summary, test_test.Heard]:
    return test_test.job(folder, code.replace("nondet_int", "__VERIFIER_nondet_int"), **options)


def missing(summary: Summary) -> dict[tuple[int, str], Reason]:
    """The reasons by line and outcome."""
    found = {}
    for branch in summary.coverage.branches:
        assert (branch.reason is None) is branch.covered
        if branch.reason is not None and branch.location is not None:
            found[branch.location.line, branch.outcome] = branch.reason
    return found


def line(code: str, text: str) -> int:
    return next(number for number, one in enumerate(code.splitlines(), 1) if text in one)


def test_all_paths_are_explored_and_none_takes_it(tmp_path: Path) -> None:
    summary, _ = job(tmp_path, "int main(void) { int x = nondet_int(); if (x > 3)\n if (x < 2)\n return 1; return 0; }")
    (reason,) = missing(summary).values()
    assert reason.why is WhyNot.NO_PATH


ALLOCATING = """
#include <stdlib.h>
struct c { int *b; int n; };
static struct c *make(int n) {
  struct c *c = malloc(sizeof *c);
  if (c == NULL) /* direct */
    return NULL;
  c->n = n;
  c->b = calloc(4, 4);
  if (!c->b) { free(c); return NULL; } /* stored */
  return c;
}
int main(void) {
  int n = nondet_int();
  struct c *c = make(n);
  if (c == NULL) return 1; /* wrapped */
  int *other = n == 7 ? NULL : &n;
  if (other == NULL) n = 0; /* no memory */
  if (c->n != n && n != 0) return 2; /* nothing */
  free(c->b); free(c);
  return 0;
}
"""


def test_outcomes_for_allocations_that_fail(tmp_path: Path) -> None:
    """No test takes them, but a machine might: nobody says that there is no such path."""
    summary, _ = job(tmp_path, ALLOCATING)
    assert {at: reason.why for at, reason in missing(summary).items() if reason.why is not WhyNot.NO_PATH} == {
        (line(ALLOCATING, f"/* {word} */"), "true"): WhyNot.ALLOCATION for word in ("direct", "stored", "wrapped")
    }
    assert {at for at, reason in missing(summary).items() if reason.why is WhyNot.NO_PATH} == {
        (line(ALLOCATING, "/* nothing */"), "true")
    }
    failing, _ = job(tmp_path, ALLOCATING, malloc_may_fail=True)
    assert all(reason.why is WhyNot.NO_PATH for reason in missing(failing).values()) and len(missing(failing)) == 1


HOOKS = """
#include <stdlib.h>
static void *cleared(size_t n) { return calloc(1, n); }
static void *(*const allocators[])(size_t) = {malloc, cleared};
static void (*const release)(void *) = free;
static int numbers[4];
static int *find(int key) { return numbers + key; }
static int *fresh(int key) { int *made = malloc(sizeof *made); if (made) *made = key; return made; } /* in fresh */
static int *(*const finders[])(int) = {find, fresh};
int main(void) {
  unsigned which = nondet_int() & 1;
  char *p = allocators[which](8);
  if (p == NULL) return 1; /* all give memory */
  release(p);
  int *q = finders[which](3);
  if (q == NULL) return 2; /* one does not */
  return 0;
}
"""


def test_allocations_through_pointers(tmp_path: Path) -> None:
    """Only where all functions that a call may go to give memory is it an allocation that fails."""
    summary, _ = job(tmp_path, HOOKS)
    reasons = missing(summary)
    assert {at: reason.why for at, reason in reasons.items()} == {
        (line(HOOKS, "/* in fresh"), "false"): WhyNot.ALLOCATION,
        (line(HOOKS, "/* all give memory"), "true"): WhyNot.ALLOCATION,
        (line(HOOKS, "/* one does not"), "true"): WhyNot.NO_PATH,
    }
    assert "malloc or cleared does not give" in reasons[line(HOOKS, "/* all give memory"), "true"].because


PASSED = """
#include <stdlib.h>
#include <string.h>
struct buffer { char *bytes; size_t size; char name[8]; };
static void *need(void *p) {
  if (!p) abort(); /* need */
  return p;
}
static int number, *shared = &number;
static int *look(int *p) {
  if (!p) return NULL; /* look */
  return p;
}
static char *two(int n) {
  char *made = NULL, *other = NULL;
  if (n > 100 && n < 50) goto end;
  made = malloc(4);
  if (!made) goto failed;
  other = malloc(4);
  if (!other) goto failed;
end:
  if (made == NULL) return NULL; /* two ways to null */
  free(other);
  return made;
failed:
  free(made);
  return NULL;
}
static char *either(void) {
  char *made = malloc(4), *other = malloc(4);
  if (!made || !other) { free(made); free(other); return NULL; }
  free(other);
  return made;
}
int main(void) {
  struct buffer one[1];
  int n = nondet_int();
  one->bytes = malloc(4);
  one->size = 4;
  memcpy(one->name, "eight..", 8);
  if (one->bytes == NULL) return 1; /* fields apart */
  int *p = need(malloc(sizeof n)), *q = need(calloc(1, sizeof n));
  *p = *q = n;
  n = look(p) && look(shared);
  if (p == NULL) return 3; /* checked by need */
  char *of_two = two(n), *of_either = either();
  if (of_two == NULL) return 4; /* not only memory */
  if (of_either == NULL) return 5; /* either of two */
  free(of_two); free(of_either);
  one->bytes = malloc(4);
  *(char **)((char *)one + (n & 0)) = one->name;
  if (one->bytes == NULL) return 2; /* overwritten */
  return 0;
}
"""


def test_memory_that_is_passed_or_kept(tmp_path: Path) -> None:
    """A parameter is memory if all calls pass some; a field keeps it while what is written is beside it. What may be
    null for another reason, or was compared before, is not for an allocation that fails."""
    reasons = missing(job(tmp_path, PASSED, checks=("assert",))[0])
    memory = ("need", "fields apart", "either of two")
    other = ("look", "checked by need", "two ways to null", "not only memory", "overwritten")
    found = {word: reasons[line(PASSED, f"/* {word} */"), "true"].why for word in memory + other}
    assert found == dict.fromkeys(memory, WhyNot.ALLOCATION) | dict.fromkeys(other, WhyNot.NO_PATH)
    assert "memory that malloc or calloc does not give" in reasons[line(PASSED, "/* need */"), "true"].because


BLOCKED = """
static int never(int x) {
  if (x) return 1; /* never */
  return 0;
}
int main(void) {
  unsigned a = nondet_int(), b = nondet_int(), sum = 0;
  if (a == 12345) { /* solved at once */
    for (unsigned i = 0; i < b; i++) sum += i * i;
    if (sum == 77777u) { /* hard */
      if (a > 5) /* behind */
        return never(a);
    }
  }
  return 0;
}
"""


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Summary:
    folder = tmp_path_factory.mktemp("stopped")
    return job(folder, BLOCKED, max_instructions=3_000, summarize=False, merge=False, invariants=False)[0]


def test_a_run_that_stops_says_what_is_behind_what(stopped: Summary) -> None:
    reasons = missing(stopped)
    hard, behind = line(BLOCKED, "/* hard"), line(BLOCKED, "/* behind")
    assert reasons[hard, "true"].why in (WhyNot.WAITING, WhyNot.REFUTED, WhyNot.OTHER_WAY)
    nearest = reasons[behind, "true"].hindrance
    assert reasons[behind, "true"].why is WhyNot.BEHIND and nearest is not None and nearest.location is not None
    assert (nearest.location.line, nearest.outcome) == (hard, "true")


def test_what_is_called_nowhere_is_told_apart_from_what_was_not_called(stopped: Summary) -> None:
    never = missing(stopped)[line(BLOCKED, "/* never"), "true"]
    assert never.why is WhyNot.NOT_CALLED
    (call,) = never.calls
    assert call.location is not None and call.location.line == line(BLOCKED, "return never(a)")
    assert {one.name: one.in_reach for one in stopped.coverage.functions if not one.covered} == {"never": True}


def test_a_function_that_nothing_leads_to(tmp_path: Path) -> None:
    code = """
int twice(int x) { return x > 9 ? x : 2 * x; }
int (*table[])(int) = {twice};
int lonely(int x) { if (x) return twice(x); return 3; }
int main(void) { int i = nondet_int(); if (i > 100 && i < 0) return table[0](i); return 0; }
"""
    summary, _ = job(tmp_path, code)
    functions = {one.name: (one.covered, one.in_reach) for one in summary.coverage.functions}
    assert functions == {"main": (True, True), "twice": (False, True), "lonely": (False, False)}
    reasons = {branch.function: branch.reason for branch in summary.coverage.branches if branch.reason is not None}
    assert {name: reason.why for name, reason in reasons.items() if reason is not None} == {
        "main": WhyNot.NO_PATH,
        "lonely": WhyNot.OUT_OF_REACH,
        **({"twice": WhyNot.NO_PATH} if "twice" in reasons else {}),
    }


def test_paths_that_wait_are_counted(tmp_path: Path) -> None:
    code = """
int main(void) {
  int n = 0;
  for (int i = 0; i < 40; i++) if (nondet_int() > i) n++;
  if (n == 40) return 1; /* last */
  return 0;
}
"""
    summary, _ = job(tmp_path, code, max_instructions=2_000, search="bfs", merge=False)
    reasons = missing(summary)
    waiting = [reason for reason in reasons.values() if reason.why is WhyNot.WAITING]
    assert summary.stopped is not None
    assert all(reason.paths > 0 and "waited when the run ended" in reason.because for reason in waiting)
    assert (line(code, "/* last"), "true") in reasons


PROGRAMS = [
    "int f(int x) { if (x > 10) { if (x < 5) return 1; return 2; } return 3; }"
    "int main(void) { return f(nondet_int()); }",
    "int main(void) { int a = nondet_int(), i = 0; while (i < 6 && i != a) i++;"
    " if (i == 3) return 1; if (i > 6) return 2; return 0; }",
    "int g(int n) { return n <= 0 ? 0 : 1 + g(n - 1); } int main(void) { int n = nondet_int(); if (n > 8) return 0;"
    " if (g(n) == 5) return 1; switch (n) { case 3: return 2; case 12: return 4; default: return 3; } }",
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("code", PROGRAMS)
@pytest.mark.parametrize("instructions", [30, 200, 1000])
def test_what_is_said_to_have_no_inputs_is_not_covered_by_a_whole_run(
    code: str, instructions: int, tmp_path: Path
) -> None:
    """The oracle: all paths."""
    plain = {"merge": False, "summarize": False, "invariants": False}
    part, _ = job(tmp_path, code, max_instructions=instructions)
    whole, _ = job(tmp_path, code, **plain)
    assert whole.stopped is None and not whole.losses

    def key(branch: BranchCoverage) -> tuple[object, str]:
        return branch.location, branch.outcome

    covered = {key(branch) for branch in whole.coverage.branches if branch.covered}
    excluded = (WhyNot.PROVED, WhyNot.NO_PATH, WhyNot.OUT_OF_REACH)
    claimed = [b for b in part.coverage.branches if b.reason is not None and b.reason.why in excluded]
    assert [key(branch) for branch in claimed if key(branch) in covered] == []
    assert all(branch.reason is not None for branch in part.coverage.branches if not branch.covered)


def test_runs_over_programs_of_their_own_are_taken_together(tmp_path: Path) -> None:
    """In the program of one of them, a branch has become an instruction."""
    code = """
int main(void) {
  int wanted = nondet_int(), fuse = wanted > 16 ? 16 : wanted;
  if (fuse > 20) return 1;
  if (fuse == 3) return nondet_int() > 7 ? 2 : 3;
  return 0;
}
"""
    path = tmp_path / "program.c"
    path.write_text(PRELUDE + code.replace("nondet_int", "__VERIFIER_nondet_int"), encoding="utf-8")
    request = VerifyRequest(files=(path,), max_instructions=12, compiler_flags=("-w",))
    ledger = Ledger(request, "verify", request.budget())
    for convert in (True, False):
        settings = ExploreSettings("branch", convert=convert, checks=("assert",))
        ready = ledger.enter(prepare_run(request, Listener(), request.budget(), settings))
        ready.engine.explore(ready.entry.start(ready.run))
    one, other = ({block.name for block in ready.run.program.functions["main"].blocks} for ready in ledger.runs)
    assert {edge[1] for edge in ledger.runs[1].engine.left()} - one and other > one
    summary = ledger.explained(ledger.summary(), Listener())
    reasons = [branch.reason for branch in summary.coverage.branches if not branch.covered]
    assert reasons != [] and None not in reasons
