"""Loops cut open: whatever the program does, the cut program can do; what it cannot do is proved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.execute.instrument.loop_surgery import LoopSurgery
from clew.program.module import Program
from clew.techniques.acceleration.rewriting import Accelerated, TreatedLoop, Treatment
from clew.techniques.invariants.loop_cutting import InvariantCutting
from unit.execute.support import c_program
from unit.techniques.invariants.loop_functions import (
    COUNT,
    analysed,
    bugs,
    functions,
    not_reached,
    real,
    verify_program,
)

DOMAINS = ("octagons", "intervals")
"""Polyhedra are slow on such functions; whatever the invariants are, the law holds."""


def opened(code: Program | str, entry: str = "main", bound: int = 0, domain: str = "polyhedra") -> Accelerated:
    effects, found = analysed(code, entry, domain)
    functions, loops = dict(effects.program.functions), []
    for name in sorted({frame.function.name for frame in found.frames}):
        surgery = LoopSurgery(functions[name])
        cutting = InvariantCutting(effects, found, surgery, name)
        for loop in cutting.outline.forest.loops:
            treatment = Treatment.CUT if cutting.cut(loop, bound) else Treatment.LEFT
            loops.append(TreatedLoop(name, cutting.outline.graph.names[loop.header], treatment, ""))
        functions[name] = surgery.function()
    cut = Accelerated(replace(effects.program, functions=functions), tuple(loops))
    verify_program(cut.program)
    return cut


@pytest.mark.slow
@pytest.mark.sample(5)
@pytest.mark.parametrize("bound", [0, 2])
@pytest.mark.parametrize("number", range(COUNT))
def test_what_the_program_reaches_the_cut_program_reaches(number: int, bound: int) -> None:
    name = f"f{number}"
    cut = opened(functions(), name, bound, domain=DOMAINS[number % len(DOMAINS)])
    assert not_reached(cut.program, name, real(name)) == set()


@pytest.mark.slow
def test_these_functions_do_reach_something_and_have_loops_that_are_cut() -> None:
    names = [f"f{number}" for number in range(COUNT)]
    assert sum(len(real(name)) for name in names) >= 2 * COUNT
    assert sum(len(opened(functions(), name, domain="intervals").replaced) for name in names) > COUNT


@pytest.mark.parametrize("bound", [0, 2])
@pytest.mark.parametrize("variable", ["s", "g", "a[1]", "cells[2]"])
def test_states_of_late_iterations_are_reached(variable: str, bound: int) -> None:
    code = f"""static int g, cells[3];
    int main(void) {{
      int s = 0, a[2] = {{0}};
      for (int i = 0; i < 9; i++) {variable} += 2;
      if ({variable} == 18) reach_error();
      return 0;
    }}
    """
    assert ("error-call", 5) in bugs(opened(code, bound=bound).program)


# Proofs


@pytest.mark.sample(3)
@pytest.mark.parametrize("bound", [0, 2])
@pytest.mark.parametrize(
    ("code", "holds"),
    [
        ("unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 5; while (i < n) { i++; j = i + 5; }", "i == n"),
        ("int x = 0; while (__VERIFIER_nondet_bool()) if (x < 9) x++;", "x >= 0 && x <= 9"),
        ("static int g; g = 3; do { g = g == 3 ? 4 : 3; } while (__VERIFIER_nondet_bool());", "g >= 3 && g <= 4"),
        ("int i, k = 0; for (i = 0; i < 50; i++) for (int j = 0; j < 9; j++) k = j;", "i == 50 && k < 9"),
        ("int a[3] = {0}; for (int i = 0; i < 1000; i++) { a[1] = i; }", "a[1] < 1000 && a[1] >= 0"),
    ],
)
def test_what_the_cut_program_does_not_violate_holds(code: str, holds: str, bound: int) -> None:
    cut = opened(f"int main(void) {{ {code}\n if (!({holds})) reach_error(); return 0; }}", bound=bound)
    assert len(cut.replaced) == len(cut.loops)
    assert bugs(cut.program) == set()
    far = opened(f"int main(void) {{ {code}\n reach_error(); return 0; }}", bound=bound)
    assert bugs(far.program) == {("error-call", 2)}, "the end is reached all the same"


def test_an_invariant_that_is_too_weak_proves_nothing() -> None:
    code = """int main(void) {
      int i = 0, j = 0, n = __VERIFIER_nondet_int();
      while (i < n) { i++; j++; }
      if (i != j) reach_error();
      return 0;
    }
    """
    assert bugs(opened(code).program) == set()
    assert bugs(opened(code, domain="intervals").program) == {("error-call", 4)}


def test_iterations_up_to_the_bound_are_as_they_are() -> None:
    code = """int main(void) {
      unsigned x = 1, i;
      for (i = 0; i < 3; i++) x = x * x + 1;
      if (x != 26) reach_error();
      return 0;
    }
    """
    assert bugs(opened(code, bound=0).program) == {("error-call", 4)}, "x is anything after the first iteration"
    assert bugs(opened(code, bound=3).program) == set()


def test_a_loop_that_never_comes_back_has_no_second_iteration() -> None:
    cut = opened("""int main(void) {
      int n = 1;
      while (n) { if (n != 1) reach_error(); n = 0; if (n) continue; break; }
      return n;
    }
    """)
    assert bugs(cut.program) == set()


# What is cut, and what is not


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < 9; i++) s += i;",
        "for (int i = 0; i < 9; i++) a[i & 3] += i;",
        "for (int i = 0; i < 9; i++) count();",
        "for (double d = 0; d < 9; d++) s++;",
        "for (int i = 0; i < 9; i++) s += __VERIFIER_nondet_int();",
        "for (int i = 0; i < 9; i++) global[i] = 0;",
        "do { if (s == 3) abort(); s++; } while (s < 9);",
    ],
)
def test_loops_that_can_be_cut(loop: str) -> None:
    cut = opened(FRAME.format(loop))
    assert [(loop.function, loop.treatment) for loop in cut.loops] == [("main", Treatment.CUT)]


@pytest.mark.parametrize(
    "loop",
    [
        "for (int *p = a; p < a + 4; p++) s += *p;",
        "for (int i = 0; i < 9; i++) global_pointer = malloc(4);",
        "for (int i = 0; i < 9; i++) *global_pointer = i;",
        "for (int i = 0; i < 9; i++) large[i] = i;",
        'for (int i = 0; i < 9; i++) puts("x");',
        "for (int i = 0; i < 9; i++) through(i);",
        "for (int i = 0; i < 9; i++) other(i);",
        "for (int i = 0; i < 9; i++) { int v[s + 1]; v[0] = i; s = v[0]; }",
        "if (s) goto in; while (s < 9) { s++; in: s += 2; }",
    ],
)
def test_loops_that_are_left(loop: str) -> None:
    cut = opened(FRAME.format(loop))
    assert [(loop.function, loop.treatment) for loop in cut.loops] == [("main", Treatment.LEFT)]
    assert cut.program.functions["main"] == c_program(FRAME.format(loop)).functions["main"]


FRAME = """
extern void abort(void);
extern int puts(const char *), other(int);
static int global[9], large[200], *global_pointer;
static void count(void) {{ global[0] += 2; }}
static int one(int x) {{ return 1; }}
static int two(int x) {{ return 2; }}
int (*volatile through)(int) = one;
int (*second)(int) = two;
int main(void) {{
  int s = __VERIFIER_nondet_int() & 7, a[4] = {{0}};
  global_pointer = malloc(4);
  {}
  return s;
}}
"""


def test_loops_of_functions_that_are_called_in_several_places() -> None:
    code = """
    static int count(int to) { int n = 0; while (n < to) n++; return n; }
    int main(void) {
      if (count(3) < 0) reach_error();
      if (count(100) == 100) reach_error();
      return 0;
    }
    """
    cut = opened(code)
    assert [loop.function for loop in cut.replaced] == ["count"]
    assert bugs(cut.program) == {("error-call", 5)}


def test_locals_of_a_function_that_waits_for_this_one_are_not_renewed() -> None:
    code = """
    static void fill(int *p) { for (int i = 0; i < 9; i++) *p = i; }
    int main(void) { int x = 0; fill(&x); if (x == 8) reach_error(); return 0; }
    """
    cut = opened(code)
    assert cut.loops and not cut.replaced
    assert bugs(cut.program) == {("error-call", 3)}


def test_a_loop_whose_way_back_is_computed() -> None:
    code = """int main(void) {
      int i = 0, n = __VERIFIER_nondet_uchar() & 3;
      static void *ways[2] = {&&top, &&out};
    top:
      i++;
      goto *ways[i > n];
    out:
      if (i == 3) reach_error();
      return 0;
    }
    """
    assert bugs(code) == {("error-call", 8)}
    assert bugs(opened(code).program) == {("error-call", 8)}


def test_a_variable_of_the_body_that_lives_in_memory() -> None:
    cut = opened("""int main(void) {
      int i = 0, n = __VERIFIER_nondet_int();
      while (i < n) { int inner[2]; inner[i & 1] = i; inner[1] = i; if (inner[1] < 0) reach_error(); i = inner[1] + 1; }
      return 0;
    }
    """)
    assert len(cut.replaced) == 1
    assert bugs(cut.program) == set()
