"""Names of C variables for values, from debug info."""

from __future__ import annotations

from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import ArrayType, StructType
from clew.program.values import GlobalRef, Register, Value


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

    def array(self, function: Function, base: Value) -> str | None:
        """What the source calls an array, by where its elements' addresses are computed from."""
        if isinstance(base, GlobalRef):
            # A static variable of a function is named after both.
            return None if base.name.startswith(".") else base.name.rpartition(".")[2]
        if not isinstance(base, Register):
            return None
        made = _definition(function, base)
        if isinstance(made, ir.GetElementPtr):
            if isinstance(made.source_type, ArrayType):
                whole = self.array(function, made.base)
                # The address of its first element stands for an array; other elements are arrays in an array.
                return f"{whole}[...]" if whole and not base.name.startswith("arraydecay") else whole
            return _original(function, base.name) if isinstance(made.source_type, StructType) else None
        if isinstance(made, ir.Alloca):
            return _declared(function).get(base.name)
        variable = self.variable(function, base)
        return f"(*{variable})" if variable else None


def _definition(function: Function, register: Register) -> ir.Instruction | None:
    """The instruction that gives a register its value; None for parameters."""
    return next((i for block in function.blocks for i in block.instructions if i.result == register), None)


def _original(function: Function, name: str) -> str:
    """The name of a struct's member that an address is named after: LLVM adds numbers where a name is taken."""
    short = name.rstrip("0123456789")
    taken = any(
        i.result is not None and i.result.name == short for block in function.blocks for i in block.instructions
    )
    return short if taken else name


def _declared(function: Function) -> dict[str, str]:
    """Addresses to the variables that are there."""
    return {
        update.value.name: update.variable.name
        for block in function.blocks
        for update in block.updates
        if update.declares and isinstance(update.value, Register)
    }


def _variables(function: Function) -> dict[str, str]:
    """Registers to variables: by debug records, and through a store into a variable's own memory."""
    declared = _declared(function)
    result: dict[str, str] = {}
    for block in function.blocks:
        for update in block.updates:
            if isinstance(update.value, Register) and not update.declares:
                result.setdefault(update.value.name, update.variable.name)
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
