"""What the user says of the parameters of a function (``base.specification``), checked against the function: names,
types, whether numbers fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.base.errors import UserError
from clew.base.specification import Bound, Length, Promise, Span
from clew.base.suggest import unknown_name
from clew.execute.heap.shapes import Shapes
from clew.execute.heap.subjects import Parameter
from clew.program.ctypes import CEnum
from clew.program.module import Function


def position_of(name: str, parameters: Sequence[Parameter], function: Function) -> int:
    names = [parameter.name for parameter in parameters]
    if name in names:
        return names.index(name)
    if name.isdecimal() and 1 <= int(name) <= len(names):
        return int(name) - 1
    what = f"parameter of {function.source_name}"
    if name.isdecimal() or not names:
        raise UserError(f"--function: {function.source_name} has {len(names)} parameters, and none of them is {name}")
    raise UserError(f"--function: {unknown_name(what, name, names)}")


def checked(
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


def agreed(said: Promise, declared: Promise) -> Promise:
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
                position = position_of(given.parameter, parameters, function)
                if not any(
                    each.area and position_of(each.parameter, parameters, function) == position for each in promises
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
