"""For passes that rewrite functions: instructions with other operands, and names for new registers.

An instruction whose operands do not change is returned as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from clew.program.instructions import Argument, Instruction
from clew.program.module import Function
from clew.program.operands import operands
from clew.program.values import Register, Value


def substitute(instruction: Instruction, replacement: Mapping[str, Value]) -> Instruction:
    """The instruction with each register that ``replacement`` names replaced."""
    for value in operands(instruction):
        if type(value) is Register and value.name in replacement:
            kind: Any = type(instruction)
            parts = [_rebuilt(getattr(instruction, name), replacement) for name in _names(kind)]
            rebuilt: Instruction = kind(instruction.result, instruction.location, *parts)
            return rebuilt
    return instruction


def replaced(value: Value, replacement: Mapping[str, Value]) -> Value:
    """What ``replacement`` says the value is now."""
    return replacement.get(value.name, value) if type(value) is Register else value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """The fields of a class of instructions that may hold operands: not its result, nor its place."""
    return tuple(field.name for field in fields(kind))[2:]


def _rebuilt(part: Any, replacement: Mapping[str, Value]) -> Any:
    """A field of an instruction with the registers in it replaced."""
    kind = type(part)
    if kind is Register:
        return replacement.get(part.name, part)
    if kind is tuple:
        return tuple([_rebuilt(item, replacement) for item in part])
    if kind is Argument:
        return Argument(replaced(part.value, replacement), part.byval, part.sret, part.align)
    return part


class Names:
    """The names of a function, and new ones."""

    def __init__(self, function: Function) -> None:
        self._taken = {p.value.name for p in function.parameters if isinstance(p.value, Register)}
        for block in function.blocks:
            self._taken.add(block.name)
            self._taken.update(i.result.name for i in block.instructions if i.result is not None)
        self._counts: dict[str, int] = {}

    def fresh(self, base: str) -> str:
        """``base.N`` with the least N not tried yet that is free."""
        while True:
            count = self._counts[base] = self._counts.get(base, 0) + 1
            name = f"{base}.{count}"
            if name not in self._taken:
                self._taken.add(name)
                return name
