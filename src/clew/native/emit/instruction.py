"""Instructions in LLVM's text, each with what the engine checks of it.

No flag that promises something (``nsw``, ``inbounds``, ...) is passed on, and no alignment: LLVM is to compute what the
interpreter computes, whatever the program does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.base.errors import Unsupported
from clew.native.emit.calls import emit_call
from clew.native.emit.prelude import MEMORY
from clew.native.emit.spelling import is_plain, type_text
from clew.native.emit.writer import BUG_DIVISION, Writer
from clew.program import instructions as ir
from clew.program.operands import operands
from clew.program.types import FloatType, IntType, Type, VectorType
from clew.program.values import ConstInt, Value

_DIVISIONS = frozenset({"udiv", "sdiv", "urem", "srem"})
_SHIFTS = frozenset({"shl", "lshr", "ashr"})
_COPYING = (ir.Load, ir.Store, ir.Call, ir.Select, ir.Freeze, ir.Alloca)
"""These move values of any type; others compute."""


def emit_instruction(w: Writer, i: ir.Instruction) -> None:
    """Write an instruction that is neither phi nor terminator; Unsupported if native runs lack it."""
    handler = _HANDLERS.get(type(i))
    if handler is None:
        raise Unsupported(f"the instruction {type(i).__name__}")
    types = [value.type for value in operands(i)] + ([i.result.type] if i.result is not None else [])
    if not isinstance(i, _COPYING) and not all(is_plain(one) for one in types):
        raise Unsupported("arithmetic of this floating-point format")
    handler(w, i)


def _binary(w: Writer, i: ir.Binary) -> None:
    type = i.left.type
    if isinstance(type, VectorType) and i.op in (_DIVISIONS | _SHIFTS):
        raise Unsupported(f"{i.op} of vectors")
    if i.op in _DIVISIONS:
        _check_division(w, i, w.width(type))
    elif i.op in _SHIFTS:
        _shift(w, i, w.width(type))
        return
    w.line(f"{w.target(i)} = {i.op} {w.typed(i.left)}, {w.value(i.right)}")


def _check_division(w: Writer, i: ir.Binary, width: int) -> None:
    """By zero, or of the least number by -1."""
    word = type_text(i.left.type)
    if width == 1:
        raise Unsupported(f"{i.op} of single bits")
    if not isinstance(i.right, ConstInt) or i.right.value == 0:
        w.ensure(w.define(f"icmp ne {word} {w.value(i.right)}, 0"), BUG_DIVISION)
    if i.op in ("sdiv", "srem") and (not isinstance(i.right, ConstInt) or i.right.value == (1 << width) - 1):
        least = w.define(f"icmp ne {word} {w.value(i.left)}, {-1 << (width - 1)}")
        other = w.define(f"icmp ne {word} {w.value(i.right)}, -1")
        w.ensure(w.define(f"or i1 {least}, {other}"), BUG_DIVISION)


def _shift(w: Writer, i: ir.Binary, width: int) -> None:
    """By as many bits as there are, or more, everything is shifted out."""
    word, left, right, target = type_text(i.left.type), w.value(i.left), w.value(i.right), w.target(i)
    if isinstance(i.right, ConstInt) and i.right.value < width:
        w.line(f"{target} = {i.op} {word} {left}, {right}")
        return
    if width == 1:
        raise Unsupported("a shift of a single bit")
    fits = w.define(f"icmp ult {word} {right}, {width}")
    amount = w.define(f"select i1 {fits}, {word} {right}, {word} {width - 1}")
    shifted = w.define(f"{i.op} {word} {left}, {amount}")
    otherwise = shifted if i.op == "ashr" else "0"
    w.line(f"{target} = select i1 {fits}, {word} {shifted}, {word} {otherwise}")


def _negation(w: Writer, i: ir.FNeg) -> None:
    w.line(f"{w.target(i)} = fneg {w.typed(i.operand)}")


def _compare(w: Writer, i: ir.Compare) -> None:
    kind = "fcmp" if i.floating else "icmp"
    if w.context.counted and isinstance(i.left.type, IntType) and 8 <= i.left.type.width <= 64:
        w.line(f"call void @clew.compare(i64 {_widened(w, i.left)}, i64 {_widened(w, i.right)})")
    w.line(f"{w.target(i)} = {kind} {i.predicate} {w.typed(i.left)}, {w.value(i.right)}")


def _widened(w: Writer, value: Value) -> str:
    """A number as one of 64 bits."""
    return w.value(value) if w.width(value.type) == 64 else w.define(f"zext {w.typed(value)} to i64")


def _cast(w: Writer, i: ir.Cast) -> None:
    source, target = i.operand.type, i.to
    words = type_text(source), type_text(target)
    op = i.op
    if op in ("ptrtoint", "ptrtoaddr", "inttoptr", "addrspacecast", "bitcast") and words[0] == words[1]:
        op = "bitcast"
    elif op in ("ptrtoint", "ptrtoaddr", "inttoptr"):
        op = "trunc" if w.width(_element(source)) > w.width(_element(target)) else "zext"
    if op in ("fptosi", "fptoui"):
        _to_integer(w, i, words)
    else:
        w.line(f"{w.target(i)} = {op} {words[0]} {w.value(i.operand)} to {words[1]}")


def _to_integer(w: Writer, i: ir.Cast, words: tuple[str, str]) -> None:
    """A number out of range gives the nearest one that is not: what LLVM's instruction leaves open."""
    if not isinstance(i.to, IntType) or not isinstance(i.operand.type, FloatType):
        raise Unsupported(f"{i.op} of vectors")
    name = f"llvm.{i.op}.sat.{words[1]}.{'f32' if words[0] == 'float' else 'f64'}"
    w.context.declarations[name] = f"declare {words[1]} @{name}({words[0]})"
    w.line(f"{w.target(i)} = call {words[1]} @{name}({words[0]} {w.value(i.operand)})")


def _element(type: Type) -> Type:
    return type.element if isinstance(type, VectorType) else type


def _select(w: Writer, i: ir.Select) -> None:
    w.line(f"{w.target(i)} = select {w.typed(i.condition)}, {w.typed(i.if_true)}, {w.typed(i.if_false)}")


def _freeze(w: Writer, i: ir.Freeze) -> None:
    w.line(f"{w.target(i)} = freeze {w.typed(i.operand)}")


def _alloca(w: Writer, i: ir.Alloca) -> None:
    assert i.result is not None
    if i.result.name in w.slots:
        w.line(f"{w.target(i)} = add i64 %frame, {w.slots[i.result.name]}")
        return
    word, width = type_text(i.count.type), w.width(i.count.type)
    count = w.define(f"{'zext' if width < 64 else 'bitcast'} {word} {w.value(i.count)} to i64")
    size = w.define(f"mul i64 {count}, {w.context.layout.size(i.allocated)}")
    w.line(f"{w.target(i)} = call i64 @clew_push(i64 {size}, i64 {max(i.align, 1)})")


def _load(w: Writer, i: ir.Load) -> None:
    assert i.result is not None
    pointer = w.pointer(i.pointer, w.context.layout.store_size(i.result.type), i.align)
    w.line(f"{w.target(i)} = load {type_text(i.result.type)}, ptr {pointer}, align 1, {MEMORY}")


def _store(w: Writer, i: ir.Store) -> None:
    pointer = w.pointer(i.pointer, w.context.layout.store_size(i.value.type), i.align)
    w.line(f"store {w.typed(i.value)}, ptr {pointer}, align 1, {MEMORY}")


def _element_pointer(w: Writer, i: ir.GetElementPtr) -> None:
    assert i.result is not None
    if isinstance(i.result.type, VectorType) or isinstance(i.base.type, VectorType):
        raise Unsupported("vectors of pointers")
    parts = steps(w, i)
    fixed = sum(step for step, index in parts if index is None)
    address = w.value(i.base)
    for step, index in parts:
        if index is not None:
            address = w.define(f"add i64 {address}, {scaled(w, index, step)}")
    w.line(f"{w.target(i)} = add i64 {address}, {fixed}")
    w.derive(i.result.name, i.base, fixed if all(index is None for _, index in parts) else None)


def steps(w: Writer, i: ir.GetElementPtr) -> list[tuple[int, Value | None]]:
    """Fixed distances, and indices with the distance that each is multiplied with."""
    layout, type = w.context.layout, i.source_type
    found: list[tuple[int, Value | None]] = []
    for number, index in enumerate(i.indices):
        step: int | tuple[int]
        if number == 0:
            step = layout.size(type)
        else:
            step, type = layout.step(type, index)
        if isinstance(step, tuple):
            found.append((step[0], None))
        elif isinstance(index, ConstInt):
            width = w.width(index.type)
            value = index.value - (1 << width) if index.value >> (width - 1) else index.value
            found.append((step * value, None))
        else:
            found.append((step, index))
    return found


def scaled(w: Writer, index: Value, step: int) -> str:
    """So many times the distance, in 64 bits."""
    word, width = type_text(index.type), w.width(index.type)
    text = w.value(index)
    if width != 64:
        text = w.define(f"{'sext' if width < 64 else 'trunc'} {word} {text} to i64")
    return text if step == 1 else w.define(f"mul i64 {text}, {step}")


def _extract_value(w: Writer, i: ir.ExtractValue) -> None:
    w.line(f"{w.target(i)} = extractvalue {w.typed(i.aggregate)}, {', '.join(map(str, i.indices))}")


def _insert_value(w: Writer, i: ir.InsertValue) -> None:
    indices = ", ".join(map(str, i.indices))
    w.line(f"{w.target(i)} = insertvalue {w.typed(i.aggregate)}, {w.typed(i.element)}, {indices}")


def _extract_element(w: Writer, i: ir.ExtractElement) -> None:
    if not isinstance(i.index, ConstInt):
        raise Unsupported("a variable index into a vector")
    w.line(f"{w.target(i)} = extractelement {w.typed(i.vector)}, {w.typed(i.index)}")


def _insert_element(w: Writer, i: ir.InsertElement) -> None:
    if not isinstance(i.index, ConstInt):
        raise Unsupported("a variable index into a vector")
    w.line(f"{w.target(i)} = insertelement {w.typed(i.vector)}, {w.typed(i.element)}, {w.typed(i.index)}")


def _shuffle(w: Writer, i: ir.ShuffleVector) -> None:
    mask = ", ".join(f"i32 {entry or 0}" for entry in i.mask)
    w.line(f"{w.target(i)} = shufflevector {w.typed(i.left)}, {w.typed(i.right)}, <{len(i.mask)} x i32> <{mask}>")


def _fence(w: Writer, i: ir.Fence) -> None:
    """One thread: nothing to do."""


_UPDATES = {"add": "add", "sub": "sub", "and": "and", "or": "or", "xor": "xor"}


def _atomic_update(w: Writer, i: ir.AtomicUpdate) -> None:
    word = type_text(i.value.type)
    pointer = w.pointer(i.pointer, w.context.layout.store_size(i.value.type))
    w.line(f"{w.target(i)} = load {word}, ptr {pointer}, align 1, {MEMORY}")
    if i.op == "xchg":
        after = w.value(i.value)
    elif i.op in _UPDATES:
        after = w.define(f"{i.op} {word} {w.target(i)}, {w.value(i.value)}")
    else:
        raise Unsupported(f"atomic {i.op}")
    w.line(f"store {word} {after}, ptr {pointer}, align 1, {MEMORY}")


_HANDLERS: dict[type[ir.Instruction], Callable[[Writer, Any], None]] = {
    ir.Binary: _binary,
    ir.FNeg: _negation,
    ir.Compare: _compare,
    ir.Cast: _cast,
    ir.Select: _select,
    ir.Freeze: _freeze,
    ir.Alloca: _alloca,
    ir.Load: _load,
    ir.Store: _store,
    ir.GetElementPtr: _element_pointer,
    ir.ExtractValue: _extract_value,
    ir.InsertValue: _insert_value,
    ir.ExtractElement: _extract_element,
    ir.InsertElement: _insert_element,
    ir.ShuffleVector: _shuffle,
    ir.Fence: _fence,
    ir.AtomicUpdate: _atomic_update,
    ir.Call: emit_call,
}
