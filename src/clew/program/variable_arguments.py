"""Variable arguments: whether it matters for a program in which registers of x86-64 they came."""

from __future__ import annotations

from clew.program.module import Program


def come_in_registers(program: Program) -> bool:
    """Whether ``va_arg`` may read a struct that registers pass otherwise than memory does.

    That is one which is aligned to more than a word; Clang rounds addresses for it. All other arguments may be taken
    for passed in memory.
    """
    return program.triple.startswith("x86_64") and "llvm.ptrmask.p0.i64" in program.functions
