"""stdlib.h: allocation."""

from __future__ import annotations

from typing import Any

from clew.execute.access import failure
from clew.execute.invocation import Invocation
from clew.memory.errors import AccessError
from clew.models.registry import model

LIMIT = 1 << 28
"""Bytes; a request beyond it fails as it would on a machine without that much memory: null."""


def _allocate(call: Invocation, size: int, align: int = 16, zeroed: bool = False) -> int:
    if size > LIMIT:
        return 0
    return call.state.memory.allocate(size, "heap", "", align, call.location, b"" if zeroed else None)


@model("malloc")
def malloc(call: Invocation, size: Any) -> int:
    return _allocate(call, call.pointer(size))


@model("calloc")
def calloc(call: Invocation, count: Any, size: Any) -> int:
    total = call.pointer(count) * call.pointer(size)
    return _allocate(call, total, zeroed=True)


@model("aligned_alloc", "memalign")
def aligned_alloc(call: Invocation, align: Any, size: Any) -> int:
    return _allocate(call, call.pointer(size), call.pointer(align))


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
    where, wanted = call.pointer(address), call.pointer(size)
    if where == 0:
        return _allocate(call, wanted)
    _check_heap(call, where, "realloc")
    memory = call.state.memory
    found = memory.find(where)
    if found is None or found[1]:
        try:
            memory.free(where)
        except AccessError as error:
            raise failure(error) from None
        raise AssertionError("freeing what is not the start of a live object is an access error")
    fresh = _allocate(call, wanted)
    if fresh:
        kept = min(wanted, found[0].size)
        if kept:
            memory.copy(fresh, where, kept)
        memory.free(where)
    return fresh


def _check_heap(call: Invocation, where: int, function: str) -> None:
    found = call.state.memory.find(where)
    if found is not None and found[0].kind != "heap":
        what = call.state.memory.describe(where)
        call.fail("invalid-free", f"{function}() of memory that malloc did not give: {what}")
