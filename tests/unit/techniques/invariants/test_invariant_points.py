"""Inputs from invariants: which values are wished for where, for branches behind loops."""

from __future__ import annotations

from clew.analysis.absint.analyse import Invariants
from clew.base.location import Location
from clew.execute.context import InputHints
from clew.execute.coverage import Edge
from clew.execute.helpers import build_machine
from clew.models.registry import all_models
from clew.program import instructions as ir
from clew.program.module import Program
from clew.techniques.invariants.find import find
from clew.techniques.invariants.invariant_points import InvariantPoints
from unit.execute.support import c_program

HALVES = """int main(void) {
  int y = __VERIFIER_nondet_int(), x = 0;
  while (y > 0) { x = x + 1; y = y - 2; }
  if (x > 17) return 1;
  return 0;
}
"""


def edges_at(program: Program, line: int, function: str = "main") -> list[Edge]:
    """The two outcomes of the branch on a line."""
    return [
        (function, block.name, target)
        for block in program.functions[function].blocks
        if isinstance(block.terminator, ir.Branch) and block.terminator.location
        and block.terminator.location.line == line
        for target in (block.terminator.if_true, block.terminator.if_false)
    ]  # fmt: skip


def wished(code: str, line: int, outcome: int = 0, entry: str = "main") -> list[InputHints]:
    program = c_program(code)
    found = find(build_machine(program, all_models()), entry)
    assert isinstance(found, Invariants)
    return list(InvariantPoints(program, found).of(edges_at(program, line, entry)[outcome]))


def test_the_shortest_way_comes_first() -> None:
    first, *others = wished(HALVES, 4)
    ((place, values),) = first.items()
    assert isinstance(place, Location) and place.line == 2
    assert values == [35], "eighteen iterations, of which the last one leaves -1"
    assert {place: [36]} in others, "the other one of that length"


def test_no_two_are_the_same() -> None:
    found = wished(HALVES, 4)
    assert all(one not in found[:at] for at, one in enumerate(found))


def test_a_branch_that_nothing_leads_to_has_none() -> None:
    assert wished(HALVES.replace("x > 17", "x < 0"), 4) == []


def test_nor_has_one_that_does_not_depend_on_a_loop() -> None:
    assert wished("int main(void) {\n int x = __VERIFIER_nondet_int();\n if (x > 17) return 1;\n return 0;\n}", 3) == []


def test_parameters_are_known_by_name() -> None:
    code = "int f(int n) {\n int i = 0;\n while (i < n) i++;\n if (i == 40) return 1;\n return 0;\n}"
    first, *_ = wished(code, 4, entry="f")
    assert first == {"n": [40]}


def test_inputs_in_memory_are_known_by_name() -> None:
    code = """void klee_make_symbolic(void *, __SIZE_TYPE__, const char *);
    int main(void) {
      int n, i = 0;
      klee_make_symbolic(&n, sizeof n, "many");
      while (i < n) i++;
      if (i == 33) return 1;
      return 0;
    }
    """
    first, *_ = wished(code, 6)
    assert first == {"many": [33]}


def test_several_inputs_fit_together() -> None:
    code = """int main(void) {
      int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), i = 0;
      if (a < 0 || b < 0 || a > 1000 || b > 1000) return 2;
      while (i < a) i++;
      if (i == b + 12) return 1;
      return 0;
    }
    """
    found = wished(code, 5)
    assert found
    for wishes in found:
        numbers = {place.column: values for place, values in wishes.items() if isinstance(place, Location)}
        (a,), (b,) = (numbers[column] for column in sorted(numbers))
        assert a == b + 12 and b >= 0 and a <= 1000
