"""Run-time values of LLVM types: to bits and back, piece by piece, chosen, made up.

Integers and pointers are ints or bit-vector ``Expr``s, ``i1`` bools, floats Python floats, structs,
arrays and vectors tuples.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

from clew.base.errors import Unsupported
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import BOOL, Sort, bv
from clew.memory.floats import decoded, encoded, sort_of_float
from clew.program.layout import DataLayout
from clew.program.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
)


def float_sort(type: FloatType) -> Sort:
    """The sort of a float type that Clew models."""
    return sort_of_float(type.kind)


def no_such_float(name: str) -> Sort:
    """Stands where generated code would name the sort of a float type that is not modelled."""
    raise Unsupported(f"floating-point type {name}")


def no_such_value(feature: str) -> Any:
    """Stands where generated code would name a constant that is not modelled."""
    raise Unsupported(feature)


def sort_of(type: Type, pointer_bits: int) -> Sort:
    """The sort of a scalar type's symbolic values."""
    match type:
        case IntType(width=1):
            return BOOL
        case IntType(width=width):
            return bv(width)
        case PointerType():
            return bv(pointer_bits)
        case FloatType():
            return float_sort(type)
    raise Unsupported(f"a symbolic value of type {type}")


def to_bits(value: Any, type: Type, layout: DataLayout) -> Any:
    """A scalar as the integer that memory holds for it (``i1`` as a byte)."""
    match type:
        case IntType(width=1):
            return build.bool_to_bv(value, 8)
        case IntType(width=width) if width % 8:
            return build.zext(value, width, (width + 7) // 8 * 8)
        case FloatType():
            return encoded(value, type.kind)
    return value


def from_bits(bits: Any, type: Type, layout: DataLayout) -> Any:
    """The inverse of ``to_bits``."""
    match type:
        case IntType(width=1):
            return low_bit(bits)
        case IntType(width=width) if width % 8:
            return build.trunc(bits, width)
        case FloatType():
            return decoded(bits, type.kind)
    return bits


def low_bit(value: Any) -> Any:
    """The lowest bit as a bool."""
    if isinstance(value, Expr):
        return build.ne(build.and_(value, 1, value.width), 0, value.width)
    return bool(value & 1)


def assemble(type: Type, layout: DataLayout, scalar: Callable[[Type, int], Any], base: int = 0) -> Any:
    """A value of ``type`` whose scalars come from ``scalar(type, byte offset)``. Types do not nest deeply."""
    match type:
        case StructType(fields=fields):
            offsets = layout.offsets(type)
            return tuple(
                assemble(field, layout, scalar, base + offset) for field, offset in zip(fields, offsets, strict=True)
            )
        case ArrayType(count=count, element=element):
            size = layout.size(element)
            return tuple(assemble(element, layout, scalar, base + n * size) for n in range(count))
        case VectorType(count=count, element=element):
            size = _lane_bytes(element, layout)
            return tuple(assemble(element, layout, scalar, base + n * size) for n in range(count))
    return scalar(type, base)


def disassemble(value: Any, type: Type, layout: DataLayout, base: int = 0) -> Iterator[tuple[Type, int, Any]]:
    """The scalars of a value with their types and byte offsets."""
    match type:
        case StructType(fields=fields):
            for field, offset, part in zip(fields, layout.offsets(type), value, strict=True):
                yield from disassemble(part, field, layout, base + offset)
        case ArrayType(element=element):
            size = layout.size(element)
            for number, part in enumerate(value):
                yield from disassemble(part, element, layout, base + number * size)
        case VectorType(element=element):
            size = _lane_bytes(element, layout)
            for number, part in enumerate(value):
                yield from disassemble(part, element, layout, base + number * size)
        case _:
            yield type, base, value


def _lane_bytes(element: Type, layout: DataLayout) -> int:
    bits = layout.bits(element)
    if bits % 8:
        raise Unsupported(f"vector of {element} in memory")
    return bits // 8


def choose(condition: Any, yes: Any, no: Any, type: Type, pointer_bits: int) -> Any:
    """``select`` with a symbolic condition, on values of any type."""
    if condition is True or yes is no:
        return yes
    if condition is False:
        return no
    match type:
        case StructType(fields=fields):
            return tuple(
                choose(condition, a, b, field, pointer_bits) for field, a, b in zip(fields, yes, no, strict=True)
            )
        case ArrayType(element=element) | VectorType(element=element):
            return tuple(choose(condition, a, b, element, pointer_bits) for a, b in zip(yes, no, strict=True))
    return build.ite(condition, yes, no, sort_of(type, pointer_bits))


def with_element(aggregate: tuple[Any, ...], indices: tuple[int, ...], element: Any) -> tuple[Any, ...]:
    """``insertvalue``: the aggregate with one element replaced."""
    first, rest = indices[0], indices[1:]
    inner = with_element(aggregate[first], rest, element) if rest else element
    return (*aggregate[:first], inner, *aggregate[first + 1 :])


def reinterpret_lanes(value: Any, source: Type, target: Type, layout: DataLayout) -> Any:
    """``bitcast`` from or to a vector: the same bits cut differently."""
    lanes = value if isinstance(source, VectorType) else (value,)
    lane = source.element if isinstance(source, VectorType) else source
    width = layout.bits(lane)
    bits, total = to_bits(lanes[0], lane, layout), width
    for part in lanes[1:]:
        bits = build.concat(to_bits(part, lane, layout), width, bits, total)
        total += width
    goal = target.element if isinstance(target, VectorType) else target
    size = layout.bits(goal)
    parts = tuple(
        from_bits(build.extract(bits, low + size - 1, low) if size < total else bits, goal, layout)
        for low in range(0, total, size)
    )
    return parts if isinstance(target, VectorType) else parts[0]


def round_single(value: Any) -> Any:
    """A concrete double rounded to single precision; symbolic operations round by themselves."""
    return ctypes.c_float(value).value if type(value) is float else value


def float_to_int(value: Any, sort: Sort, width: int, signed: bool) -> Any:
    """``fptosi`` and ``fptoui``; out of range the result is undefined, and 0 here."""
    return build.fp_to_sbv(value, sort, width) if signed else build.fp_to_ubv(value, sort, width)


def int_to_float(value: Any, width: int, sort: Sort, signed: bool) -> Any:
    """``sitofp`` and ``uitofp``."""
    if width == 1:
        value, width = build.bool_to_bv(value, 2), 2
        value = build.neg(value, 2) if signed else value
    return build.fp_from_sbv(value, width, sort) if signed else build.fp_from_ubv(value, width, sort)


def multiply_add(a: Any, b: Any, c: Any, sort: Sort) -> Any:
    """``llvm.fmuladd``, unfused."""
    return build.fadd(build.fmul(a, b, sort), c, sort)


def copysign(magnitude: Any, sign: Any, sort: Sort) -> Any:
    """The first argument with the sign of the second."""
    width = sort.width
    top = 1 << (width - 1)
    a, b = build.fp_to_bits(magnitude, sort), build.fp_to_bits(sign, sort)
    return build.fp_from_bits(build.or_(build.and_(a, top - 1, width), build.and_(b, top, width), width), sort)


def uadd_sat(a: Any, b: Any, width: int) -> Any:
    """Unsigned addition that stops at the largest value."""
    return build.ite(build.uadd_overflow(a, b, width), (1 << width) - 1, build.add(a, b, width), bv(width))


def usub_sat(a: Any, b: Any, width: int) -> Any:
    """Unsigned subtraction that stops at 0."""
    return build.ite(build.ult(a, b, width), 0, build.sub(a, b, width), bv(width))


def sadd_sat(a: Any, b: Any, width: int) -> Any:
    """Signed addition that stops at the ends of the range."""
    return _clamped(build.sadd_overflow(a, b, width), a, build.add(a, b, width), width)


def ssub_sat(a: Any, b: Any, width: int) -> Any:
    """Signed subtraction that stops at the ends of the range."""
    return _clamped(build.ssub_overflow(a, b, width), a, build.sub(a, b, width), width)


def _clamped(overflows: Any, a: Any, result: Any, width: int) -> Any:
    """An overflow goes past the end on the side of ``a``'s sign."""
    lowest = 1 << (width - 1)
    end = build.ite(build.slt(a, 0, width), lowest, lowest - 1, bv(width))
    return build.ite(overflows, end, result, bv(width))
