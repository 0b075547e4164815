"""stdlib.h: allocation."""

from __future__ import annotations

from typing import Any

from clew.execute.invocation import Invocation
from clew.execute.pointers import failure
from clew.expr import build
from clew.memory.errors import AccessError
from clew.memory.globals import MADE_UP
from clew.models.registry import model


@model("malloc")
def malloc(call: Invocation, size: Any) -> int:
    return call.allocate(size)


@model("calloc")
def calloc(call: Invocation, count: Any, size: Any) -> int:
    """Zeroed memory; null if the product overflows, as the standard wants."""
    bits = call.pointer_bits
    overflows = build.umul_overflow(count, size, bits)
    if not isinstance(overflows, bool):
        overflows = bool(call.concrete(build.bool_to_bv(overflows, 8), 8))
    return 0 if overflows else call.allocate(build.mul(count, size, bits), zeroed=True)


@model("aligned_alloc", "memalign")
def aligned_alloc(call: Invocation, align: Any, size: Any) -> int:
    return call.state.memory.allocate(call.pointer(size), "heap", "", call.pointer(align), call.location)


@model("free")
def free(call: Invocation, address: Any) -> None:
    """Frees a heap object at its start; null is fine."""
    where = call.pointer(address)
    if where == 0:
        return
    _check_heap(call, where, "free")
    try:
        call.state.memory.free(where)
    except AccessError as error:
        raise failure(error) from None


@model("realloc")
def realloc(call: Invocation, address: Any, size: Any) -> int:
    """A new object with the old contents, of symbolic size if need be."""
    where = call.pointer(address)
    if where == 0:
        return call.allocate(size)
    _check_heap(call, where, "realloc")
    memory = call.state.memory
    found = memory.find(where)
    if found is None or found[1]:
        try:
            memory.free(where)
        except AccessError as error:
            raise failure(error) from None
        raise AssertionError("freeing what is not the start of a live object is an access error")
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


def _check_heap(call: Invocation, where: int, function: str) -> None:
    found = call.state.memory.find(where)
    if found is not None and found[0].kind not in ("heap", MADE_UP):
        what = call.state.memory.describe(where)
        call.fail("invalid-free", f"{function}() of memory that malloc did not give: {what}")
