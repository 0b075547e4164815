"""The checker of invariants sees what is wrong: claims that are true of all runs, and the same made a bit stronger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import pytest

from clew.analysis.absint.domain import Abstract, Bounds
from clew.analysis.absint.linear import Constraint, Linear, at_least, at_most, equal
from clew.analysis.absint.variables import Cell, Count, Held, Initial, Total
from clew.program import instructions as ir
from clew.program.module import Block, Function, Program
from clew.program.values import GlobalRef, Register
from oracle.invariants_check import Checked, check
from unit.execute.support import c_program

SOURCE = """
static int g;
static int half(int p) { g += 2; return p / 2; }
static int down(unsigned char k) { if (k == 0) return 0; int below = down(k - 1); return below + k; }
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  int shared = 5, *p = &shared, s = 0;
  for (unsigned char i = 0; i < n; i++) {
    s = half(s) - 3;
    for (int j = 0; j < 2; j++) (*p)++;
  }
  return down(n & 3) + s;
}
"""
RUNS = ((0,), (1,), (7,), (200,))


@dataclass
class Fact:
    """An abstract value by hand."""

    constraints_: tuple[Constraint, ...] = ()
    is_bottom: bool = False

    def constraints(self) -> tuple[Constraint, ...]:
        return self.constraints_

    def bounds(self, linear: Linear) -> Bounds:
        return (None, None)


@dataclass
class Chain:
    number: int
    function: Function
    parent: int | None = None
    call: tuple[str, int] | None = None
    general: bool = False


@dataclass
class Claims:
    """What is claimed at the starts of blocks; nothing elsewhere."""

    frames: Sequence[Chain]
    facts: Mapping[tuple[int, str], Fact] = field(default_factory=dict)
    edges: Mapping[tuple[int, str, str], Fact] = field(default_factory=dict)
    unsigned: frozenset[object] = frozenset()

    def before(self, frame: int, block: str) -> Abstract:
        return cast("Abstract", self.facts.get((frame, block), Fact()))

    def at(self, frame: int, block: str, index: int) -> Abstract:
        return cast("Abstract", Fact())

    def on_edge(self, frame: int, source: str, target: str) -> Abstract:
        return cast("Abstract", self.edges.get((frame, source, target), Fact()))

    def into(self, frame: int, source: str, target: str) -> Abstract:
        return cast("Abstract", Fact())

    def signed(self, variable: Held | Cell | Initial) -> bool:
        return variable not in self.unsigned


@pytest.fixture(scope="module")
def program() -> Program:
    return c_program(SOURCE)


def chains(program: Program) -> list[Chain]:
    """The entry, ``half`` as the loop calls it, and ``down`` in general."""
    main = program.functions["main"]
    sites = [
        (block.name, index)
        for block in main.blocks
        for index, i in enumerate(block.instructions)
        if isinstance(i, ir.Call) and i.callee == GlobalRef("half")
    ]
    return [
        Chain(0, main),
        Chain(1, program.functions["half"], 0, sites[0]),
        Chain(2, program.functions["down"], None, None, general=True),
    ]


def phi(program: Program, block: str, place: int) -> Held:
    """The variable that the phi of a block stands for."""
    found = next(b for b in program.functions["main"].blocks if b.name == block)
    result = found.instructions[place].result
    assert isinstance(found.instructions[place], ir.Phi) and result is not None
    return Held(0, result.name)


def headers(program: Program) -> list[str]:
    """Of the two loops."""
    return [b.name for b in program.functions["main"].blocks if isinstance(b.instructions[0], ir.Phi)]


def alloca(program: Program, name: str) -> tuple[str, str]:
    main = program.functions["main"]
    found = [i.result.name for b in main.blocks for i in b.instructions if isinstance(i, ir.Alloca) and i.result]
    assert found == [name]
    return ("main", name)


def checked(program: Program, claims: Claims) -> Checked:
    found = check(program, claims, RUNS, most=20_000)
    assert set(found.ends) == {"exit"}
    return found


def judged(program: Program, block: str, *facts: Constraint, frame: int = 0) -> Checked:
    return checked(program, Claims(chains(program), {(frame, block): Fact(facts)}))


def test_nothing_claimed_is_nothing_wrong(program: Program) -> None:
    found = checked(program, Claims(chains(program)))
    assert found.violations == () and found.looked_at == 0


def test_registers_and_their_views(program: Program) -> None:
    outer, _ = headers(program)
    registers = {
        i.result.type: i.result for i in block(program, outer).instructions if isinstance(i, ir.Phi) and i.result
    }
    by_width = {getattr(type_, "width", 0): Held(0, register.name) for type_, register in registers.items()}
    counter, total = Linear.of(by_width[8]), Linear.of(by_width[32])
    for most, right in ((0, True), (-1, False)):
        assert (judged(program, outer, at_most(total, most)).violations == ()) is right
    # The greatest value of the counter is 200: -56 with a sign.
    for view, most, right in ((frozenset({by_width[8]}), 200, True), (frozenset({by_width[8]}), 199, False),
                              (frozenset(), 127, True), (frozenset(), 126, False)):  # fmt: skip
        claims = Claims(chains(program), {(0, outer): Fact((at_most(counter, most),))}, unsigned=view)
        assert (checked(program, claims).violations == ()) is right


def block(program: Program, name: str) -> Block:
    return next(b for b in program.functions["main"].blocks if b.name == name)


def test_counters(program: Program) -> None:
    outer, inner = headers(program)
    count, within, total = Linear.of(Count(0, outer)), Linear.of(Count(0, inner)), Linear.of(Total(0, inner))
    right = [at_least(within, 0), at_most(within, 2), equal(total, within + count * 2 - 2)]
    assert judged(program, inner, *right).violations == ()
    for wrong in (at_least(within, 1), at_most(within, 1), equal(total, within + count * 2 - 1), equal(within, total)):
        assert judged(program, inner, wrong).violations


def test_memory(program: Program) -> None:
    outer, _ = headers(program)
    shared = Linear.of(Cell(0, alloca(program, "shared"), 0, 4))
    total = Linear.of(Cell(-1, "g", 0, 4))
    count = Linear.of(Count(0, outer))
    assert judged(program, outer, equal(shared, count * 2 + 5), equal(total, count * 2)).violations == ()
    assert judged(program, outer, equal(shared, count * 2 + 4)).violations
    assert judged(program, outer, at_most(total, 399)).violations


def test_callee_and_what_it_held_last(program: Program) -> None:
    outer, _ = headers(program)
    parameter = program.functions["half"].parameters[0].value
    assert isinstance(parameter, Register)
    given = Linear.of(Held(1, parameter.name))
    entry = program.functions["half"].blocks[0].name
    assert judged(program, entry, at_most(given, 0), frame=1).violations == ()
    assert judged(program, entry, at_least(given, 0), frame=1).violations
    assert judged(program, outer, at_most(given, 0)).violations == ()
    assert judged(program, outer, at_least(given, 0)).violations


def test_a_recursive_function_has_the_values_of_its_own_activation(program: Program) -> None:
    parameter = program.functions["down"].parameters[0].value
    assert isinstance(parameter, Register)
    k = Linear.of(Held(2, parameter.name))
    last = program.functions["down"].blocks[-1].name
    assert judged(program, last, at_least(k, 0), at_most(k, 3), frame=2).violations == ()
    assert judged(program, last, at_most(k, 2), frame=2).violations
    behind = next(
        b.name for b in program.functions["down"].blocks if any(isinstance(i, ir.Call) for i in b.instructions)
    )
    assert judged(program, behind, at_least(k, 1), frame=2).violations == ()
    assert judged(program, behind, equal(k, 1), frame=2).violations


def test_code_that_runs_is_not_dead(program: Program) -> None:
    outer, inner = headers(program)
    facts = {(0, inner): Fact(is_bottom=True)}
    assert [str(v) for v in checked(program, Claims(chains(program), facts)).violations] == [
        f"main: {inner}: is said to be unreachable"
    ]
    entry = program.functions["main"].blocks[0].name
    found = checked(program, Claims(chains(program), edges={(0, entry, outer): Fact(is_bottom=True)}))
    assert [v.place for v in found.violations] == [f"main: {entry} -> {outer}"]


def test_a_function_without_frame(program: Program) -> None:
    found = checked(program, Claims(chains(program)[:2]))
    assert [str(v) for v in found.violations] == ["down: runs, but no frame is there for it"]


def test_on_an_edge_phis_and_counters_are_those_before(program: Program) -> None:
    outer, _ = headers(program)
    into = block(program, outer).terminator
    assert isinstance(into, ir.Branch)
    count = Linear.of(Count(0, outer))
    for least, right in ((0, True), (1, False)):
        claims = Claims(chains(program), edges={(0, outer, into.if_true): Fact((at_least(count, least),))})
        assert (checked(program, claims).violations == ()) is right


def test_a_variable_without_value_is_left_out(program: Program) -> None:
    _, inner = headers(program)
    entry = program.functions["main"].blocks[0].name
    found = judged(program, entry, equal(Linear.of(Count(0, inner)), 77))
    assert found.violations == () and found.left_out and not found.looked_at
