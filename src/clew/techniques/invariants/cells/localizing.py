"""Global variables that one function alone uses, as variables of its own: then they can be registers."""

from __future__ import annotations

import dataclasses

from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.operands import function_references, operands, references
from clew.program.types import I32, PTR, IntType
from clew.program.values import ConstInt, ConstZero, GlobalRef, Register, Value

_OWN = "clew.global."


def localized(program: Program, entry: str) -> Program:
    """The program with such variables of ``entry``, which is called once, before anything else, made local.

    Only integers, which are read and written as a whole, and which nothing else has the address of.
    """
    function = program.functions[entry]
    shared = {name for f in program.functions.values() if f is not function for name in function_references(f)}
    initial = [variable.initializer for variable in program.globals.values() if variable.initializer is not None]
    shared.update(name for value in initial for name in references(value))
    shared.update(name for alias in program.aliases.values() for name in references(alias.target))
    if program.constructors or entry in shared:
        return program
    found = {}
    for name in dict.fromkeys(function_references(function)):
        variable = program.globals.get(name)
        if variable is not None and name not in shared and isinstance(variable.type, IntType):
            begin = ConstInt(variable.type, 0) if isinstance(variable.initializer, ConstZero) else variable.initializer
            if isinstance(begin, ConstInt) and _is_plain(function, GlobalRef(name), variable.type):
                found[GlobalRef(name)] = begin
    functions = {**program.functions, entry: _with_locals(function, found)}
    return dataclasses.replace(program, functions=functions)


def _is_plain(function: Function, variable: GlobalRef, type: IntType) -> bool:
    """Whether a function does nothing but read and write a variable."""
    for i in function.instructions():
        match i:
            case ir.Load(pointer=pointer, volatile=False, result=Register(type=accessed)) if pointer == variable:
                rest: tuple[Value, ...] = ()
            case ir.Store(value=value, pointer=pointer, volatile=False) if pointer == variable:
                accessed, rest = value.type, (value,)
            case _:
                accessed, rest = type, operands(i)
        if accessed != type or any(variable.name in references(value) for value in rest):
            return False
    return True


def _with_locals(function: Function, found: dict[GlobalRef, ConstInt]) -> Function:
    slots = {variable: Register(_OWN + variable.name, PTR) for variable in found}

    def changed(i: ir.Instruction) -> ir.Instruction:
        if isinstance(i, ir.Load | ir.Store) and isinstance(i.pointer, GlobalRef) and i.pointer in slots:
            return dataclasses.replace(i, pointer=slots[i.pointer])
        return i

    first: list[ir.Instruction] = []
    for variable, initial in found.items():
        first.append(ir.Alloca(slots[variable], None, initial.type, ConstInt(I32, 1), 8))
        first.append(ir.Store(None, None, initial, slots[variable], 8))
    blocks = [
        dataclasses.replace(block, instructions=tuple(map(changed, block.instructions))) for block in function.blocks
    ]
    blocks[0] = blocks[0].inserted({0: tuple(first)})
    return dataclasses.replace(function, blocks=tuple(blocks))
