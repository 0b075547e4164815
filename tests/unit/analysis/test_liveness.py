"""Liveness against the textbook fixpoint, and by hand on the cases that are easy to get wrong."""

from __future__ import annotations

import pytest

from clew.analysis.liveness import Liveness
from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.operands import registers
from clew.program.values import Register
from unit.execute.random_programs import random_program
from unit.execute.support import c_program, llvm


class Reference:
    """Backward data flow, iterated until nothing changes."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = {block.name: block for block in function.blocks}
        self.before: dict[str, set[str]] = {name: set() for name in self.blocks}
        changed = True
        while changed:
            changed = False
            for name, block in self.blocks.items():
                live = self.backward(block, self.out(name))[0]
                changed |= live != self.before[name]
                self.before[name] = live

    def phis(self, name: str) -> set[str]:
        return {i.result.name for i in self.blocks[name].instructions if isinstance(i, ir.Phi) and i.result}

    def edge(self, source: str, target: str) -> set[str]:
        used = {
            value.name
            for instruction in self.blocks[target].instructions
            if isinstance(instruction, ir.Phi)
            for value, name in instruction.incoming
            if name == source and isinstance(value, Register)
        }
        return (self.before[target] - self.phis(target)) | used

    def out(self, name: str) -> set[str]:
        return set().union(*(self.edge(name, target) for target in ir.successors(self.blocks[name].terminator)))

    def backward(self, block: Block, live: set[str]) -> tuple[set[str], dict[int, tuple[set[str], set[str]]]]:
        around = {}
        for place in range(len(block.instructions) - 1, -1, -1):
            instruction = block.instructions[place]
            if isinstance(instruction, ir.Phi):
                break
            live = live - ({instruction.result.name} if instruction.result else set())
            after = live
            live = live | {register.name for register in registers(instruction)}
            around[place] = (live, after)
        return live, around


def check(function: Function) -> None:
    found, expected = Liveness(function), Reference(function)
    names = {number: name for name, number in found.numbers.items()}
    assert len(names) == len(found.numbers)
    entry = function.blocks[0].name
    parameters = {p.value.name for p in function.parameters if isinstance(p.value, Register)}
    for block in function.blocks:
        live_in = (
            expected.before[block.name] | expected.phis(block.name) | (parameters if block.name == entry else set())
        )
        assert {names[n] for n in found.live_in[block.name]} == live_in, block.name
        assert {names[n] for n in found.live_out(block.name)} == expected.out(block.name), block.name
        for target in ir.successors(block.terminator):
            assert {names[n] for n in found.on_edge(block.name, target)} == expected.edge(block.name, target)
        around = found.around(block, lambda instruction: True)
        _, wanted = expected.backward(block, expected.out(block.name))
        shown = {place: tuple({names[n] for n in side} for side in sides) for place, sides in around.items()}
        assert shown == wanted


@pytest.mark.parametrize("seed", range(30))
def test_random_control_flow(seed: int) -> None:
    for function in random_program(seed, blocks=3 + seed % 10).program().functions.values():
        if not function.is_declaration:
            check(function)


def test_compiled_c() -> None:
    program = c_program(
        """
        int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
        int deep(int n, int m) {
          int s = 0;
          for (int i = 0; i < n; i++)
            for (int j = i; j < m; j++) { if (j == 7) continue; if (s > 100) goto out; s += i * j + gcd(i, j); }
        out:
          switch (s & 3) { case 0: return n; case 1: s += m; case 2: return s; default: return s + n; }
        }
        int main(void) { return deep(3, 4); }
        """
    )
    for function in program.functions.values():
        if not function.is_declaration:
            check(function)


SWAP = """
define i32 @f(i32 %unused, i32 %n) {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret i32 %a
}
"""


def test_phis_of_a_loop() -> None:
    function = llvm(SWAP).functions["f"]
    check(function)
    live = Liveness(function)
    names = {number: name for name, number in live.numbers.items()}

    def shown(numbers: set[int]) -> set[str]:
        return {names[number] for number in numbers}

    assert shown(live.live_in["loop"]) == {"a", "b", "i", "n"}
    assert shown(live.on_edge("entry", "loop")) == {"n"}
    assert shown(live.on_edge("loop", "loop")) == {"a", "b", "j", "n"}
    assert shown(live.on_edge("loop", "done")) == {"a"}
    assert shown(live.live_in["entry"]) == {"unused", "n"}


@pytest.mark.slow
def test_many_registers_cost_what_the_answer_is_large() -> None:
    """A chain of 20,000 short-lived values over 2,000 blocks: sets per block, not a matrix."""
    lines = ["define i32 @f(i32 %x) {", "entry:", "br label %b0"]
    for block in range(2000):
        lines.append(f"b{block}:")
        previous = "%x"
        for place in range(10):
            lines.append(f"%r{block}.{place} = add i32 {previous}, {place}")
            previous = f"%r{block}.{place}"
        lines.append(f"br label %b{block + 1}")
    lines += ["b2000:", "ret i32 %x", "}"]
    live = Liveness(llvm("\n".join(lines)).functions["f"])
    assert live.live_in["b1000"] == {live.numbers["x"]}
    assert live.live_in["b2000"] == {live.numbers["x"]}
