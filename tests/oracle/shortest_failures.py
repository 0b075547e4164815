"""Small programs that fail for some of their inputs, and the shortest of their failing paths, by running all inputs."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

from clew.base.options import TestRequest
from clew.execute.context import RunOptions
from clew.jobs.prepare import load_checked, make_machine
from clew.jobs.reexecution import execute, find_entry
from clew.report.listener import Listener
from clew.report.values import InputValue

READS, VALUES = 4, 4
"""Inputs of a program, and values that each may have."""


def source(seed: int) -> str:
    """A loop that reads inputs and counts; it fails when the counters are as they should not be."""
    drawn = random.Random(seed)
    lines = []
    for value in range(VALUES - 1):
        name = drawn.choice("ab")
        extra = drawn.choice(["", f" for (int k = 0; k < {drawn.randint(1, 4)}; k++) pad++;"])
        guard = drawn.choice(["", "if (a != b) ", "if (i) ", f"if (b < {drawn.randint(1, 3)}) "])
        lines.append(
            f"    if (c == {value}) {{ {guard}{name} {drawn.choice(['+=', '-='])} {drawn.randint(1, 2)};{extra} }}"
        )
    wrong = drawn.choice(["a != 2", "a + b != 3", "a - b != 2", "b != 1 || a < 1", "!(i > 1 && a == b)"])
    stop = drawn.choice(["", "    if (c == 3 && a > 1) break;\n"])
    return (
        "#include <assert.h>\nunsigned char __VERIFIER_nondet_uchar(void);\nvoid __VERIFIER_assume(int);\n"
        "int main(void) {\n  int a = 0, b = 0, pad = 0;\n"
        f"  for (int i = 0; i < {READS}; i++) {{\n    unsigned char c = __VERIFIER_nondet_uchar();\n"
        f"    __VERIFIER_assume(c < {VALUES});\n"
        + "\n".join(lines)
        + f"\n{stop}    assert({wrong});\n  }}\n  return pad;\n}}\n"
    )


def shortest(file: Path) -> int | None:
    """The instructions of the shortest run that fails; None if none does."""
    request = TestRequest((file,))
    program = load_checked(request, Listener())
    machine, entry = make_machine(program, RunOptions()), find_entry(program, None)
    lengths = []
    for values in product(range(VALUES), repeat=READS):
        inputs = [InputValue("c", "unsigned char", 8, value) for value in values]
        outcome = execute(machine, entry, inputs)
        if outcome.end == "bug":
            lengths.append(outcome.instructions)
    return min(lengths, default=None)
