"""Forks: how many paths there are, what siblings share, where they go on."""

from __future__ import annotations

import pytest

from clew.base.budget import Budget, Interrupt, StopReason
from clew.base.options import StartValue
from clew.execute.ends import Exited
from clew.execute.policy import Finished
from clew.execute.sites import Decision
from unit.execute.support import c_program, explore, main

ALL = ("dfs", "bfs", "random-path", "coverage", "default")


@pytest.mark.parametrize("search", ALL)
def test_number_of_paths(search: str) -> None:
    code = """
    int main(void) {
      int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r = 0;
      if (a > 10) r += 1;
      if (b > 10) r += 2;
      if (a > 20) r += 4; /* only where a > 10 */
      return r;
    }
    """
    assert explore(code, search=search).codes == [0, 1, 2, 3, 5, 7]


def test_a_condition_already_decided_does_not_fork_again() -> None:
    code = """
    int main(void) {
      int a = __VERIFIER_nondet_int(), r = 0;
      for (int i = 0; i < 20; i++) if (a == 7) r++;
      return r;
    }
    """
    found = explore(code)
    assert found.codes == [0, 20]
    assert all(way.constraints == 1 for way in found.ways)
    assert found.run.statistics.forks == 1


def test_loop_over_a_symbolic_bound() -> None:
    code = """
    int main(void) {
      unsigned n = __VERIFIER_nondet_uint(), s = 0;
      if (n > 6) return 100;
      for (unsigned i = 0; i < n; i++) s += i;
      return s;
    }
    """
    assert explore(code).codes == [0, 0, 1, 3, 6, 10, 15, 100]


def test_infeasible_siblings_are_dropped() -> None:
    code = """
    int main(void) {
      unsigned char c = __VERIFIER_nondet_uchar();
      int x = c * 2 + 1;
      if (x % 2 == 0) return 1;
      if (x > 600) return 2;
      return 3;
    }
    """
    found = explore(code)
    assert found.codes == [3]


ISOLATION = """
int global = 1;
int main(void) {
  int local[4] = {1, 2, 3, 4};
  char *heap = malloc(4);
  if (!heap) return 99;
  for (int i = 0; i < 4; i++) heap[i] = i;
  int scalar = 5;
  int *pointer = &scalar;
  if (__VERIFIER_nondet_bool()) {
    global = 2; local[1] = 20; heap[2] = 30; *pointer = 6;
    if (__VERIFIER_nondet_bool()) { global = 3; local[1] = 21; }
    else { heap[3] = 40; }
  } else {
    if (__VERIFIER_nondet_bool()) { free(heap); heap = malloc(4); if (!heap) return 98; heap[2] = 50; heap[3] = 3; }
    local[0] = 0;
  }
  return global * 1000 + local[0] * 500 + local[1] * 10 + heap[2] + heap[3] + scalar;
}
"""


@pytest.mark.parametrize("search", ALL)
def test_siblings_do_not_see_each_others_writes(search: str) -> None:
    found = explore(ISOLATION, search=search)
    assert found.codes == sorted(
        [
            3000 + 500 + 210 + 30 + 3 + 6,
            2000 + 500 + 200 + 30 + 40 + 6,
            1000 + 20 + 50 + 3 + 5,
            1000 + 20 + 2 + 3 + 5,
        ]
    )


def test_frames_below_are_copied_before_they_change() -> None:
    """The caller's variables change after the callee has forked."""
    code = """
    static int fork(void) { if (__VERIFIER_nondet_bool()) return 1; return 2; }
    static int middle(int x) { int a = fork(), b = x + a; int c = fork(); b = b * 10 + c; return b; }
    int main(void) { int t = 0; for (int i = 0; i < 2; i++) t = t * 100 + middle(i); return t; }
    """
    first = [(1, 1), (1, 2), (2, 1), (2, 2)]
    expected = sorted((a * 10 + b) * 100 + (c + 1) * 10 + d for a, b in first for c, d in first)
    for search in ALL:
        assert explore(code, search=search).codes == expected


def test_output_belongs_to_its_path() -> None:
    code = """
    int putchar(int);
    int main(void) {
      putchar('a'); if (__VERIFIER_nondet_bool()) putchar('b'); else putchar('c'); putchar('d');
      return 0;
    }
    """
    assert sorted(way.output for way in explore(code).ways) == [b"abd", b"acd"]


def test_inputs_belong_to_their_path() -> None:
    code = """
    int main(void) {
      if (__VERIFIER_nondet_int() == 5) { if (__VERIFIER_nondet_char() == 'x') return 1; return 2; }
      if (__VERIFIER_nondet_long() == 7000000000) return 3;
      return 4;
    }
    """
    found = explore(code)
    assert found.codes == [1, 2, 3, 4]
    inputs = {way.code: way.inputs for way in found.ways}
    assert inputs[1] == (5, ord("x"))
    assert inputs[3][1] == 7000000000
    assert all(len(values) == 2 for values in inputs.values())


# Resuming at every kind of point


def test_retry_in_the_middle_of_a_block() -> None:
    """Two divisions and an access in one block: each may send a sibling back to itself."""
    program = main(
        """
          %a = call i32 @__VERIFIER_nondet_int()
          %b = call i32 @__VERIFIER_nondet_int()
          %t = alloca [4 x i32]
          store [4 x i32] [i32 1, i32 2, i32 3, i32 4], ptr %t
          %x = add i32 %a, 3
          %q = udiv i32 100, %x
          %y = mul i32 %q, 2
          %r = urem i32 %y, %b
          %i = zext i32 %r to i64
          %p = getelementptr i32, ptr %t, i64 %i
          %v = load i32, ptr %p
          ret i32 %v
        """
    )
    found = explore(program, report=True)
    assert found.kinds == ["division-by-zero", "division-by-zero", "out-of-bounds"]
    assert found.endings["exit"] >= 1
    for way in found.ways:
        a, b = (int(value) & 0xFFFFFFFF for value in way.inputs) if len(way.inputs) == 2 else (0, 0)
        if way.how == "exit":
            assert way.code == 100 // (a + 3 & 0xFFFFFFFF) * 2 % b + 1


def test_division_by_zero_is_found_and_the_search_continues() -> None:
    code = """
    int main(void) {
      int d = __VERIFIER_nondet_int();
      int q = 1000 / d;
      if (q == 10) return 1;
      return 2;
    }
    """
    found = explore(code, report=True)
    assert found.bugs == [("division-by-zero", 4)]
    assert found.codes == [1, 2]


def test_signed_division_overflow() -> None:
    code = """
    int main(void) {
      int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
      if (!b) return 1;
      return a / b == 3;
    }
    """
    found = explore(code, report=True)
    assert found.kinds == ["signed-overflow"]
    (bug,) = (way for way in found.ways if way.how == "bug")
    assert bug.inputs == (-(2**31), -1)


def test_a_reported_failure_is_not_looked_for_again() -> None:
    code = """
    int main(void) {
      int s = 0;
      for (int i = 0; i < 4; i++) { int d = __VERIFIER_nondet_int(); s += 100 / d; }
      return s == 3;
    }
    """
    assert explore(code, report=True).kinds == ["division-by-zero"]
    assert explore(code, report=False).kinds == ["division-by-zero"] * 4


def test_a_model_that_forks_is_called_again() -> None:
    code = """
    int main(void) {
      unsigned n = __VERIFIER_nondet_uint();
      if (n > 3) return 9;
      char *p = malloc(n);
      if (!p) return 8;
      int k = 0;
      if (n > 2) { p[2] = 1; k = 1; }
      if (n > 1) p[1] = 1;
      free(p);
      switch (n) { case 0: return 0; case 1: return 1; case 2: return 2; }
      return 3 + k;
    }
    """
    found = explore(code)
    assert set(found.codes) == {0, 1, 2, 4, 9}
    assert found.kinds == []


def test_long_loops_hand_control_back() -> None:
    """A loop longer than a slice of execution resumes at its header with the values it had."""
    code = "int main(void) { unsigned s = 0; for (unsigned i = 0; i < 300000; i++) s += i ^ (s >> 3); return s % 251; }"
    s = 0
    for i in range(300000):
        s = s + (i ^ s >> 3) & 0xFFFFFFFF
    found = explore(code)
    assert found.codes == [s % 251]
    assert found.run.statistics.instructions > 1_000_000


# Assumptions and budgets


def test_assumptions_prune() -> None:
    code = """
    int main(void) {
      int a = __VERIFIER_nondet_int();
      __VERIFIER_assume(a > 5 && a < 8);
      if (a == 6) return 6;
      if (a == 7) return 7;
      return 0;
    }
    """
    found = explore(code)
    assert found.codes == [6, 7]
    assert all(6 <= int(way.inputs[0]) <= 7 for way in found.ways if way.how == "exit")


def test_an_assumption_that_cannot_hold_drops_the_path() -> None:
    code = """
    int main(void) { int a = __VERIFIER_nondet_int(); if (a > 3) { __VERIFIER_assume(a < 2); return 1; } return 0; }
    """
    found = explore(code)
    assert found.codes == [0]
    assert found.endings["dropped"] == 1
    assert found.run.statistics.paths_pruned == 1


def test_instruction_budget_leaves_a_note() -> None:
    code = "int main(void) { for (;;) if (__VERIFIER_nondet_bool()) return 1; }"
    found = explore(code, budget=Budget(instructions=400), search="default")
    assert found.engine.stopped is StopReason.INSTRUCTIONS
    assert any(kind == "unexplored" for kind, _, _ in found.run.losses)


def test_endless_concrete_loop_stops() -> None:
    found = explore("int main(void) { volatile int x = 1; while (x); return 0; }", budget=Budget(instructions=200_000))
    assert found.engine.stopped is StopReason.INSTRUCTIONS
    assert found.endings["lost"] == 1


def test_interrupt_stops() -> None:
    interrupt = Interrupt()
    seen: list[Finished] = []

    def stop(path: Finished) -> None:
        seen.append(path)
        interrupt.request()

    code = "int main(void) { int s = 0; for (int i = 0; i < 8; i++) if (__VERIFIER_nondet_bool()) s++; return s; }"
    found = explore(code, budget=Budget(interrupt=interrupt), finished=stop)
    assert found.engine.stopped is StopReason.INTERRUPTED
    assert len(seen) < 256


def test_start_values_choose_the_first_path() -> None:
    code = """
    int main(void) {
      int a = __VERIFIER_nondet_int(); double d = __VERIFIER_nondet_double(); char c = __VERIFIER_nondet_char();
      if (a == 1234 && d == 1.5 && c == 'q') return 1;
      return 0;
    }
    """
    named = [StartValue("c", 113), StartValue("a", 1234), StartValue("d", 1.5)]
    assert explore(code, start=named).ways[0].code == 1
    placed = [StartValue(None, 1234), StartValue(None, 1.5), StartValue(None, b"q")]
    assert explore(code, start=placed).ways[0].code == 1
    whole = code.replace("1.5", "2.0")
    assert explore(whole, start=[*named[:2], StartValue("d", 2)]).ways[0].code == 1
    assert explore(code).ways[0].code == 0


def test_start_values_may_be_negative_or_too_wide() -> None:
    code = "int main(void) { int a = __VERIFIER_nondet_int(); return a == -5; }"
    assert explore(code, start=[StartValue("a", -5)]).ways[0].code == 1
    assert explore(code, start=[StartValue("a", 2**32 - 5)]).ways[0].code == 1


def decisions(last: Decision | None) -> list[tuple[str, int]]:
    """The choices of a path from the entry on."""
    result = []
    while last is not None:
        result.append((last.function, last.choice))
        last = last.previous
    result.reverse()
    return result


def test_decisions_name_the_path() -> None:
    code = """
    int main(void) {
      int r = 0;
      for (int i = 0; i < 3; i++) if (__VERIFIER_nondet_bool()) r++;
      return r;
    }
    """
    taken: list[tuple[tuple[str, int], ...]] = []

    def keep(path: Finished) -> None:
        assert isinstance(path.end, Exited)
        taken.append(tuple(decisions(path.state.decisions)))

    explore(code, finished=keep)
    assert len(set(taken)) == 8
    assert all(len(choices) == 3 for choices in taken)


@pytest.mark.parametrize("search", ALL)
def test_the_same_seed_gives_the_same_run(search: str) -> None:
    program = c_program(ISOLATION)
    runs = [[way.code for way in explore(program, search=search, seed=3).ways] for _ in range(2)]
    assert runs[0] == runs[1]
