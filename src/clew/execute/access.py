"""Loads and stores off the fast path: symbolic addresses and contents, odd types, atomics, errors."""

from __future__ import annotations

from typing import Any

from clew.base.errors import Unsupported
from clew.execute.forking import Live
from clew.execute.frame import Frame
from clew.execute.heap.binding import settled
from clew.execute.pointers import check_extent, failure, resolve
from clew.execute.state import State
from clew.execute.undefined import undefined
from clew.execute.values import assemble, disassemble, float_sort, from_bits, to_bits, usub_sat
from clew.expr import build
from clew.expr.sort import bv
from clew.memory.errors import AccessError
from clew.memory.symbolic import load_at, store_at
from clew.program.types import FloatKind, FloatType, Type


def load(s: State, f: Frame, point: int, live: Live, address: Any, size: int) -> Any:
    """Read an integer or pointer of ``size`` bytes."""
    if s.run.lazy:
        address = settled(s, f, point, live, address)
    try:
        if type(address) is int:
            if s.memory.extents:
                check_extent(s, f, point, live, address, size)
            return s.memory.load_bits(address, size)
        found, offset = resolve(s, f, point, live, address, size)
        if type(offset) is int:
            return s.memory.load_bits(found.base + offset, size)
        return load_at(s.memory, found, offset, size)
    except AccessError as error:
        raise failure(error) from None


def store(s: State, f: Frame, point: int, live: Live, address: Any, value: Any, size: int) -> None:
    """Write an integer or pointer of ``size`` bytes."""
    if s.run.lazy:
        address = settled(s, f, point, live, address)
    try:
        if type(address) is int:
            if s.memory.extents:
                check_extent(s, f, point, live, address, size, True)
            s.memory.store_bits(address, value, size)
            return
        found, offset = resolve(s, f, point, live, address, size, True)
        if type(offset) is int:
            s.memory.store_bits(found.base + offset, value, size)
        else:
            store_at(s.memory, found, offset, value, size)
    except AccessError as error:
        raise failure(error) from None


def load_float(s: State, f: Frame, point: int, live: Live, address: Any, size: int) -> Any:
    """Read a ``float`` or ``double``."""
    if type(address) is int:
        try:
            if s.memory.extents:
                check_extent(s, f, point, live, address, size)
            return s.memory.load_float(address, size)
        except AccessError as error:
            raise failure(error) from None
    bits = load(s, f, point, live, address, size)
    return from_bits(bits, FloatType(FloatKind.FLOAT if size == 4 else FloatKind.DOUBLE), s.run.layout)


def store_float(s: State, f: Frame, point: int, live: Live, address: Any, value: Any, size: int) -> None:
    """Write a ``float`` or ``double``."""
    if type(address) is int:
        try:
            if s.memory.extents:
                check_extent(s, f, point, live, address, size, True)
            s.memory.store_float(address, value, size)
        except AccessError as error:
            raise failure(error) from None
        return
    bits = to_bits(value, FloatType(FloatKind.FLOAT if size == 4 else FloatKind.DOUBLE), s.run.layout)
    store(s, f, point, live, address, bits, size)


def load_typed(s: State, f: Frame, point: int, live: Live, address: Any, type: Type) -> Any:
    """Read a value of any type: struct, array, vector, odd integer width."""
    layout = s.run.layout
    return assemble(
        type,
        layout,
        lambda scalar, offset: from_bits(
            load(s, f, point, live, _plus(s, address, offset), layout.store_size(scalar)), scalar, layout
        ),
    )


def store_typed(s: State, f: Frame, point: int, live: Live, address: Any, value: Any, type: Type) -> None:
    """Write a value of any type."""
    layout = s.run.layout
    for scalar, offset, part in disassemble(value, type, layout):
        size = layout.store_size(scalar)
        store(s, f, point, live, _plus(s, address, offset), to_bits(part, scalar, layout), size)


def store_undefined(s: State, f: Frame, point: int, live: Live, address: Any, type: Type) -> None:
    """Store a value the program never defined: any one, and not what memory had before."""
    store_typed(s, f, point, live, address, undefined(s, type), type)


def _plus(s: State, address: Any, offset: int) -> Any:
    return build.add(address, offset, s.run.pointer_bits) if offset else address


def atomic_update(s: State, f: Frame, point: int, live: Live, op: str, address: Any, value: Any, type: Type) -> Any:
    """``atomicrmw`` in a single thread."""
    old = load_typed(s, f, point, live, address, type)
    if op in _ATOMIC_FLOAT and isinstance(type, FloatType):
        new = _ATOMIC_FLOAT[op](old, value, float_sort(type))
    elif op in _ATOMIC:
        new = _ATOMIC[op](old, value, s.run.layout.bits(type))
    else:
        raise Unsupported(f"atomicrmw {op}")
    store_typed(s, f, point, live, address, new, type)
    return old


_ATOMIC = {
    "xchg": lambda old, value, width: value,
    "add": build.add,
    "sub": build.sub,
    "and": build.and_,
    "or": build.or_,
    "xor": build.xor,
    "nand": lambda old, value, width: build.not_(build.and_(old, value, width), width),
    "max": build.smax,
    "min": build.smin,
    "umax": build.umax,
    "umin": build.umin,
    "usub_sat": usub_sat,
}
_ATOMIC_FLOAT = {"fadd": build.fadd, "fsub": build.fsub, "fmax": build.fmax, "fmin": build.fmin}


def compare_exchange(
    s: State, f: Frame, point: int, live: Live, address: Any, expected: Any, replacement: Any, type: Type
) -> tuple[Any, Any]:
    """``cmpxchg`` in a single thread."""
    width = s.run.layout.bits(type)
    old = load_typed(s, f, point, live, address, type)
    same = build.eq(old, expected, width)
    new = build.ite(same, replacement, old, bv(width))
    store_typed(s, f, point, live, address, new, type)
    return old, same


def object_size(
    s: State,
    f: Frame,
    point: int,
    live: Live,
    address: Any,
    minimum: bool,
    null_unknown: bool,
    dynamic: bool,
    call: Any,
) -> int:
    """``llvm.objectsize``: what a compiler that knows nothing answers."""
    bits = s.run.layout.bits(call.result.type)
    return 0 if minimum else (1 << bits) - 1


def save_stack(s: State, f: Frame, point: int, live: Live) -> int:
    """``llvm.stacksave``: how many stack objects there are."""
    return len(f.allocated)


def restore_stack(s: State, f: Frame, point: int, live: Live, mark: Any) -> None:
    """``llvm.stackrestore``: release the objects made since."""
    keep = int(mark)
    s.memory.release_stack(f.allocated[keep:])
    f.allocated = f.allocated[:keep]
