"""Memory as far as it can be foreseen from a state: what code ahead of it has written at known places.

Below lies what the state has (``Ground``); above, cells at known addresses, and a mask of the objects (see
``clew.analysis.mod_ref``) of which nothing is known any more because something may have been written somewhere in
them. In the body of a loop, such objects are not unknown but *carried*: a cell of them has one value at the start of
the iteration, which gets a name when it is first asked for.

An address is a number, or a symbol that stands for an object that does not exist yet, plus a number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import NamedTuple

from clew.base.bits import signed
from clew.base.dataclass import dataclass
from clew.expr.node import BV, Expr
from clew.expr.op import SYMBOL
from clew.expr.rewrite.linear import decompose
from clew.memory.space import AddressSpace
from clew.memory.storage import UNSET
from clew.program.layout import DataLayout

ANYTHING = -1
"""The mask of all objects."""


class Cell(NamedTuple):
    """``size`` bytes at ``offset`` from ``base``: the start of the address space (None), or a future object."""

    base: Expr | None
    offset: int
    size: int

    def overlaps(self, other: Cell) -> bool:
        return (
            self.base is other.base
            and self.offset < other.offset + other.size
            and other.offset < self.offset + self.size
        )


def cell_at(address: BV, size: int, future: dict[Expr, int]) -> Cell | None:
    """The cell at an address, if that is known; ``future``: symbols that stand for objects."""
    if type(address) is int:
        return Cell(None, address, size)
    assert isinstance(address, Expr)
    if address.op is SYMBOL:
        return Cell(address, 0, size) if address in future else None
    terms, rest = decompose(address)
    if len(terms) == 1:
        ((term, factor),) = terms.items()
        if factor == 1 and term in future:
            return Cell(term, signed(rest, address.width), size)
    return None


class Ground:
    """The memory of a state, for looking only."""

    def __init__(self, space: AddressSpace, layout: DataLayout, masks: dict[int, int]) -> None:
        self.space = space
        self.layout = layout
        self._masks = masks
        """Which abstract object an object is, by its address."""

    def mask(self, address: int) -> int:
        """The abstract object at an address; ANYTHING if that is not known."""
        obj = self.space.pages.get(address >> self.space.page_bits)
        return ANYTHING if obj is None else self._masks.get(obj.base, 0 if obj.constant else ANYTHING)

    def bits(self, address: int, size: int) -> BV | None:
        """The bytes at an address as one number; None if they have no value, or are not there."""
        space = self.space
        obj = space.pages.get(address >> space.page_bits)
        if obj is None or address - obj.base + size > obj.size or obj.base in space.extents:
            return None
        offset = address - obj.base
        if obj.shadow is not None and UNSET in obj.shadow[offset : offset + size]:
            return None
        return obj.gather(offset, size)


@dataclass(slots=True, eq=False)
class Memory:
    """What is known at one point of the code ahead. Immutable for others; ``copy`` before changing."""

    ground: Ground
    future: dict[Expr, int]
    """Objects that do not exist yet, with their masks; shared by all memories of one look ahead."""
    cells: dict[Cell, BV] = field(default_factory=dict)
    lost: int = 0
    outer: Memory | None = None
    carried: int = 0
    named: Callable[[Cell], BV] | None = None

    def copy(self) -> Memory:
        return replace(self, cells=dict(self.cells))

    def iteration(self, carried: int, named: Callable[[Cell], BV]) -> Memory:
        """At the start of an iteration of a loop that may write the objects ``carried``."""
        return Memory(self.ground, self.future, outer=self, carried=carried, named=named)

    def mask_of(self, cell: Cell) -> int:
        return self.ground.mask(cell.offset) if cell.base is None else self.future[cell.base]

    def read(self, cell: Cell) -> BV | None:
        """The value of a cell; None if it is not known."""
        value = self.cells.get(cell)
        if value is not None:
            return value
        if any(cell.overlaps(other) for other in self.cells):
            return None
        mask = self.mask_of(cell)
        if mask & self.lost:
            return None
        if self.outer is None:
            return self.ground.bits(cell.offset, cell.size) if cell.base is None else None
        if mask & self.carried:
            assert self.named is not None
            return self.named(cell)
        return self.outer.read(cell)

    def write(self, cell: Cell, value: BV) -> None:
        for other in [other for other in self.cells if cell.overlaps(other)]:
            del self.cells[other]
        self.cells[cell] = value

    def forget(self, mask: int) -> None:
        """Something may have been written anywhere in the objects of a mask."""
        if mask:
            for cell in [cell for cell in self.cells if self.mask_of(cell) & mask]:
                del self.cells[cell]
            self.lost |= mask
