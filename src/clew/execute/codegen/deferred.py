"""Values that need no variable of their own: they are written where they are used.

An array access in C is an extension, a ``getelementptr`` and a load; written out, ``a[i]`` becomes

    try:
        v9 = r4[5][v3]                      # page 5 holds the array, cell v3 of it
    except SLOW:
        v9 = load(..., (21474836480 + sext(v3, 32, 64) * 4) & ..., 4)

without computing the address at all. Likewise a comparison that only decides the branch of its own
block. What is deferred here is used only within its block, by the instructions named below, and no
call into C lies in between.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.program import instructions as ir
from clew.program.module import Block, Function
from clew.program.operands import registers
from clew.program.types import IntType, PointerType, VectorType, is_plain
from clew.program.values import ConstInt, Register


def deferred(function: Function, ends_tree: Callable[[ir.Instruction], bool]) -> frozenset[str]:
    """Names of the registers whose definition is written at their uses."""
    users: dict[str, list[tuple[str, ir.Instruction]]] = {}
    for block in function.blocks:
        for instruction in block.instructions:
            for register in registers(instruction):
                users.setdefault(register.name, []).append((block.name, instruction))
    found: set[str] = set()
    for block in function.blocks:
        _in_block(block, users, ends_tree, found)
    return frozenset(found)


def _in_block(
    block: Block,
    users: dict[str, list[tuple[str, ir.Instruction]]],
    ends_tree: Callable[[ir.Instruction], bool],
    found: set[str],
) -> None:
    segment = 0
    segment_of: dict[int, int] = {}
    for instruction in block.instructions:
        segment_of[id(instruction)] = segment
        segment += ends_tree(instruction)
    # Backwards, so that the address is decided before the extension that feeds it.
    for instruction in reversed(block.instructions):
        result = instruction.result
        if result is None:
            continue
        uses = users.get(result.name, [])
        here = segment_of[id(instruction)]
        if not uses or any(name != block.name or segment_of.get(id(user)) != here for name, user in uses):
            continue
        consumers = [user for _, user in uses]
        if _may_defer(instruction, result, consumers, found):
            found.add(result.name)


def _may_defer(instruction: ir.Instruction, result: Register, consumers: list[ir.Instruction], found: set[str]) -> bool:
    match instruction:
        case ir.Compare(floating=False, left=left):
            wide = isinstance(left.type, PointerType) or (isinstance(left.type, IntType) and left.type.width > 1)
            return wide and len(consumers) == 1 and isinstance(consumers[0], ir.Branch)
        case ir.Binary(op="and", left=Register(type=IntType(width=width)), right=ConstInt()) if width > 1:
            return len(consumers) == 1 and isinstance(consumers[0], ir.Compare) and _is_in(consumers[0], found)
        case ir.GetElementPtr(indices=indices, base=base):
            variable = [index for index in indices if not isinstance(index, ConstInt)]
            vector = isinstance(base.type, VectorType) or any(isinstance(i.type, VectorType) for i in variable)
            return not vector and len(variable) <= 1 and all(_accesses(user, result) for user in consumers)
        case ir.Cast(op="zext" | "sext" as op, operand=operand, to=IntType()):
            # A negative index must be too large for every object when read as unsigned: 8 or 16 bits are too few.
            narrow = isinstance(operand.type, IntType) and (32 if op == "sext" else 2) <= operand.type.width <= 32
            return narrow and all(_indexes(user, result, found) for user in consumers)
    return False


def _is_in(instruction: ir.Instruction, found: set[str]) -> bool:
    return instruction.result is not None and instruction.result.name in found


def _accesses(user: ir.Instruction, address: Register) -> bool:
    """Whether the instruction reads or writes a plain word at the address, and does nothing else with it."""
    match user:
        case ir.Load(pointer=pointer, result=loaded):
            return pointer == address and loaded is not None and is_plain(loaded.type)
        case ir.Store(pointer=pointer, value=value):
            return pointer == address and value != address and is_plain(value.type)
    return False


def _indexes(user: ir.Instruction, index: Register, found: set[str]) -> bool:
    return (
        isinstance(user, ir.GetElementPtr)
        and user.result is not None
        and user.result.name in found
        and user.base != index
    )
