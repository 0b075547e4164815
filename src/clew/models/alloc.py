"""stdlib.h: allocation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.analysis.model_effect import ANYTHING, READS, WRITES_OWN
from clew.execute.ends import Dropped
from clew.execute.heap.binding import is_input
from clew.execute.inputs import InputKind, read_input, upcoming_input
from clew.execute.invocation import Invocation
from clew.execute.library import model
from clew.execute.pointers import failure
from clew.expr import build
from clew.memory.describe import free_fault
from clew.memory.errors import AccessError
from clew.memory.globals import MADE_UP
from clew.models.errno import EINVAL, ENOMEM, get_errno, set_errno
from clew.models.texts import truth


def unless_it_fails(call: Invocation, make: Callable[[], int]) -> int:
    """What ``make`` gives, an address; with ``--malloc-may-fail`` null instead, where an input says so.

    The input counts as read when all is done: ``make`` may ask for values, and its siblings begin anew.
    """
    if not call.state.run.options.malloc_may_fail:
        return make()
    name = f"{call.name.lstrip('_')} fails"
    fails = truth(call, upcoming_input(call.state, name, 1, InputKind.NONDET))
    address = 0 if fails else make()
    read_input(call.state, name, "_Bool", 1, InputKind.NONDET, call.location)
    if not address:
        set_errno(call, ENOMEM)
    return address


@model("malloc", effect=WRITES_OWN)
def malloc(call: Invocation, size: Any) -> int:
    return unless_it_fails(call, lambda: call.allocate(size))


@model("calloc", effect=WRITES_OWN)
def calloc(call: Invocation, count: Any, size: Any) -> int:
    """Zeroed memory; null if the product overflows, as the standard wants."""
    product = _product(call, count, size)
    return unless_it_fails(call, lambda: 0 if product is None else call.allocate(product, zeroed=True))


def _product(call: Invocation, count: Any, size: Any) -> Any:
    """The size of an array; None if that is too large for a number."""
    bits = call.pointer_bits
    overflows = truth(call, build.umul_overflow(count, size, bits))
    return None if overflows else build.mul(count, size, bits)


@model("aligned_alloc", "memalign", effect=WRITES_OWN)
def aligned_alloc(call: Invocation, align: Any, size: Any) -> int:
    return unless_it_fails(call, lambda: _aligned(call, align, size))


def _aligned(call: Invocation, align: Any, size: Any) -> int:
    return call.state.memory.allocate(call.pointer(size), "heap", "", call.pointer(align), call.location)


@model("posix_memalign", effect=ANYTHING)
def posix_memalign(call: Invocation, place: Any, align: Any, size: Any) -> int:
    """Puts the address at ``place`` and returns 0, or the number of an error."""
    word = call.state.run.layout.pointer_bytes
    unit = call.pointer(align)
    if unit % word or unit & (unit - 1) or not unit:
        return EINVAL
    where = call.pointer(place)
    before = get_errno(call)
    address = unless_it_fails(call, lambda: _aligned(call, unit, size))
    set_errno(call, before)  # which it leaves alone
    if not address:
        return ENOMEM
    call.store(where, address, word)
    return 0


@model("free", effect=READS)
def free(call: Invocation, address: Any) -> None:
    """Frees a heap object at its start; null is fine."""
    where = call.pointer(address)
    if where == 0:
        return
    _check_heap(call, address, where, "free")
    try:
        call.state.memory.free(where)
    except AccessError as error:
        raise failure(error) from None


@model("realloc", effect=ANYTHING)
def realloc(call: Invocation, address: Any, size: Any) -> int:
    """A new object with the old contents, of symbolic size if need be; null where ``size`` is None."""
    where = call.pointer(address)

    def moved() -> int:
        if size is None:
            return 0
        return call.allocate(size) if where == 0 else _moved(call, address, where, size)

    return unless_it_fails(call, moved)


@model("reallocarray", effect=ANYTHING)
def reallocarray(call: Invocation, address: Any, count: Any, size: Any) -> int:
    """``realloc``, unless the product is too large for a number."""
    moved: int = realloc(call, address, _product(call, count, size))
    return moved


def _moved(call: Invocation, address: Any, where: int, size: Any) -> int:
    _check_heap(call, address, where, "realloc")
    memory = call.state.memory
    found = memory.find(where)
    if found is None or found[1]:
        raise failure(free_fault(memory, where))
    before = call.size_of(found[0])
    fresh = call.allocate(size)
    if fresh:
        # Of an object of symbolic size, what lies past its end is there but out of bounds: copying that does no harm.
        made = memory.find(fresh)
        assert made is not None
        kept = min(before, made[0].size - (fresh in memory.extents))
        if kept:
            memory.copy(fresh, where, kept)
        memory.free(where)
    return fresh


def _check_heap(call: Invocation, address: Any, where: int, function: str) -> None:
    """What is freed must be from the heap; a pointer of the caller's is, if it can be."""
    found = call.state.memory.find(where)
    if found is not None and is_input(call.state, address) and (found[0].kind != "input" or found[1]):
        raise Dropped
    if found is not None and found[0].kind not in ("heap", MADE_UP, "input"):
        what = call.state.memory.describe(where)
        call.fail("invalid-free", f"{function}() of memory that malloc did not give: {what}")
