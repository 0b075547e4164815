"""Straight-line instructions other than calls: the complete readers, one per family.

``fast`` reads the usual shapes of the commonest ones; whatever it declines comes here. A reader gets the
cursor behind the opcode and leaves it before the metadata attachments.
"""

from __future__ import annotations

from collections.abc import Callable

from clew.base.location import Location
from clew.frontend.reader.constants import BINARY_OPS, CAST_OPS
from clew.frontend.reader.cursor import Cursor, Malformed, UnsupportedText
from clew.frontend.reader.operands import Scope
from clew.frontend.reader.types import indexed_type, with_shape
from clew.program.instructions import (
    Binary,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    FNeg,
    Freeze,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Instruction,
    Phi,
    Select,
    ShuffleVector,
    VaArg,
)
from clew.program.types import I1, PointerType, Type, VectorType
from clew.program.values import ConstAggregate, ConstInt, ConstUndef, ConstZero, Value

Reader = Callable[[Scope, Cursor, str, "str | None", "Location | None"], Instruction]

FLAG_WORDS = (
    "nsw", "nuw", "exact", "disjoint", "nneg", "samesign", "inbounds", "nusw",
    "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc",
)  # fmt: skip


def read_flags(scope: Scope, cursor: Cursor) -> frozenset[str]:
    words = []
    while word := cursor.accept_word(*FLAG_WORDS):
        words.append(word)
    return scope.context.flags(" ".join(words))


def _binary(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    flags = read_flags(scope, cursor)
    left = scope.typed_value(cursor)
    cursor.expect(",")
    right = scope.value(cursor, left.type)
    return Binary(scope.result(name, left.type), location, op, left, right, flags)


def _fneg(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    read_flags(scope, cursor)
    operand = scope.typed_value(cursor)
    return FNeg(scope.result(name, operand.type), location, operand)


def _compare(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    flags = read_flags(scope, cursor)
    predicate = cursor.word()
    if predicate not in PREDICATES[op]:
        raise Malformed(f"'{predicate}' is no predicate of {op}")
    left = scope.typed_value(cursor)
    cursor.expect(",")
    right = scope.value(cursor, left.type)
    result = scope.result(name, with_shape(left.type, I1))
    return Compare(result, location, predicate, left, right, op == "fcmp", flags)


PREDICATES = {
    "icmp": frozenset(["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]),
    "fcmp": frozenset(
        [
            "false",
            "oeq",
            "ogt",
            "oge",
            "olt",
            "ole",
            "one",
            "ord",
            "ueq",
            "ugt",
            "uge",
            "ult",
            "ule",
            "une",
            "uno",
            "true",
        ]
    ),
}


def _cast(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    flags = read_flags(scope, cursor)
    operand = scope.typed_value(cursor)
    cursor.expect("to")
    to = scope.context.types.read(cursor)
    return Cast(scope.result(name, to), location, op, operand, to, flags)


def _select(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    read_flags(scope, cursor)
    condition = scope.typed_value(cursor)
    cursor.expect(",")
    yes = scope.typed_value(cursor)
    cursor.expect(",")
    no = scope.typed_value(cursor)
    if yes.type != no.type:
        raise Malformed(f"a select between {yes.type} and {no.type}")
    return Select(scope.result(name, yes.type), location, condition, yes, no)


def _freeze(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    operand = scope.typed_value(cursor)
    return Freeze(scope.result(name, operand.type), location, operand)


def _phi(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    read_flags(scope, cursor)
    type = scope.context.types.read(cursor)
    incoming: list[tuple[Value, str]] = []
    while not incoming or (cursor.peek() == "," and _next_is_bracket(cursor)):
        cursor.accept(",")
        cursor.expect("[")
        value = scope.value(cursor, type)
        cursor.expect(",")
        incoming.append((value, cursor.name("%")))
        cursor.expect("]")
    return Phi(scope.result(name, type), location, tuple(incoming))


def _next_is_bracket(cursor: Cursor) -> bool:
    return cursor.text[cursor.pos + 1 :].lstrip()[:1] == "["


def _gep(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    flags = read_flags(scope, cursor)
    if cursor.accept_word("inrange"):
        cursor.skip_brackets()
    source = scope.context.types.read(cursor)
    cursor.expect(",")
    base = scope.typed_value(cursor)
    indices: list[Value] = []
    while _another_operand(cursor):
        indices.append(scope.typed_value(cursor))
    type: Type = base.type.element if isinstance(base.type, VectorType) else base.type
    if not isinstance(type, PointerType):
        raise Malformed(f"getelementptr on a value of type {base.type}")
    for operand in (base, *indices):
        if isinstance(operand.type, VectorType):
            type = with_shape(operand.type, type)
            break
    return GetElementPtr(scope.result(name, type), location, source, base, tuple(indices), flags)


def _another_operand(cursor: Cursor) -> bool:
    """Skip a comma that is not the start of the metadata attachments."""
    if cursor.peek() != "," or cursor.text[cursor.pos + 1 :].lstrip()[:1] == "!":
        return False
    return cursor.accept(",")


def _indices(cursor: Cursor) -> tuple[int, ...]:
    indices: list[int] = []
    while _another_operand(cursor):
        indices.append(cursor.integer())
    if not indices:
        raise cursor.error("an index")
    return tuple(indices)


def _extract_value(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    aggregate = scope.typed_value(cursor)
    indices = _indices(cursor)
    result = scope.result(name, indexed_type(aggregate.type, indices))
    return ExtractValue(result, location, aggregate, indices)


def _insert_value(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    aggregate = scope.typed_value(cursor)
    cursor.expect(",")
    element = scope.typed_value(cursor)
    indices = _indices(cursor)
    if indexed_type(aggregate.type, indices) != element.type:
        raise Malformed(f"{element.type} inserted into {aggregate.type}")
    return InsertValue(scope.result(name, aggregate.type), location, aggregate, element, indices)


def _vector(scope: Scope, cursor: Cursor) -> tuple[Value, VectorType]:
    vector = scope.typed_value(cursor)
    if not isinstance(vector.type, VectorType):
        raise Malformed(f"a vector is expected, not a value of type {vector.type}")
    return vector, vector.type


def _extract_element(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    vector, type = _vector(scope, cursor)
    cursor.expect(",")
    index = scope.typed_value(cursor)
    return ExtractElement(scope.result(name, type.element), location, vector, index)


def _insert_element(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    vector, type = _vector(scope, cursor)
    cursor.expect(",")
    element = scope.typed_value(cursor)
    cursor.expect(",")
    index = scope.typed_value(cursor)
    return InsertElement(scope.result(name, type), location, vector, element, index)


def _shuffle(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    left, type = _vector(scope, cursor)
    cursor.expect(",")
    right = scope.typed_value(cursor)
    cursor.expect(",")
    mask = _mask(scope.typed_value(cursor))
    result = scope.result(name, VectorType(len(mask), type.element))
    return ShuffleVector(result, location, left, right, mask)


def _mask(value: Value) -> tuple[int | None, ...]:
    count = value.type.count if isinstance(value.type, VectorType) else 0
    if isinstance(value, ConstZero) and count:
        return (0,) * count
    if isinstance(value, ConstUndef) and count:
        return (None,) * count
    if isinstance(value, ConstAggregate) and count:
        return tuple(element.value if isinstance(element, ConstInt) else None for element in value.elements)
    raise Malformed("the mask of a shufflevector is not a constant vector")


def _va_arg(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    list = scope.typed_value(cursor)
    cursor.expect(",")
    type = scope.context.types.read(cursor)
    return VaArg(scope.result(name, type), location, list)


def _exception(scope: Scope, cursor: Cursor, op: str, name: str | None, location: Location | None) -> Instruction:
    raise UnsupportedText(op)


STRAIGHT: dict[str, Reader] = {
    **dict.fromkeys(BINARY_OPS, _binary),
    **dict.fromkeys(CAST_OPS, _cast),
    "fneg": _fneg,
    "icmp": _compare,
    "fcmp": _compare,
    "select": _select,
    "freeze": _freeze,
    "phi": _phi,
    "getelementptr": _gep,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle,
    "va_arg": _va_arg,
    "landingpad": _exception,
    "catchpad": _exception,
    "cleanuppad": _exception,
}
