"""Handlers of arithmetic, comparisons, casts and selections, on scalars and element-wise on vectors."""

from __future__ import annotations

from collections.abc import Callable

from clew.execute.codegen import arithmetic, floats
from clew.execute.codegen.emitter import Emitter, emits
from clew.program import instructions as ir
from clew.program.types import FloatType, IntType, Type, VectorType
from clew.program.values import Value


def _elementwise(e: Emitter, type: Type, operands: list[str], scalar: Callable[[Type, list[str]], str]) -> str:
    """``scalar`` applied to the operands, or to each lane when they are vectors (tuples at run time)."""
    if not isinstance(type, VectorType):
        return scalar(type, operands)
    lanes = [f"x{number}" for number in range(len(operands))]
    body = scalar(type.element, lanes)
    return f"tuple([{body} for {', '.join(lanes)}, in zip({', '.join(operands)})])"


@emits(ir.Binary)
def _binary(e: Emitter, i: ir.Binary) -> None:
    a, b = e.value(i.left), e.value(i.right)
    type = i.left.type
    if i.op in arithmetic.DIVISIONS and isinstance(type, IntType):
        e.out.line(f"{e.target(i)} = {_division(e, i.op, a, b, type.width)}")
        return

    def scalar(element: Type, operands: list[str]) -> str:
        left, right = operands
        if isinstance(element, FloatType):
            return floats.binary(i.op, left, right, element)
        width = e.width(element)
        if i.op in arithmetic.DIVISIONS:
            return f"{i.op}({left}, {right}, {width})"
        return arithmetic.binary(i.op, left, right, width)

    e.out.line(f"{e.target(i)} = {_elementwise(e, type, [a, b], scalar)}")


def _division(e: Emitter, op: str, a: str, b: str, width: int) -> str:
    """A division: inline when both sides are concrete, unsigned and the divisor is not 0."""
    if width == 1:
        return a
    if op in ("udiv", "urem"):
        sign = "//" if op == "udiv" else "%"
        guard = arithmetic.all_ints(a, b) + ("" if arithmetic.literal(b) else f" and {b}")
        return f"{a} {sign} {b} if {guard} else divide({e.here()}, {op}, {a}, {b}, {width})"
    return f"divide({e.here()}, {op}, {a}, {b}, {width})"


@emits(ir.FNeg)
def _fneg(e: Emitter, i: ir.FNeg) -> None:
    text = _elementwise(e, i.operand.type, [e.value(i.operand)], lambda _, operands: f"-{operands[0]}")
    e.out.line(f"{e.target(i)} = {text}")


@emits(ir.Compare)
def _compare(e: Emitter, i: ir.Compare) -> None:
    def scalar(element: Type, operands: list[str]) -> str:
        left, right = operands
        if isinstance(element, FloatType):
            return floats.compare(i.predicate, left, right)
        width = e.width(element)
        if width == 1:
            return arithmetic.compare_bool(i.predicate, left, right)
        return arithmetic.compare(i.predicate, left, right, width)

    text = _elementwise(e, i.left.type, [e.value(i.left), e.value(i.right)], scalar)
    e.out.line(f"{e.target(i)} = {text}")


@emits(ir.Cast)
def _cast(e: Emitter, i: ir.Cast) -> None:
    operand = e.value(i.operand)
    source, target = i.operand.type, i.to
    if i.op == "bitcast" and (isinstance(source, VectorType) or isinstance(target, VectorType)):
        types = f"{e.constant(source)}, {e.constant(target)}"
        e.out.line(f"{e.target(i)} = reinterpret(s, {operand}, {types})")
        return
    goal = target.element if isinstance(target, VectorType) else target
    text = _elementwise(e, source, [operand], lambda element, operands: cast(e, i.op, operands[0], element, goal))
    e.out.line(f"{e.target(i)} = {text}")


def cast(e: Emitter, op: str, a: str, source: Type, target: Type) -> str:
    """A cast between scalars."""
    if op in ("ptrtoint", "ptrtoaddr", "inttoptr"):
        before, after = e.width(source), e.width(target)
        if before == after:
            return a
        return arithmetic.resize("trunc" if before > after else "zext", a, before, after)
    if op in ("trunc", "zext", "sext"):
        return arithmetic.resize(op, a, e.width(source), e.width(target))
    if op == "addrspacecast" or (op == "bitcast" and source == target):
        return a
    return floats.cast(op, a, source, target)


@emits(ir.Select)
def _select(e: Emitter, i: ir.Select) -> None:
    condition, yes, no = e.value(i.condition), e.value(i.if_true), e.value(i.if_false)
    type = i.if_true.type
    if isinstance(i.condition.type, VectorType) and isinstance(type, VectorType):
        lane = e.constant(type.element)
        pick = f"choose(c, a, b, {lane}, {e.context.layout.pointer_bits})"
        text = f"tuple([{pick} for c, a, b in zip({condition}, {yes}, {no})])"
    else:
        symbolic = f"choose({condition}, {yes}, {no}, {e.constant(type)}, {e.context.layout.pointer_bits})"
        text = f"{yes} if {condition} is True else {no} if {condition} is False else {symbolic}"
    e.out.line(f"{e.target(i)} = {text}")


@emits(ir.Freeze)
def _freeze(e: Emitter, i: ir.Freeze) -> None:
    e.out.line(f"{e.target(i)} = {e.value(i.operand)}")


@emits(ir.GetElementPtr)
def _getelementptr(e: Emitter, i: ir.GetElementPtr) -> None:
    if isinstance(i.base.type, VectorType) or any(isinstance(index.type, VectorType) for index in i.indices):
        e.out.line(f"unsupported({e.here()}, 'getelementptr on a vector of pointers')")
        return
    e.out.line(f"{e.target(i)} = {element_address(e, i.source_type, e.value(i.base), i.indices)}")


def element_address(e: Emitter, source_type: Type, base: str, indices: tuple[Value, ...]) -> str:
    """The address a ``getelementptr`` computes."""
    layout = e.context.layout
    mask = (1 << layout.pointer_bits) - 1
    constant, terms = 0, []
    type: Type = source_type
    for position, index in enumerate(indices):
        if position == 0:
            scale = layout.size(type)
        else:
            step, type = layout.step(type, index)
            if isinstance(step, tuple):
                constant += step[0]
                continue
            scale = step
        text = e.value(index)
        number = arithmetic.literal(text)
        width = e.width(index.type)
        if number is not None:
            constant += scale * (number - (1 << width) if number >> (width - 1) else number)
        elif scale:
            terms.append(_scaled(_index_text(text, width, layout.pointer_bits), scale))
    if not terms and not constant:
        return base
    if constant:
        terms.append(str(constant & mask))
    return f"({base} + {' + '.join(terms)}) & {mask}"


def _scaled(text: str, scale: int) -> str:
    return text if scale == 1 else f"{text} * {scale}"


def _index_text(text: str, width: int, pointer_bits: int) -> str:
    if width == pointer_bits:
        return text
    op = "trunc" if width > pointer_bits else "sext"
    return f"({arithmetic.resize(op, text, width, pointer_bits)})"

