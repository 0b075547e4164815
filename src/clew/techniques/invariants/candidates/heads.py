"""The heads of loops, and the terms that conditions there can be about.

A term is a register or a scalar in memory that code at the head can name: what the loop changes, what it reads, and
what its variables were when it was entered. A condition is an expression over the symbols of a head's terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from clew.analysis.absint.analyse import Invariants
from clew.analysis.absint.frames import FunctionOutline
from clew.analysis.escape import Object
from clew.analysis.graph import DominatorTree, Loop, dominators
from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.execute.instrument.constraint_code import load_from
from clew.expr.build import symbol
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.expr.walk import substitute
from clew.program import instructions as ir
from clew.program.editing import Draft
from clew.program.layout import DataLayout
from clew.program.module import Program
from clew.program.types import IntType, StructType, Type, is_word
from clew.program.values import GlobalRef, Register, Value
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.loop_effects import Changes


@dataclass(frozen=True, slots=True)
class Place:
    """A scalar in memory: a global by name, or an ``alloca`` of the loop's function."""

    object: Object
    offset: int


@dataclass(frozen=True, slots=True)
class Term:
    """Something with a value at the head of a loop."""

    what: str | Place
    """A register, or a place in memory."""
    width: int
    symbol: Expr
    """What it is in conditions."""
    changed: bool
    """Whether the loop may change it."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where conditions can be stated: the head of a loop, or what else is passed again and again."""

    terms: tuple[Term, ...]

    def mapping(self, values: Iterable[Any]) -> dict[Expr, Any]:
        """The symbols of the terms with values in their place."""
        return {term.symbol: value for term, value in zip(self.terms, values, strict=True)}

    def at(self, e: Expr, values: Iterable[Any]) -> Any:
        """An expression over the terms, where these have some values."""
        return substitute(e, self.mapping(values))


@dataclass(frozen=True, slots=True)
class Head(Point):
    """A loop that can be opened: see ``opening``."""

    function: str
    header: str
    loop: Loop
    objects: tuple[tuple[Object, int], ...]
    """What the loop writes in memory and outlives an iteration, with sizes in bytes."""


Name = Callable[[str], str]
"""Gives a register that the function does not have yet."""


def read(draft: Draft, terms: Iterable[Term], registers: Mapping[str, Value], name: Name) -> list[Value]:
    """Code that reads terms; ``registers`` are those that have other values there."""
    return [_read(draft, term, registers, name) for term in terms]


def _read(draft: Draft, term: Term, registers: Mapping[str, Value], name: Name) -> Value:
    if isinstance(term.what, str):
        known = registers.get(term.what)
        return known if known is not None else Register(term.what, IntType(term.width))
    return load_from(draft, name, term.what.object, term.what.offset, term.width // 8)


def heads_of(effects: ModRef, invariants: Invariants, limits: Limits) -> list[Head]:
    """The loops of a program that can be opened, function by function; none if there are some with several entries."""
    found: list[Head] = []
    for name in sorted({frame.function.name for frame in invariants.frames}):
        outline = invariants.outline(invariants.frames_of(name)[0])
        if any(loop.irreducible for loop in outline.forest.loops):
            return []
        if outline.forest.loops:
            tree = dominators(outline.graph)
            changes = Changes(effects, invariants, name, tree)
            terms = _Terms(effects.program, outline, tree, limits)
            found += (head for loop in outline.forest.loops if (head := _head(loop, changes, terms)) is not None)
    return found


def _head(loop: Loop, changes: Changes, terms: _Terms) -> Head | None:
    objects = changes.objects(loop)
    if objects is None or not terms.can_be_opened(loop):
        return None
    sized = tuple((thing, size) for thing in objects if (size := changes.size(thing)) is not None)
    outline = terms.outline
    header = outline.graph.names[loop.header]
    return Head(terms.of(loop, header, objects), outline.function.name, header, loop, sized)


class _Terms:
    """Chooses the terms of the loops of one function."""

    def __init__(self, program: Program, outline: FunctionOutline, tree: DominatorTree, limits: Limits) -> None:
        self._program = program
        self.outline = outline
        self._tree = tree
        self._limits = limits
        numbers = outline.graph.numbers
        self._defined = {
            i.result.name: numbers[block.name]
            for block in outline.function.blocks
            for i in block.instructions
            if i.result is not None
        }

    def can_be_opened(self, loop: Loop) -> bool:
        """Whether all ways to its head can be led elsewhere: not where a target is computed."""
        graph = self.outline.graph
        before = [self.outline.blocks[graph.names[number]] for number in graph.predecessors[loop.header]]
        return all(isinstance(block.terminator, ir.Jump | ir.Branch | ir.Switch) for block in before)

    def of(self, loop: Loop, header: str, objects: list[Object]) -> tuple[Term, ...]:
        """Of one loop: what it changes first, and no more than the limits permit."""
        found: dict[str | Place, tuple[int, bool]] = {}
        phis = self.outline.blocks[header].phis
        for phi in phis:
            if phi.result is not None and is_word(phi.result.type):
                found[phi.result.name] = (_width(phi.result.type), True)
        for thing in objects:
            for place, width in self._places(thing):
                found[place] = (width, True)
        for register in self._fixed(loop, header, phis):
            found.setdefault(register.name, (_width(register.type), False))
        for place, width in self._globals_read(loop, objects):
            found.setdefault(place, (width, False))
        few = list(found.items())[: self._limits.terms]
        prefix = f"{self.outline.function.name}/{header}"
        return tuple(
            Term(what, width, symbol(f"{prefix}/{number}", bv(width)), changed)
            for number, (what, (width, changed)) in enumerate(few)
        )

    def _fixed(self, loop: Loop, header: str, phis: list[ir.Phi]) -> Iterator[Register]:
        """Registers that are there before the loop: what its variables began with, what it reads."""
        names = self.outline.graph.names
        inside = {names[number] for number in loop.blocks}
        for phi in phis:
            for value, source in phi.incoming:
                if source not in inside and isinstance(value, Register) and self._is_before(value, loop):
                    yield value
        live = self.outline.live_in[header]
        types = {p.value.name: p.value.type for p in self.outline.function.parameters if isinstance(p.value, Register)}
        types |= {name: i.result.type for name, i in self.outline.definitions.items() if i.result is not None}
        for name in sorted(live, key=lambda name: (self._defined.get(name, -1), name)):
            register = Register(name, types[name])
            if self._is_before(register, loop):
                yield register

    def _is_before(self, register: Register, loop: Loop) -> bool:
        block = self._defined.get(register.name)
        is_there = block is None or (block != loop.header and self._tree.dominates(block, loop.header))
        return is_there and is_word(register.type)

    def _places(self, thing: Object) -> Iterator[tuple[Place, int]]:
        if isinstance(thing, str):
            type = self._program.globals[thing].type
        else:
            assert isinstance(thing, tuple)
            alloca = self.outline.definitions.get(thing[1])
            if not isinstance(alloca, ir.Alloca):
                return
            type = alloca.allocated
        for offset, width in _scalars(type, self._program.layout):
            yield Place(thing, offset), width

    def _globals_read(self, loop: Loop, objects: list[Object]) -> Iterator[tuple[Place, int]]:
        """Global scalars that the function reads, and that the loop leaves alone."""
        for i in self.outline.function.instructions():
            if isinstance(i, ir.Load) and isinstance(i.pointer, GlobalRef) and i.pointer.name not in objects:
                known = self._program.globals.get(i.pointer.name)
                if known is not None and is_word(known.type) and i.result is not None and i.result.type == known.type:
                    yield Place(i.pointer.name, 0), _width(known.type)


def _width(type: Type) -> int:
    assert isinstance(type, IntType)
    return type.width


def _scalars(type: Type, layout: DataLayout) -> Iterator[tuple[int, int]]:
    """Offsets and widths of the integers in a value; none of those in arrays."""
    if is_word(type):
        yield 0, _width(type)
    elif isinstance(type, StructType):
        for start, field in zip(layout.offsets(type), type.fields, strict=True):
            yield from ((start + offset, width) for offset, width in _scalars(field, layout))
