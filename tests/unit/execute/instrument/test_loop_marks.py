"""Loops made visible: what is announced, how it is counted, and that it can be switched off."""

from __future__ import annotations

from typing import Any

import pytest

from clew.execute.events import Events, Visit
from clew.execute.instrument.loop_marks import ENTER, HEADER, mark_loops
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.types import I32
from clew.program.values import ConstInt, GlobalRef
from unit.execute.support import c_program, exit_code, explore

CODE = """
int main(void) {
  int s = 0, n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    for (int j = i; j > 0; j /= 2) s += j;
    if (s > 1000) return 7;
  }
  return s;
}
"""


def calls(program: Program, callee: str) -> list[ir.Call]:
    return [
        i
        for function in program.functions.values()
        for block in function.blocks
        for i in block.instructions
        if isinstance(i, ir.Call) and i.callee == GlobalRef(callee)
    ]


def added_phis(function: Function) -> list[ir.Phi]:
    firsts = [block.instructions[0] for block in function.blocks]
    phis = [(first, first.result) for first in firsts if isinstance(first, ir.Phi)]
    return [phi for phi, result in phis if result is not None and result.name.startswith("clew.")]


@pytest.mark.parametrize("counted", [False, True])
def test_variants_announce_and_compute_the_same(counted: bool) -> None:
    plain = c_program(CODE)
    watched = mark_loops(plain, counted)
    assert len(calls(watched, HEADER)) == 2
    assert not calls(plain, HEADER)
    for n in (0, 1, 9, 500):
        assert exit_code(watched, n) == exit_code(plain, n)


def test_the_phi_that_is_added() -> None:
    assert not added_phis(mark_loops(c_program(CODE), counted=False).functions["main"])
    counts = added_phis(mark_loops(c_program(CODE)).functions["main"])
    assert len(counts) == 2
    for phi in counts:
        assert phi.result is not None and phi.result.type == I32
        assert [value.value for value, _ in phi.incoming if isinstance(value, ConstInt)] == [0]


def test_loops_are_entered_from_outside_only() -> None:
    watched = mark_loops(c_program(CODE), counted=False)
    assert len(calls(watched, ENTER)) == 2
    assert not calls(mark_loops(c_program(CODE)), ENTER)


def test_headers_announce_their_phis() -> None:
    watched = mark_loops(c_program(CODE), counted=False)
    for call in calls(watched, HEADER):
        block = next(block for block in watched.functions["main"].blocks if call in block.instructions)
        phis = [i.result for i in block.instructions if isinstance(i, ir.Phi)]
        assert [argument.value for argument in call.arguments[2:]] == phis


class Visits:
    """Writes down all visits; after ``most`` of them it switches off whichever loop comes."""

    def __init__(self, most: int = 10**9) -> None:
        self.seen: list[tuple[str, bool, Any]] = []
        self.most = most

    def listen(self, events: Events) -> None:
        events.loop_header.append(self.loop_header)

    def loop_header(self, visit: Visit) -> None:
        self.seen.append((visit.loop, visit.first, visit.values))
        if len(self.seen) >= self.most:
            visit.state.run.compiler.watch(visit.loop).on = False


COUNTING = """
int main(void) {
  int s = 0;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++) s += 5;
  return s;
}
"""


@pytest.mark.parametrize("bound", [None, 50])
def test_first_visits_and_values(bound: int | None) -> None:
    visits = Visits()
    assert explore(COUNTING, listen=visits.listen, loop_bound=bound).codes == [30]
    inner = next(name for name, _, _ in visits.seen if ":5" in name)
    own = [(first, values) for name, first, values in visits.seen if name == inner]
    assert [first for first, _ in own] == [True, False, False, False] * 2
    assert all(len(values) == 2 for _, values in own)
    assert sorted(own[2][1]) == [2, 10] and sorted(own[5][1]) == [1, 20]


def test_a_loop_that_is_switched_off_announces_nothing_more() -> None:
    visits = Visits(most=1)
    assert explore(COUNTING, listen=visits.listen).codes == [30]
    outer = visits.seen[0][0]
    assert [name for name, _, _ in visits.seen].count(outer) == 1
    assert len({name for name, _, _ in visits.seen}) == 2 == len(visits.seen)
