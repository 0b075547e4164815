"""Loops opened for k-induction: whatever the program does, the opened program can do, and it is well-formed."""

from __future__ import annotations

import pytest

from clew.program.module import Program
from clew.techniques.invariants.induction.loop_opening import Opened, open_loops
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


def opened(code: Program | str, rounds: int, entry: str = "main", domain: str = "intervals") -> Opened:
    effects, found = analysed(code, entry, domain)
    result = open_loops(effects, found, rounds)
    verify_program(result.program)
    return result


@pytest.mark.slow
@pytest.mark.sample(5)
@pytest.mark.parametrize("rounds", [0, 1, 2])
@pytest.mark.parametrize("number", range(COUNT))
def test_what_the_program_reaches_the_opened_program_reaches(number: int, rounds: int) -> None:
    name = f"f{number}"
    assert not_reached(opened(functions(), rounds, name).program, name, real(name)) == set()


@pytest.mark.parametrize("rounds", [0, 1, 3])
@pytest.mark.parametrize("variable", ["s", "g", "a[1]", "cells[2]"])
def test_states_of_late_rounds_are_reached(variable: str, rounds: int) -> None:
    code = f"""static int g, cells[3];
    int main(void) {{
      int s = 0, a[2] = {{0}};
      for (int i = 0; i < 9; i++) {variable} += 2;
      if ({variable} == 18) reach_error();
      return 0;
    }}
    """
    assert ("error-call", 5) in bugs(opened(code, rounds).program)


@pytest.mark.parametrize("rounds", [0, 1, 2])
@pytest.mark.parametrize(
    "loop",
    [
        "while (any()) { if (any()) break; s++; if (s == 3) continue; s += 2; }",
        "do { switch (s) { case 1: goto out; case 2: s = 4; break; case 3: return 0; } } while (++s); out:;",
        "while (any()) while (s < 5) { s++; if (any()) goto out; } out:;",
        "for (int i = 0; i < 3; i++) { if (s > 7) exit(1); for (int j = 0; j < 3; j++) if (any()) { s++; continue; } }",
    ],
)
def test_ways_out_of_all_kinds(loop: str, rounds: int) -> None:
    code = f"""extern void exit(int); static int any(void) {{ return __VERIFIER_nondet_bool(); }}
    int main(void) {{ int s = 0;
      {loop}
      reach_error();
      return 0;
    }}
    """
    result = opened(code, rounds)
    assert not result.left
    assert ("error-call", 4) in bugs(result.program)


def test_what_is_supposed_is_used() -> None:
    code = """int main(void) {
      unsigned char a = 0, b = 0, c = 0;
      while (1) { a = b; b = c; c = __VERIFIER_nondet_uchar(); c *= c; if (a % 4 > 1) reach_error(); }
    }
    """
    assert [bool(bugs(opened(code, rounds).program)) for rounds in (0, 1, 2, 3)] == [True, True, False, False]


@pytest.mark.parametrize(
    "loop",
    [
        "for (int *p = a; p < a + 4; p++) s += *p;",
        "for (int i = 0; i < 9; i++) large[i] = i;",
        "if (s) goto in; while (s < 9) { s++; in: s += 2; }",
        "while (s < 9) { static void *to[] = {&&one, &&out}; goto *to[s & 1]; one: s++; } out:;",
    ],
)
def test_loops_that_are_left(loop: str) -> None:
    code = f"int large[200]; int main(void) {{ int s = __VERIFIER_nondet_int() & 7, a[4] = {{0}}; {loop} return s; }}"
    result = opened(code, 2)
    assert result.left and not result.loops
    assert result.program.functions["main"] == c_program(code).functions["main"]


def test_loops_of_few_rounds_are_left() -> None:
    code = """
        extern int __VERIFIER_nondet_int(void);
        int main(void) {
          unsigned x = 8;
          while (__VERIFIER_nondet_int()) for (int i = 0; i < 3; i++) x = x * x + 5;
          return x;
        }"""
    few, enough = opened(code, 2, domain="octagons"), opened(code, 3, domain="octagons")
    assert (len(few.loops), len(enough.loops), few.left, enough.left) == (2, 1, (), ())
    assert enough.loops[0] in few.loops
