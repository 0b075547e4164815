"""Memory by the block: copies, fills, and new objects, with sizes that may be symbolic."""

from __future__ import annotations

from typing import Any

from clew.base.errors import Unsupported
from clew.base.location import Location
from clew.execute.decide import concretize, require, require_defined
from clew.execute.forking import Live, fork_at
from clew.execute.frame import Frame
from clew.execute.pointers import check_extent, failure, resolve, settle, what_fails
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Bool, Expr, index
from clew.expr.ranges import interval
from clew.expr.sort import bv
from clew.memory.errors import AccessError
from clew.memory.object import MemoryObject
from clew.memory.overlap import are_apart
from clew.memory.symbolic import ARRAY_LIMIT, fill_at, load_at

ALLOCATION_LIMIT = 1 << 28
"""Bytes of one object; more than that is not modelled."""
HOPELESS = {32: 1 << 31, 64: (1 << 40) - 1}
"""Sizes above this, by the bits of a pointer, are more than machines give: an allocation fails."""
SYMBOLIC_COPY = 512
"""Bytes a copy of symbolic length may touch that are one formula each; others are formulas over their number."""


def copy_apart(
    s: State, f: Frame, point: int, live: Live, target: Any, source: Any, count: Any, volatile: Any = False
) -> None:
    """``memcpy``: what is written must not overlap with what is read, unless both are the same place.

    For that one case LLVM makes an exception, since an assignment of a struct to itself becomes such a copy.
    """
    copy_memory(s, f, point, live, target, source, count, apart=True)


def copy_memory(
    s: State,
    f: Frame,
    point: int,
    live: Live,
    target: Any,
    source: Any,
    count: Any,
    volatile: Any = False,
    apart: bool = False,
) -> None:
    """``memmove``, or with ``apart`` ``memcpy``."""
    if isinstance(count, Expr) and _copy_some(s, f, point, live, target, source, count, apart):
        return
    n = concretize(s, f, point, live, count, s.run.pointer_bits)
    if n == 0:
        return
    try:
        to = concrete_range(s, f, point, live, target, n, True)
        origin = concrete_range(s, f, point, live, source, n)
        if apart and 0 < abs(to - origin) < n:
            s.memory.check(origin, n, False)  # what leaves an object fails as such
            s.memory.check(to, n, True)
            require(s, f, point, live, False, "overlap", overlapping("a copy"))
        s.memory.copy(to, origin, n)
    except AccessError as error:
        raise failure(error) from None


def overlapping(what: str) -> str:
    """The message of a bug."""
    return f"{what} between places that overlap: what is written is read, too"


def _copy_some(s: State, f: Frame, point: int, live: Live, target: Any, source: Any, count: Expr, apart: bool) -> bool:
    """Copy a symbolic number of bytes, if formulas can tell what is where then; yields whether they can."""
    bits = s.run.pointer_bits
    to, origin = (settle(s, f, point, live, address) for address in (target, source))
    most = min(_room(s, to), _room(s, origin), interval(count)[1])
    if most > SYMBOLIC_COPY and not (_is_writable(s, to) and _becomes_array(s, to) and _becomes_array(s, origin)):
        return False
    # In the order in which a copy of known length looks at them: it must fail in the same way.
    sides = [(origin, False), (to, True)]
    for address, write in reversed(sides) if _is_sized(s, to) else sides:
        _require_room(s, f, point, live, address, count, write, "copy")
    if apart and 0 < abs(to - origin) < most:
        require(s, f, point, live, are_apart(to, count, origin, count, bits), "overlap", overlapping("a copy"))
    if _is_constant(s, to):
        return True
    try:
        if most > SYMBOLIC_COPY:
            found, offset = _located(s, origin)
            place = build.add(index(bits), offset, bits)
            assert isinstance(place, Expr)
            byte = load_at(s.memory, found, place, 1)
            assert isinstance(byte, int | Expr)
            fill_at(s.memory, *_located(s, to), count, 1, byte, 1, bits)
            return True
        new = s.memory.read_bytes(origin, most)
        old = s.memory.read_bytes(to, most)
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
        s.memory.fill(concrete_range(s, f, point, live, target, n, True), value, n)
    except AccessError as error:
        raise failure(error) from None


def _fill_some(s: State, f: Frame, point: int, live: Live, target: Any, value: Any, count: Expr) -> bool:
    """Like ``_copy_some``, with one value for all bytes."""
    bits = s.run.pointer_bits
    to = settle(s, f, point, live, target)
    most = min(_room(s, to), interval(count)[1])
    if most > SYMBOLIC_COPY and not (_is_writable(s, to) and _becomes_array(s, to)):
        return False
    _require_room(s, f, point, live, to, count, True, "fill")
    if _is_constant(s, to):
        return True
    try:
        if most > SYMBOLIC_COPY:
            fill_at(s.memory, *_located(s, to), count, 1, value, 1, bits)
            return True
        old = s.memory.read_bytes(to, most)
        filled: list[Any] = [
            build.ite(build.ult(index, count, bits), value, kept, bv(8)) for index, kept in enumerate(old)
        ]
        s.memory.write_bytes(to, filled)
    except AccessError as error:
        raise failure(error) from None
    return True


def _located(s: State, address: int) -> tuple[MemoryObject, int]:
    """The object at an address, which is there, and the offset in it."""
    found = s.memory.find(address)
    assert found is not None
    return found


def _is_writable(s: State, address: int) -> bool:
    return not _located(s, address)[0].constant


def _becomes_array(s: State, address: int) -> bool:
    """Whether an object is small enough, or concrete enough, to be accessed as a whole at symbolic offsets."""
    obj, _ = _located(s, address)
    return obj.shadow is None or obj.size <= ARRAY_LIMIT


def _room(s: State, address: int) -> int:
    """Bytes from an address to the end of its object, at most; 0 where there is none."""
    found = s.memory.find(address)
    return 0 if found is None else max(0, found[0].size - found[1] - _is_sized(s, address))


def _require_room(
    s: State, f: Frame, point: int, live: Live, address: int, count: Expr, write: bool, what: str
) -> None:
    """``count`` bytes must be there; fails as an access of known length would."""
    bits = s.run.pointer_bits
    room = _room(s, address)
    fits = build.ule(count, room, bits)
    if fits is not True or _is_sized(s, address):
        verb = "writes" if write else "reads"
        kind, message = "out-of-bounds", f"a {what} of symbolic length {verb} past the end of an object"
        try:
            s.memory.check(address, room + 1, write)
        except AccessError as error:
            failing = what_fails(error)
            if failing[0] != kind:
                kind, message = failing
        require(s, f, point, live, build.land(fits, _within_extent(s, address, count)), kind, message)
    if write and _is_constant(s, address):
        message = f"a {what} of symbolic length writes to constant memory"
        require(s, f, point, live, build.eq(count, 0, bits), "other", message)


def _within_extent(s: State, address: int, count: Expr) -> Bool:
    """The condition that ``count`` bytes at an address are inside an object, if its size is symbolic."""
    found = s.memory.find(address)
    if found is None or not _is_sized(s, address):
        return True
    bits, (obj, offset) = s.run.pointer_bits, found
    extent = s.memory.extent(obj)
    inside = build.land(build.ule(offset, extent, bits), build.ule(count, build.sub(extent, offset, bits), bits))
    return build.lor(build.eq(count, 0, bits), inside)


def _is_constant(s: State, address: int) -> bool:
    found = s.memory.find(address)
    return found is not None and found[0].constant


def _is_sized(s: State, address: int) -> bool:
    """Whether an address points to an object of symbolic size."""
    found = s.memory.find(address)
    return found is not None and found[0].base in s.memory.extents


def concrete_range(s: State, f: Frame, point: int, live: Live, address: Any, n: int, write: bool = False) -> int:
    """One concrete start for a range of ``n`` bytes; other starts are siblings."""
    if isinstance(address, Expr):
        resolve(s, f, point, live, address, n, write)
    start = concretize(s, f, point, live, address, s.run.pointer_bits)
    if s.memory.extents:
        check_extent(s, f, point, live, start, n, write)
    return start


def allocate(
    s: State, f: Frame, point: int, live: Live, size: int, count: Any, align: int, where: tuple[str, Location | None]
) -> int:
    """``alloca``."""
    name, site = where[0], (f.function.name, where[0])
    if isinstance(count, Expr):
        bits, width = s.run.pointer_bits, count.width
        wide = build.zext(count, width, bits) if width < bits else count
        total = build.mul(wide, size, bits)
    else:
        total = size * count
    if isinstance(total, Expr) or total > ALLOCATION_LIMIT:
        address = new_object(s, f, point, live, total, "stack", name, site, align=max(align, 1))
    else:
        address = s.memory.allocate(total, "stack", name, align or 1, site)
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
    site: object,
    *,
    align: int = 16,
    zeroed: bool = False,
) -> int:
    """A new object. A symbolic size up to the limit of the run stays symbolic; a larger one gets one value."""
    size = s.constant_value(size, s.run.pointer_bits)
    if isinstance(size, Expr):
        if s.run.undefined:
            require_defined(s, f, point, live, size, "an uninitialized value decides the size of an object")
        capacity = _capacity(s, f, point, live, size)
        if capacity is not None:
            return s.memory.allocate_sized(size, capacity, kind, name, site, zeroed)
        if kind == "heap" and _is_hopeless(s, f, point, live, size):
            return 0
        size = _one_value(s, size)
    if kind == "heap" and size > HOPELESS[s.run.pointer_bits]:
        return 0
    if size > ALLOCATION_LIMIT:
        raise Unsupported(f"a {kind} object of {size} bytes")
    return s.memory.allocate(size, kind, name, align, site, b"" if zeroed else None)


def _capacity(s: State, f: Frame, point: int, live: Live, size: Expr) -> int | None:
    """How large an object of symbolic size can get on this path; None if that is too large to keep it symbolic."""
    bits, limit = s.run.pointer_bits, s.run.options.symbolic_size
    _, high = interval(size)
    if high <= limit:
        return high
    small = build.ule(size, limit, bits)
    if small is False:
        return None
    assert isinstance(small, Expr)
    large = build.lnot(small)
    if s.model.eval(small):
        fork_at(s, f, point, live, large)
        s.path = s.path.add(small)
        return limit
    if not s.implies(large):
        fork_at(s, f, point, live, small)
        s.path = s.path.add(large)
    return None


def _is_hopeless(s: State, f: Frame, point: int, live: Live, size: Expr) -> bool:
    """Whether a size is one that no allocation can have; where both can be, one is a sibling."""
    hopeless = build.ugt(size, HOPELESS[s.run.pointer_bits], s.run.pointer_bits)
    if not isinstance(hopeless, Expr):
        return hopeless
    possible = build.lnot(hopeless)
    chosen = bool(s.model.eval(hopeless))
    kept, other = (hopeless, possible) if chosen else (possible, hopeless)
    if not s.implies(kept):
        fork_at(s, f, point, live, other)
        s.path = s.path.add(kept)
    return chosen


def _one_value(s: State, size: Expr) -> int:
    """One value, better a modest one, for a size too large to stay symbolic; others are a loss, and said."""
    bits = s.run.pointer_bits
    if s.model.eval(size) > ALLOCATION_LIMIT:
        modest = s.feasible(build.ule(size, ALLOCATION_LIMIT, bits))
        s.model = modest.model or s.model
    concrete = int(s.model.eval(size))
    constraint = build.eq(size, concrete, bits)
    if isinstance(constraint, Expr):
        s.run.note_loss("bounded", f"sizes above {s.run.options.symbolic_size} bytes are tried with one value only", s)
        s.path = s.path.add(constraint)
    return concrete
