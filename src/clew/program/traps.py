"""Clang's checks of undefined behaviour end in a call of ``llvm.ubsantrap``: its number says which one has failed."""

from __future__ import annotations

from clew.program.instructions import Call, Instruction
from clew.program.values import ConstInt, GlobalRef

TRAP = "llvm.ubsantrap"
DIVISION = 3
"""A quotient overflows."""
INDEX = 18
"""An index is outside of its array."""
MISALIGNED = 22
"""An access is not aligned as its type requires."""


def trap_number(instruction: Instruction) -> int | None:
    """Which check has failed when this instruction is executed; None if it is no trap of a check."""
    if isinstance(instruction, Call) and instruction.callee == GlobalRef(TRAP):
        number = instruction.arguments[0].value
        return number.value if isinstance(number, ConstInt) else None
    return None
