"""Re-execution: every way a run with given inputs can end."""

from __future__ import annotations

import pytest

from clew.base.errors import UserError
from clew.execute.heap.surroundings import HeapOptions
from clew.jobs.reexecution import find_entry
from clew.report.values import InputValue
from support.concrete import run_concrete
from unit.execute.support import c_program, concrete

CODE = """
int printf(const char *, ...);
int main(void) {
  int a = __VERIFIER_nondet_int();
  printf("got %d\\n", a);
  if (a == 1) return 300;
  if (a == 2) return 1 / (a - 2);
  if (a == 3) __VERIFIER_assume(a < 3);
  if (a == 4) return __VERIFIER_nondet_int();
  if (a == 5) for (;;) a = 5;
  return a;
}
"""


def test_exit_code_and_output() -> None:
    outcome = concrete(CODE, 1)
    assert (outcome.end, outcome.exit_code, outcome.stdout) == ("exit", 300 & 0xFF, b"got 1\n")
    assert concrete(CODE, -1).exit_code == 255
    assert outcome.instructions > 0


def test_bug_with_its_place() -> None:
    outcome = concrete(CODE, 2)
    assert (outcome.end, outcome.kind) == ("bug", "division-by-zero")
    assert outcome.location is not None and outcome.location.line == 7
    assert outcome.stdout == b"got 2\n"
    assert outcome.exit_code is None


def test_failed_assumption() -> None:
    assert concrete(CODE, 3).end == "dropped"


def test_out_of_inputs() -> None:
    outcome = concrete(CODE, 4)
    assert outcome.end == "lost"
    assert "more inputs" in outcome.detail
    assert concrete(CODE, 4, 9).exit_code == 9


def test_instruction_limit() -> None:
    outcome = run_concrete(c_program(CODE), [5], 100_000)
    assert outcome.end == "stopped"
    assert outcome.instructions >= 100_000


HEAD_THAT_LEADS_ON = """
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = 1, rounds = 0;
  while (1) {
    if (a > b) a -= b;
    else if (b > a) b -= a;
    else break;
    rounds += a & 1;
    if (rounds > 4000000) return 1;
  }
  return 0;
}
"""


def test_the_limit_holds_where_the_head_of_a_loop_is_only_a_jump() -> None:
    """Generated code writes such a head at each of its predecessors."""
    outcome = run_concrete(c_program(HEAD_THAT_LEADS_ON), [2_000_000], 100_000)
    assert outcome.end == "stopped"
    assert 100_000 <= outcome.instructions < 200_000


def test_coverage_of_one_run() -> None:
    first, second = concrete(CODE, 1).covers, concrete(CODE, 9).covers
    assert len(first) == 1
    assert len(second) == 5
    assert first.isdisjoint(second)


def test_typed_inputs() -> None:
    code = """
    int main(void) {
      unsigned char c = __VERIFIER_nondet_uchar(); double d = __VERIFIER_nondet_double();
      _Bool b = __VERIFIER_nondet_bool();
      return c == 200 && d == 1.5 && b;
    }
    """
    given = [
        InputValue("c", "unsigned char", 8, 200),
        InputValue("d", "double", 64, 1.5),
        InputValue("b", "_Bool", 1, 1),
    ]
    assert run_concrete(c_program(code), given).exit_code == 1


def test_uninitialized_values_show_again() -> None:
    outcome = concrete("int main(void) { int x; int *p = &x; if (*p) return 1; return 2; }")
    assert (outcome.end, outcome.kind) == ("bug", "uninitialized")


def test_entries() -> None:
    program = c_program("int helper(int x) { return x; } int main(void) { return helper(3); }")
    assert find_entry(program, None).as_program
    chosen = find_entry(program, "helper", HeapOptions(4))
    assert (chosen.function.name, chosen.as_program, chosen.heap.array_length) == ("helper", False, 4)
    with pytest.raises(UserError, match="helper"):
        find_entry(program, "helpr")
    with pytest.raises(UserError, match="no main"):
        find_entry(c_program("int f(void) { return 1; }"), None)
