"""Memory access off the fast path: symbolic addresses and contents, odd types, bulk operations, errors.

A symbolic address is resolved by the state's model: the object the model points to is taken, and if
the address can also lie elsewhere a sibling executes the instruction again without that object.
"""

from __future__ import annotations

from typing import Any

from clew.base.errors import Unsupported
from clew.base.location import Location
from clew.execute.decide import Live, concretize, depends_on_undefined, fork_at
from clew.execute.ends import Dropped, Failed
from clew.execute.frame import Frame
from clew.execute.state import State
from clew.execute.values import assemble, disassemble, float_sort, from_bits, to_bits, usub_sat
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.memory.errors import AccessError
from clew.memory.object import MemoryObject
from clew.memory.resolve import candidates, in_bounds
from clew.program.types import FloatKind, FloatType, Type
from clew.solver.interface import Answer

ALLOCATION_LIMIT = 1 << 28
"""Bytes of one object; more than that is not modelled."""


def failure(error: AccessError) -> Failed:
    """A memory error as the end of a path."""
    kind = "other" if error.kind == "write-to-constant" else error.kind
    return Failed(kind, error.message)


def load(s: State, f: Frame, point: int, live: Live, address: Any, size: int) -> Any:
    """Read an integer or pointer of ``size`` bytes."""
    try:
        if type(address) is int:
            return s.memory.load_bits(address, size)
        found, offset = resolve(s, f, point, live, address, size)
        if type(offset) is int:
            return s.memory.load_bits(found.base + offset, size)
        return s.memory.load_at(found, offset, size)
    except AccessError as error:
        raise failure(error) from None


def store(s: State, f: Frame, point: int, live: Live, address: Any, value: Any, size: int) -> None:
    """Write an integer or pointer of ``size`` bytes."""
    try:
        if type(address) is int:
            s.memory.store_bits(address, value, size)
            return
        found, offset = resolve(s, f, point, live, address, size)
        if type(offset) is int:
            s.memory.store_bits(found.base + offset, value, size)
        else:
            s.memory.store_at(found, offset, value, size)
    except AccessError as error:
        raise failure(error) from None


def load_float(s: State, f: Frame, point: int, live: Live, address: Any, size: int) -> Any:
    """Read a ``float`` or ``double``."""
    if type(address) is int:
        try:
            return s.memory.load_float(address, size)
        except AccessError as error:
            raise failure(error) from None
    bits = load(s, f, point, live, address, size)
    return from_bits(bits, FloatType(FloatKind.FLOAT if size == 4 else FloatKind.DOUBLE), s.run.layout)


def store_float(s: State, f: Frame, point: int, live: Live, address: Any, value: Any, size: int) -> None:
    """Write a ``float`` or ``double``."""
    if type(address) is int:
        try:
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
    """Store an undefined value: memory may keep what it has, but must be there."""
    size = s.run.layout.store_size(type)
    if isinstance(address, Expr):
        resolve(s, f, point, live, address, size)
        return
    try:
        s.memory.check(address, size, True)
    except AccessError as error:
        raise failure(error) from None


def _plus(s: State, address: Any, offset: int) -> Any:
    return build.add(address, offset, s.run.pointer_bits) if offset else address


def resolve(s: State, f: Frame, point: int, live: Live, address: Expr, size: int) -> tuple[MemoryObject, Any]:
    """The object a symbolic address points into, and the offset in it; ``size`` bytes from there are valid."""
    run = s.run
    if run.undefined and depends_on_undefined(s, address):
        raise Failed("uninitialized", "an uninitialized value is used as an address")
    bits = run.pointer_bits
    concrete = int(s.model.eval(address))
    found = s.memory.find(concrete)
    if found is None or found[1] + size > found[0].size:
        _escape(s, f, point, live, address, size)
        s.path = s.path.add(_pinned(address, concrete, bits))
        s.memory.check(concrete, size, False)
        raise AssertionError("an address outside every object is an access error")
    obj = found[0]
    inside = in_bounds(obj, address, size, bits)
    if isinstance(inside, Expr) and inside not in s.path:
        _fork_outside(s, f, point, live, address, size, obj, inside)
    offset = build.sub(address, obj.base, bits)
    return obj, offset


def _pinned(address: Expr, concrete: int, bits: int) -> Expr:
    """The witness of an error keeps the very address that shows it."""
    constraint = build.eq(address, concrete, bits)
    assert isinstance(constraint, Expr)
    return constraint


def _fork_outside(
    s: State, f: Frame, point: int, live: Live, address: Expr, size: int, obj: MemoryObject, inside: Expr
) -> None:
    """Stay inside ``obj``; if the address can be elsewhere, a sibling goes there."""
    run = s.run
    only = candidates(s.memory, address, size)
    if run.is_reported("out-of-bounds", f, point) and only.complete and all(o is obj for o in only.objects):
        s.path = s.path.add(inside)
        return
    outside = build.lnot(inside)
    result = run.solver.feasible(s.path, outside, s.model)
    if result.answer is Answer.UNSAT:
        return
    if result.answer is Answer.SAT:
        fork_at(s, f, point, live, outside, result.model)
    else:
        fork_at(s, f, point, live, outside)
    s.path = s.path.add(inside)


def _escape(s: State, f: Frame, point: int, live: Live, address: Expr, size: int) -> None:
    """The model's address is invalid: before the path fails, send a sibling to the valid addresses there are."""
    run = s.run
    reachable = candidates(s.memory, address, size)
    if not reachable.complete:
        run.note_loss("bounded", "a pointer that may point to too many objects", s)
    bits = run.pointer_bits
    somewhere = build.disjunction([in_bounds(obj, address, size, bits) for obj in reachable.objects])
    fork_at(s, f, point, live, somewhere)
    if run.is_reported("out-of-bounds", f, point) or run.is_reported("null-dereference", f, point):
        raise Dropped


def copy_memory(
    s: State, f: Frame, point: int, live: Live, target: Any, source: Any, count: Any, volatile: Any = False
) -> None:
    """``memcpy`` and ``memmove``."""
    n = concretize(s, f, point, live, count, s.run.pointer_bits)
    if n == 0:
        return
    try:
        to = _concrete_range(s, f, point, live, target, n)
        origin = _concrete_range(s, f, point, live, source, n)
        s.memory.copy(to, origin, n)
    except AccessError as error:
        raise failure(error) from None


def fill_memory(
    s: State, f: Frame, point: int, live: Live, target: Any, value: Any, count: Any, volatile: Any = False
) -> None:
    """``memset``."""
    n = concretize(s, f, point, live, count, s.run.pointer_bits)
    if n == 0:
        return
    try:
        s.memory.fill(_concrete_range(s, f, point, live, target, n), value, n)
    except AccessError as error:
        raise failure(error) from None


def _concrete_range(s: State, f: Frame, point: int, live: Live, address: Any, n: int) -> int:
    """One concrete start for a range of ``n`` bytes; other starts are siblings."""
    if isinstance(address, Expr):
        resolve(s, f, point, live, address, n)
    return concretize(s, f, point, live, address, s.run.pointer_bits)


def allocate(
    s: State, f: Frame, point: int, live: Live, size: int, count: Any, align: int, where: tuple[str, Location | None]
) -> int:
    """``alloca``."""
    total = size * concretize(s, f, point, live, count, s.run.pointer_bits)
    if total > ALLOCATION_LIMIT:
        raise Unsupported(f"a stack object of {total} bytes")
    address = s.memory.allocate(total, "stack", where[0], max(align, 1), where[1])
    f.allocated = (*f.allocated, address)
    return address


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
