"""Memory by the block: copies, fills, and new objects, with sizes that may be symbolic."""

from __future__ import annotations

from typing import Any

from clew.base.errors import Unsupported
from clew.base.location import Location
from clew.execute.decide import Live, concretize, fork_at, require, require_defined
from clew.execute.frame import Frame
from clew.execute.pointers import check_extent, concrete_extent, failure, resolve
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.ranges import interval
from clew.expr.sort import bv
from clew.memory.errors import AccessError

ALLOCATION_LIMIT = 1 << 28
"""Bytes of one object; more than that is not modelled."""
SYMBOLIC_LIMIT = 4096
"""Bytes an object of symbolic size may have; larger sizes are tried with one value each."""
SYMBOLIC_COPY = 512
"""Bytes a copy of symbolic length may touch; longer ones are split into one path per length."""


def copy_memory(
    s: State, f: Frame, point: int, live: Live, target: Any, source: Any, count: Any, volatile: Any = False
) -> None:
    """``memcpy`` and ``memmove``."""
    if isinstance(count, Expr) and _copy_some(s, f, point, live, target, source, count):
        return
    n = concretize(s, f, point, live, count, s.run.pointer_bits)
    if n == 0:
        return
    try:
        to = concrete_range(s, f, point, live, target, n)
        origin = concrete_range(s, f, point, live, source, n)
        s.memory.copy(to, origin, n)
    except AccessError as error:
        raise failure(error) from None


def _copy_some(s: State, f: Frame, point: int, live: Live, target: Any, source: Any, count: Expr) -> bool:
    """Copy a symbolic number of bytes as one formula per byte, if there are few enough; yields whether it did."""
    bits = s.run.pointer_bits
    to, origin = (concretize(s, f, point, live, address, bits) for address in (target, source))
    most = min(_room(s, f, point, live, to), _room(s, f, point, live, origin))
    _, high = interval(count)
    if min(most, high) > SYMBOLIC_COPY:
        return False
    fits = build.ule(count, most, bits)
    require(s, f, point, live, fits, "out-of-bounds", "a copy of symbolic length goes past the end of an object")
    try:
        new = s.memory.read_bytes(origin, min(most, high))
        old = s.memory.read_bytes(to, min(most, high))
        mixed: list[Any] = [
            build.ite(build.ult(index, count, bits), byte, kept, bv(8))
            for index, (byte, kept) in enumerate(zip(new, old, strict=True))
        ]
        s.memory.write_bytes(to, mixed)
    except AccessError as error:
        raise failure(error) from None
    return True


def fill_memory(
    s: State, f: Frame, point: int, live: Live, target: Any, value: Any, count: Any, volatile: Any = False
) -> None:
    """``memset``."""
    if isinstance(count, Expr) and _fill_some(s, f, point, live, target, value, count):
        return
    n = concretize(s, f, point, live, count, s.run.pointer_bits)
    if n == 0:
        return
    try:
        s.memory.fill(concrete_range(s, f, point, live, target, n), value, n)
    except AccessError as error:
        raise failure(error) from None


def _fill_some(s: State, f: Frame, point: int, live: Live, target: Any, value: Any, count: Expr) -> bool:
    """Like ``_copy_some``, with one value for all bytes."""
    bits = s.run.pointer_bits
    to = concretize(s, f, point, live, target, bits)
    room = _room(s, f, point, live, to)
    _, high = interval(count)
    most = min(room, high)
    if most > SYMBOLIC_COPY:
        return False
    fits = build.ule(count, room, bits)
    require(s, f, point, live, fits, "out-of-bounds", "a fill of symbolic length goes past the end of an object")
    try:
        old = s.memory.read_bytes(to, most)
        filled: list[Any] = [
            build.ite(build.ult(index, count, bits), value, kept, bv(8)) for index, kept in enumerate(old)
        ]
        s.memory.write_bytes(to, filled)
    except AccessError as error:
        raise failure(error) from None
    return True


def _room(s: State, f: Frame, point: int, live: Live, address: int) -> int:
    """Bytes from an address to the end of its object; 0 where there is none."""
    found = s.memory.find(address)
    return 0 if found is None else max(0, concrete_extent(s, f, point, live, found[0]) - found[1])


def concrete_range(s: State, f: Frame, point: int, live: Live, address: Any, n: int) -> int:
    """One concrete start for a range of ``n`` bytes; other starts are siblings."""
    if isinstance(address, Expr):
        resolve(s, f, point, live, address, n)
    start = concretize(s, f, point, live, address, s.run.pointer_bits)
    if s.memory.extents:
        check_extent(s, f, point, live, start, n)
    return start


def allocate(
    s: State, f: Frame, point: int, live: Live, size: int, count: Any, align: int, where: tuple[str, Location | None]
) -> int:
    """``alloca``."""
    bits = s.run.pointer_bits
    if isinstance(count, Expr):
        width = count.width
        wide = build.zext(count, width, bits) if width < bits else count
        total = build.mul(wide, size, bits)
    else:
        total = size * count
    if isinstance(total, int) and total > ALLOCATION_LIMIT:
        raise Unsupported(f"a stack object of {total} bytes")
    address = new_object(s, f, point, live, total, "stack", where[0], where[1], align=max(align, 1))
    f.allocated = (*f.allocated, address)
    return address


def new_object(
    s: State,
    f: Frame,
    point: int,
    live: Live,
    size: Any,
    kind: str,
    name: str,
    site: Location | None,
    *,
    align: int = 16,
    zeroed: bool = False,
) -> int:
    """A new object. A symbolic size up to ``SYMBOLIC_LIMIT`` stays symbolic; a larger one gets one value."""
    if isinstance(size, Expr):
        if s.run.undefined:
            require_defined(s, f, point, live, size, "an uninitialized value decides the size of an object")
        capacity = _capacity(s, f, point, live, size)
        if capacity is not None:
            return s.memory.allocate_sized(size, capacity, kind, name, site, zeroed)
        size = _one_value(s, size)
    if size > ALLOCATION_LIMIT:
        return 0
    return s.memory.allocate(size, kind, name, align, site, b"" if zeroed else None)


def _capacity(s: State, f: Frame, point: int, live: Live, size: Expr) -> int | None:
    """How large an object of symbolic size can get on this path; None if that is too large to keep it symbolic."""
    bits = s.run.pointer_bits
    _, high = interval(size)
    if high <= SYMBOLIC_LIMIT:
        return high
    small = build.ule(size, SYMBOLIC_LIMIT, bits)
    if small is False:
        return None
    assert isinstance(small, Expr)
    large = build.lnot(small)
    if s.model.eval(small):
        fork_at(s, f, point, live, large)
        s.path = s.path.add(small)
        return SYMBOLIC_LIMIT
    if large not in s.path:
        fork_at(s, f, point, live, small)
        s.path = s.path.add(large)
    return None


def _one_value(s: State, size: Expr) -> int:
    """The model's value for a size too large to stay symbolic; that others exist is a loss, and said."""
    concrete = int(s.model.eval(size))
    constraint = build.eq(size, concrete, s.run.pointer_bits)
    if isinstance(constraint, Expr):
        s.run.note_loss("bounded", f"sizes above {SYMBOLIC_LIMIT} bytes are tried with one value only", s)
        s.path = s.path.add(constraint)
    return concrete
