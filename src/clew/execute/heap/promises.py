"""What holds for the parameters of a function: what the user says, what its declaration says, and what is guessed.

The user's words are checked against the function by ``execute.heap.sayings``.
Attributes of the declaration are promises of every caller. Guesses are made about parameters of which nothing else is
known. What is left then are bounds of numbers, and memory that pointers lead to; ``execute.harness`` makes it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clew.base.dataclass import dataclass
from clew.base.specification import Area, Length, Promise, Span
from clew.execute.heap.guesses import ELEMENTS, counted, is_octet, is_single, is_string
from clew.execute.heap.sayings import Sayings, agreed
from clew.execute.heap.shapes import Shapes
from clew.execute.heap.subjects import Member, Parameter
from clew.execute.heap.surroundings import HeapOptions
from clew.program.ctypes import CPointer, CRecord
from clew.program.module import Function

SAID, DECLARED, GUESSED = "--function", "as declared", "guessed; --no-guess does without"
"""Where promises come from, as reports name it."""


@dataclass(frozen=True, slots=True)
class Promised:
    """What holds for one parameter, with all names resolved."""

    promise: Promise
    whence: str
    text: str
    """For people: with names of constants as the user gives them."""


def promises_of(function: Function, shapes: Shapes, options: HeapOptions) -> dict[int, Promised]:
    """What holds for each parameter, by position from 0 on; UserError where the user says what cannot be."""
    sayings = Sayings(function, shapes, options.promises)
    parameters = sayings.parameters
    found: dict[int, Promised] = {}
    for position, promise in _declared(parameters, shapes):
        found[position] = Promised(promise, DECLARED, str(promise))
    for position, said, written in sayings.of_parameters():
        kept = agreed(said, found[position].promise) if position in found else said
        found[position] = Promised(kept, SAID, str(written))
    guesses = _guessed(function, parameters, shapes, found, options.characters) if options.guesses else ()
    for position, promise in list(guesses):
        found[position] = Promised(promise, GUESSED, str(promise))
    return dict(sorted(found.items()))


def members_of(function: Function, shapes: Shapes, options: HeapOptions) -> list[tuple[Member, Promised]]:
    """What is said of members of structs that parameters lead to; what leads to one comes before it."""
    said = Sayings(function, shapes, options.promises).of_members()
    return [(member, Promised(promise, SAID, str(written))) for member, promise, written in said]


def assumed(function: Function, shapes: Shapes, options: HeapOptions) -> tuple[str, ...]:
    """For people: what holds for the parameters, a text for each place where that comes from."""
    promises = promises_of(function, shapes, options)
    texts = {whence: [each.text for each in promises.values() if each.whence == whence] for whence in _ORDER}
    texts[SAID] += [promised.text for _, promised in members_of(function, shapes, options)]
    texts[DECLARED] += _counted_members(function, shapes)
    if options.guesses and (inside := _strings_inside(function, shapes, options.characters)):
        texts[GUESSED].append(inside)
    return tuple(f"{', '.join(found)} ({whence})" for whence, found in texts.items() if found)


_ORDER = (SAID, DECLARED, GUESSED)


# What the declaration says


def _declared(parameters: Sequence[Parameter], shapes: Shapes) -> Iterator[tuple[int, Promise]]:
    for position, parameter in enumerate(parameters):
        target, argument = parameter.pointee(shapes), parameter.argument
        if target is None:
            continue
        count = argument.dereferenceable // size if (size := shapes.size(target)) else 0
        if count > 1:
            yield position, Promise(parameter.name, area=Area(count, own=False))
        elif argument.nonnull or argument.dereferenceable:
            yield position, Promise(parameter.name, nonnull=True)


def _counted_members(function: Function, shapes: Shapes) -> Iterator[str]:
    """What is said of members of structs that the function is given."""
    for ctype in shapes.pointees([function.ctype]):
        for member, counter in shapes.counted(ctype):
            yield f"{member.name} of {shapes.ctypes.spell(ctype)}: {counter.name} elements"


# What is guessed


def _guessed(
    function: Function,
    parameters: Sequence[Parameter],
    shapes: Shapes,
    known: Mapping[int, Promised],
    characters: int,
) -> Iterator[tuple[int, Promise]]:
    """A pointer that is followed by a number of elements is an array, others to constant characters are strings.

    A struct of which the function uses the members of one is no array, whatever the number is about.
    """
    names, types = [each.name for each in parameters], [each.ctype for each in parameters]
    taken = set[int]()
    for number, pointer in counted(shapes, types, names).items():
        told = known.get(pointer)
        target = parameters[pointer].pointee(shapes)
        assert target is not None
        if isinstance(shapes.strip(target), CRecord) and is_single(function, parameters[pointer].argument.value):
            continue
        if number not in known and (told is None or told.promise.area is None):
            nonnull = told is not None and told.promise.nonnull
            taken.add(pointer)
            # Characters may just as well be a string, and the number the size of something else.
            area = Area(ELEMENTS, exact=not shapes.is_byte(target) or is_octet(shapes, target))
            yield pointer, Promise(names[pointer], area=area, null=not nonnull)
            yield number, Promise(names[number], (Span(0, Length(names[pointer])),))
    for position, parameter in enumerate(parameters):
        told, target = known.get(position), parameter.pointee(shapes)
        is_known = position in taken or (told is not None and (told.promise.area or told.promise.null))
        if target is not None and is_string(shapes, target) and not is_known:
            yield position, Promise(parameter.name, area=Area(characters, text=True), null=told is None)


def _strings_inside(function: Function, shapes: Shapes, characters: int) -> str:
    """What is said of pointers in structs that are taken for strings; empty if there are none."""
    inner = (kind.to for ctype in shapes.pointees([function.ctype]) for kind in _pointers_in(ctype, shapes))
    found = any(is_string(shapes, to) for to in inner)
    return f"char * in what it is given: string[{characters}] or null, to which nothing else leads" if found else ""


def _pointers_in(ctype: int, shapes: Shapes) -> Iterator[CPointer]:
    for cell in shapes.cells(ctype):
        kind = shapes.strip(cell.ctype)
        if isinstance(kind, CPointer):
            yield kind
