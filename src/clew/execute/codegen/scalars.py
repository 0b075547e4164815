"""Handlers of arithmetic, comparisons, casts and selections, on scalars and element-wise on vectors."""

from __future__ import annotations

from collections.abc import Callable

from clew.execute.codegen import arithmetic, floats
from clew.execute.codegen.arithmetic import OperationText, literal
from clew.execute.codegen.emitter import Emitter, emits
from clew.execute.codegen.facts import Extension, Masked
from clew.program import instructions as ir
from clew.program.types import FloatType, IntType, Type, VectorType
from clew.program.values import ConstInt, Register


def _elementwise(
    e: Emitter, i: ir.Instruction, type: Type, operands: list[str], scalar: Callable[[Type, list[str]], OperationText]
) -> None:
    """Assign ``scalar`` of the operands, or of each lane when they are vectors (tuples at run time)."""
    if not isinstance(type, VectorType):
        e.assign(i, scalar(type, operands))
        return
    lanes = [f"x{number}" for number in range(len(operands))]
    body = scalar(type.element, lanes).general
    e.assign(i, OperationText(f"tuple([{body} for {', '.join(lanes)}, in zip({', '.join(operands)})])"))


@emits(ir.Binary)
def _binary(e: Emitter, i: ir.Binary) -> None:
    type = i.left.type
    if _is_masked_away(e, i):
        e.assign(i, OperationText("0"))
        return
    a, b = e.value(i.left), e.value(i.right)
    if i.op == "xor" and b == "True" and i.result is not None and literal(a) is None:
        text = f"({a} ^ True)"
        e.path.facts.texts[e.context.numbers[i.result.name]] = text
        e.path.facts.inverse[text] = a
        return
    if i.op in arithmetic.DIVISIONS and isinstance(type, IntType) and type.width > 1:
        general = f"divide({e.here()}, {i.op}, {a}, {b}, {type.width})"
        e.assign(i, arithmetic.division(i.op, a, b, type.width, general))
        return

    def scalar(element: Type, operands: list[str]) -> OperationText:
        left, right = operands
        if isinstance(element, FloatType):
            return OperationText(floats.binary(i.op, left, right, element))
        width = e.width(element)
        if i.op in arithmetic.DIVISIONS and width > 1:
            return OperationText(f"{i.op}({left}, {right}, {width})")
        return arithmetic.binary(i.op, left, right, width)

    _elementwise(e, i, type, [a, b], scalar)


def _is_masked_away(e: Emitter, i: ir.Binary) -> bool:
    """Whether the operation takes the low bits of something that is aligned. Notes what bits it takes otherwise."""
    if i.op != "and" or not isinstance(i.left, Register) or not isinstance(i.right, ConstInt) or i.result is None:
        return False
    alignment, number = i.right.value + 1, e.number(i.left)
    if alignment & i.right.value or not i.right.value or number is None or e.width(i.left.type) == 1:
        return False
    if e.alignment(i.left) >= alignment:
        return True
    e.path.facts.masked[e.context.numbers[i.result.name]] = Masked(number, alignment)
    return False


@emits(ir.FNeg)
def _fneg(e: Emitter, i: ir.FNeg) -> None:
    _elementwise(e, i, i.operand.type, [e.value(i.operand)], lambda _, operands: OperationText(f"-{operands[0]}"))


@emits(ir.Compare)
def _compare(e: Emitter, i: ir.Compare) -> None:
    def scalar(element: Type, operands: list[str]) -> OperationText:
        left, right = operands
        if isinstance(element, FloatType):
            return OperationText(floats.compare(i.predicate, left, right))
        width = e.width(element)
        if width == 1:
            return arithmetic.compare_bool(i.predicate, left, right)
        return arithmetic.compare(i.predicate, left, right, width)

    left, right = e.number(i.left), e.value(i.right)
    constant = literal(right)
    if left is not None and constant is not None and left in e.path.facts.lazy and left in e.path.facts.extended:
        general = arithmetic.compare(i.predicate, e.register(left), right, e.width(i.left.type)).general
        fast = arithmetic.compare_extended(i.predicate, *e.path.facts.extended[left], constant, e.width(i.left.type))
        if fast:
            e.assign(i, OperationText(general, fast))
            return
    if left in e.path.facts.masked and i.predicate == "eq" and constant == 0 and i.result is not None:
        e.path.facts.zero_tests[e.context.numbers[i.result.name]] = e.path.facts.masked[left]
    _elementwise(e, i, i.left.type, [e.value(i.left), right], scalar)


@emits(ir.Cast)
def _cast(e: Emitter, i: ir.Cast) -> None:
    source, target = i.operand.type, i.to
    if i.op in _KEPT and _is_kept(e, source, target):
        e.equate(i, i.operand)
        return
    operand = e.value(i.operand)
    if i.op == "bitcast" and (isinstance(source, VectorType) or isinstance(target, VectorType)):
        types = f"{e.constant(source)}, {e.constant(target)}"
        e.assign(i, OperationText(f"reinterpret(s, {operand}, {types})"))
        return
    goal = target.element if isinstance(target, VectorType) else target
    if i.op in ("zext", "sext") and _may_wait(e, i, operand):
        number = e.put_off(i, cast(e, i.op, operand, source, goal))
        e.path.facts.extended[number] = Extension(i.op == "sext", operand, e.width(source))
        return
    _elementwise(e, i, source, [operand], lambda element, operands: cast(e, i.op, operands[0], element, goal))


_KEPT = frozenset({"ptrtoint", "ptrtoaddr", "inttoptr"})


def _is_kept(e: Emitter, source: Type, target: Type) -> bool:
    """Whether a pointer and an integer have the same bits."""
    vectors = isinstance(source, VectorType) or isinstance(target, VectorType)
    return not vectors and e.width(source) == e.width(target)


def _may_wait(e: Emitter, i: ir.Cast, operand: str) -> bool:
    """Whether an extension is likely to end in comparisons and addresses, which do without it.

    A negative index must be too large for every object when read as unsigned: 8 or 16 bits are too few.
    """
    if i.result is None or i.result.name in e.context.deferred or literal(operand) is not None:
        return False
    source = i.operand.type
    return isinstance(source, IntType) and (32 if i.op == "sext" else 2) <= source.width <= 32


def cast(e: Emitter, op: str, a: str, source: Type, target: Type) -> OperationText:
    """A cast between scalars."""
    if op in ("ptrtoint", "ptrtoaddr", "inttoptr"):
        before, after = e.width(source), e.width(target)
        if before == after:
            return OperationText(a)
        return arithmetic.resize("trunc" if before > after else "zext", a, before, after)
    if op in ("trunc", "zext", "sext"):
        return arithmetic.resize(op, a, e.width(source), e.width(target))
    if op == "addrspacecast" or (op == "bitcast" and source == target):
        return OperationText(a)
    return OperationText(floats.cast(op, a, source, target))


@emits(ir.Select)
def _select(e: Emitter, i: ir.Select) -> None:
    # A conditional expression decides as a branch does.
    checked = isinstance(i.condition, Register) and not isinstance(i.condition.type, VectorType)
    e.assign(i, OperationText(selection(e, i, f"decided({e.here()}, " if checked else "(")))


def selection(e: Emitter, i: ir.Select, check: str = "(") -> str:
    """What a select yields; ``check`` begins the call of a helper that looks at its condition if that is symbolic."""
    condition, yes, no = e.value(i.condition), e.value(i.if_true), e.value(i.if_false)
    type = i.if_true.type
    bits = e.context.layout.pointer_bits
    if isinstance(i.condition.type, VectorType) and isinstance(type, VectorType):
        pick = f"choose(c, a, b, {e.constant(type.element)}, {bits})"
        return f"tuple([{pick} for c, a, b in zip({condition}, {yes}, {no})])"
    symbolic = f"choose({check}{condition}), {yes}, {no}, {e.constant(type)}, {bits})"
    return f"{yes} if {condition} is True else {no} if {condition} is False else {symbolic}"


@emits(ir.Freeze)
def _freeze(e: Emitter, i: ir.Freeze) -> None:
    e.equate(i, i.operand)
