"""Which registers an instruction reads."""

from __future__ import annotations

from collections.abc import Iterator

from clew.program.instructions import Instruction
from clew.program.operands import operands
from clew.program.values import Register


def registers(instruction: Instruction) -> Iterator[Register]:
    """The registers among the operands; a phi's are those of all its incoming edges."""
    return (value for value in operands(instruction) if isinstance(value, Register))
