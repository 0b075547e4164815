"""Instructions of the body of a loop that compute, or use memory: each result of theirs on its own path."""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.views import is_number
from clew.analysis.loops import arithmetic
from clew.analysis.loops.conditions import assume
from clew.analysis.loops.evaluation import Evaluation
from clew.analysis.loops.path import Address, Content, Junction, Number, Open, Opposite, Pair, Path, Refused, Test
from clew.program import instructions as ir
from clew.program.types import I1, FloatType, IntType
from clew.program.values import ConstFloat, ConstInt, Register


def compute(evaluation: Evaluation, path: Path, i: ir.Instruction) -> Iterator[Path]:
    """Instructions without control: each result of theirs on its own path."""
    if i.result is not None and isinstance(i.result.type, FloatType):
        raise Refused("it computes with floating-point numbers")
    for way, value in _results(evaluation, path, i):
        way.give(i.result, value)
        yield way


def _results(evaluation: Evaluation, path: Path, i: ir.Instruction) -> arithmetic.Results:
    limits = evaluation.limits
    match i:
        case ir.Binary(op="and" | "or" as op, left=left, right=right) if left.type == I1:
            yield path, Junction(evaluation.truth(path, left), evaluation.truth(path, right), op == "or")
        case ir.Binary(op="xor", left=left, right=ConstInt(value=1)) if left.type == I1:
            yield path, Opposite(evaluation.truth(path, left))
        case ir.Binary(op=op, left=left, right=right, flags=flags) if is_number(left.type):
            for way, first in evaluation.number(path, left):
                for end, second in evaluation.number(way, right):
                    yield from arithmetic.binary(end, op, first, second, "disjoint" in flags, limits)
        case ir.Compare(floating=True):
            raise Refused("it compares floating-point numbers")
        case ir.Compare(predicate=predicate, left=left, right=right) if is_number(left.type):
            for way, first in evaluation.number(path, left):
                for end, second in evaluation.number(way, right):
                    yield end, Test(predicate, first, second)
        case ir.Compare():
            yield path, Open("the body compares pointers")
        case ir.Cast(op="zext" | "sext" as op, operand=operand, to=IntType(width=width)) if width <= 64:
            for way, number in evaluation.number(path, operand):
                yield from arithmetic.extended(way, number, width, op == "sext", limits)
        case ir.Cast(op="trunc", operand=operand, to=IntType(width=width)) if is_number(operand.type):
            for way, number in evaluation.number(path, operand):
                yield way, Number(number.linear, width)
        case ir.Freeze(operand=operand):
            yield path, evaluation.value(path, operand)
        case ir.Select(condition=condition, if_true=yes, if_false=no) if condition.type == I1:
            truth = evaluation.truth(path, condition)
            for wanted, chosen in ((False, no), (True, yes)):
                for way in assume(path.copy(), truth, wanted, limits):
                    yield way, evaluation.value(way, chosen)
        case ir.ExtractValue(aggregate=Register(name=name), indices=(place,)):
            pair = path.top.registers.get(name)
            yield path, (pair.overflow if place else pair.number) if isinstance(pair, Pair) else None
        case ir.Load(pointer=pointer, result=Register() as result):
            yield path, evaluation.contents.load(path, evaluation.contents.address(path.top, pointer), result)
        case ir.Store():
            yield from _store(evaluation, path, i)
        case _:
            yield path, _pointer(evaluation, path, i)


def _store(evaluation: Evaluation, path: Path, i: ir.Store) -> arithmetic.Results:
    where = evaluation.contents.address(path.top, i.pointer)
    if isinstance(i.value, ConstFloat) or isinstance(i.value.type, FloatType):
        raise Refused("it computes with floating-point numbers")
    if not is_number(i.value.type):
        evaluation.contents.store(path, where, None, i)
        yield path, None
        return
    for way, number in evaluation.number(path, i.value):
        evaluation.contents.store(way, where, number, i)
        yield way, None


def _pointer(evaluation: Evaluation, path: Path, i: ir.Instruction) -> Content | None:
    match i:
        case ir.GetElementPtr():
            return evaluation.contents.element(path.top, i)
        case ir.Alloca(result=Register(name=name)):
            path.unknowns += 1  # a number of its own
            return Address(path.unknowns, (path.top.outline.function.name, name), 0)
        case ir.Cast(op="bitcast", operand=operand):
            return evaluation.value(path, operand)
    if i.result is not None and is_number(i.result.type):
        assert isinstance(i.result.type, IntType)
        return path.opaque(i.result.type.width, "the body computes what is not followed")
    return None
