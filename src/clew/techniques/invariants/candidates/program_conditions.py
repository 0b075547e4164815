"""The comparisons of a function in terms of the head of a loop: guards, phases, and what the program asserts.

Each says what it would if its operands were computed from the values that terms have at the head. Nothing here has to
be right: candidates are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any

from clew.analysis.absint.views import overflow_operation
from clew.expr import build
from clew.expr.node import Expr
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import I1, IntType
from clew.program.values import ConstInt, GlobalRef, Register, Value
from clew.techniques.invariants.candidates.code import is_codable
from clew.techniques.invariants.candidates.heads import Place, Point

_DEEPEST = 12
_BINARY: dict[str, Callable[..., Any]] = {
    "add": build.add, "sub": build.sub, "mul": build.mul, "udiv": build.udiv, "sdiv": build.sdiv, "urem": build.urem,
    "srem": build.srem, "and": build.and_, "or": build.or_, "xor": build.xor, "shl": build.shl, "lshr": build.lshr,
    "ashr": build.ashr,
}  # fmt: skip
_PREDICATES: dict[str, Callable[..., Any]] = {
    "eq": build.eq, "ne": build.ne, "ult": build.ult, "ule": build.ule, "ugt": build.ugt, "uge": build.uge,
    "slt": build.slt, "sle": build.sle, "sgt": build.sgt, "sge": build.sge,
}  # fmt: skip


def program_conditions(function: Function, head: Point, blocks: Container[int]) -> tuple[list[Expr], list[Expr]]:
    """Comparisons over a head's terms: those within some blocks, and the others."""
    reader = _Reader(function, head)
    inside: dict[Expr, None] = {}
    outside: dict[Expr, None] = {}
    for number, block in enumerate(function.blocks):
        for instruction in block.instructions:
            if isinstance(instruction, ir.Compare) and not instruction.floating and instruction.result is not None:
                condition = reader.value(instruction.result)
                if isinstance(condition, Expr) and is_codable(condition):
                    (inside if number in blocks else outside)[condition] = None
    return list(inside), [condition for condition in outside if condition not in inside]


def constants_of(function: Function) -> dict[int, list[int]]:
    """Numbers that a function compares with or begins with, by width, in the order in which they occur."""
    found: dict[int, dict[int, None]] = {}
    for instruction in function.instructions():
        for value in _numbers(instruction):
            assert isinstance(value.type, IntType)
            found.setdefault(value.type.width, {})[value.value] = None
    return {width: list(values) for width, values in found.items()}


def _numbers(instruction: ir.Instruction) -> Iterator[ConstInt]:
    values: tuple[Value, ...] = ()
    if isinstance(instruction, ir.Compare) and not instruction.floating:
        values = (instruction.left, instruction.right)
    elif isinstance(instruction, ir.Phi):
        values = tuple(value for value, _ in instruction.incoming)
    yield from (value for value in values if isinstance(value, ConstInt) and value.type != I1)


class _Reader:
    """Values of a function's registers over the terms of a head; None where they depend on something else."""

    def __init__(self, function: Function, head: Point) -> None:
        self._definitions = function.definitions()
        self._memo: dict[str, Any] = {term.what: term.symbol for term in head.terms if isinstance(term.what, str)}
        self._places = {(term.what, term.width): term.symbol for term in head.terms if isinstance(term.what, Place)}

    def value(self, value: Value, depth: int = _DEEPEST) -> Any:
        if isinstance(value, ConstInt):
            return bool(value.value) if value.type == I1 else value.value
        if not isinstance(value, Register):
            return None
        if value.name not in self._memo:
            definition = self._definitions.get(value.name)
            self._memo[value.name] = None  # of a phi that depends on itself
            if definition is not None and depth:
                self._memo[value.name] = self._defined(definition, depth - 1)
        return self._memo[value.name]

    def _defined(self, definition: ir.Instruction, depth: int) -> Any:
        match definition:
            case ir.Binary(op=op, left=left, right=right, result=Register(type=IntType(width=width))):
                if width == 1 or op not in _BINARY:
                    return None
                return self._applied(_BINARY[op], (left, right), width, depth)
            case ir.Compare(predicate=predicate, left=left, right=right) if isinstance(left.type, IntType):
                if left.type == I1:
                    return None
                return self._applied(_PREDICATES[predicate], (left, right), left.type.width, depth)
            case ir.Cast(op="zext" | "sext" | "trunc" as op, operand=operand, to=IntType(width=width)):
                inner = self.value(operand, depth)
                return None if inner is None else _converted(op, inner, operand.type, width)
            case ir.Select(if_true=one, if_false=other):
                chosen = self.value(one, depth)
                return self.value(other, depth) if chosen is None else chosen
            case ir.Freeze(operand=operand):
                return self.value(operand, depth)
            case ir.Phi(incoming=((operand, _),)):
                return self.value(operand, depth)
            case ir.ExtractValue(aggregate=Register(name=name), indices=(0,)):
                known = overflow_operation(self._definitions.get(name))
                if known is None or not isinstance(known[2].type, IntType):
                    return None
                return self._applied(_BINARY[known[0]], known[2:], known[2].type.width, depth)
            case ir.Load(pointer=GlobalRef(name=name), result=Register(type=IntType(width=width))):
                return self._places.get((Place(name, 0), width))
        return None

    def _applied(self, function: Callable[..., Any], operands: tuple[Value, ...], width: int, depth: int) -> Any:
        values = [self.value(operand, depth) for operand in operands]
        return None if any(value is None for value in values) else function(*values, width)


def _converted(op: str, value: Any, source: object, width: int) -> Any:
    assert isinstance(source, IntType)
    if source == I1:
        return build.bool_to_bv(value, width) if op == "zext" else None
    if isinstance(value, int):
        signed = op == "sext" and value >> (source.width - 1)
        return (value - (signed and 1 << source.width)) % (1 << width)
    if op == "trunc":
        low = build.extract(value, width - 1, 0)
        return build.eq(low, 1, 1) if width == 1 else low
    return build.zext(value, source.width, width) if op == "zext" else build.sext(value, source.width, width)
