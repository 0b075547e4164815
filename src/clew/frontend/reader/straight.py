"""Straight-line instructions other than calls: the readers, one per family."""

from __future__ import annotations

from clew.frontend.reader.constants import BINARY_OPS, CAST_OPS
from clew.frontend.reader.cursor import Malformed
from clew.frontend.reader.operands import Line, Reader
from clew.frontend.reader.types import indexed_type, with_shape
from clew.program import instructions as ir
from clew.program.types import I1, PointerType, Type, VectorType
from clew.program.values import ConstAggregate, ConstInt, ConstUndef, ConstZero, Value

PREDICATES = {
    "icmp": frozenset("eq ne ugt uge ult ule sgt sge slt sle".split()),
    "fcmp": frozenset("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()),
}


def _binary(line: Line) -> ir.Instruction:
    flags = line.flags()
    left = line.value()
    right = line.next_value(left.type)
    return ir.Binary(line.result(left.type), line.location, line.op, left, right, flags)


def _fneg(line: Line) -> ir.Instruction:
    line.flags()
    operand = line.value()
    return ir.FNeg(line.result(operand.type), line.location, operand)


def _compare(line: Line) -> ir.Instruction:
    flags = line.flags()
    predicate = line.word()
    if predicate not in PREDICATES[line.op]:
        raise Malformed(f"'{predicate}' is no predicate of {line.op}")
    left = line.value()
    right = line.next_value(left.type)
    result = line.result(with_shape(left.type, I1))
    return ir.Compare(result, line.location, predicate, left, right, line.op == "fcmp", flags)


def _cast(line: Line) -> ir.Instruction:
    flags = line.flags()
    operand = line.value()
    line.expect("to")
    to = line.type()
    return ir.Cast(line.result(to), line.location, line.op, operand, to, flags)


def _select(line: Line) -> ir.Instruction:
    line.flags()
    condition, yes, no = line.value(), line.next_value(), line.next_value()
    if yes.type != no.type:
        raise Malformed(f"a select between {yes.type} and {no.type}")
    return ir.Select(line.result(yes.type), line.location, condition, yes, no)


def _freeze(line: Line) -> ir.Instruction:
    operand = line.value()
    return ir.Freeze(line.result(operand.type), line.location, operand)


def _phi(line: Line) -> ir.Instruction:
    line.flags()
    type = line.type()
    incoming: list[tuple[Value, str]] = []
    while not incoming or (line.peek() == "," and line.text[line.pos + 1 :].lstrip()[:1] == "["):
        line.accept(",")
        line.expect("[")
        value = line.scope.value(line, type)
        line.expect(",")
        incoming.append((value, line.name("%")))
        line.expect("]")
    return ir.Phi(line.result(type), line.location, tuple(incoming))


def _gep(line: Line) -> ir.Instruction:
    flags = line.flags()
    if line.accept_word("inrange"):
        line.skip_brackets()
    source = line.type()
    base = line.next_value()
    indices: list[Value] = []
    while line.accept_operand():
        indices.append(line.value())
    type: Type = base.type.element if isinstance(base.type, VectorType) else base.type
    if not isinstance(type, PointerType):
        raise Malformed(f"getelementptr on a value of type {base.type}")
    for operand in (base, *indices):
        if isinstance(operand.type, VectorType):
            type = with_shape(operand.type, type)
            break
    return ir.GetElementPtr(line.result(type), line.location, source, base, tuple(indices), flags)


def _indices(line: Line) -> tuple[int, ...]:
    indices: list[int] = []
    while line.accept_operand():
        indices.append(line.integer())
    if not indices:
        raise line.error("an index")
    return tuple(indices)


def _extract_value(line: Line) -> ir.Instruction:
    aggregate = line.value()
    indices = _indices(line)
    return ir.ExtractValue(line.result(indexed_type(aggregate.type, indices)), line.location, aggregate, indices)


def _insert_value(line: Line) -> ir.Instruction:
    aggregate, element = line.value(), line.next_value()
    indices = _indices(line)
    if indexed_type(aggregate.type, indices) != element.type:
        raise Malformed(f"{element.type} inserted into {aggregate.type}")
    return ir.InsertValue(line.result(aggregate.type), line.location, aggregate, element, indices)


def _vector(line: Line) -> tuple[Value, VectorType]:
    vector = line.value()
    if not isinstance(vector.type, VectorType):
        raise Malformed(f"a vector is expected, not a value of type {vector.type}")
    return vector, vector.type


def _extract_element(line: Line) -> ir.Instruction:
    vector, type = _vector(line)
    index = line.next_value()
    return ir.ExtractElement(line.result(type.element), line.location, vector, index)


def _insert_element(line: Line) -> ir.Instruction:
    vector, type = _vector(line)
    element, index = line.next_value(), line.next_value()
    return ir.InsertElement(line.result(type), line.location, vector, element, index)


def _shuffle(line: Line) -> ir.Instruction:
    left, type = _vector(line)
    right, mask = line.next_value(), _mask(line.next_value())
    return ir.ShuffleVector(line.result(VectorType(len(mask), type.element)), line.location, left, right, mask)


def _mask(value: Value) -> tuple[int | None, ...]:
    count = value.type.count if isinstance(value.type, VectorType) else 0
    if isinstance(value, ConstZero) and count:
        return (0,) * count
    if isinstance(value, ConstUndef) and count:
        return (None,) * count
    if isinstance(value, ConstAggregate) and count:
        return tuple(element.value if isinstance(element, ConstInt) else None for element in value.elements)
    raise Malformed("the mask of a shufflevector is not a constant vector")


def _va_arg(line: Line) -> ir.Instruction:
    list = line.value()
    line.expect(",")
    return ir.VaArg(line.result(line.type()), line.location, list)


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
}
