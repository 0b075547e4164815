"""What an input pointer points to is decided here, when it first matters: where it is an address, or must be a number.

It is null, points to an object made for it, into one that the path knows already and that its type lets it point
into, or into a variable of the program. The state's model chooses; every other choice is a sibling that executes the
instruction again. Until then the pointer is a symbol, and what is decided about it (that it is not null, that it is
another pointer) are constraints like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd
from clew.execute.ends import Dropped, Failed, Lost
from clew.execute.forking import fork_at
from clew.execute.frame import Frame
from clew.execute.heap.allocation import (
    inside,
    new_object,
    overlaps,
    places_in,
    spans_in,
    static_places,
    surroundings_of,
)
from clew.execute.heap.facts import Heap, KnownObject, LazyPointer, RawBytes
from clew.execute.inputs import HeapFact, InputKind, InputRead
from clew.execute.state import InputRecord, State
from clew.expr import build
from clew.expr.node import Bool, Expr
from clew.expr.op import ADD, CONCAT, CONST, ITE, SYMBOL
from clew.expr.walk import substitute
from clew.solver.interface import Answer

Live = tuple[Any, ...]

LEFT_OUT = "addresses of input objects in an order, or at places, other than those that Clew gives them"
OVERLAP = "arrays that overlap in part: input pointers lead to the same elements, or to none in common"
UNTYPED = "addresses that are not aligned, among input bytes whose type is not known"
NOWHERE = "an input pointer that is compared with something it cannot point to"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the things that a pointer may be."""

    condition: Bool
    address: int | None = None
    """The pointer's value, if it is only one."""
    makes: tuple[int, int] | None = None
    """Address and C type of an object to be made."""
    into: KnownObject | None = None
    """The object that it points into, if that is there already."""


def known(s: State, value: Any) -> Any:
    """A value with all pointers in it replaced whose address is known."""
    if not isinstance(value, Expr):
        return value
    lazy = s.run.lazy
    mapping = {}
    for symbol in value.symbols:
        if symbol in lazy:
            number = s.heap.bound.get(symbol)
            if number is not None:
                mapping[symbol] = number
            elif isinstance(pointer := lazy[symbol], LazyPointer) and pointer.cut:
                depth = surroundings_of(s).options.depth
                s.run.note_loss("bounded", f"pointers behind more than {depth} pointers are null (--depth)", s)
                mapping[symbol] = 0
    return substitute(value, mapping) if mapping else value


def is_input(s: State, value: Any) -> bool:
    """Whether a value depends on pointers from outside."""
    return isinstance(value, Expr) and any(symbol in s.run.lazy for symbol in value.symbols)


def settled(s: State, f: Frame, point: int, live: Live, value: Any) -> Any:
    """A value whose input pointers point somewhere; other things that they may point to are siblings."""
    while True:
        value = known(s, value)
        if not isinstance(value, Expr):
            return value
        if value.op is ITE:
            value = one_arm(s, f, point, live, value)
            continue
        pointer = _first_unbound(s, value) or _found(s, value)
        if pointer is None:
            return value
        _bind(s, f, point, live, pointer)


def misaligned(s: State, condition: Expr, failure: Failed) -> PathEnd:
    """The end of a path with an access that is not aligned, where ``condition`` was decided last.

    A ``void *`` that the function takes for something else is assumed to be aligned for that, and so are the pointers
    in unions. How the bytes are aligned that a ``char *`` points to is up to the caller. Of bytes of no type, nobody
    knows whether they are a pointer.
    """
    shapes, pointers = surroundings_of(s).shapes, [s.run.lazy.get(symbol) for symbol in condition.symbols]
    targets = [pointer.target for pointer in pointers if isinstance(pointer, LazyPointer)]
    raw = [pointer for pointer in pointers if isinstance(pointer, RawBytes)]
    if any(part.target >= 0 for part in raw) or any(shapes.is_void(target) for target in targets):
        return Dropped()
    if raw:
        return Lost("bounded", UNTYPED)
    if any(shapes.is_byte(target) for target in targets):
        failure.rests_on = "depends on how the caller aligns what it passes"
    return failure


def one_arm(s: State, f: Frame, point: int, live: Live, value: Expr) -> Any:
    """The side of a choice that the model takes; the other one is a sibling."""
    condition, then, other = value.args
    taken = bool(s.model.eval(condition))
    kept, declined = (condition, build.lnot(condition)) if taken else (build.lnot(condition), condition)
    if not s.implies(kept):
        fork_at(s, f, point, live, declined)
        s.path = s.path.add(kept)
    return then if taken else other


def _first_unbound(s: State, value: Expr) -> LazyPointer | None:
    lazy, bound = s.run.lazy, s.heap.bound
    found = [
        pointer
        for symbol in value.symbols
        if symbol in lazy and symbol not in bound and isinstance(pointer := lazy[symbol], LazyPointer)
    ]
    return min(found, key=lambda pointer: pointer.home, default=None)


def _found(s: State, value: Expr) -> LazyPointer | None:
    """A pointer among bytes whose type was not known: the address without what is added to it."""
    lazy = s.run.lazy
    if not value.symbols or any(symbol not in lazy or symbol in s.heap.bound for symbol in value.symbols):
        return None
    parts = [part for part in value.args if part.op is not CONST] if value.op is ADD else [value]
    term = parts[0]
    if len(parts) > 1 or term.width != s.run.pointer_bits or not _is_word(term):
        return None
    if term in s.heap.adopted:
        return s.heap.adopted[term]
    around, number = surroundings_of(s), s.heap.homes
    first = lazy[term.args[-1] if term.op is CONCAT else term]
    target = first.target if isinstance(first, RawBytes) else -1
    pointer = LazyPointer(term, target, "bytes", 0, around.region.object(number))
    s.heap = replace(s.heap, homes=number + 1, adopted=s.heap.adopted.set(term, pointer))
    if isinstance(first, RawBytes) and first.at is not None:
        fact = HeapFact(first.at, target=1)
        read = InputRead(f"pointer in {pointer.name}", "void *", InputKind.CELL, term.width, (term,), None, heap=fact)
        s.inputs = InputRecord(s.inputs, read)
    return pointer


def _is_word(term: Expr) -> bool:
    return all(part.op is SYMBOL for part in (term.args if term.op is CONCAT else (term,)))


def _bind(s: State, f: Frame, point: int, live: Live, pointer: LazyPointer) -> None:
    _note_neighbours(s, pointer)
    choices = _likely_choices(s, pointer) or _choices(s, pointer)
    chosen = next((choice for choice in choices if s.implies_all(choice.condition)), None)
    if chosen is None:
        chosen = _chosen(s, pointer, choices)
        before = s.heap
        for choice in choices:
            if choice is not chosen:
                s.heap = guessing_null(s, pointer) if choice.address == 0 else before
                fork_at(s, f, point, live, choice.condition)
                s.heap = before
        s.heap = guessing_null(s, pointer) if chosen.address == 0 else before
        if chosen.address != pointer.home:
            _note_left_out(s, pointer, choices)
        s.path = s.path.add(chosen.condition)
    _settle(s, pointer, chosen)


def guessing_null(s: State, pointer: LazyPointer) -> Heap:
    """The heap of a path on which a pointer is null though the program has not asked."""
    if not surroundings_of(s).options.guesses:
        return s.heap
    return replace(s.heap, guessed_null=pointer.name)


def _chosen(s: State, pointer: LazyPointer, choices: list[Choice]) -> Choice:
    """The choice of the model, or the first one that is possible."""
    for choice in choices:
        if s.model.eval(choice.condition):
            return choice
    for choice in choices:
        result = s.feasible(choice.condition)
        if result.answer is Answer.UNKNOWN:
            s.run.note_unknown(s, "an input pointer: " + result.reason)
        if result.model is not None:
            s.model = result.model
            return choice
    if s.feasible(_apart(s, pointer)).answer is Answer.UNSAT:
        raise Dropped
    raise Lost("bounded", NOWHERE)


def _apart(s: State, pointer: LazyPointer) -> Bool:
    return build.lnot(overlaps(s, pointer, (*s.heap.objects, *surroundings_of(s).variables)))


def _note_neighbours(s: State, pointer: LazyPointer) -> None:
    """Two pointers may lead into one array at different places: what follows from that is not explored.

    To overlap in part, there must be more than one element; to tell how far they are apart, the program must ask.
    Constants do not matter, as a new object may have any contents.
    """
    around = surroundings_of(s)
    area = pointer.area
    if area is not None and area.own:
        return
    elements = around.options.array_length if area is None else area.count
    several = elements > 1 or around.shapes.is_void(pointer.target)
    if not around.options.aliases or pointer.alone or around.shapes.is_function(pointer.target):
        return
    if around.options.own_objects:
        return  # told once, for all of them
    if not several and not around.measures:
        return
    # A variable is as large as it is: a pointer into it may be short of elements, but not begin before it.
    variables = around.changeable if elements > 1 else ()
    others = [obj for obj in (*s.heap.objects, *variables) if not obj.alone]
    if any(spans_in(around, pointer.target, obj, 1) for obj in others):
        s.run.note_loss("bounded", OVERLAP if several else LEFT_OUT, s)


def _note_left_out(s: State, pointer: LazyPointer, choices: list[Choice]) -> None:
    """If no object can be made for a pointer, though it may be none of the others: its address would have to differ."""
    fresh = build.eq(pointer.term, pointer.home, s.run.pointer_bits)
    if s.feasible(fresh).answer is Answer.SAT:
        return
    others = build.conjunction([_apart(s, pointer), *(build.lnot(choice.condition) for choice in choices)])
    if s.feasible(others).answer is not Answer.UNSAT:
        s.run.note_loss("bounded", LEFT_OUT, s)


def _settle(s: State, pointer: LazyPointer, choice: Choice) -> None:
    for symbol, number in _parts(pointer.term, choice.address, s.run.pointer_bits):
        s.heap = replace(s.heap, bound=s.heap.bound.set(symbol, number))
    if choice.makes is not None:
        base, ctype = choice.makes
        # The places that other choices would have taken stay free: a sibling that takes one must find it so.
        s.heap = replace(s.heap, homes=s.heap.homes + len(surroundings_of(s).pointees))
        new_object(s, base, ctype, pointer)
    if choice.into is not None:
        _mark(s, choice.into, surroundings_of(s).shapes.is_void(pointer.target))


def _mark(s: State, obj: KnownObject, of_unknown_size: bool) -> None:
    """Accesses beyond an object are no certain errors any more: a pointer from outside leads to it, and nobody knows
    how much there is behind that pointer."""
    found = s.memory.find(obj.base)
    if found is not None:
        mark = replace(obj, sized=obj.sized and not of_unknown_size, exact=False)
        s.memory.owned(found[0]).site = mark


def _parts(term: Expr, address: int | None, bits: int) -> Iterator[tuple[Expr, int | None]]:
    """The symbols that a pointer consists of, with their values."""
    low = bits
    for part in term.args if term.op is CONCAT else (term,):
        low -= part.width
        if part.op is SYMBOL:
            yield part, None if address is None else (address >> low) & ((1 << part.width) - 1)


# What a pointer may be


def _likely_choices(s: State, pointer: LazyPointer) -> list[Choice]:
    """Those that callers are likely to take: an object of its own, or null. None of them if the path wants another, or
    if pointers may lead anywhere."""
    around = surroundings_of(s)
    if not around.options.own_objects or around.shapes.is_function(pointer.target):
        return []
    choices = _choices(s, pointer, aliases=False)
    return choices if any(s.feasible(choice.condition).model is not None for choice in choices) else []


def _choices(s: State, pointer: LazyPointer, aliases: bool = True) -> list[Choice]:
    """All of them that are possible at first sight, a new object first; the same whenever the same state asks.

    ``aliases``: whether to look for places in objects that are there, or that would contain a new one.
    """
    return [choice for choice in _all_choices(s, pointer, aliases) if choice.condition is not False]


def _all_choices(s: State, pointer: LazyPointer, aliases: bool) -> list[Choice]:
    around, bits, term = surroundings_of(s), s.run.pointer_bits, pointer.term
    if around.shapes.is_function(pointer.target):
        return list(_functions(s, pointer))
    makes = None if s.heap.find(pointer.home) is not None else (pointer.home, pointer.target)
    choices = [Choice(build.eq(term, pointer.home, bits), pointer.home, makes)]
    if aliases and around.options.aliases and not pointer.alone:
        choices += _containers(s, pointer)
        shared = [obj for obj in s.heap.objects if not obj.alone]
        others = [obj for obj in shared if obj.base != pointer.home]
        places = [(obj, span) for obj in others for span in places_in(around, pointer, obj)]
        for obj, span in (*places, *static_places(around, pointer)):
            address = obj.base + span.start if span.count == 1 else None
            choices.append(Choice(inside(term, obj.base, span, bits), address, None, obj))
    if around.options.nulls:
        choices.append(Choice(build.eq(term, 0, bits), 0))
    return choices


def _containers(s: State, pointer: LazyPointer) -> Iterator[Choice]:
    """New objects of types that contain what the pointer points to: another pointer may lead to such a one later."""
    around, bits = surroundings_of(s), s.run.pointer_bits
    shapes, number = around.shapes, s.heap.homes
    for ctype in around.pointees:
        if shapes.key(ctype) == shapes.key(pointer.target) or shapes.is_byte(ctype):
            continue
        base, count = around.region.object(number), around.options.array_length
        made = KnownObject(base, ctype, count, shapes.size(ctype) * count, "")
        for span in places_in(around, pointer, made):
            address = base + span.start if span.count == 1 else None
            yield Choice(inside(pointer.term, base, span, bits), address, (base, ctype))
        number += 1


def _functions(s: State, pointer: LazyPointer) -> Iterator[Choice]:
    """A function from outside, or null; one of the program's own where the path says so."""
    around, bits, term = surroundings_of(s), s.run.pointer_bits, pointer.term
    yield Choice(build.eq(term, pointer.home, bits), pointer.home)
    if around.options.nulls:
        yield Choice(build.eq(term, 0, bits), 0)
    now = int(s.model.eval(term))
    if now not in (0, pointer.home):
        yield Choice(build.eq(term, now, bits), now)
