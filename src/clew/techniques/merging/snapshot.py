"""A state at a place, to compare later ones with: registers that are still needed, memory, what models keep.

Together they are all that what happens from there on can depend on. Numbers that the engine chooses are not: how many
inputs were read so far, and where the next object goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any

from immutables import Map

from clew.base.dataclass import dataclass
from clew.execute.frame import Frame
from clew.expr.node import Expr
from clew.memory.changes import value_at
from clew.memory.object import MemoryObject
from clew.memory.resolve import constants
from clew.memory.space import AddressSpace
from clew.memory.storage import ARRAY
from clew.techniques.merging.variables import Variables

_REACH = 1 << 36
"""Bytes: less than from one object to the next."""

ResumePoint = tuple[str, int]
"""Where a frame is: its function, and the point."""


@dataclass(frozen=True, slots=True)
class InRegister:
    """A register of a frame, by its place among those that live there."""

    frame: int
    """0 is the innermost."""
    place: int


@dataclass(frozen=True, slots=True)
class InMemory:
    address: int
    size: int


@dataclass(frozen=True, slots=True)
class Extent:
    """The size of an object, which is symbolic."""

    base: int


@dataclass(frozen=True, slots=True)
class Contents:
    """All of an object, where it cannot be told byte by byte."""

    base: int


Holder = InRegister | InMemory | Extent | Contents


def spots(frame: Frame, point: int) -> tuple[ResumePoint, ...]:
    """Where all frames are, the innermost first: the same for states with the same way back."""
    found = [(frame.function.name, point)]
    parent = frame.parent
    while parent is not None:
        found.append((parent.function.name, parent.at))
        parent = parent.parent
    return tuple(found)


class Snapshot:
    """What there is at a place."""

    def __init__(
        self,
        frame: Frame,
        live: tuple[Any, ...],
        memory: AddressSpace,
        kept: Map[str, Any],
        variables: Variables,
    ) -> None:
        registers, others = [live], [(frame.allocated, frame.arguments)]
        parent = frame.parent
        while parent is not None:
            registers.append(parent.live)
            others.append((parent.allocated, parent.arguments))
            parent = parent.parent
        self.registers = tuple(registers)
        """Per frame, the innermost first."""
        self.frames = tuple(others)
        """What else is in the frames: stack objects and variable arguments."""
        self.memory = memory
        self.kept = kept
        self.variables = variables
        self.addresses: dict[Expr, bool] = {}
        """Of expressions, whether they are addresses, as far as somebody has found out."""
        self._dead: dict[int, bool] = {}

    def value(self, holder: Holder) -> Any:
        """What a holder holds; None if there is nothing, or nothing that has a value."""
        if isinstance(holder, InRegister):  # no patterns: they take several times as long
            return self.registers[holder.frame][holder.place]
        if isinstance(holder, InMemory):
            return value_at(self.memory, holder.address, holder.size)
        if isinstance(holder, Extent):
            return self.memory.extents.get(holder.base)
        obj = self.memory.pages.get(holder.base >> self.memory.page_bits)
        return None if obj is None else obj.array

    def number(self, holder: Holder | None) -> int | None:
        """What a holder holds, if it is a number, or a truth value."""
        value = None if holder is None else self.value(holder)
        return value if isinstance(value, int) else None

    @cached_property
    def holders(self) -> dict[Expr, list[Holder]]:
        """Who holds values with a symbol in them."""
        found: dict[Expr, list[Holder]] = {}
        for holder, value in self._symbolic():
            for symbol in value.symbols:
                found.setdefault(symbol, []).append(holder)
        return found

    def _symbolic(self) -> Iterator[tuple[Holder, Expr]]:
        for frame, values in enumerate(self.registers):
            for place, value in enumerate(values):
                for part in _parts(value):
                    yield InRegister(frame, place), part
        for base, size in self.memory.extents.items():
            yield Extent(base), size
        for obj in self.memory.objects():
            if obj.shadow is None:
                continue
            for offset, word in obj.words.items():
                yield InMemory(obj.base + offset, word.width >> 3), word
            if obj.array is not None and ARRAY in obj.shadow:
                yield Contents(obj.base), obj.array

    def elsewhere(self, names: Iterable[str]) -> frozenset[Expr]:
        """Symbols in what models keep under some names, and in variable arguments: nothing can be bound there."""
        kept = [value for name in names if (value := self.kept.get(name)) is not None]
        return self._in_arguments.union(*(part.symbols for part in _inside(kept)))

    @cached_property
    def _in_arguments(self) -> frozenset[Expr]:
        return frozenset[Expr]().union(*(part.symbols for _, given in self.frames for part in _inside(given)))

    # Which objects nobody can get at any more

    def is_dead(self, obj: MemoryObject) -> bool:
        """Whether a local variable is surely not read any more: its address is in no register that is needed."""
        if obj.kind != "stack" or not self.variables.is_contained(obj.site):
            return False
        known = self._dead.get(obj.base)
        if known is None:
            parts = (part for values in self.registers for value in values for part in _all(value))
            known = self._dead[obj.base] = not any(_is_near(self.memory, part, obj) for part in parts)
        return known


def _inside(value: Any) -> Iterator[Expr]:
    """All expressions in what a model keeps."""
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, Mapping | Map):
        for pair in value.items():
            yield from _inside(pair)
    elif isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from _inside(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from _inside(getattr(value, each.name))
    elif hasattr(value, "__slots__"):
        for name in value.__slots__:
            yield from _inside(getattr(value, name, None))


def _parts(value: Any) -> Iterator[Expr]:
    if isinstance(value, Expr):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _parts(part)


def _all(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for part in value:
            yield from _all(part)
    else:
        yield value


def _is_near(memory: AddressSpace, value: Any, obj: MemoryObject) -> bool:
    """Whether a value may be an address in an object, moved by any index that a program is likely to have."""
    reach = _REACH if memory.pointer_bits == 64 else 1 << 31
    numbers = [value] if type(value) is int else constants(memory, value) if isinstance(value, Expr) else []
    return any(obj.base - reach <= number <= obj.end + reach for number in numbers)
