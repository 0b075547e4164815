"""What holds for the parameters of a function: what the user says, what its declaration says, and what is guessed.

The user's words (``base.specification``) are checked against the function here: names, types, whether numbers fit.
Attributes of the declaration are promises of every caller. Guesses are made about parameters of which nothing else is
known. What is left then are bounds of numbers, and memory that pointers lead to; ``execute.harness`` makes it so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.specification import Area, Bound, Length, Promise, Span
from clew.base.suggest import unknown_name
from clew.execute.heap.guesses import ELEMENTS, counted, is_string
from clew.execute.heap.shapes import Shapes
from clew.execute.heap.surroundings import HeapOptions
from clew.program.ctypes import CBase, CEnum, CFunction, CPointer, CRecord
from clew.program.instructions import Argument
from clew.program.module import Function
from clew.program.types import IntType, PointerType

SAID, DECLARED, GUESSED = "--function", "as declared", "guessed; --no-guess does without"
"""Where promises come from, as reports name it."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function as C has it."""

    name: str
    ctype: int
    argument: Argument

    def pointee(self, shapes: Shapes) -> int | None:
        """The C type that it points to (-1: not known); None for what is no pointer."""
        kind = shapes.strip(self.ctype)
        held = self.argument.byval or self.argument.sret
        if not isinstance(self.argument.value.type, PointerType) or held is not None or isinstance(kind, CRecord):
            return None
        return kind.to if isinstance(kind, CPointer) else -1

    def limits(self, shapes: Shapes) -> tuple[int, int] | None:
        """The least and the greatest number that it can be; None for what is no whole number."""
        kind, type = shapes.strip(self.ctype), self.argument.value.type
        if not isinstance(type, IntType) or (isinstance(kind, CBase) and kind.encoding == "float"):
            return None
        if isinstance(kind, CRecord) or (isinstance(kind, CBase) and kind.encoding == "boolean"):
            return None if isinstance(kind, CRecord) else (0, 1)
        signed = shapes.is_signed(self.ctype)
        return (-(1 << type.width - 1), (1 << type.width - 1) - 1) if signed else (0, (1 << type.width) - 1)


@dataclass(frozen=True, slots=True)
class Promised:
    """What holds for one parameter, with all names resolved."""

    promise: Promise
    whence: str
    text: str
    """For people: with names of constants as the user gives them."""


def parameters_of(function: Function, shapes: Shapes) -> list[Parameter]:
    """The parameters, in order; where a struct is passed in pieces, LLVM's: those that are C's, too, bear its names."""
    kind = shapes.strip(function.ctype)
    types = kind.params if isinstance(kind, CFunction) else ()
    if len(types) == len(function.parameters):
        names = parameter_names(function)
    else:
        names = [getattr(parameter.value, "name", f"p{n}") for n, parameter in enumerate(function.parameters)]
        known = _parameter_types(function)
        types = tuple(known.get(name, -1) for name in names)
    return [Parameter(*each) for each in zip(names, types, function.parameters, strict=True)]


def promises_of(function: Function, shapes: Shapes, options: HeapOptions) -> dict[int, Promised]:
    """What holds for each parameter, by position from 0 on; UserError where the user says what cannot be."""
    parameters = parameters_of(function, shapes)
    found: dict[int, Promised] = {}
    for position, promise in _declared(parameters, shapes):
        found[position] = Promised(promise, DECLARED, str(promise))
    for promise in options.promises:
        position = _position(promise.parameter, parameters, function)
        parameter = parameters[position]
        checked = _checked(promise, parameter, parameters, options.promises, shapes, function)
        before = found.get(position)
        if before is not None and before.whence is SAID:
            raise UserError(f"--function says two things about {parameter.name}: join its cases by 'or'")
        agreed = checked if before is None else _agreed(checked, before.promise)
        found[position] = Promised(agreed, SAID, str(replace(promise, parameter=parameter.name)))
    for position, promise in list(_guessed(parameters, shapes, found)) if options.guesses else ():
        found[position] = Promised(promise, GUESSED, str(promise))
    return dict(sorted(found.items()))


def assumed(function: Function, shapes: Shapes, options: HeapOptions) -> tuple[str, ...]:
    """For people: what holds for the parameters, a text for each place where that comes from."""
    promises = promises_of(function, shapes, options)
    texts = {whence: [each.text for each in promises.values() if each.whence == whence] for whence in _ORDER}
    texts[DECLARED] += _counted_members(function, shapes)
    if options.guesses and (inside := _strings_inside(function, shapes)):
        texts[GUESSED].append(inside)
    return tuple(f"{', '.join(found)} ({whence})" for whence, found in texts.items() if found)


_ORDER = (SAID, DECLARED, GUESSED)


# What the user says


def _position(name: str, parameters: Sequence[Parameter], function: Function) -> int:
    names = [parameter.name for parameter in parameters]
    if name in names:
        return names.index(name)
    if name.isdecimal() and 1 <= int(name) <= len(names):
        return int(name) - 1
    what = f"parameter of {function.source_name}"
    if name.isdecimal() or not names:
        raise UserError(f"--function: {function.source_name} has {len(names)} parameters, and none of them is {name}")
    raise UserError(f"--function: {unknown_name(what, name, names)}")


def _checked(
    promise: Promise,
    parameter: Parameter,
    parameters: Sequence[Parameter],
    promises: Sequence[Promise],
    shapes: Shapes,
    function: Function,
) -> Promise:
    """The promise with resolved names; UserError if it does not fit the parameter's type."""
    name, target, limits = parameter.name, parameter.pointee(shapes), parameter.limits(shapes)
    spelling = shapes.ctypes.spell(parameter.ctype) if parameter.ctype >= 0 else str(parameter.argument.value.type)
    if promise.spans:
        if limits is None:
            kind = "nonnull, null, string[N] or array[N]" if target is not None else "nothing"
            raise UserError(f"--function: {name} is a {spelling}: {kind} can be said of it, not {promise.spans[0]}")
        spans = tuple(_resolved(span, parameter, parameters, promises, shapes, function) for span in promise.spans)
        return Promise(name, spans)
    if target is None:
        kind = "a number or a range of numbers" if limits is not None else "nothing"
        case = str(promise).partition(": ")[2]
        raise UserError(f"--function: {name} is a {spelling}: {kind} can be said of it, not {case}")
    if promise.area is not None and shapes.is_function(target):
        raise UserError(f"--function: {name} points to a function: it can be nonnull or null, not {promise.area}")
    if promise.area is not None and promise.area.text and (not shapes.is_byte(target) or shapes.is_void(target)):
        wanted = f"array[{max(1, promise.area.count)}]"
        raise UserError(f"--function: {name} is a {spelling}, not a pointer to characters: say {wanted}")
    return replace(promise, parameter=name)


def _agreed(said: Promise, declared: Promise) -> Promise:
    """What the user says of a parameter that is declared with attributes; UserError where these say otherwise."""
    if said.null:
        raise UserError(f"--function: {said.parameter} is declared to be never null: leave out null")
    least = declared.area.count if declared.area is not None else 0
    if said.area is not None and said.area.count + said.area.text < least:
        raise UserError(
            f"--function: {declared} is what {said.parameter} is declared to have at least, not {said.area}"
        )
    return said if said.area is not None else replace(said, area=declared.area)


def _resolved(
    span: Span,
    parameter: Parameter,
    parameters: Sequence[Parameter],
    promises: Sequence[Promise],
    shapes: Shapes,
    function: Function,
) -> Span:
    kind, limits = shapes.strip(parameter.ctype), parameter.limits(shapes)
    assert limits is not None
    constants = dict(kind.constants) if isinstance(kind, CEnum) else {}

    def bound(given: Bound | None, otherwise: int) -> Bound:
        match given:
            case None:
                return otherwise
            case str() if given in constants:
                return constants[given]
            case str():
                known = list(constants) or ["string[N]", "array[N]", "nonnull", "null", "len(p)"]
                raise UserError(f"--function: {parameter.name}: {unknown_name('value', given, known)}")
            case Length():
                position = _position(given.parameter, parameters, function)
                if not any(
                    each.area and _position(each.parameter, parameters, function) == position for each in promises
                ):
                    name = parameters[position].name
                    raise UserError(f"--function: to tell {given}, add {name}: array[N], or {name}: string[N]")
                return Length(parameters[position].name, given.plus)
        if not limits[0] <= given <= limits[1]:
            spelling = shapes.ctypes.spell(parameter.ctype) if parameter.ctype >= 0 else "its type"
            raise UserError(
                f"--function: {parameter.name} cannot be {given}: {spelling} has {limits[0]} to {limits[1]}"
            )
        return given

    return Span(bound(span.low, limits[0]), bound(span.high, limits[1]))


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
    parameters: Sequence[Parameter], shapes: Shapes, known: Mapping[int, Promised]
) -> Iterator[tuple[int, Promise]]:
    """A pointer that is followed by a number of elements is an array, others to constant characters are strings."""
    names, types = [each.name for each in parameters], [each.ctype for each in parameters]
    taken = set[int]()
    for number, pointer in counted(shapes, types, names).items():
        told = known.get(pointer)
        if number not in known and (told is None or told.promise.area is None):
            nonnull = told is not None and told.promise.nonnull
            taken.add(pointer)
            target = parameters[pointer].pointee(shapes)
            assert target is not None
            # Characters may just as well be a string, and the number the size of something else.
            area = Area(ELEMENTS, exact=not shapes.is_byte(target))
            yield pointer, Promise(names[pointer], area=area, null=not nonnull)
            yield number, Promise(names[number], (Span(0, Length(names[pointer])),))
    for position, parameter in enumerate(parameters):
        told, target = known.get(position), parameter.pointee(shapes)
        is_known = position in taken or (told is not None and (told.promise.area or told.promise.null))
        if target is not None and is_string(shapes, target) and not is_known:
            yield position, Promise(parameter.name, area=Area(ELEMENTS, text=True), null=told is None)


def _strings_inside(function: Function, shapes: Shapes) -> str:
    """What is said of pointers in structs that are taken for strings; empty if there are none."""
    inner = (kind.to for ctype in shapes.pointees([function.ctype]) for kind in _pointers_in(ctype, shapes))
    found = any(is_string(shapes, to) for to in inner)
    return f"char * in what it is given: string[{ELEMENTS}] or null, to which nothing else leads" if found else ""


def _pointers_in(ctype: int, shapes: Shapes) -> Iterator[CPointer]:
    for cell in shapes.cells(ctype):
        kind = shapes.strip(cell.ctype)
        if isinstance(kind, CPointer):
            yield kind


# Parameters by name


def _parameter_types(function: Function) -> dict[str, int]:
    """C types of the parameters by name."""
    updates = [update.variable for block in function.blocks[:1] for update in block.updates]
    return {variable.name: variable.ctype for variable in updates if variable.parameter}


def parameter_names(function: Function) -> list[str]:
    """C names of the parameters, in order; LLVM's names where debug info is missing."""
    names = [getattr(parameter.value, "name", f"p{n}") for n, parameter in enumerate(function.parameters)]
    for block in function.blocks[:1]:
        for update in block.updates:
            place = update.variable.parameter - 1
            if 0 <= place < len(names):
                names[place] = update.variable.name
    return names
