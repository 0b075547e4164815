"""Clang's checks of array indices -> checks that know which index they refuse.

    %ok = icmp ult i64 %index, 8                    %ok = icmp ult i64 %index, 8
    br i1 %ok, cont, trap                           br i1 %ok, cont, trap
    trap: call @llvm.ubsantrap(i8 18)          ->   trap: call @llvm.ubsantrap(i8 18, i64 %index, i64 8)

The trap itself has no operands, and where it is reached, nothing keeps the index alive. As arguments, index and bound
are there for the report.
"""

from __future__ import annotations

from dataclasses import replace

from clew.program.instructions import Argument, Branch, Call, Compare
from clew.program.module import Block, Function, Program
from clew.program.traps import INDEX, TRAP, trap_number
from clew.program.types import FunctionType
from clew.program.values import Register


def explain_bounds(program: Program) -> Program:
    """The program, its traps of indices out of bounds with their operands."""
    if TRAP not in program.functions:
        return program
    functions = {name: _explained(function) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _explained(function: Function) -> Function:
    traps = {block.name: block for block in function.blocks if trap_number(block.instructions[0]) == INDEX}
    if not traps:
        return function
    for block in function.blocks:
        branch = block.terminator
        if isinstance(branch, Branch) and branch.if_false in traps:
            compared = next((i for i in reversed(block.instructions) if i.result == branch.condition), None)
            if isinstance(compared, Compare) and isinstance(branch.condition, Register):
                traps[branch.if_false] = _with_operands(traps[branch.if_false], compared)
    return replace(function, blocks=tuple(traps.get(block.name, block) for block in function.blocks))


def _with_operands(block: Block, compared: Compare) -> Block:
    call, *rest = block.instructions
    assert isinstance(call, Call)
    arguments = (call.arguments[0], Argument(compared.left), Argument(compared.right))
    type = FunctionType(call.type.result, tuple(argument.value.type for argument in arguments))
    return replace(block, instructions=(replace(call, type=type, arguments=arguments), *rest))
