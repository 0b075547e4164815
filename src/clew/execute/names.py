"""Names of C variables for values, from debug info."""

from __future__ import annotations

from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.values import Register


class Names:
    """Looks up, once per function, which C variable each register is assigned to first."""

    def __init__(self) -> None:
        self._variables: dict[str, dict[str, str]] = {}

    def result_variable(self, function: Function, call: ir.Call) -> str | None:
        """The variable the result of a call goes to; None for one that is used in place."""
        if call.result is None:
            return None
        return self.variable(function, call.result)

    def variable(self, function: Function, register: Register) -> str | None:
        """The first C variable that holds the register's value."""
        known = self._variables.get(function.name)
        if known is None:
            known = self._variables[function.name] = _variables(function)
        return known.get(register.name)


def _variables(function: Function) -> dict[str, str]:
    """Registers to variables: by debug records, and through a store into a variable's own memory."""
    declared: dict[str, str] = {}
    result: dict[str, str] = {}
    for block in function.blocks:
        for update in block.updates:
            if isinstance(update.value, Register):
                target = declared if update.declares else result
                target.setdefault(update.value.name, update.variable.name)
    for block in function.blocks:
        for instruction in block.instructions:
            if (
                isinstance(instruction, ir.Store)
                and isinstance(instruction.value, Register)
                and isinstance(instruction.pointer, Register)
                and instruction.pointer.name in declared
            ):
                result.setdefault(instruction.value.name, declared[instruction.pointer.name])
    return result
