"""The code of a loop, and how its values move from round to round: sums of phis of the header and of fixed values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy

from clew.analysis.absint.linear import Linear
from clew.analysis.absint.views import overflow_operation
from clew.analysis.graph import ControlFlow, Loop, postorder
from clew.base.bits import signed
from clew.program import instructions as ir
from clew.program.layout import DataLayout
from clew.program.module import Function
from clew.program.operands import operands
from clew.program.types import I64, IntType, Type, is_plain
from clew.program.values import ConstExpr, ConstInt, Register, Value

LARGEST = 1 << 20
"""Bytes by which a place, or the number by which a variable, may move in a round."""


def moved(total: Linear, steps: Mapping[str, int]) -> int:
    """By how much a round moves a sum of values."""
    moving = ((part, factor) for part, factor in total.terms.items() if isinstance(part, Register))
    return sum(factor * steps.get(part.name, 0) for part, factor in moving)


class LoopCode:
    """The code of a loop without loops in it, and how its values move from round to round."""

    def __init__(self, function: Function, graph: ControlFlow, loop: Loop, layout: DataLayout) -> None:
        self._layout = layout
        self._latches = {graph.names[latch] for latch in loop.latches}
        self.blocks = [function.blocks[number] for number in _in_order(graph, loop)]
        """In an order in which each comes after those that lead to it in the same round; the header first."""
        self.definitions = {
            i.result.name: i for block in self.blocks for i in block.instructions if i.result is not None
        }
        self.phis = {phi.result.name for phi in self.blocks[0].phis if phi.result is not None}

    def within(self, outer: LoopCode) -> LoopCode:
        """The same with what the loop around it computes in a round."""
        code = copy(self)
        code.definitions = {**outer.definitions, **self.definitions}
        code.phis = self.phis | outer.phis
        return code

    def width(self, name: str) -> int:
        """How many bits a register has."""
        made = self.definitions[name].result
        assert made is not None
        return self._layout.bits(made.type)

    def size(self, type: Type) -> int:
        """Bytes that a value takes in memory."""
        return self._layout.store_size(type)

    def step(self, phi: ir.Phi) -> int | None:
        """By how much a round moves a phi of the header; None if that is not always the same number."""
        assert phi.result is not None
        if not is_plain(phi.result.type):
            return None
        found = {self._moved(value, phi.result) for value, source in phi.incoming if source in self._latches}
        step = found.pop() if len(found) == 1 else None
        return step if step is not None and abs(step) <= LARGEST else None

    def _moved(self, value: Value, phi: Register) -> int | None:
        """What was added to a phi to give a value, in as many bits as it has, or more."""
        total = 0
        while isinstance(value, Register):
            if value == phi:
                return total
            match self._plainly(value):
                case ir.Binary(op="add", left=left, right=ConstInt() as right):
                    value, total = left, total + signed_value(right)
                case ir.Binary(op="add", left=ConstInt() as left, right=right):
                    value, total = right, total + signed_value(left)
                case ir.Binary(op="sub", left=left, right=ConstInt() as right):
                    value, total = left, total - signed_value(right)
                case ir.GetElementPtr(base=base) as address:
                    distance = _constant_distance(address, self._layout)
                    if distance is None:
                        return None
                    value, total = base, total + distance
                case ir.Cast(op="trunc" | "sext" | "zext", operand=operand) if self._holds(operand.type, phi.type):
                    value = operand
                case _:
                    return None
        return None

    def _holds(self, type: Type, other: Type) -> bool:
        """Whether an integer type has as many bits as another one."""
        return isinstance(type, IntType) and isinstance(other, IntType) and type.width >= other.width

    def _plainly(self, register: Register) -> ir.Instruction | None:
        """The instruction that computes a register; for a sum that is checked for overflow, that without the check."""
        found = self.definitions.get(register.name)
        if isinstance(found, ir.ExtractValue) and found.indices == (0,):
            operation = overflow_operation(aggregate_of(self.definitions, found))
            if operation is not None:
                op, _, left, right = operation
                return ir.Binary(register, None, op, left, right)
        return found

    def stride(self, value: Value, steps: Mapping[str, int]) -> int | None:
        """By how much a round seems to move a value, if nothing wraps around; None if that is not known."""
        total = self.linear(value)
        irregular = self.phis - steps.keys()
        if total is None or any(isinstance(part, Register) and part.name in irregular for part in total.terms):
            return None
        return moved(total, steps)

    def linear(self, value: Value) -> Linear | None:
        """A value as a sum of phis of the header and fixed values, if nothing wraps around; None if it is not known."""
        if isinstance(value, ConstInt):
            return Linear.number(signed_value(value))
        if isinstance(value, ConstExpr) and value.op == "getelementptr" and value.source_type is not None:
            base, *indices = value.operands
            return self._place(ir.GetElementPtr(None, None, value.source_type, base, tuple(indices)))
        if not isinstance(value, Register) or value.name in self.phis or value.name not in self.definitions:
            return Linear.of(value)
        match self._plainly(value):
            case ir.Binary(op="add" | "sub" as op, left=left, right=right):
                return plus(self.linear(left), self.linear(right), 1 if op == "add" else -1)
            case ir.Binary(op="mul", left=left, right=ConstInt() as times):
                return plus(Linear(), self.linear(left), signed_value(times))
            case ir.Binary(op="mul", left=ConstInt() as times, right=right):
                return plus(Linear(), self.linear(right), signed_value(times))
            case ir.Binary(op="shl", left=left, right=ConstInt(value=amount)) if amount < 64:
                return plus(Linear(), self.linear(left), 1 << amount)
            case ir.Cast(op="trunc" | "zext" | "sext" | "ptrtoint" | "inttoptr", operand=operand):
                return self.linear(operand)
            case ir.GetElementPtr() as address:
                return self._place(address)
        return None

    def _place(self, address: ir.GetElementPtr) -> Linear | None:
        total = self.linear(address.base)
        for factor, position in _indices(address, self._layout):
            total = plus(total, self.linear(position), factor)
        return total

    def number(self, value: Value) -> object:
        """A key that values have in common which are computed alike, from the phis of the header and from what is
        fixed; None where memory or a choice between ways takes part."""
        if not isinstance(value, Register) or value.name in self.phis or value.name not in self.definitions:
            return value
        made = self._plainly(value)
        match made:
            case ir.Binary(op=op):
                shape: tuple[object, ...] = (op,)
            case ir.Cast(op=op, to=to):
                shape = (op, to)
            case ir.GetElementPtr(source_type=source):
                shape = ("getelementptr", source)
            case _:
                return None
        parts = [self.number(part) for part in operands(made)]
        return None if None in parts else (*shape, *parts)


def _indices(address: ir.GetElementPtr, layout: DataLayout) -> Iterator[tuple[int, Value]]:
    """What an address adds to its base: factors and values."""
    first, *rest = address.indices
    yield layout.size(address.source_type), first
    type = address.source_type
    for position in rest:
        distance, type = layout.step(type, position)
        yield (distance, position) if isinstance(distance, int) else (distance[0], ConstInt(I64, 1))


def _constant_distance(address: ir.GetElementPtr, layout: DataLayout) -> int | None:
    """What an address adds to its base, if that is a number."""
    parts = list(_indices(address, layout))
    if not all(isinstance(position, ConstInt) for _, position in parts):
        return None
    return sum(factor * signed_value(position) for factor, position in parts if isinstance(position, ConstInt))


def aggregate_of(definitions: Mapping[str, ir.Instruction], part: ir.ExtractValue) -> ir.Instruction | None:
    """What computes the aggregate that a value is a part of."""
    return definitions.get(part.aggregate.name) if isinstance(part.aggregate, Register) else None


def signed_value(constant: ConstInt) -> int:
    """A constant as a signed number."""
    assert isinstance(constant.type, IntType)
    return signed(constant.value, constant.type.width)


def plus(one: Linear | None, other: Linear | None, factor: int) -> Linear | None:
    """``one + factor * other``, where both are known."""
    return None if one is None or other is None else one.plus(other, factor)


def _in_order(graph: ControlFlow, loop: Loop) -> list[int]:
    """The blocks of a loop from the header on, each after those that lead to it in the same round."""
    inside = [
        [to for to in targets if number in loop.blocks and to in loop.blocks and to != loop.header]
        for number, targets in enumerate(graph.successors)
    ]
    return postorder(inside, loop.header)[::-1]
