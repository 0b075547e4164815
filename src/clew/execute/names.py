"""Names of C variables for values, from debug info."""

from __future__ import annotations

from clew.program import instructions as ir
from clew.program.module import Function, Variable
from clew.program.types import ArrayType, StructType
from clew.program.values import GlobalRef, Register, Value


class Names:
    """What the source calls the values of functions; looked up once per function."""

    def __init__(self) -> None:
        self._variables: dict[str, dict[str, str]] = {}
        self._declared: dict[str, dict[str, Variable]] = {}
        self._definitions: dict[str, dict[str, ir.Instruction]] = {}

    def result_variable(self, function: Function, call: ir.Call) -> str | None:
        """The variable the result of a call goes to; None for one that is used in place."""
        return None if call.result is None else self.variable(function, call.result.name)

    def variable(self, function: Function, register: str) -> str | None:
        """The first C variable that holds the register's value."""
        known = self._variables.get(function.name)
        if known is None:
            known = self._variables[function.name] = self._first_variables(function)
        return known.get(register)

    def declared(self, function: Function, register: str) -> Variable | None:
        """The C variable whose memory a register is the address of; None if there is none."""
        known = self._declared.get(function.name)
        if known is None:
            known = self._declared[function.name] = {
                update.value.name: update.variable
                for block in function.blocks
                for update in block.updates
                if update.declares and isinstance(update.value, Register)
            }
        return known.get(register)

    def definition(self, function: Function, register: str) -> ir.Instruction | None:
        """The instruction that gives a register its value; None for parameters."""
        known = self._definitions.get(function.name)
        if known is None:
            known = self._definitions[function.name] = function.definitions()
        return known.get(register)

    def array(self, function: Function, base: Value) -> str | None:
        """What the source calls an array, by where its elements' addresses are computed from."""
        if isinstance(base, GlobalRef):
            # A static variable of a function is named after both.
            return None if base.name.startswith(".") else base.name.rpartition(".")[2]
        if not isinstance(base, Register):
            return None
        made = self.definition(function, base.name)
        if isinstance(made, ir.GetElementPtr):
            if isinstance(made.source_type, ArrayType):
                whole = self.array(function, made.base)
                # The address of its first element stands for an array; other elements are arrays in an array.
                return f"{whole}[...]" if whole and not base.name.startswith("arraydecay") else whole
            return self._member(function, base.name) if isinstance(made.source_type, StructType) else None
        if isinstance(made, ir.Alloca):
            declared = self.declared(function, base.name)
            return None if declared is None else declared.name
        variable = self.variable(function, base.name)
        return f"(*{variable})" if variable else None

    def _member(self, function: Function, register: str) -> str:
        """The name of a struct's member that an address is named after: LLVM adds numbers where a name is taken."""
        short = register.rstrip("0123456789")
        return short if self.definition(function, short) is not None else register

    def _first_variables(self, function: Function) -> dict[str, str]:
        """Registers to variables: by debug records, and through a store into a variable's own memory."""
        result: dict[str, str] = {}
        for block in function.blocks:
            for update in block.updates:
                if isinstance(update.value, Register) and not update.declares:
                    result.setdefault(update.value.name, update.variable.name)
        for block in function.blocks:
            for i in block.instructions:
                if isinstance(i, ir.Store) and isinstance(i.value, Register) and isinstance(i.pointer, Register):
                    declared = self.declared(function, i.pointer.name)
                    if declared is not None:
                        result.setdefault(i.value.name, declared.name)
        return result
