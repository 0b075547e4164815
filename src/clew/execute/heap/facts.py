"""What is known about the memory that a function is given, on one path: immutable, shared by forked states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from immutables import Map

from clew.base.dataclass import dataclass
from clew.base.specification import Area
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.report.values import HeapByte, InputValue


@dataclass(frozen=True, slots=True)
class LazyPointer:
    """A pointer that the function is given. What it points to is decided when that first matters."""

    term: Expr
    """Its value: a symbol, followed by zeros as its alignment demands."""
    target: int
    """The C type it points to; -1 where that is not known."""
    name: str
    depth: int
    """How many pointers of the function's lead to it."""
    home: int
    """The address of the object that is made for it, if one is."""
    cut: bool = False
    """It is null since it is deeper than the user wants to look."""
    alone: bool = False
    """It is ``restrict``: no other pointer leads to its object."""
    outside: bool = False
    """It comes from a callback, or out of an object that such a pointer led to."""
    area: Area | None = None
    """How much it leads to at least; None: as much as all pointers."""


@dataclass(frozen=True, slots=True)
class RawBytes:
    """A symbol that is part of something whose type is not known: it may turn out to be part of a pointer."""

    at: HeapByte | None = None
    """Where it is in memory; None for a parameter."""
    target: int = -1
    """What a pointer that begins here points to, if its type is known."""


@dataclass(frozen=True, slots=True)
class KnownObject:
    """An object that pointers from outside may point to: ``count`` elements of a C type."""

    base: int
    ctype: int
    count: int
    size: int
    name: str
    """``*p`` for what a pointer ``p`` points to."""
    number: int = -1
    """Of those that tests name by number; -1 for variables of the program."""
    sized: bool = True
    """Whether its type tells how large it is; else its bytes are as many as somebody chose."""
    depth: int = 0
    """How many pointers lead to it."""
    alone: bool = False
    """It belongs to a ``restrict`` pointer: no other one leads to it."""
    exact: bool = False
    """It was said how large it is: an access beyond its end is an error."""
    text: bool = False
    """It ends with a zero."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Objects in the order in which the path came to know them, and what its pointers are."""

    objects: tuple[KnownObject, ...] = ()
    learned: tuple[KnownObject, ...] = ()
    """Variables of the program that tests have numbers for, since a callback changed them."""
    shown: frozenset[int] = frozenset()
    """Addresses of objects that a callback has come to know, and may keep."""
    only_read: frozenset[int] = frozenset()
    """Those among them that it knows by pointers to ``const`` alone."""
    told: Mapping[tuple[Expr | int, int], Bool] = field(default_factory=dict)
    """Pointers that callbacks have had, with the C types that they point to, and when: they may use them again.
    In the order in which they had them; never changed in place."""
    bound: Map[Expr, int | None] = field(default_factory=Map)
    """Symbols of pointers that are bound, with their values; None: somewhere inside one object."""
    adopted: Map[Expr, LazyPointer] = field(default_factory=Map)
    """Pointers found among bytes, by their terms."""
    numbers: int = 0
    """How many objects tests have numbers for."""
    homes: int = 0
    """How many addresses are given out."""
    calls: int = 0
    """Calls of functions that the function was given."""
    guessed_null: str = ""
    """A pointer that is null on this path though the program never asked: most callers will not pass that."""

    def find(self, base: int) -> KnownObject | None:
        """The object that starts at an address."""
        return next((obj for obj in self.objects if obj.base == base), None)

    def tell(self, pointer: Expr | int, target: int, condition: Bool = True) -> Heap:
        """The same with a pointer that callbacks have from now on, under a condition."""
        key = pointer, target
        before = self.told.get(key, False)
        now = build.lor(before, condition)
        return self if now is before else replace(self, told={**self.told, key: now})


NO_HEAP = Heap()


class GivenHeap:
    """What the inputs of a test say about memory."""

    def __init__(self, inputs: Sequence[InputValue]) -> None:
        self.inputs = tuple(value for value in inputs if value.in_heap)
        self.objects = {value.at.object: value for value in self.inputs if value.kind == "memory" and value.at}
        self.pointers = [value for value in self.inputs if value.kind == "pointer"]

    def of_call(self, call: int, kind: str) -> list[InputValue]:
        """What belongs to a call of a callback."""
        return [value for value in self.inputs if value.call == call and value.kind == kind]
