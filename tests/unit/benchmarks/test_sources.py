"""The rewritings of tasks: the text they give, that it compiles, and that it does what is meant."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.sources import bounded, visible_errors

pytestmark = pytest.mark.native

ERROR = "extern void __VERIFIER_error(void) __attribute__((__noreturn__));\n#line 1\n"
EXIT = "extern void exit(int) __attribute__((__noreturn__));\n#line 1\n"


def test_the_label_becomes_a_call() -> None:
    text = "int f(void) {\n  goto ERROR;\n  ERROR: \n#line 7\n  return (-1);\n}\n"
    assert visible_errors(text) == ERROR + text.replace("ERROR: ", "ERROR: __VERIFIER_error(); ")


@pytest.mark.parametrize(
    "text",
    [
        "int f(void) { return 0; }",
        "int f(void) {\n  //ERROR: \n  /* ERROR: */\n  return 0;\n}",
        'char *s = "; ERROR: ";',
        "#define STOP ; ERROR: f()\n",
        "int f(int c) { switch (c) { case ERROR: return 1; } return c ? ERROR : 0; }",
        "void f(void) { ERROR: __VERIFIER_error(); }",
        "void f(void) { ERROR: reach_error(); }",
        "int x = NO_ERROR;",
    ],
)
def test_no_label_no_change(text: str) -> None:
    assert visible_errors(text) == text


@pytest.mark.parametrize("before", ["{ ", "; ", "} ", "next: ", "if (x) ", "else "])
def test_where_a_label_may_stand(before: str) -> None:
    assert visible_errors(f"{before}ERROR: ;").endswith(f"{before}ERROR: __VERIFIER_error(); ;")


def test_a_loop_gets_a_counter() -> None:
    text = "int main(void)\n{ int x;\n  while (1) {\n    again: /* label */ ;\n    f();\n  }\n}\n"
    assert bounded(text, 50) == EXIT + (
        "int main(void)\n{ int clew_passes_0 = 0; int x;\n  for (clew_passes_0 = 0; ; ) {\n"
        "    again: if (clew_passes_0++ >= 50) exit(0); /* label */ ;\n    f();\n  }\n}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "int f(int n) { while (n) n--; for (;;) ; }",
        'void f(void) { /* while (1) */ g("while (1)"); // while (1) {\n }',
        "#define FOREVER while (1)\n",
        "void f(void) { while (1 == 1) ; }",
    ],
)
def test_other_loops_stay(text: str) -> None:
    assert bounded(text, 3) == text


def test_every_loop_has_a_counter_of_its_own() -> None:
    text = "void f(void) { while(1) { while ( 1 ) ; } }\nvoid g(void) { while (1) h(); }\n"
    new = bounded(text, 2)
    assert "while" not in new
    assert new.count("int clew_passes_") == 3
    assert "void g(void) { int clew_passes_2 = 0; for (clew_passes_2 = 0; clew_passes_2 < 2 || " in new


def test_both_rewritings_follow_one_another() -> None:
    text = "int main(void) { while (1) { if (f()) goto ERROR; } ERROR: return 1; }"
    new = bounded(visible_errors(text), 5)
    assert "ERROR: __VERIFIER_error(); return 1;" in new and "exit(0)" in new


PROGRAM = """\
#include <stdio.h>
static void inner(int n) {
  int done = 0;
  while (1) {
    if (done == n)
      return;
    done++;
  }
}
int main(int argc, char **argv) {
  int passes = 0;
  (void)argv;
  inner(3);
  inner(4);
  if (argc > 1)
    do {
      passes++;
      if (passes == 4)
        break;
    } while (1);
  else
    passes = 0;
  printf("%d\\n", passes);
  passes = 0;
  LOOP
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="no system compiler")
@pytest.mark.parametrize(
    "loop",
    [
        'while (1) { printf("%d\\n", ++passes); fflush(stdout); }',
        'while(1) if (1) { printf("%d\\n", ++passes); fflush(stdout); continue; }',
        'while (1) { again: ; printf("%d\\n", ++passes); fflush(stdout); goto again; }',
        'do { printf("%d\\n", ++passes); fflush(stdout); } while (1);',
        'goto in; while (1) { in: printf("%d\\n", ++passes); fflush(stdout); }',
    ],
)
def test_the_program_ends_after_its_passes(loop: str, tmp_path: Path) -> None:
    """Five passes at most: the loops that end earlier end as ever, the endless one ends the program, with code 0."""
    source = tmp_path / "loops.c"
    source.write_text(bounded(PROGRAM.replace("LOOP", loop), 5), encoding="utf-8")
    program = tmp_path / "loops"
    compiled = subprocess.run(
        ["cc", "-w", str(source), "-o", str(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert compiled.returncode == 0, compiled.stderr
    done = subprocess.run([program, "x"], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 0
    assert done.stdout.split() == ["4", "1", "2", "3", "4", "5"]
