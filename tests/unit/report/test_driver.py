"""``tests.c``: compiles beside the user's code, and feeds each test its inputs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.report.callplan import CallPlan, PlannedObject, Slot
from clew.report.driver import DriverTest, driver_source, literal
from clew.report.values import InputValue

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); float __VERIFIER_nondet_float(void);
void klee_make_symbolic(void *, unsigned long, const char *); int missing(int);
int main(int argc, char **argv) {
  char buf[4];
  int x = __VERIFIER_nondet_int(), m = missing(3);
  unsigned char c = __VERIFIER_nondet_uchar();
  float f = __VERIFIER_nondet_float();
  klee_make_symbolic(buf, sizeof buf, "buf");
  printf("%d %d %d %g %.4s %d %s %d %s\n", x, m, c, f, buf, argc, argv[1], getchar(), getenv("MODE"));
  return c;
}
"""
INPUTS = (
    InputValue("argv[1]", "char[3]", 24, b"hi\0", "object"),
    InputValue("stdin length", "unsigned int", 32, 1),
    InputValue("stdin", "char[2]", 16, b"A\0", "object"),
    InputValue("x", "int", 32, -5),
    InputValue("missing()", "int", 32, 12, "made-up"),
    InputValue("c", "unsigned char", 8, 200),
    InputValue("f", "float", 32, 1.5),
    InputValue("buf", "char[4]", 32, b'"*/?', "object"),
    InputValue("getenv(MODE) is null", "_Bool", 8, 0),
    InputValue("getenv(MODE)", "char[2]", 16, b"q\0", "object"),
)


def _compile(folder: Path, driver: str, program: str, *flags: str) -> Path:
    (folder / "tests.c").write_text(driver)
    (folder / "user.c").write_text(program)
    subprocess.run(["cc", "-w", *flags, "tests.c", "user.c", "-o", "t"], cwd=folder, check=True)
    return folder / "t"


def _run(program: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=20, check=False)
    return done.returncode, done.stdout


@needs_cc
def test_a_program(tmp_path: Path) -> None:
    tests = [DriverTest((), "nothing"), DriverTest(INPUTS, "all */ of them\\", (3,))]
    program = _compile(tmp_path, driver_source(tests, ["user.c"], "main"), PROGRAM)
    assert _run(program, "2") == (200, '-5 12 200 1.5 "*/? 2 hi 65 q\n')
    assert _run(program, "1")[0] == 97, "asks for more inputs than there are"
    code, out = _run(program)
    assert code == 1
    assert "test 1: exit 97 (nothing)" in out and "test 2: exit 200 (all */ of them\\)" in out
    assert _run(program, "3")[0] == 96


FUNCTION = """
#include <stdlib.h>
struct node { int value; struct node *next; };
struct big { long a[3]; };
int f(struct node *n, double d, struct big b, _Bool q) {
  if (!n) return 99;
  if (n->next != n && n->next) return 100 + n->next->value;
  return n->value + (d == 2.5) + (b.a[2] == 7) + q;
}
int main(void) { return 3; }
"""
PLAN = CallPlan(
    "i32",
    (Slot("ptr", target=0, null=0), Slot("f64", input=3), Slot("bytes", target=2), Slot("i1", input=5)),
    (
        PlannedObject(16, ((0, Slot("i32", input=1)), (8, Slot("ptr", target=1, null=2)))),
        PlannedObject(16, ((0, Slot("i32", input=1)),)),
        PlannedObject(24, ((16, Slot("i64", input=4)),)),
    ),
)


def _call(null: int, value: int, inner: int) -> DriverTest:
    numbers = [("_Bool", 8, null), ("int", 32, value), ("_Bool", 8, inner), ("double", 64, 2.5), ("long", 64, 7)]
    kinds = [*numbers, ("_Bool", 8, 1)]
    return DriverTest(tuple(InputValue(f"p{n}", *kind, "parameter") for n, kind in enumerate(kinds)))


@needs_cc
@pytest.mark.parametrize("static", [False, True])
def test_a_function(tmp_path: Path, static: bool) -> None:
    driver = driver_source([_call(1, 5, 0), _call(0, 5, 1), _call(0, 5, 0)], ["user.c"], "f", PLAN)
    if static:
        (tmp_path / "inner.c").write_text(FUNCTION.replace("int f", "static int f"))
        program = _compile(tmp_path, driver, "int unrelated;", '-DCLEW_SOURCE="inner.c"')
    else:
        program = _compile(tmp_path, driver, FUNCTION)
    assert [_run(program, str(number))[0] for number in (1, 2, 3)] == [99, 8, 105]


def test_plans_travel_as_json() -> None:
    assert CallPlan.from_json(PLAN.to_json()) == PLAN
    assert PLAN.inputs == 6
    for broken in ({}, {"result": "void", "parameters": [{"type": "ptr", "object": 3}], "objects": []}):
        with pytest.raises((KeyError, ValueError)):
            CallPlan.from_json(broken)


@given(st.binary(max_size=80))
def test_literals(data: bytes) -> None:
    text = literal(data)
    assert text.isascii() and "?" not in text
    read = "".join(part for part in text.split('"')[1::2])
    assert read.encode().decode("unicode_escape").encode("latin-1") == data
