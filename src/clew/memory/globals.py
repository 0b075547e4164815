"""Where a program's globals and functions live, and what they contain before it starts.

Every function gets an object of one byte, so that pointers to it are addresses like any other; the
address of a block is that of its function plus a number. All addresses are given out before any
initializer is evaluated, since initializers refer to each other.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final

from clew.base.dataclass import dataclass
from clew.base.errors import Unsupported
from clew.memory.constants import ConstantEvaluator, ConstantValue
from clew.memory.space import AddressSpace
from clew.program.layout import DataLayout
from clew.program.module import Function, GlobalVariable, Program
from clew.program.types import OpaqueType
from clew.program.values import Constant

UNKNOWN_SIZE: Final = 1024
"""Bytes of an external object whose declaration does not tell its size (``extern int table[];``)."""
MADE_UP: Final = "made-up"
"""The kind of objects whose size nobody knows: an access past the end is none that could be called an error."""


@dataclass(slots=True)
class Globals:
    """Addresses of everything a program names, both ways."""

    addresses: dict[str, int] = field(default_factory=dict)
    """Of global variables and functions. Aliases are constants, see ``evaluate_constant``."""
    functions: dict[int, str] = field(default_factory=dict)
    """Name of the function at an address."""
    definitions: dict[str, Function] = field(default_factory=dict)
    constants: ConstantEvaluator = field(init=False)

    def evaluate_constant(self, const: Constant) -> ConstantValue:
        """The run-time value of a constant of the program."""
        return self.constants.evaluate(const)

    def block_address(self, function: str, block: str) -> int:
        """What ``blockaddress(@function, %block)`` is."""
        for number, candidate in enumerate(self.definitions[function].blocks, 1):
            if candidate.name == block:
                return self.addresses[function] + number
        raise Unsupported(f"the address of block '{block}', which '{function}' lacks")


def lay_out(program: Program, space: AddressSpace) -> Globals:
    """Put all functions and globals of ``program`` into ``space``."""
    result = Globals(definitions=program.functions)
    aliases = {name: alias.target for name, alias in program.aliases.items()}
    result.constants = ConstantEvaluator(program.layout, result.addresses, aliases, result.block_address)
    for function in program.functions.values():
        _place_function(function, space, result)
    variables = [variable for name, variable in program.globals.items() if not name.startswith("llvm.")]
    for variable in variables:
        result.addresses[variable.name] = _place_variable(variable, program.layout, space)
    for variable in variables:
        address = result.addresses[variable.name]
        if variable.initializer is not None:
            for offset, content in result.constants.encode(variable.initializer):
                space.write_bytes(address + offset, content)
        if variable.constant:
            space.freeze(address)
    return result


def _place_function(function: Function, space: AddressSpace, result: Globals) -> None:
    size = 1 if len(function.blocks) <= space.page_mask else len(function.blocks) + 1  # its blocks have addresses, too
    address = space.allocate(size, "function", function.source_name, initial=b"", constant=True)
    result.addresses[function.name] = address
    result.functions[address] = function.name


def _place_variable(variable: GlobalVariable, layout: DataLayout, space: AddressSpace) -> int:
    """A defined variable starts as zeros; an external one has no known contents."""
    size = 0 if isinstance(variable.type, OpaqueType) else layout.size(variable.type)
    external = variable.initializer is None
    unknown = external and size == 0
    return space.allocate(
        UNKNOWN_SIZE if unknown else size,
        MADE_UP if unknown else "global",
        variable.source_name or variable.name,
        max(variable.align, 1),
        variable.location,
        None if external else b"",
    )
