"""Calls that control may come back to from elsewhere: those of ``setjmp``."""

from __future__ import annotations

from clew.program import instructions as ir
from clew.program.module import Program
from clew.program.values import GlobalRef

SETJMP = ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp")


def marks_a_place(instruction: ir.Instruction) -> bool:
    """Whether control may come back to behind an instruction."""
    return type(instruction) is ir.Call and type(instruction.callee) is GlobalRef and instruction.callee.name in SETJMP


def has_jumps(program: Program) -> bool:
    """Whether there may be such a call in a program."""
    return any(name in program.functions for name in SETJMP)
