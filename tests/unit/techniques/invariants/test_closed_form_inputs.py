"""Inputs from closed forms: which values are wished for, where loops are simple, and none where they are not."""

from __future__ import annotations

import pytest

from clew.base.location import Location
from clew.execute.context import InputHints
from clew.execute.helpers import build_machine
from clew.models.registry import all_models
from clew.techniques.invariants.closed_form_inputs import ClosedFormInputs
from clew.techniques.invariants.limits import USUAL, Limits
from unit.execute.support import c_program
from unit.techniques.invariants.test_invariant_points import HALVES, edges_at


def wished(
    code: str,
    line: int,
    outcome: int = 0,
    entry: str = "main",
    function: str | None = None,
    limits: Limits = USUAL,
) -> list[InputHints]:
    program = c_program(code)
    machine = build_machine(program, all_models())
    found = ClosedFormInputs(program, entry, machine.callees, limits)
    return list(found.of(edges_at(program, line, function or entry)[outcome]))


def values(wishes: InputHints) -> list[int]:
    """In the order of the places where they are read."""
    places = sorted((place.line, place.column, place) for place in wishes if isinstance(place, Location))
    assert len(places) == len(wishes)
    return [number for *_, place in places for number in wishes[place]]


def test_the_fewest_rounds() -> None:
    assert [values(wishes) for wishes in wished(HALVES, 4)] == [[35], [36]]


def test_a_branch_that_nothing_leads_to_has_none() -> None:
    assert wished(HALVES.replace("x > 17", "x < 0"), 4) == []


def test_nor_has_one_that_does_not_depend_on_a_loop() -> None:
    assert wished("int main(void) {\n int x = __VERIFIER_nondet_int();\n if (x > 17) return 1;\n return 0;\n}", 3) == []


def test_what_is_far_away_is_left_to_others() -> None:
    assert wished(HALVES, 4, limits=Limits(rounds=17)) == []
    assert wished(HALVES, 4, limits=Limits(rounds=18)) != []


def test_a_branch_inside_of_the_loop() -> None:
    code = """int main(void) {
      int p = __VERIFIER_nondet_int(), i = 3;
      while (1) {
        if (p <= 0) break;
        p--;
        i += 4;
        if (i >= 80) return 1;
      }
      return 0;
    }
    """
    assert values(wished(code, 7)[0]) == [20], "in the 20th round: the conditions of the first 19 held"


NESTED = """int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = __VERIFIER_nondet_int();
  int k = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      k = k + 5;
      if (k == 5035) return 2;
    }
  }
  if (k >= 1000) return 1;
  return 0;
}
"""


def test_a_loop_inside_another_one_goes_round_as_often_each_time() -> None:
    assert values(wished(NESTED, 11)[0]) == [1, 200]


def test_a_branch_inside_of_both() -> None:
    assert values(wished(NESTED.replace("5035", "35"), 8)[0]) == [1, 7], "in the first round of the outer one"


def test_a_minimum_for_the_outer_loop_leaves_less_for_the_inner_one() -> None:
    code = NESTED.replace("int k = 0;", "int k = 0; if (n < 10) return 3;")
    assert values(wished(code, 11)[0]) == [10, 20]


def test_a_loop_around_a_switch_is_left_as_it_is() -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int(), i = 0, state = 0;
      while (i < n) {
        switch (state) { case 0: state = 1; i++; break; default: state = 0; i++; break; }
      }
      if (i == 9) return 1;
      return 0;
    }
    """
    assert all(values(wishes) == [9] for wishes in wished(code, 6))


def test_three_loops() -> None:
    code = """int main(void) {
      int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int(), k = 0;
      if (a != 2 || b != 3) return 2;
      for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
          for (int l = 0; l < c; l++)
            k++;
      if (k > 40) return 1;
      return 0;
    }
    """
    assert values(wished(code, 8)[0]) == [2, 3, 7]


def test_amounts_that_are_inputs() -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int();
      int step = __VERIFIER_nondet_int();
      int sum = 0;
      if (n < 6) return 2;
      for (int i = 0; i < n; i++) sum += step;
      if (sum == 42) return 1;
      return 0;
    }
    """
    assert values(wished(code, 7)[0]) == [6, 7]


def test_one_loop_after_the_other() -> None:
    code = """int main(void) {
      int k = __VERIFIER_nondet_int(), filled = 0, stock = 0, taken = 0;
      while (filled < k) { filled++; stock += 2; }
      while (stock > 0) { stock -= 3; taken++; }
      if (taken > 700) return 1;
      return 0;
    }
    """
    assert [values(wishes) for wishes in wished(code, 5)] == [[1051]]


def test_calls_are_followed() -> None:
    code = """static int count(int to, int by) { int i = 0; while (i < to) i += by; return i; }
    static void check(int x) {
      if (x > 50) __VERIFIER_assume(1);
    }
    int main(void) {
      int n = __VERIFIER_nondet_int();
      check(count(n, 7));
      return 0;
    }
    """
    assert values(wished(code, 3, function="check")[0]) == [50]


def test_recursion_is_not() -> None:
    code = """static int count(int n) { return n <= 0 ? 0 : 1 + count(n - 1); }
    int main(void) {
      int n = __VERIFIER_nondet_int(), i = 0;
      while (i < n) i++;
      if (count(i) == 5) return 1;
      if (i == 5) return 2;
      return 0;
    }
    """
    assert wished(code, 5) == []
    assert values(wished(code, 6)[0]) == [5]


def test_parameters_are_known_by_name() -> None:
    code = "int f(int n) {\n int i = 0;\n while (i < n) i++;\n if (i == 40) return 1;\n return 0;\n}"
    assert wished(code, 4, entry="f") == [{"n": [40]}]


IN_MEMORY = """void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
int main(void) {
  int n, i = 0;
  klee_make_symbolic(&n, sizeof n, "many");
  while (i < n) i++;
  if (i == 33) return 1;
  return 0;
}
"""


def test_inputs_in_memory_are_known_by_name() -> None:
    assert wished(IN_MEMORY, 6) == [{"many": [33]}]


@pytest.mark.parametrize("more", ["n = n + 1;", 'klee_make_symbolic(&n, sizeof n, "more");', "use(&n);"])
def test_inputs_in_memory_that_is_written_again_are_not_known(more: str) -> None:
    code = IN_MEMORY.replace("int main", "void use(int *); int main").replace('"many");', f'"many"); {more}')
    assert wished(code, 6) == []


def test_assumptions_on_the_way() -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int(), i = 0;
      __VERIFIER_assume(n > 20);
      while (i < n) i++;
      if (i > 10) return 1;
      return 0;
    }
    """
    assert values(wished(code, 5)[0]) == [21]


def test_inequality_is_two_cases() -> None:
    code = """int main(void) {
      int n = __VERIFIER_nondet_int(), i = 0;
      while (i < n) i++;
      if (i != 7) return 1;
      return 0;
    }
    """
    assert [values(wishes) for wishes in wished(code, 4)][:3] == [[8], [1], [0]]


def test_cases_of_a_switch() -> None:
    code = """int main(void) {
      unsigned n = __VERIFIER_nondet_uint(), i = 0;
      while (i < n) i++;
      switch (i) { case 12: return 1; case 30: return 2; }
      return 0;
    }
    """
    program = c_program(code)
    (block,) = [block for block in program.functions["main"].blocks if hasattr(block.terminator, "cases")]
    found = ClosedFormInputs(program, "main", build_machine(program, all_models()).callees)
    targets = [target for _, target in block.terminator.cases]
    assert [[values(w) for w in found.of(("main", block.name, target))] for target in targets] == [[[12]], [[30]]]
    assert list(found.of(("main", block.name, block.terminator.default))) == []


@pytest.mark.parametrize(
    "body",
    [
        "if (i & 1) s += 2; else s += 3; i++;",  # not the same amount each time
        "s += i; i++;",  # not a linear one
        "s = __VERIFIER_nondet_int(); i++;",  # an input in each round
        "s = i * 2; i++;",  # from the round before
    ],
)
def test_other_loops_have_none(body: str) -> None:
    code = f"""int main(void) {{
      int n = __VERIFIER_nondet_int(), i = 0, s = 0;
      while (i < n) {{ {body} }}
      if (s == 30) return 1;
      if (i == 30) return 1;
      return 0;
    }}
    """
    assert wished(code, 4) == []
    assert wished(code, 5) != [], "what is not involved does no harm"


def test_numbers_that_grow_out_of_all_bounds_are_dropped() -> None:
    code = f"""int main(void) {{
      unsigned n = __VERIFIER_nondet_uint(), i = 0, h = n;
      while (i < n) i++;
      {"h = h * 31 + 7;" * 200}
      if (h == i) return 1;
      return 0;
    }}
    """
    assert wished(code, 5) == []
