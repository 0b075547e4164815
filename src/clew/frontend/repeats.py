"""What a piece of code computes or loads once more, right after a block that has done so already.

    head: i1 = sext i; p1 = gep a, i1; x1 = load p1; ...        arm: i2 = sext i; p2 = gep a, i2; x2 = load p2; ...

``x2`` is ``x1``, if nothing was written to memory in between: a load that cannot fail, as it was done before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from clew.frontend.substitute import substitute
from clew.program import instructions as ir
from clew.program.operands import operands
from clew.program.values import ConstUndef, Register, Value

WINDOW = 64
"""So many instructions before the end of a block are looked at."""

_COMPUTED = (ir.Binary, ir.Compare, ir.Cast, ir.Select, ir.GetElementPtr, ir.ExtractValue)


class Repeats:
    """What is known at the end of a block."""

    def __init__(self, block: list[ir.Instruction], now: Callable[[Value], Value]) -> None:
        """``now`` tells what a value has become."""
        self._now = now
        self._known: dict[ir.Instruction, Register] = {}
        """Instructions without name and place, and the register that has their result."""
        self._same: dict[str, Register] = {}
        for instruction in block[-WINDOW:]:
            if isinstance(instruction, (*_COMPUTED, ir.Load)):
                self._note(instruction)
            elif not isinstance(instruction, ir.Freeze | ir.FNeg | ir.InsertValue):
                self._known = {key: known for key, known in self._known.items() if not isinstance(key, ir.Load)}

    def of(self, code: Iterable[ir.Instruction]) -> dict[str, Register]:
        """The results of ``code`` that are known before it runs: by name, and what has them already.

        The code must not write to memory.
        """
        found = {}
        for instruction in code:
            if isinstance(instruction, (*_COMPUTED, ir.Load)):
                known = self._note(instruction)
                if known is not None and instruction.result is not None:
                    found[instruction.result.name] = known
        return found

    def _note(self, instruction: ir.Instruction) -> Register | None:
        """Remember the result of an instruction; yields the register that has it already."""
        if instruction.result is None or (isinstance(instruction, ir.Load) and instruction.volatile):
            return None
        inputs: dict[str, Value] = {}
        for operand in operands(instruction):
            if isinstance(operand, ConstUndef):
                return None  # which may be another value every time
            if isinstance(operand, Register):
                value = self._now(operand)
                inputs[operand.name] = self._same.get(value.name, value) if isinstance(value, Register) else value
        key = replace(substitute(instruction, inputs), result=Register("", instruction.result.type), location=None)
        known = self._known.setdefault(key, instruction.result)
        if known is instruction.result:
            return None
        self._same[instruction.result.name] = known
        return known
