"""Random control flow with a plain interpreter beside it: what the engine must agree with.

A program has four variables, two of them inputs, blocks of arithmetic that may call a function, and
jumps, branches and switches between any two blocks (so loops of every shape, irreducible ones too).
A counter ends it after a few blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from clew.frontend.promote import promote
from clew.program.module import Program
from unit.execute.support import llvm

MASK = 0xFFFFFFFF
VARIABLES = 4

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b & MASK,
    "sub": lambda a, b: a - b & MASK,
    "mul": lambda a, b: a * b & MASK,
    "xor": lambda a, b: a ^ b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "call": lambda a, b: helper(a),
}
PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "ult": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "sgt": lambda a, b: a ^ 1 << 31 > b ^ 1 << 31,
}
HELPER = """
define i32 @helper(i32 %x) {
entry:
  %odd = and i32 %x, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %even, label %done
even:
  %half = lshr i32 %x, 1
  br label %done
done:
  %r = phi i32 [ %half, %even ], [ %x, %entry ]
  %s = add i32 %r, 7
  ret i32 %s
}
"""


def helper(x: int) -> int:
    """What ``@helper`` computes."""
    return (x if x & 1 else x >> 1) + 7 & MASK


@dataclass(frozen=True)
class Step:
    """``target = left op right`` (``right`` is a constant)."""

    target: int
    op: str
    left: int
    right: int


@dataclass(frozen=True)
class Node:
    """Steps, then a jump (one target), a branch (two) or a switch on the low bits (three)."""

    steps: tuple[Step, ...]
    targets: tuple[int, ...]
    predicate: str
    variable: int
    constant: int


@dataclass(frozen=True)
class RandomProgram:
    """The blocks, and how many of them a run goes through."""

    nodes: tuple[Node, ...]
    fuel: int

    def interpret(self, first: int, second: int) -> int:
        """The exit code for two inputs, as unsigned 32 bits."""
        values = [first, second, 5, 9]
        at, fuel = 0, self.fuel
        while True:
            node = self.nodes[at]
            for step in node.steps:
                values[step.target] = OPERATIONS[step.op](values[step.left], step.right)
            fuel -= 1
            if not fuel:
                return values[0] ^ values[1] ^ values[2] ^ values[3]
            chosen = values[node.variable]
            if len(node.targets) == 1:
                at = node.targets[0]
            elif len(node.targets) == 2:
                at = node.targets[0 if PREDICATES[node.predicate](chosen, node.constant) else 1]
            else:
                at = node.targets[{0: 0, 3: 1}.get(chosen & 3, 2)]

    def program(self) -> Program:
        """The same in LLVM, with the variables promoted to registers."""
        lines = ["define i32 @main() {", "start:"]
        lines += [f"%v{n} = alloca i32" for n in range(VARIABLES)]
        lines += ["%fuel = alloca i32", f"store i32 {self.fuel}, ptr %fuel"]
        lines += ["%i0 = call i32 @__VERIFIER_nondet_int()", "%i1 = call i32 @__VERIFIER_nondet_int()"]
        lines += ["store i32 %i0, ptr %v0", "store i32 %i1, ptr %v1", "store i32 5, ptr %v2", "store i32 9, ptr %v3"]
        lines.append("br label %b0")
        for number, node in enumerate(self.nodes):
            lines += _block(number, node)
        lines += ["exit:", "%x0 = load i32, ptr %v0"]
        for n in range(1, VARIABLES):
            lines += [f"%y{n} = load i32, ptr %v{n}", f"%x{n} = xor i32 %x{n - 1}, %y{n}"]
        lines += [f"ret i32 %x{VARIABLES - 1}", "}"]
        return promote(llvm("\n".join(lines) + HELPER))


def _block(number: int, node: Node) -> list[str]:
    lines = [f"b{number}:"]
    for place, step in enumerate(node.steps):
        value, result = f"%b{number}.{place}.a", f"%b{number}.{place}.r"
        lines.append(f"{value} = load i32, ptr %v{step.left}")
        if step.op == "call":
            lines.append(f"{result} = call i32 @helper(i32 {value})")
        else:
            lines.append(f"{result} = {step.op} i32 {value}, {step.right}")
        lines.append(f"store i32 {result}, ptr %v{step.target}")
    lines += [f"%f{number} = load i32, ptr %fuel", f"%g{number} = sub i32 %f{number}, 1"]
    lines += [f"store i32 %g{number}, ptr %fuel", f"%z{number} = icmp eq i32 %g{number}, 0"]
    lines += [f"br i1 %z{number}, label %exit, label %t{number}", f"t{number}:"]
    targets = [f"label %b{target}" for target in node.targets]
    if len(targets) == 1:
        return [*lines, f"br {targets[0]}"]
    lines.append(f"%c{number} = load i32, ptr %v{node.variable}")
    if len(targets) == 2:
        lines.append(f"%d{number} = icmp {node.predicate} i32 %c{number}, {node.constant}")
        return [*lines, f"br i1 %d{number}, {targets[0]}, {targets[1]}"]
    lines.append(f"%d{number} = and i32 %c{number}, 3")
    # A case that leads to the default's own target as well, when two targets are the same.
    return [*lines, f"switch i32 %d{number}, {targets[2]} [", f"i32 0, {targets[0]}", f"i32 3, {targets[1]}", "]"]


def random_program(seed: int, blocks: int = 7, fuel: int = 6) -> RandomProgram:
    """The program of a seed."""
    random = Random(seed)
    nodes = []
    for _ in range(blocks):
        steps = tuple(
            Step(
                random.randrange(VARIABLES), random.choice(tuple(OPERATIONS)), random.randrange(VARIABLES),
                random.choice((0, 1, 3, 0x80000000, random.getrandbits(32))),
            )
            for _ in range(random.randrange(4))
        )  # fmt: skip
        targets = tuple(random.randrange(blocks) for _ in range(random.choice((1, 2, 2, 2, 3))))
        nodes.append(
            Node(
                steps, targets, random.choice(tuple(PREDICATES)), random.randrange(VARIABLES),
                random.choice((0, 1, 7, 100, 0x7FFFFFFF, random.getrandbits(32))),
            )
        )  # fmt: skip
    return RandomProgram(tuple(nodes), fuel)
