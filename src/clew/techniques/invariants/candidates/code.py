"""Conditions as code: what assumes them where a loop is cut open, or opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.execute.instrument.havoc import assume
from clew.expr.node import Expr
from clew.expr.op import Op
from clew.expr.sort import BOOL
from clew.program import instructions as ir
from clew.program.editing import Draft, binary
from clew.program.types import I1, I32, IntType
from clew.program.values import ConstInt, Register, Value
from clew.techniques.invariants.candidates.heads import Name, Point, read

_BINARY = {
    Op.ADD: "add", Op.MUL: "mul", Op.UDIV: "udiv", Op.SDIV: "sdiv", Op.UREM: "urem", Op.SREM: "srem", Op.AND: "and",
    Op.OR: "or", Op.XOR: "xor", Op.SHL: "shl", Op.LSHR: "lshr", Op.ASHR: "ashr", Op.LAND: "and",
}  # fmt: skip
_PREDICATES = {Op.EQ: "eq", Op.ULT: "ult", Op.ULE: "ule", Op.SLT: "slt", Op.SLE: "sle"}
_DIVIDING = (Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, Op.SHL, Op.LSHR, Op.ASHR)
_PLAIN = frozenset((*_BINARY, *_PREDICATES, Op.CONST, Op.SYMBOL, Op.NEG, Op.NOT, Op.LNOT, Op.ITE, Op.ZEXT, Op.SEXT,
                    Op.EXTRACT))  # fmt: skip


def assume_all(
    draft: Draft, head: Point, conditions: Sequence[Expr], registers: Mapping[str, Value], name: Name
) -> None:
    """Code that ends the path unless conditions hold; ``registers`` are those that have other values there."""
    used = frozenset(symbol for condition in conditions for symbol in condition.symbols)
    terms = [term for term in head.terms if term.symbol in used]
    values = dict(zip((term.symbol for term in terms), read(draft, terms, registers, name), strict=True))
    writer = _Writer(draft, values, name)
    for condition in conditions:
        holds = writer.value(condition)
        draft.add(assume(draft.add(ir.Cast(Register(name("flag"), I32), None, "zext", holds, I32))))


def is_codable(condition: Expr) -> bool:
    """Whether there is code for a condition that computes what it means: divisors and shifts are in range."""
    stack, seen = [condition], {condition}
    while stack:
        e = stack.pop()
        if e.op not in _PLAIN:
            return False
        if e.op in _DIVIDING and not _is_in_range(e):
            return False
        more = [arg for arg in e.args if arg not in seen]
        seen.update(more)
        stack += more
    return True


def _is_in_range(e: Expr) -> bool:
    """Whether a divisor or an amount to shift by is a number that the operation is defined for."""
    if e.args[1].op is not Op.CONST:
        return False
    limit = {Op.UDIV: 1 << e.width, Op.UREM: 1 << e.width, Op.SDIV: 1 << (e.width - 1), Op.SREM: 1 << (e.width - 1)}
    return bool(0 < e.args[1].value < limit.get(e.op, e.width))


class _Writer:
    """Writes expressions, each part once."""

    def __init__(self, draft: Draft, values: dict[Expr, Value], name: Name) -> None:
        self._draft = draft
        self._values = values
        self._name = name

    def value(self, e: Expr) -> Value:
        known = self._values.get(e)
        if known is None:
            known = self._values[e] = self._write(e)
        return known

    def _write(self, e: Expr) -> Value:
        type = I1 if e.sort is BOOL else IntType(e.width)
        if e.op is Op.CONST:
            return ConstInt(type, int(e.value))
        parts = [self.value(arg) for arg in e.args]
        result = Register(self._name("value"), type)
        match e.op:
            case Op.NEG:
                return self._draft.add(ir.Binary(result, None, "sub", ConstInt(type, 0), parts[0]))
            case Op.NOT | Op.LNOT:
                ones = (1 << (1 if type == I1 else e.width)) - 1
                return self._draft.add(ir.Binary(result, None, "xor", parts[0], ConstInt(type, ones)))
            case Op.ITE:
                return self._draft.add(ir.Select(result, None, parts[0], parts[1], parts[2]))
            case Op.ZEXT | Op.SEXT:
                return self._draft.add(ir.Cast(result, None, e.op.name.lower(), parts[0], type))
            case Op.EXTRACT:
                moved = parts[0]
                if e.value[1]:
                    moved = self._draft.add(
                        binary(self._name("moved"), "lshr", moved, ConstInt(moved.type, e.value[1]))
                    )
                return self._draft.add(ir.Cast(result, None, "trunc", moved, type))
        if e.op in _PREDICATES:
            return self._draft.add(ir.Compare(result, None, _PREDICATES[e.op], parts[0], parts[1]))
        total = parts[0]
        for part in parts[1:]:
            total = self._draft.add(binary(self._name("value"), _BINARY[e.op], total, part))
        return total
