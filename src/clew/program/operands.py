"""The values an instruction reads, in the order they are written: one table for all who walk programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.values import BlockAddress, ConstAggregate, ConstExpr, GlobalRef, Register, Value

_TABLE: dict[type[ir.Instruction], Callable[[Any], tuple[Value, ...]]] = {
    ir.Binary: lambda i: (i.left, i.right),
    ir.FNeg: lambda i: (i.operand,),
    ir.Compare: lambda i: (i.left, i.right),
    ir.Cast: lambda i: (i.operand,),
    ir.Select: lambda i: (i.condition, i.if_true, i.if_false),
    ir.Freeze: lambda i: (i.operand,),
    ir.Phi: lambda i: tuple([value for value, _ in i.incoming]),
    ir.Alloca: lambda i: (i.count,),
    ir.Load: lambda i: (i.pointer,),
    ir.Store: lambda i: (i.value, i.pointer),
    ir.GetElementPtr: lambda i: (i.base, *i.indices),
    ir.ExtractValue: lambda i: (i.aggregate,),
    ir.InsertValue: lambda i: (i.aggregate, i.element),
    ir.ExtractElement: lambda i: (i.vector, i.index),
    ir.InsertElement: lambda i: (i.vector, i.element, i.index),
    ir.ShuffleVector: lambda i: (i.left, i.right),
    ir.Call: lambda i: (i.callee, *[argument.value for argument in i.arguments]),
    ir.VaArg: lambda i: (i.list,),
    ir.AtomicUpdate: lambda i: (i.pointer, i.value),
    ir.CompareExchange: lambda i: (i.pointer, i.expected, i.replacement),
    ir.Fence: lambda i: (),
    ir.UnsupportedInstruction: lambda i: (),
    ir.Jump: lambda i: (),
    ir.Branch: lambda i: (i.condition,),
    ir.Switch: lambda i: (i.value,),
    ir.IndirectBranch: lambda i: (i.address,),
    ir.Return: lambda i: () if i.value is None else (i.value,),
    ir.Unreachable: lambda i: (),
}


def operands(instruction: ir.Instruction) -> tuple[Value, ...]:
    """Every value ``instruction`` reads; for a phi, the values of all predecessors."""
    return _TABLE[type(instruction)](instruction)


def registers(instruction: ir.Instruction) -> Iterator[Register]:
    """The registers among the operands; a phi's are those of all its incoming edges."""
    return (value for value in operands(instruction) if isinstance(value, Register))


def references(value: Value) -> Iterator[str]:
    """Names of the globals and functions in an operand."""
    work = [value]
    while work:
        match work.pop():
            case GlobalRef(name=name) | BlockAddress(function=name):
                yield name
            case ConstAggregate(elements=parts) | ConstExpr(operands=parts):
                work.extend(parts)


def function_references(function: Function) -> Iterator[str]:
    """Names of the globals and functions that the code of a function mentions."""
    for instruction in function.instructions():
        for value in operands(instruction):
            yield from references(value)
