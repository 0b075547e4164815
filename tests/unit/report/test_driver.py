"""``tests.c``: compiles beside the user's code, and feeds each test its inputs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.report.callplan import CallPlan, Slot
from clew.report.csyntax import literal
from clew.report.driver import driver_source
from clew.report.values import HeapByte, InputValue, Pointee
from clew.report.writers import DriverTest

pytestmark = pytest.mark.native

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


@pytest.mark.slow
@needs_cc
def test_a_program(tmp_path: Path) -> None:
    tests = [DriverTest((), "nothing"), DriverTest(INPUTS, "all */ of them\\", (b"program", 3))]
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
    (Slot("ptr", pointer=0), Slot("f64", input=0), Slot("bytes", given=0, count=24), Slot("i1", input=1)),
)


def _call(null: int, value: int, inner: int) -> DriverTest:
    """A struct passed by value, and a list of no, one or two nodes."""
    outer = Pointee("null") if null else Pointee("object", 1)
    following = Pointee("null") if inner else Pointee("object", 2)
    return DriverTest(
        (
            InputValue("p0", "struct node *", 64, 0, "pointer", points=outer),
            InputValue("p1", "double", 64, 2.5, "parameter"),
            InputValue("p3", "_Bool", 8, 1, "parameter"),
            InputValue("p2", "struct big", 64, 24, "memory", at=HeapByte(0)),
            InputValue("p2.c", "long", 64, 7, "cell", at=HeapByte(0, 16)),
            InputValue("*p0", "struct node", 64, 16, "memory", at=HeapByte(1)),
            InputValue("p0->v", "int", 32, value, "cell", at=HeapByte(1)),
            InputValue("p0->next", "struct node *", 64, 0, "cell", at=HeapByte(1, 8), points=following),
            InputValue("*p0->next", "struct node", 64, 16, "memory", at=HeapByte(2)),
            InputValue("p0->next->v", "int", 32, value, "cell", at=HeapByte(2)),
        )
    )


@pytest.mark.slow
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
    assert PLAN.inputs == 2
    old = {"type": "ptr", "object": 0, "null": 0}
    for broken in (
        {},
        {"result": "void", "parameters": [{"type": "pointer"}]},
        {"result": "void", "parameters": [old]},
    ):
        with pytest.raises((KeyError, ValueError)):
            CallPlan.from_json(broken)


@given(st.binary(max_size=80))
def test_literals(data: bytes) -> None:
    text = literal(data)
    assert text.isascii() and "?" not in text
    read = "".join(part for part in text.split('"')[1::2])
    assert read.encode().decode("unicode_escape").encode("latin-1") == data
