"""Type rules of single instructions, for the verifier: what each operand's type must be.

A rule returns a complaint or the empty text. Whatever LLVM guarantees beyond operand types (alignments,
flags) is not checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.program import instructions as ir
from clew.program.types import (
    I1,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
)

_INT, _FLOAT, _POINTER = IntType, FloatType, PointerType
_CASTS: dict[str, tuple[type[Type], type[Type]]] = {
    "trunc": (_INT, _INT),
    "zext": (_INT, _INT),
    "sext": (_INT, _INT),
    "fptrunc": (_FLOAT, _FLOAT),
    "fpext": (_FLOAT, _FLOAT),
    "fptoui": (_FLOAT, _INT),
    "fptosi": (_FLOAT, _INT),
    "uitofp": (_INT, _FLOAT),
    "sitofp": (_INT, _FLOAT),
    "ptrtoint": (_POINTER, _INT),
    "ptrtoaddr": (_POINTER, _INT),
    "inttoptr": (_INT, _POINTER),
    "addrspacecast": (_POINTER, _POINTER),
}


def complaint(instruction: ir.Instruction, function: FunctionType) -> str:
    """What is wrong with the types of ``instruction`` in a function of the given type; empty if nothing."""
    if isinstance(instruction, ir.Return):
        return _return(instruction, function.result)
    rule = _RULES.get(type(instruction))
    return rule(instruction) if rule is not None else ""


def _scalar(type: Type) -> Type:
    return type.element if isinstance(type, VectorType) else type


def _count(type: Type) -> int:
    return type.count if isinstance(type, VectorType) else 0


def _same(*types: Type | None) -> str:
    first = types[0]
    for other in types[1:]:
        if other is not first and other != first:
            return f"{first} and {other} differ"
    return ""


def _wanted(type: Type, kind: type[Type], what: str) -> str:
    return "" if isinstance(_scalar(type), kind) else f"{what} is of type {type}"


def _result(i: ir.Instruction) -> Type | None:
    return i.result.type if i.result is not None else None


def _binary(i: ir.Binary) -> str:
    kind = FloatType if i.op[0] == "f" else IntType
    return _same(i.left.type, i.right.type, _result(i)) or _wanted(i.left.type, kind, "an operand")


def _compare(i: ir.Compare) -> str:
    wrong = _same(i.left.type, i.right.type)
    if wrong:
        return wrong
    scalar = _scalar(i.left.type)
    if isinstance(scalar, FloatType) != i.floating or not isinstance(scalar, IntType | PointerType | FloatType):
        return f"a comparison of type {i.left.type}"
    count = _count(i.left.type)
    return _same(_result(i), VectorType(count, I1) if count else I1)


def _cast(i: ir.Cast) -> str:
    wrong = _same(_result(i), i.to)
    if wrong or i.op not in _CASTS:
        return wrong
    source, target = _CASTS[i.op]
    if _count(i.operand.type) != _count(i.to):
        return f"from {i.operand.type} to {i.to}"
    wrong = _wanted(i.operand.type, source, "the operand") or _wanted(i.to, target, "the result")
    if wrong or i.op not in ("trunc", "zext", "sext"):
        return wrong
    before, after = _scalar(i.operand.type), _scalar(i.to)
    assert isinstance(before, IntType) and isinstance(after, IntType)
    wider = before.width > after.width if i.op == "trunc" else before.width < after.width
    return "" if wider else f"from {before} to {after}"


def _select(i: ir.Select) -> str:
    if _scalar(i.condition.type) != I1:
        return f"a condition of type {i.condition.type}"
    return _same(i.if_true.type, i.if_false.type, _result(i))


def _phi(i: ir.Phi) -> str:
    return _same(_result(i), *[value.type for value, _ in i.incoming])


def _gep(i: ir.GetElementPtr) -> str:
    for index in i.indices:
        wrong = _wanted(index.type, IntType, "an index")
        if wrong:
            return wrong
    return _wanted(i.base.type, PointerType, "the base") or _same(_scalar(i.base.type), _scalar_result(i))


def _scalar_result(i: ir.Instruction) -> Type | None:
    return _scalar(i.result.type) if i.result is not None else None


def _walk(type: Type, indices: tuple[int, ...]) -> Type | None:
    for index in indices:
        if isinstance(type, StructType) and 0 <= index < len(type.fields):
            type = type.fields[index]
        elif isinstance(type, ArrayType) and 0 <= index < type.count:
            type = type.element
        else:
            return None
    return type


def _insert_value(i: ir.InsertValue) -> str:
    return _same(_walk(i.aggregate.type, i.indices), i.element.type) or _same(i.aggregate.type, _result(i))


def _vector_element(vector: Type, element: Type | None) -> str:
    return _same(vector.element, element) if isinstance(vector, VectorType) else f"{vector} is no vector"


def _shuffle(i: ir.ShuffleVector) -> str:
    wrong = _same(i.left.type, i.right.type)
    if wrong or not isinstance(i.left.type, VectorType):
        return wrong or f"{i.left.type} is no vector"
    limit = 2 * i.left.type.count
    if any(entry is not None and not 0 <= entry < limit for entry in i.mask):
        return "an entry of the mask is out of range"
    return _same(_result(i), VectorType(len(i.mask), i.left.type.element))


def _call(i: ir.Call) -> str:
    found = tuple(argument.value.type for argument in i.arguments)
    fixed = len(i.type.params)
    if found[:fixed] != i.type.params or (len(found) != fixed and not i.type.varargs):
        return f"arguments {', '.join(map(str, found))} for {i.type}"
    return _same(_result(i), None if i.type.result == VOID else i.type.result) or _pointer(i.callee.type)


def _pointer(type: Type) -> str:
    return "" if isinstance(type, PointerType) else f"{type} is no pointer"


def _switch(i: ir.Switch) -> str:
    if not isinstance(i.value.type, IntType):
        return f"a value of type {i.value.type}"
    values = [value for value, _ in i.cases]
    if len(set(values)) != len(values):
        return "two cases have the same value"
    return "" if all(0 <= value < 1 << i.value.type.width for value in values) else "a case is out of range"


def _return(i: ir.Return, result: Type) -> str:
    return _same(result, VOID if i.value is None else i.value.type)


def _exchange(i: ir.CompareExchange) -> str:
    wanted = StructType((i.expected.type, I1))
    return _pointer(i.pointer.type) or _same(i.expected.type, i.replacement.type) or _same(_result(i), wanted)


_RULES: dict[type[ir.Instruction], Callable[[Any], str]] = {
    ir.Binary: _binary,
    ir.FNeg: lambda i: _same(i.operand.type, _result(i)) or _wanted(i.operand.type, FloatType, "the operand"),
    ir.Compare: _compare,
    ir.Cast: _cast,
    ir.Select: _select,
    ir.Freeze: lambda i: _same(i.operand.type, _result(i)),
    ir.Phi: _phi,
    ir.Alloca: lambda i: _wanted(i.count.type, IntType, "the count"),
    ir.Load: lambda i: _pointer(i.pointer.type),
    ir.Store: lambda i: _pointer(i.pointer.type),
    ir.GetElementPtr: _gep,
    ir.ExtractValue: lambda i: _same(_walk(i.aggregate.type, i.indices), _result(i)),
    ir.InsertValue: _insert_value,
    ir.ExtractElement: lambda i: _vector_element(i.vector.type, _result(i)),
    ir.InsertElement: lambda i: _vector_element(i.vector.type, i.element.type) or _same(i.vector.type, _result(i)),
    ir.ShuffleVector: _shuffle,
    ir.Call: _call,
    ir.VaArg: lambda i: _pointer(i.list.type),
    ir.AtomicUpdate: lambda i: _pointer(i.pointer.type) or _same(i.value.type, _result(i)),
    ir.CompareExchange: _exchange,
    ir.Branch: lambda i: _same(i.condition.type, I1),
    ir.Switch: _switch,
    ir.IndirectBranch: lambda i: _pointer(i.address.type),
}
