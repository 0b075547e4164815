"""Which local variables need no memory.

A *slot* is an ``alloca`` of one element in the entry block that is only ever loaded and stored
whole, with its own type, not volatile, and whose address goes nowhere else. Debug info and lifetime
marks do not count as uses.
"""

from __future__ import annotations

import re
from dataclasses import field

from clew.base.dataclass import dataclass
from clew.program.instructions import Alloca, Call, Instruction, Load, Store, UnsupportedInstruction, lifetime_mark
from clew.program.jumps import marks_a_place
from clew.program.module import Function, Variable
from clew.program.operands import operands
from clew.program.types import Type
from clew.program.values import ConstInt, Register, Value

_LOCAL_NAME = re.compile(r'%(?:"([^"]*)"|([-\w$.]+))')


@dataclass(slots=True)
class Slot:
    """A variable to promote. ``number`` is its place in every bit set."""

    number: int
    register: str
    type: Type
    variables: list[Variable] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The C variable's name, or the best we have."""
        return self.variables[0].name if self.variables else self.register.removesuffix(".addr")


def find_slots(function: Function) -> dict[str, Slot]:
    """The function's slots by register name, numbered in the order of their declaration.

    There are none if it calls ``setjmp``: what comes back there finds variables as they are then.
    """
    if any(map(marks_a_place, function.instructions())):
        return {}
    types = {
        alloca.result.name: alloca.allocated
        for alloca in function.blocks[0].instructions
        if isinstance(alloca, Alloca) and alloca.result and _is_one(alloca.count)
    }
    for block in function.blocks:
        if not types:
            break
        for instruction in block.instructions:
            for name in _escaping(instruction, types):
                types.pop(name, None)
    slots = {name: Slot(number, name, type) for number, (name, type) in enumerate(types.items())}
    _attach_variables(function, slots)
    return slots


def _attach_variables(function: Function, slots: dict[str, Slot]) -> None:
    for block in function.blocks:
        for update in block.updates:
            if update.declares and isinstance(update.value, Register) and update.value.name in slots:
                variables = slots[update.value.name].variables
                if update.variable not in variables:
                    variables.append(update.variable)


def _is_one(count: Value) -> bool:
    return isinstance(count, ConstInt) and count.value == 1


def _escaping(instruction: Instruction, types: dict[str, Type]) -> list[str]:
    """Candidates that this instruction uses in a way that forbids promotion."""
    if type(instruction) is Load:
        if _plain_access(instruction.pointer, instruction.result, instruction.volatile, types):
            return []
    elif type(instruction) is Store:
        if _plain_access(instruction.pointer, instruction.value, instruction.volatile, types):
            stored = instruction.value
            return [stored.name] if type(stored) is Register else []
    elif type(instruction) is UnsupportedInstruction:
        return [quoted or plain for quoted, plain in _LOCAL_NAME.findall(instruction.text)]
    elif lifetime_mark(instruction):
        return []
    return [value.name for value in operands(instruction) if type(value) is Register]


def _plain_access(pointer: Value, value: Value | None, volatile: bool, types: dict[str, Type]) -> bool:
    if volatile or type(pointer) is not Register or value is None:
        return False
    known = types.get(pointer.name)
    return known is not None and (known is value.type or known == value.type)


def marked_slot(instruction: Call, slots: dict[str, Slot]) -> Slot | None:
    """The slot whose lifetime the call marks."""
    value = instruction.arguments[-1].value
    return slots.get(value.name) if type(value) is Register else None
