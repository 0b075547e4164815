"""Which object an address was computed from, where its expression tells.

``p[n]`` is the sum of the address of an object, a number, and of what was added to it. Only that object may be
accessed through it, whatever else happens to lie at the address that the sum has for some ``n``. In ``table[i][n]`` the
first summand is a choice among addresses, or bytes of an array: ``pointer_in`` finds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from clew.expr.node import Expr
from clew.expr.op import ADD, CONCAT, CONST, ITE, SELECT
from clew.memory.object import MemoryObject
from clew.memory.pages import PageMap

_WALK: Final = 512
"""How many nodes of an address are searched for further pointers."""
_BEFORE: Final = 64
"""Bytes before the start of an object, on 32-bit targets, that are taken for a part of ``p[n - 1]``."""


class Base(NamedTuple):
    """What an address was computed from: an object, or the page of one that is gone (``object`` is None)."""

    object: MemoryObject | None
    page: int


def base_of(space: PageMap, address: Expr) -> Base | None:
    """What an address was computed from; None if that is not known, or depends on the inputs."""
    if address.op is not ADD or address.args[-1].op is not CONST:
        return None
    start = address.args[-1].value
    assert isinstance(start, int)
    base = base_at(space, start)
    return base if base is not None and are_numbers(space, address.args[:-1], start, base.page) else None


def base_at(space: PageMap, start: int) -> Base | None:
    """The object that a number is the address of, perhaps with an offset that leads a bit out of it."""
    page = start >> space.page_bits
    obj = space.pages.get(page)
    if space.pointer_bits == 32:
        return _base_among_neighbours(space, start, obj)
    if obj is None and start & space.page_mask > space.page_mask >> 1:
        obj = space.pages.get(page + 1)
    if obj is None:
        return Base(None, page) if space.was_used(start) else None
    return None if obj.kind == "function" else Base(obj, obj.base >> space.page_bits)


def _base_among_neighbours(space: PageMap, start: int, obj: MemoryObject | None) -> Base | None:
    """The same where objects lie close together: an offset that leads far out of one may lead into another."""
    if obj is None:
        obj = space.pages.get(start + _BEFORE >> space.page_bits)
    if obj is None or obj.kind == "function" or not obj.base - _BEFORE <= start <= obj.end:
        return None
    return Base(obj, obj.base >> space.page_bits)


def pointer_in(space: PageMap, address: Expr) -> Expr | None:
    """The summand of an address that is a pointer: one of several, by the inputs; None if it is not clear which one."""
    if address.op is not ADD:
        return address if _is_choice(address) else None
    pointers = [part for part in address.args if part.op is not CONST and not are_numbers(space, (part,), 0, 0)]
    if len(pointers) != 1 or not (_is_choice(pointers[0]) or _is_loaded(space, pointers[0])):
        return None
    last = address.args[-1]
    if last.op is CONST and isinstance(last.value, int) and _is_distance(space, pointers[0], last.value):
        return None
    return pointers[0]


def _is_distance(space: PageMap, pointer: Expr, added: int) -> bool:
    """Whether a number that is added to a pointer leads from one object to another, as in ``b + (p - a)``: it is the
    address of one, or takes what the pointer may be into one that it does not point to."""
    if base_at(space, added) is not None:
        return True
    mask = (1 << space.pointer_bits) - 1
    for start in _numbers(pointer):
        obj, other = (space.pages.get(at >> space.page_bits) for at in (start, start + added & mask))
        if obj is not None and other is not None and other is not obj:
            return True
    return False


def _numbers(pointer: Expr) -> list[int]:
    """The numbers that a choice is one among."""
    return [node.value for node in _arms(pointer) if node.op is CONST and isinstance(node.value, int)]


def _is_choice(node: Expr) -> bool:
    return node.op is ITE


def _is_loaded(space: PageMap, node: Expr) -> bool:
    """Whether it is bytes of a table, put together."""
    return node.op is CONCAT and node.width == space.pointer_bits and any(part.op is SELECT for part in node.args)


def is_known(pointer: Expr) -> bool:
    """Whether a choice is one among numbers, so that each of its values is a pointer and nothing was added to it."""
    return all(node.op in (ITE, CONST, CONCAT) for node in _arms(pointer))


def _arms(pointer: Expr) -> list[Expr]:
    """A choice, and all that it chooses among, choices included."""
    queue = [pointer]
    seen = {pointer}
    for node in queue:
        for arm in node.args[1:] if node.op is ITE else ():
            if arm not in seen:
                seen.add(arm)
                queue.append(arm)
    return queue


def are_numbers(space: PageMap, parts: Iterable[Expr], start: int, home: int) -> bool:
    """Whether parts of a sum have no address in them, nor the distance from ``start`` to another object.

    ``home``: the page on which the object at ``start`` begins.
    """
    mask = (1 << space.pointer_bits) - 1
    queue = list(parts)
    seen = set(queue)
    for node in queue:
        if node.op is CONST and node.width == space.pointer_bits and isinstance(node.value, int):
            value = node.value
            if _is_other(space, value, home) or _is_other(space, start + value & mask, home):
                return False
        if _is_loaded(space, node):  # it may be a pointer
            return False
        for arg in node.args:
            if arg not in seen:
                if len(seen) >= _WALK:
                    return False
                seen.add(arg)
                queue.append(arg)
    return True


def _is_other(space: PageMap, address: int, home: int) -> bool:
    """Whether an address is on a page of an object, alive or gone, that does not begin on page ``home``."""
    obj = space.pages.get(address >> space.page_bits)
    if obj is None:
        return space.was_used(address) and address >> space.page_bits != home
    return obj.base >> space.page_bits != home
