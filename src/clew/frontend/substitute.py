"""Instructions with other operands: an instruction and a map of registers in, an instruction out.

An instruction whose operands do not change is returned as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from clew.program.instructions import (
    Alloca,
    Argument,
    AtomicUpdate,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    CompareExchange,
    ExtractElement,
    ExtractValue,
    FNeg,
    Freeze,
    GetElementPtr,
    IndirectBranch,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    VaArg,
)
from clew.program.operands import operands
from clew.program.values import Register, Value

_PLAIN: dict[type[Instruction], tuple[str, ...]] = {
    Binary: ("left", "right"),
    FNeg: ("operand",),
    Compare: ("left", "right"),
    Cast: ("operand",),
    Select: ("condition", "if_true", "if_false"),
    Freeze: ("operand",),
    Alloca: ("count",),
    Load: ("pointer",),
    Store: ("value", "pointer"),
    ExtractValue: ("aggregate",),
    InsertValue: ("aggregate", "element"),
    ExtractElement: ("vector", "index"),
    InsertElement: ("vector", "element", "index"),
    ShuffleVector: ("left", "right"),
    VaArg: ("list",),
    AtomicUpdate: ("pointer", "value"),
    CompareExchange: ("pointer", "expected", "replacement"),
    Branch: ("condition",),
    Switch: ("value",),
    IndirectBranch: ("address",),
}
"""Classes whose operands are fields of their own. The others that have any are rebuilt below by name."""

_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _PLAIN}


def substitute(instruction: Instruction, replacement: Mapping[str, Value]) -> Instruction:
    """The instruction with each register that ``replacement`` names replaced."""
    for value in operands(instruction):
        if type(value) is Register and value.name in replacement:
            return _rebuild(instruction, replacement)
    return instruction


def replaced(value: Value, replacement: Mapping[str, Value]) -> Value:
    """What ``replacement`` says the value is now."""
    return replacement.get(value.name, value) if type(value) is Register else value


def _rebuild(instruction: Instruction, replacement: Mapping[str, Value]) -> Instruction:
    match instruction:
        case Phi():
            incoming = tuple((replaced(value, replacement), block) for value, block in instruction.incoming)
            return Phi(instruction.result, instruction.location, incoming)
        case GetElementPtr():
            return GetElementPtr(
                instruction.result,
                instruction.location,
                instruction.source_type,
                replaced(instruction.base, replacement),
                tuple(replaced(index, replacement) for index in instruction.indices),
                instruction.flags,
            )
        case Call():
            arguments = tuple(
                Argument(replaced(item.value, replacement), item.byval, item.sret, item.align)
                for item in instruction.arguments
            )
            return Call(
                instruction.result,
                instruction.location,
                replaced(instruction.callee, replacement),
                instruction.type,
                arguments,
                instruction.noreturn,
            )
        case Return(value=Value() as value):
            return Return(None, instruction.location, replaced(value, replacement))
    kind = type(instruction)
    changing = _PLAIN[kind]
    values: list[Any] = [getattr(instruction, name) for name in _FIELDS[kind]]
    for place, name in enumerate(_FIELDS[kind]):
        if name in changing:
            values[place] = replaced(values[place], replacement)
    return kind(*values)
