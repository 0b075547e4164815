"""Which values an instruction reads: one place that knows every instruction's operands."""

from __future__ import annotations

from collections.abc import Iterator

from clew.program import instructions as ir
from clew.program.values import Register, Value


def operands(instruction: ir.Instruction) -> tuple[Value, ...]:
    """The operands of ``instruction`` in source order. A phi's are those of all its incoming edges."""
    handler = _OPERANDS.get(type(instruction))
    return handler(instruction) if handler else ()


def registers(instruction: ir.Instruction) -> Iterator[Register]:
    """The registers among the operands."""
    return (value for value in operands(instruction) if isinstance(value, Register))


_OPERANDS = {
    ir.Binary: lambda i: (i.left, i.right),
    ir.FNeg: lambda i: (i.operand,),
    ir.Compare: lambda i: (i.left, i.right),
    ir.Cast: lambda i: (i.operand,),
    ir.Select: lambda i: (i.condition, i.if_true, i.if_false),
    ir.Freeze: lambda i: (i.operand,),
    ir.Phi: lambda i: tuple(value for value, _ in i.incoming),
    ir.Alloca: lambda i: (i.count,),
    ir.Load: lambda i: (i.pointer,),
    ir.Store: lambda i: (i.value, i.pointer),
    ir.GetElementPtr: lambda i: (i.base, *i.indices),
    ir.ExtractValue: lambda i: (i.aggregate,),
    ir.InsertValue: lambda i: (i.aggregate, i.element),
    ir.ExtractElement: lambda i: (i.vector, i.index),
    ir.InsertElement: lambda i: (i.vector, i.element, i.index),
    ir.ShuffleVector: lambda i: (i.left, i.right),
    ir.Call: lambda i: (i.callee, *(a.value for a in i.arguments)),
    ir.VaArg: lambda i: (i.list,),
    ir.AtomicUpdate: lambda i: (i.pointer, i.value),
    ir.CompareExchange: lambda i: (i.pointer, i.expected, i.replacement),
    ir.Branch: lambda i: (i.condition,),
    ir.Switch: lambda i: (i.value,),
    ir.IndirectBranch: lambda i: (i.address,),
    ir.Return: lambda i: () if i.value is None else (i.value,),
}
