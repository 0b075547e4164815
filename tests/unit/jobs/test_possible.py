"""Reports that rest on something made up: their class, what they say, and what they do to verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.base.options import ReachRequest, TestRequest, VerifyRequest
from clew.cli.exits import exit_of
from clew.jobs.reach import run_reach
from clew.jobs.test import run_test
from clew.jobs.verify import run_verify
from clew.report.listener import Listener
from clew.report.records import Bug, Summary
from unit.execute.support import PRELUDE

RESTING = "depends on what sensor() returns, which is not defined here"


class Heard(Listener):
    def __init__(self) -> None:
        self.bugs: list[Bug] = []

    def bug_found(self, bug: Bug) -> None:
        self.bugs.append(bug)


def _file(folder: Path, code: str) -> Path:
    file = folder / "p.c"
    start = PRELUDE + '#include <assert.h>\nint sensor(void);\nint *cell(void);\n#line 1 "p.c"\n'
    file.write_text(start + code, encoding="utf-8")
    return file


def explored(folder: Path, code: str, heard: Listener | None = None, **options: Any) -> Summary:
    options = {"seconds": 30.0, "compiler_flags": ("-w",), **options}
    return run_test(TestRequest((_file(folder, code),), **options), heard or Listener())


def verified(folder: Path, code: str, **options: Any) -> Summary:
    options = {"seconds": 30.0, "compiler_flags": ("-w",), **options}
    return run_verify(VerifyRequest((_file(folder, code),), **options), Listener())


def reached(folder: Path, code: str, **options: Any) -> Summary:
    options = {"seconds": 30.0, "compiler_flags": ("-w",), **options}
    return run_reach(ReachRequest((_file(folder, code),), **options), Listener())


def found(summary: Summary) -> list[tuple[str, int, str]]:
    return [(bug.kind, bug.location.line if bug.location else 0, bug.report_class) for bug in summary.bugs]


def test_what_a_made_up_result_decides_is_possible(tmp_path: Path) -> None:
    code = "int main(void) {\n  int s = sensor();\n  assert(s != 3);\n  return 0;\n}\n"
    summary = explored(tmp_path, code)
    assert found(summary) == [("assert", 3, "possible")]
    assert summary.bugs[0].rests_on == RESTING
    assert summary.bugs[0].confirmed
    assert exit_of(summary) == 0
    assert summary.reason.startswith("0 bugs found, 1 possible")


def test_a_failure_that_says_nothing_about_the_result_is_a_bug(tmp_path: Path) -> None:
    code = "int main(void) { int s = sensor();\n  assert(__VERIFIER_nondet_int() != 3);\n  return s; }\n"
    summary = explored(tmp_path, code)
    assert found(summary) == [("assert", 2, "bug")]
    assert exit_of(summary) == 1


REGARDLESS = """int main(void) {
  int x = __VERIFIER_nondet_int();
  int noise = 0;
  if (sensor() > 5) noise = 1;
  if (sensor() < noise) noise += 2;
  if (x == 77) return noise / (x - 77);
  return 0;
}
"""


def test_a_failure_that_shows_whatever_the_results_are_is_a_bug(tmp_path: Path) -> None:
    summary = explored(tmp_path, REGARDLESS)
    assert found(summary) == [("division-by-zero", 6, "bug")]
    verdict = verified(tmp_path, REGARDLESS.replace("return noise / (x - 77)", "assert(noise < 0)"))
    assert (verdict.verdict, exit_of(verdict)) == ("FALSE", 1)


def test_results_that_lead_to_undefined_behaviour_before_do_not_count(tmp_path: Path) -> None:
    code = """int main(void) {
  int x = __VERIFIER_nondet_int();
  int noise = sensor() * 3;
  assert(noise == 0 || x != 5);
  return 0;
}
"""
    summary = explored(tmp_path, code.replace("noise == 0 || ", ""))
    assert found(summary) == [("assert", 4, "bug"), ("signed-overflow", 3, "possible")]
    summary = explored(tmp_path, code)
    assert found(summary) == [("assert", 4, "possible"), ("signed-overflow", 3, "possible")]


SUPERSEDED = """int main(void) {
  int a[4] = {0};
  int i = 0;
  if (__VERIFIER_nondet_int() == 12345) i = __VERIFIER_nondet_int(); else i = sensor();
  return a[i & 7];
}
"""


@pytest.mark.parametrize("merge", [False, True])
def test_a_bug_is_still_looked_for_where_a_possible_one_was_found(tmp_path: Path, merge: bool) -> None:
    heard = Heard()
    summary = explored(tmp_path, SUPERSEDED, heard, search="dfs", merge=merge)
    assert found(summary) == [("out-of-bounds", 5, "bug")]
    assert [bug.report_class for bug in heard.bugs] == ["possible", "bug"], "the order in which they are found"


MAYBE = """int main(void) {
  int s = sensor();
  int x = __VERIFIER_nondet_int();
  if (s == 7) {
    assert(x != 9);
  }
  return 0;
}
"""


@pytest.mark.parametrize("strategy", ["auto", "plain", "conflicts"])
def test_possible_violations_leave_verify_without_an_answer(tmp_path: Path, strategy: str) -> None:
    summary = verified(tmp_path, MAYBE, strategy=strategy)
    assert (summary.verdict, exit_of(summary)) == ("UNKNOWN", 3)
    assert [(item.verdict, item.reason) for item in summary.properties] == [
        ("UNKNOWN", f"a path may violate it: {RESTING}")
    ]
    assert found(summary) == [("assert", 5, "possible")]


@pytest.mark.parametrize("strategy", ["auto", "plain", "conflicts"])
def test_verify_finds_the_violation_that_needs_nothing_made_up(tmp_path: Path, strategy: str) -> None:
    code = MAYBE.replace("if (s == 7)", "if (s == 7 || x == 9)")
    summary = verified(tmp_path, code, strategy=strategy)
    assert summary.verdict == "FALSE"
    assert found(summary) == [("assert", 5, "bug")]


@pytest.mark.parametrize("strategy", ["auto", "plain", "chains"])
def test_a_way_that_rests_on_something_made_up_does_not_reach(tmp_path: Path, strategy: str) -> None:
    summary = reached(tmp_path, MAYBE, line=5, strategy=strategy)
    assert (summary.verdict, exit_of(summary)) == ("UNKNOWN", 3)
    assert summary.reason == f"a path may lead to p.c:5: {RESTING}"
    code = MAYBE.replace("if (s == 7)", "if (s == 7 || x == 1)")
    assert reached(tmp_path, code, line=5, strategy=strategy).verdict == "REACHED"


UNSET = """int main(void) {
  int x;
  if (__VERIFIER_nondet_int() == 1) x = 1;
  assert(x != 5);
  return 0;
}
"""


def test_values_never_set_are_the_same_to_all_commands(tmp_path: Path) -> None:
    summary = explored(tmp_path, UNSET, checks=("assert",))
    assert found(summary) == [("assert", 4, "bug")]
    assert summary.bugs[0].confirmed
    assert verified(tmp_path, UNSET, checks=("assert",)).verdict == "FALSE"
    assert reached(tmp_path, UNSET, call="__assert_fail").verdict == "REACHED"
    assert found(explored(tmp_path, UNSET)) == [("uninitialized", 4, "bug")], "where that is asked for, too"


CALLED_BACK = "void reg(int (*)(int)); void loop(void);\n"
CHECKED = "int h(int v) {\n  assert(v != 5);\n  return 0; }\n"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("static " + CHECKED + "int main(void) { reg(h); return 0; }\n", "reg() is not defined anywhere"),
        ("static " + CHECKED + "int main(void) { h(2); reg(h); return 0; }\n", "reg() is not defined anywhere"),
        (
            "struct ops { int (*f)(int); }; void use(struct ops *); static " + CHECKED
            + "static struct ops o = {h}; int main(void) { use(&o); return 0; }\n",
            "use() is not defined anywhere",
        ),
        (CHECKED + "int main(void) { loop(); return 0; }\n", "loop() is not defined anywhere"),
        (CHECKED + "int main(void) { h(2); loop(); return 0; }\n", "loop() is not defined anywhere"),
        (
            "static int inner(int v) { assert(v != 5); return v; }\nint h(int v) { return inner(v); }\n"
            "int main(void) { loop(); return 0; }\n",
            "which leads here",
        ),
        (
            "unsigned alarm(unsigned); void (*signal(int, void (*)(int)))(int);\n"
            "static void h(int n) { assert(n != 14); }\nint main(void) { signal(14, h); alarm(1); return 0; }\n",
            "alarm() on the way",
        ),
        (
            "extern void (*hook)(void);\n" + CHECKED + "int main(void) { if (hook) hook(); return 0; }\n",
            "hook is not defined anywhere",
        ),
    ],
    ids=["callback", "called-before", "in-a-struct", "external", "external-called-before", "below", "signal", "hook"],
)  # fmt: skip
def test_what_unknown_code_may_call_is_not_proved(tmp_path: Path, code: str, why: str) -> None:
    summary = verified(tmp_path, CALLED_BACK + code)
    assert summary.verdict == "UNKNOWN"
    assert why in summary.reason


def test_what_unknown_code_cannot_call_is_proved(tmp_path: Path) -> None:
    code = "static int h(int v) { assert(v == 2); return v; }\nint main(void) { h(2); loop(); return 0; }\n"
    assert verified(tmp_path, CALLED_BACK + code).verdict == "TRUE"
    code = "static " + CHECKED + "int main(void) { int (*f)(int) = h; return f(2); }\n"
    assert verified(tmp_path, code).verdict == "TRUE"


@pytest.mark.parametrize("strategy", ["auto", "plain", "chains"])
def test_what_unknown_code_may_call_is_not_unreachable(tmp_path: Path, strategy: str) -> None:
    code = CALLED_BACK + CHECKED + "int main(void) { h(2); loop(); return 0; }\n"
    summary = reached(tmp_path, code, call="__assert_fail", strategy=strategy)
    assert (summary.verdict, "loop()" in summary.reason) == ("UNKNOWN", True)
    code = CALLED_BACK + CHECKED + "int main(void) { loop(); return 0; }\n"
    assert reached(tmp_path, code, call="h", strategy=strategy).verdict == "UNKNOWN"


def test_dead_code_of_a_function_that_unknown_code_may_call_is_unreachable(tmp_path: Path) -> None:
    code = "void loop(void);\nint h(int v) { return v;\nout: return 1; }\nint main(void) { loop(); return 0; }\n"
    assert reached(tmp_path, code, label="out").verdict == "UNREACHABLE"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "code",
    [
        "static int x = 9; void each(void (*)(void)); static void set(void) { x = 1; }\n"
        "int main(void) { int a[4] = {0}; each(set); return a[x]; }\n",
        "static int x = 9; void each(void (*)(void)); void poll(void); static void set(void) { x = 1; }\n"
        "int main(void) { int a[4] = {0}; each(set); x = 9; poll(); return a[x]; }\n",
        "static int x = 9; void poll(void); static void put(void) { x = 1; } void set(void) { put(); }\n"
        "int main(void) { int a[4] = {0}; poll(); return a[x]; }\n",
        "static int x = 9; int *getx(void) { return &x; } void tick(void);\n"
        "int main(void) { int a[4] = {0}; tick(); return a[x]; }\n",
        "static int x = 9; int *const shown = &x; void tick(void);\n"
        "int main(void) { int a[4] = {0}; tick(); return a[x]; }\n",
        "void reg(int *); void tick(void);\n"
        "int main(void) { int x = 9, a[4] = {0}; reg(&x); x = 9; tick(); return a[x]; }\n",
        "struct s { int *p; long n; }; void reg(struct s);\n"
        "int main(void) { int x = 9, a[4] = {0}; struct s v = {&x, 1}; reg(v); return a[x]; }\n",
        "void reg(long);\nint main(void) { int x = 9, a[4] = {0}; reg((long)&x); return a[x]; }\n",
        "void reg(int *);\n"
        "int main(void) { int x[2] = {9, 9}, a[4] = {0}; reg(__VERIFIER_nondet_int() ? x : x + 1); return a[x[0]]; }\n",
    ],
    ids=["callback", "kept-callback", "external", "gives-away", "in-a-constant", "kept", "struct", "number", "choice"],
)
def test_what_unknown_code_can_get_at_may_change(tmp_path: Path, code: str) -> None:
    assert [kind for kind, _, kind_of in found(explored(tmp_path, code)) if kind_of == "possible"] == ["out-of-bounds"]


@pytest.mark.parametrize(
    "code",
    [
        "static int x = 9; void each(int (*)(void)); static int get(void) { return x; }\n"
        "int main(void) { int a[4] = {0}; each(get); return a[x]; }\n",
        "static int x = 9; int get(void) { return x; } void tick(void);\n"
        "int main(void) { int a[4] = {0}; x = 8; tick(); return a[x]; }\n",
    ],
    ids=["callback-reads", "external-reads"],
)
def test_what_unknown_code_can_only_read_stays(tmp_path: Path, code: str) -> None:
    assert [(kind, kind_of) for kind, _, kind_of in found(explored(tmp_path, code))] == [("out-of-bounds", "bug")]


def test_a_call_under_a_condition_may_not_return(tmp_path: Path) -> None:
    code = "void die(const char *);\nint main(void) { int n = __VERIFIER_nondet_int(), a[4] = {0};\n"
    guarded = code + '  if (n < 0 || n > 3) die("x");\n  return a[n]; }\n'
    summary = explored(tmp_path, guarded)
    assert [(kind, kind_of) for kind, _, kind_of in found(summary)] == [("out-of-bounds", "possible")]
    assert summary.bugs[0].rests_on == "depends on whether die() returns, which is not defined here"


@pytest.mark.parametrize(
    "body",
    [
        'if (n == 9) die("x");\n  return a[n];',  # it also shows where it is not called
        'die("x");\n  return a[n];',
        'while (n < 5) { n = 7; die("x"); }\n  return a[n];',
    ],
    ids=["elsewhere-too", "always", "loop"],
)
def test_other_calls_return(tmp_path: Path, body: str) -> None:
    code = "void die(const char *);\nint main(void) { int n = __VERIFIER_nondet_int(), a[4] = {0};\n  "
    summary = explored(tmp_path, code + body + " }\n")
    assert [(kind, kind_of) for kind, _, kind_of in found(summary)] == [("out-of-bounds", "bug")]


TABLE = """#include <stdlib.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*table[4])(int, int) = {add, sub, add};
int run(unsigned n) {
  int r = table[n & 3](n & 7, 4);
  if (r == -3) abort();
  return r;
}
"""


def test_a_table_of_the_program_has_functions_of_the_program(tmp_path: Path) -> None:
    """Which one an input chooses is no question of what callers pass."""
    summary = explored(tmp_path, TABLE, function="run")
    assert sorted(found(summary)) == [("abort", 7, "bug"), ("null-dereference", 6, "bug")]
    assert not summary.losses
    assert {item.name for item in summary.coverage.functions if item.covered} == {"add", "sub", "run"}
