"""Choosing a value for an input between its bounds, and naming the input as ``InputHints`` does."""

from __future__ import annotations

from collections.abc import Callable

from clew.base.location import Location
from clew.execute.heap.subjects import parameter_names
from clew.models.registry import effect_of
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.values import ConstBytes, GlobalRef, Register

Preference = Callable[[int | None, int | None], int]
"""Which value to take between two bounds."""


def _nearest(low: int | None, high: int | None) -> int:
    """To zero."""
    if low is not None and low > 0:
        return low
    return high if high is not None and high < 0 else 0


def _greatest(low: int | None, high: int | None) -> int:
    return high if high is not None else _nearest(low, high)


def _least(low: int | None, high: int | None) -> int:
    return low if low is not None else _nearest(low, high)


PREFERENCES: tuple[Preference, ...] = (_nearest, _greatest, _least)
"""In the order in which they are tried."""


def source_of(program: Program, function: Function, definition: ir.Instruction | None, register: str) -> Location | str:
    """What an input is known by where it is read: one that an instruction reads, or the parameter in a register."""
    if definition is not None:
        return _text(program, definition) or definition.location or ""
    for parameter, name in zip(function.parameters, parameter_names(function), strict=True):
        if isinstance(parameter.value, Register) and parameter.value.name == register:
            return name
    return ""


def _text(program: Program, call: ir.Instruction) -> str | None:
    """The name that a call gives to an input."""
    if not isinstance(call, ir.Call) or not isinstance(call.callee, GlobalRef):
        return None
    place = effect_of(call.callee.name).named
    name = call.arguments[place].value if place is not None and len(call.arguments) > place else None
    variable = program.globals.get(name.name) if isinstance(name, GlobalRef) else None
    if variable is None or not isinstance(variable.initializer, ConstBytes):
        return None
    return variable.initializer.data.partition(b"\0")[0].decode("utf-8", "replace")
