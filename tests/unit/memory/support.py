"""What the tests of memory share."""

from __future__ import annotations

from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.memory.object import MemoryObject
from clew.memory.space import AddressSpace
from clew.program.layout import DataLayout


class Fresh:
    """A hook that gives numbered symbols and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def __call__(self, obj: MemoryObject, offset: int, nbytes: int) -> Expr:
        self.asked.append((offset, nbytes))
        return build.symbol(f"fresh{len(self.asked)}", bv(8 * nbytes))


def space64() -> AddressSpace:
    return AddressSpace(DataLayout(pointer_bits=64), Fresh())


def space32() -> AddressSpace:
    return AddressSpace(DataLayout(pointer_bits=32), Fresh())


def asked(space: AddressSpace) -> list[tuple[int, int]]:
    hook = space.on_uninitialised
    assert isinstance(hook, Fresh)
    return hook.asked


def object_at(space: AddressSpace, address: int) -> MemoryObject:
    found = space.find(address)
    assert found is not None
    return found[0]


def word(name: str, nbytes: int = 4) -> Expr:
    return build.symbol(name, bv(8 * nbytes))
