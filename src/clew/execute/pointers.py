"""Where a pointer points: symbolic addresses resolved to objects, and bounds that are symbolic themselves.

Where it is known which object a symbolic address was computed from, that one is meant: anywhere else is out of its
bounds. Where it was computed from one of several, the model says from which, and siblings take the others. Else the
address is resolved by the state's model: the object the model points to is taken, and if the address can also lie
elsewhere a sibling executes the instruction again without that object.
"""

from __future__ import annotations

from typing import Any

from clew.execute.decide import NOWHERE, concretize, require, require_defined
from clew.execute.ends import BEYOND, LENGTH, AlreadyReported, Failed, Lost, ending
from clew.execute.entropy import pin, pinned
from clew.execute.forking import Live, fork_at
from clew.execute.frame import Frame
from clew.execute.heap.binding import is_input, one_arm, settled
from clew.execute.heap.facts import KnownObject, LazyPointer
from clew.execute.made_up import leads_nowhere
from clew.execute.state import State
from clew.expr import build
from clew.expr.node import Bool, Expr, as_bool
from clew.expr.op import ADD, CONCAT, CONST, MUL, SEXT, SHL, SYMBOL, ZEXT
from clew.memory.base_object import Base, are_numbers, base_at, base_of, is_known, pointer_in
from clew.memory.describe import count, sized
from clew.memory.errors import AccessError
from clew.memory.globals import MADE_UP
from clew.memory.object import MemoryObject
from clew.memory.resolve import candidates, dangling, in_bounds
from clew.solver.interface import Answer

SMALL = 8192
"""Bytes of an object in which a place is kept symbolic even if all inputs of the path lead to the same one."""

_CLOSE = 16
"""Bytes around an object where an access outside of it is shown, if possible: sanitizers see it there, too."""


def failure(error: AccessError) -> Failed | Lost:
    """A memory error as the end of a path; a loss where nobody knows how large the object is."""
    return ending(*what_fails(error))


def what_fails(error: AccessError) -> tuple[str, str]:
    """The kind of bug that a memory error is (``BEYOND`` for none), and the message."""
    obj = error.object
    if error.kind == "out-of-bounds" and obj is not None and obj.kind == MADE_UP:
        return BEYOND, f"an access beyond the part of {obj.name} that was made up: it is not defined here"
    if error.kind == "out-of-bounds" and obj is not None and isinstance(obj.site, KnownObject):
        given = obj.site
        if given.exact:
            return error.kind, error.message
        if given.sized:
            return LENGTH, error.message
        why = "its type does not tell how many there are" if given.ctype < 0 else "no more are explored"
        return BEYOND, f"bytes of {given.name} beyond the first {given.size}: {why}"
    return "other" if error.kind == "write-to-constant" else error.kind, error.message


def within(s: State, obj: MemoryObject, address: Any, size: int) -> Bool:
    """The condition that ``size`` bytes at an address lie in an object, whose own size may be symbolic."""
    bits = s.run.pointer_bits
    extent = s.memory.extent(obj)
    if isinstance(extent, int):
        if isinstance(address, Expr):
            return in_bounds(obj, address, size, bits)
        return bool(0 <= address - obj.base <= extent - size)
    # No sum of these can wrap: offsets and extents are far smaller than the address space.
    offset = build.sub(address, obj.base, bits)
    enough = build.ule(size, extent, bits)
    return build.land(enough, build.ule(offset, build.sub(extent, size, bits), bits))


def check_extent(s: State, f: Frame, point: int, live: Live, address: int, size: int, write: bool = False) -> None:
    """An access at a concrete address must be inside an object of symbolic size."""
    found = s.memory.find(address)
    if found is None or found[0].base not in s.memory.extents:
        return
    message = _sized_fault(s, found[0], found[1], size, write)
    require(s, f, point, live, within(s, found[0], address, size), "out-of-bounds", message)


def _sized_fault(s: State, obj: MemoryObject, offset: int, size: int, write: bool) -> str:
    """What an access does wrong if it is outside of an object whose size depends on the input."""
    verb, whole = "write" if write else "read", int(s.model.eval(s.memory.extent(obj)))
    return f"{verb} of {count(size)} at offset {offset} of {sized(obj, whole)}"


def concrete_extent(s: State, f: Frame, point: int, live: Live, obj: MemoryObject) -> int:
    """The size of an object as a number; other sizes are siblings."""
    return concretize(s, f, point, live, s.memory.extent(obj), s.run.pointer_bits)


def resolve(
    s: State, f: Frame, point: int, live: Live, address: Expr, size: int, write: bool = False
) -> tuple[MemoryObject, Any]:
    """The object a symbolic address points into, and the offset in it; ``size`` bytes from there are valid.

    ``write``: they are to be written, which an error says.
    """
    run = s.run
    if run.lazy:
        settled_address = settled(s, f, point, live, address)
        if not isinstance(settled_address, Expr):
            return _located(s, f, point, live, int(settled_address), size)
        address = settled_address
    if run.entropy:
        number = pinned(s, address)
        if not isinstance(number, Expr):
            return _located(s, f, point, live, int(number), size)
        address = number
    if run.undefined:
        require_defined(s, f, point, live, address, "an uninitialized value is used as an address")
    bits = run.pointer_bits
    if leads_nowhere(s, address):
        is_null = build.eq(_root(address), 0, bits)
        require(s, f, point, live, build.lnot(is_null), "null-dereference", "access through a pointer that may be null")
        raise nowhere()
    base = _base(s, address, size)
    if base is None:
        address, base = _chosen(s, f, point, live, address, size, write)
    if base is not None and (base.object is None or not s.model.eval(within(s, base.object, address, size))):
        raise _stray(s, f, point, live, address, size, write, base)
    concrete = int(s.model.eval(address))
    found = s.memory.find(concrete)
    from_null = base is None and not _lands(s, address, size, write) and _from_null(s, address)
    if from_null:
        concrete, found = int(s.model.eval(address)), None
    if found is None or not s.model.eval(within(s, found[0], address, size)):
        fault = _fault(s, concrete, size, write)
        kind = fault.kind if isinstance(fault, Failed) else "out-of-bounds"
        _escape(s, f, point, live, address, size, kind, None if from_null else concrete, write)
        # The witness of an error keeps the very address that shows it, outside an object that may be larger.
        outside = True if found is None else build.lnot(within(s, found[0], concrete, size))
        s.path = s.path.add(build.eq(address, concrete, bits)).add(outside)
        raise fault
    obj = found[0]
    inside = within(s, obj, address, size)
    if isinstance(inside, Expr):
        alone = base is not None or _is_alone(s, address, size, obj)
        if not s.is_certain(inside, run.check_id("out-of-bounds", f, point) if alone else None):
            _fork_outside(s, f, point, live, inside, alone)
        if obj.size > SMALL and s.is_constant(address):
            return obj, s.constant_value(address, bits) - obj.base
    offset = build.sub(address, obj.base, bits)
    return obj, pin(s, obj, offset, size) if run.entropy else offset


def _lands(s: State, address: Expr, size: int, write: bool) -> bool:
    """Whether the model's address is one that may be read, or written."""
    found = s.memory.find(int(s.model.eval(address)))
    if found is None or (write and found[0].constant):
        return False
    return bool(s.model.eval(within(s, found[0], address, size)))


def _from_null(s: State, address: Expr) -> bool:
    """Whether an address was computed from a null pointer, or from a number, and may be close to null; it is so then.

    Wherever else it leads, the error is that there is no object. (What it leads to by chance is explored all the same.)
    """
    checks, last, near = s.run.options.checks, address.args[-1] if address.op is ADD else address, s.memory.null_end
    if checks is not None and "null-dereference" not in checks:
        return False
    if last.op is CONST and isinstance(last.value, int) and near <= last.value < (1 << s.run.pointer_bits) - near:
        return False  # a place that the program knows
    null = build.ult(address, near, s.run.pointer_bits)
    if not isinstance(null, Expr) or not are_numbers(s.memory, (address, *s.path.slice(null)), 0, 0):
        return False
    return bool(s.model.eval(null)) or _retake(s, null)


def _located(s: State, f: Frame, point: int, live: Live, address: int, size: int) -> tuple[MemoryObject, int]:
    """The object at an address that is known after all; ``AccessError`` where it is none."""
    if s.memory.extents:
        check_extent(s, f, point, live, address, size)
    s.memory.check(address, size, False)
    found = s.memory.find(address)
    assert found is not None
    return found


def _fork_outside(s: State, f: Frame, point: int, live: Live, inside: Expr, alone: bool) -> None:
    """Stay inside an object; if the address can be elsewhere, a sibling goes there.

    ``alone``: it is out of bounds there, and nothing else.
    """
    run = s.run
    if alone and s.known_errors(("out-of-bounds",), f, point):
        s.path = s.path.add(inside)
        return
    outside = build.lnot(inside)
    check = run.check_id("out-of-bounds", f, point) if alone else None
    result = s.feasible(outside, check)
    if result.answer is Answer.UNSAT:
        return
    fork_at(s, f, point, live, outside, result.model, check)
    s.path = s.path.add(inside)


def _chosen(
    s: State, f: Frame, point: int, live: Live, address: Expr, size: int, write: bool
) -> tuple[Expr, Base | None]:
    """An address computed from one of several pointers, with the model's choice, and what that one points to.

    Siblings make the other choices. Without such pointers, the address as it is.
    """
    if s.run.lazy and is_input(s, address):
        return address, None
    while (pointer := pointer_in(s.memory, address)) is not None:
        if is_known(pointer):
            return address, None if pointer is address else _pointee(s, f, point, live, pointer, size, write)
        arm = one_arm(s, f, point, live, pointer)
        rest = build.sub(address, pointer, s.run.pointer_bits)
        chosen = build.add(arm, rest, s.run.pointer_bits)
        if not isinstance(chosen, Expr):
            return address, None  # a number: the path says so, and the model agrees
        address = chosen
        if (base := _base(s, address, size)) is not None:
            return address, base
    return address, None


def _pointee(s: State, f: Frame, point: int, live: Live, pointer: Expr, size: int, write: bool) -> Base | None:
    """What a pointer points to that is one of several, before something is added to it; None for what is no address."""
    bits, start = s.run.pointer_bits, int(s.model.eval(pointer))
    base = base_at(s.memory, start)
    if start < s.memory.null_end:
        here = build.ult(pointer, s.memory.null_end, bits)
    elif base is None:
        return None
    elif base.object is None:
        here = _on_page(s, pointer, base.page)
    elif base.object.base <= start <= base.object.end:
        here = build.ule(build.sub(pointer, base.object.base, bits), base.object.size, bits)
    else:
        here = build.eq(pointer, start, bits)
    if isinstance(here, Expr) and not s.implies(here):
        _fork_outside(s, f, point, live, here, False)
    if start < s.memory.null_end:
        raise _fault(s, start, size, write)
    return base


def _base(s: State, address: Expr, size: int) -> Base | None:
    """What an address was computed from, if that is certain."""
    base = _input_base(s, address) if s.run.lazy and is_input(s, address) else base_of(s.memory, address)
    if base is None or base.object is None or s.memory.pointer_bits == 64:
        return base
    # Objects lie close together: the number may have been computed from another one, if it never leads to this one.
    inside = within(s, base.object, address, size)
    if not isinstance(inside, Expr) or s.model.eval(inside) or s.implies(build.lnot(inside)):
        return base  # (a sibling of a path that is inside comes here once more)
    return None if s.feasible(inside).answer is Answer.UNSAT else base


def _input_base(s: State, address: Expr) -> Base | None:
    """The same for an address with inputs in it that are pointers, or might be."""
    parts = address.args if address.op is ADD else (address,)
    pointers = [part for part in parts if _may_be_pointer(s, part)]
    if not pointers:
        return base_of(s.memory, address)
    if len(pointers) > 1 or pointers[0].op not in (SYMBOL, CONCAT):
        return None
    if any(symbol not in s.heap.bound for symbol in pointers[0].symbols):
        return None
    # It points into one object, somewhere: the path says so, and the model agrees.
    start = int(s.model.eval(pointers[0]))
    found = s.memory.find(start)
    if found is None or found[0].kind == "function":
        return None
    page = found[0].base >> s.memory.page_bits
    numbers = [part for part in parts if part is not pointers[0]]
    return Base(found[0], page) if are_numbers(s.memory, numbers, start, page) else None


def _may_be_pointer(s: State, part: Expr) -> bool:
    """Whether a part of a sum is an input pointer, or bytes of unknown type that might be one."""
    lazy = [s.run.lazy[symbol] for symbol in part.symbols if symbol in s.run.lazy]
    return bool(lazy) and (part.op not in (ZEXT, SEXT, MUL, SHL) or any(isinstance(p, LazyPointer) for p in lazy))


def _stray(
    s: State, f: Frame, point: int, live: Live, address: Expr, size: int, write: bool, base: Base
) -> Failed | Lost:
    """The model's address is outside of the only object it may be in: the error; a sibling stays inside."""
    run, obj = s.run, base.object
    inside = False if obj is None else within(s, obj, address, size)
    fork_at(s, f, point, live, inside)
    if run.is_reported("use-after-free" if obj is None else "out-of-bounds", f, point):
        raise AlreadyReported
    _show(s, address, base, build.lnot(inside))
    concrete = int(s.model.eval(address))
    s.path = s.path.add(build.eq(address, concrete, run.pointer_bits))
    if obj is not None:
        s.path = s.path.add(build.lnot(within(s, obj, concrete, size)))
    if s.model.eval(_near(s, address, base)):
        return _fault(s, concrete, size, write)
    verb = "write" if write else "read"
    if obj is None:
        return Failed("use-after-free", f"{verb} of {count(size)} far from an object that is gone")
    offset = concrete - obj.base
    where = f"{count(offset)} after" if offset > 0 else f"{count(-offset)} before"
    whole = sized(obj, int(s.model.eval(s.memory.extent(obj))))
    message = f"{verb} of {count(size)} {where} the start of {whole}"
    return failure(AccessError("out-of-bounds", message, obj))


def _show(s: State, address: Expr, base: Base, outside: Bool) -> None:
    """Take inputs that show an error even to who knows the address alone: near the object, or at least in no other."""
    if s.model_is_fixed or s.model.eval(_near(s, address, base)):
        return
    near = (_near(s, address, base, margin) for margin in (_CLOSE, 0))
    if any(_retake(s, build.land(outside, condition)) for condition in near) or base.object is None:
        return
    concrete = int(s.model.eval(address))
    null = build.ult(address, s.memory.null_end, s.run.pointer_bits)
    if s.model.eval(null) or s.memory.find(concrete) is not None or s.memory.was_used(concrete):
        elsewhere = build.lnot(build.lor(null, _on_page(s, address, concrete >> s.memory.page_bits)))
        _retake(s, build.land(outside, elsewhere))


def _retake(s: State, condition: Bool) -> bool:
    """Whether the path has inputs with which a condition holds; they become the state's."""
    result = s.feasible(condition) if isinstance(condition, Expr) else None
    if result is None or result.model is None:
        return False
    s.model = result.model
    return True


def _near(s: State, address: Expr, base: Base, margin: int = 0) -> Bool:
    """The condition that an address is nearer to what it was computed from than to any other object.

    ``margin``: bytes that it is away at most; as many as there can be, unless told.
    """
    if base.object is None:
        return _on_page(s, address, base.page)
    bits, margin = s.run.pointer_bits, margin or s.memory.page_mask >> 2
    return build.ule(build.sub(address, base.object.base - margin, bits), base.object.size + 2 * margin, bits)


def _is_alone(s: State, address: Expr, size: int, obj: MemoryObject) -> bool:
    """Whether an address outside of an object, to which it points, is out of bounds and nothing else."""
    only = candidates(s.memory, address, size)
    return only.complete and all(o is obj for o in only.objects) and _is_offset(s, address, obj)


def _is_offset(s: State, address: Expr, obj: MemoryObject) -> bool:
    """Whether the address is one in ``obj`` plus something: outside of it there are no errors of other kinds."""
    bits = s.memory.page_bits
    return address.op is ADD and any(a.op is CONST and a.value >> bits == obj.base >> bits for a in address.args)


def settle(s: State, f: Frame, point: int, live: Live, address: Any) -> int:
    """An address as a number. Of one that leads nowhere known, only null is followed."""
    if not isinstance(address, Expr) or not leads_nowhere(s, address):
        return concretize(s, f, point, live, address, s.run.pointer_bits)
    bits = s.run.pointer_bits
    is_null = as_bool(build.eq(address, 0, bits))
    if s.model.eval(is_null):
        fork_at(s, f, point, live, build.lnot(is_null))
        s.path = s.path.add(is_null)
        return 0
    fork_at(s, f, point, live, is_null)
    raise nowhere()


def _root(address: Expr) -> Any:
    """An address without the constant that was added to it: the pointer, where a member is accessed through one."""
    if address.op is ADD and address.args[-1].op is CONST and len(address.args) == 2:
        return address.args[0]
    if address.op is ADD and address.args[0].op is CONST and len(address.args) == 2:
        return address.args[1]
    return address


def nowhere() -> Lost:
    """The end of a path that follows a pointer which is made up, and leads nowhere known."""
    return Lost("bounded", NOWHERE)


def _fault(s: State, address: int, size: int, write: bool) -> Failed | Lost:
    """The error of an access that is not inside an object."""
    try:
        s.memory.check(address, size, write)
    except AccessError as error:
        return failure(error)
    found = s.memory.find(address)
    assert found is not None
    return Failed("out-of-bounds", _sized_fault(s, *found, size, write))


def _escape(
    s: State, f: Frame, point: int, live: Live, address: Expr, size: int, kind: str, concrete: int | None, write: bool
) -> None:
    """The model's address is invalid: before the path fails, send a sibling to what else the address can be.

    That is the valid addresses there are, and those that are invalid for another reason nobody has reported here: for
    none, if ``concrete`` does not say where the error shows.
    """
    run = s.run
    reachable = candidates(s.memory, address, size)
    if not reachable.complete:
        run.note_loss("bounded", "a pointer that may point to too many objects", s)
    objects = [obj for obj in reachable.objects if concrete is not None or not (write and obj.constant)]
    somewhere = build.disjunction([within(s, obj, address, size) for obj in objects])
    reported = {kind} | s.known_errors(_KINDS - {kind}, f, point)
    if concrete is not None and reported != _KINDS:
        somewhere = build.lor(somewhere, _another_error(s, address, kind, concrete, reported))
    fork_at(s, f, point, live, somewhere)
    if run.is_reported(kind, f, point):
        raise AlreadyReported


_KINDS = frozenset(("out-of-bounds", "null-dereference", "use-after-free"))


def _another_error(s: State, address: Expr, kind: str, concrete: int, reported: set[str]) -> Bool:
    """Where the address may show an error of another kind than ``kind``, which it shows at ``concrete``."""
    memory, bits = s.memory, s.run.pointer_bits
    null = build.ult(address, memory.null_end, bits)
    if kind == "null-dereference":
        return build.lnot(null)
    if kind == "use-after-free" and "out-of-bounds" not in reported:
        return build.lnot(_on_page(s, address, concrete >> memory.page_bits))
    pages = dangling(memory, address) if "use-after-free" not in reported else []
    dead = build.disjunction([_on_page(s, address, page) for page in pages])
    return dead if "null-dereference" in reported else build.lor(null, dead)


def _on_page(s: State, address: Expr, page: int) -> Bool:
    memory, bits = s.memory, s.run.pointer_bits
    return build.ule(build.sub(address, page << memory.page_bits, bits), memory.page_mask, bits)
