"""What the user says of a function's parameters, and of the members of structs that they lead to, checked against the
function: names, types, whether numbers fit. (``base.specification`` reads the words.)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clew.base.errors import UserError
from clew.base.specification import Area, Bound, Length, Promise, Span
from clew.base.suggest import unknown_name
from clew.execute.heap.shapes import Shapes
from clew.execute.heap.subjects import Member, Parameter, Subject, parameters_of
from clew.program.ctypes import CEnum, CMember, CRecord
from clew.program.module import Function

ONE = Area(1, exact=True)
"""What a pointer leads to of which only members are spoken of."""


class Sayings:
    """All that is said of one function; UserError where that cannot be."""

    def __init__(self, function: Function, shapes: Shapes, promises: Sequence[Promise]) -> None:
        self._function = function
        self._shapes = shapes
        self.parameters = parameters_of(function, shapes)
        self._said: dict[str, tuple[Subject, Promise]] = {}
        """By the names of what it is said of: where one leads to another, that comes later."""
        for promise in sorted(promises, key=lambda promise: promise.parameter.count(".")):
            subject = self._subject(promise.parameter)
            if subject.name in self._said:
                raise UserError(f"--function says two things about {subject.name}: join its cases by 'or'")
            self._lead_to(subject)
            self._said[subject.name] = subject, replace(promise, parameter=subject.name)

    def of_parameters(self) -> Iterator[tuple[int, Promise, Promise]]:
        """The positions of parameters, from 0 on, with what is said of each: as it is meant, and as it is written."""
        for subject, promise in self._said.values():
            if isinstance(subject, Parameter):
                yield self.parameters.index(subject), self._checked(subject, promise), promise

    def of_members(self) -> Iterator[tuple[Member, Promise, Promise]]:
        """The same for members: what leads to one comes before it."""
        for subject, promise in self._said.values():
            if isinstance(subject, Member):
                yield subject, self._checked(subject, promise), promise

    # What is spoken of

    def _subject(self, path: str) -> Subject:
        first, *steps = path.split(".")
        subject: Subject = self._parameter(first)
        for step in steps:
            subject = self._member(subject, step)
        return subject

    def _parameter(self, name: str) -> Parameter:
        names = [parameter.name for parameter in self.parameters]
        if name in names:
            return self.parameters[names.index(name)]
        if name.isdecimal() and 1 <= int(name) <= len(names):
            return self.parameters[int(name) - 1]
        called = self._function.source_name
        if name.isdecimal() or not names:
            raise UserError(f"--function: {called} has {len(names)} parameters, and none of them is {name}")
        raise UserError(f"--function: {unknown_name(f'parameter of {called}', name, names)}")

    def _member(self, outer: Subject, name: str) -> Member:
        """A member of what the subject points to, or of the struct that it is."""
        shapes = self._shapes
        target = outer.pointee(shapes)
        inside = isinstance(outer, Member) and target is None
        held = outer.ctype if target is None else target
        kind = shapes.strip(held)
        if not isinstance(kind, CRecord) or not (inside or target is not None):
            by_value = ", which is passed by value" if isinstance(kind, CRecord) else ""
            what = f"{outer.name} is a {outer.spelling(shapes)}{by_value}"
            raise UserError(f"--function: {what}: members can be spoken of that a pointer to a struct leads to")
        found = dict(_members(kind, shapes))
        if name not in found:
            raise UserError(f"--function: {unknown_name(f'member of {shapes.ctypes.spell(held)}', name, list(found))}")
        member, offset = found[name]
        if kind.union or member.bitfield:
            what = "a union" if kind.union else "a bit-field"
            raise UserError(f"--function: {outer.name}.{name} is in {what}: nothing can be said of it")
        if inside:
            assert isinstance(outer, Member)
            return Member(f"{outer.name}.{name}", outer.holder, member.ctype, outer.offset + offset)
        return Member(f"{outer.name}.{name}", outer.name, member.ctype, offset)

    def _lead_to(self, subject: Subject) -> None:
        """What leads to a member is one object, there from the start, whether that is said or not."""
        if not isinstance(subject, Member):
            return
        if subject.holder not in self._said:
            holder = self._subject(subject.holder)
            self._lead_to(holder)
            self._said[holder.name] = holder, Promise(holder.name, area=ONE)
        area = self._said[subject.holder][1].area
        if area is None or area.text or area.count != 1:
            raise UserError(f"--function: to speak of {subject.name}, say {subject.holder}: array[1], or nothing of it")

    # What is said

    def _checked(self, subject: Subject, promise: Promise) -> Promise:
        """The promise with resolved names; UserError if it does not fit the type."""
        shapes, name = self._shapes, subject.name
        target, limits, spelling = subject.pointee(shapes), subject.limits(shapes), subject.spelling(shapes)
        if promise.spans:
            if limits is None:
                kind = "nonnull, null, string[N] or array[N]" if target is not None else "nothing"
                raise UserError(f"--function: {name} is a {spelling}: {kind} can be said of it, not {promise.spans[0]}")
            return Promise(name, tuple(self._resolved(span, subject, limits) for span in promise.spans))
        if target is None:
            kind = "a number or a range of numbers" if limits is not None else "nothing"
            case = str(promise).partition(": ")[2]
            raise UserError(f"--function: {name} is a {spelling}: {kind} can be said of it, not {case}")
        if promise.area is not None and shapes.is_function(target):
            raise UserError(f"--function: {name} points to a function: it can be nonnull or null, not {promise.area}")
        if promise.area is not None and promise.area.text and (not shapes.is_byte(target) or shapes.is_void(target)):
            wanted = f"array[{max(1, promise.area.count)}]"
            raise UserError(f"--function: {name} is a {spelling}, not a pointer to characters: say {wanted}")
        return promise

    def _resolved(self, span: Span, subject: Subject, limits: tuple[int, int]) -> Span:
        kind = self._shapes.strip(subject.ctype)
        constants = dict(kind.constants) if isinstance(kind, CEnum) else {}

        def bound(given: Bound | None, otherwise: int) -> Bound:
            match given:
                case None:
                    return otherwise
                case str() if given in constants:
                    return constants[given]
                case str():
                    known = list(constants) or ["string[N]", "array[N]", "nonnull", "null", "len(p)"]
                    raise UserError(f"--function: {subject.name}: {unknown_name('value', given, known)}")
                case Length():
                    return self._length(given)
            if not limits[0] <= given <= limits[1]:
                spelling = subject.spelling(self._shapes) if subject.ctype >= 0 else "its type"
                raise UserError(
                    f"--function: {subject.name} cannot be {given}: {spelling} has {limits[0]} to {limits[1]}"
                )
            return given

        return Span(bound(span.low, limits[0]), bound(span.high, limits[1]))

    def _length(self, given: Length) -> Length:
        name = self._subject(given.parameter).name
        if name not in self._said or self._said[name][1].area is None:
            raise UserError(f"--function: to tell {given}, add {name}: array[N], or {name}: string[N]")
        return Length(name, given.plus)


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


def _members(record: CRecord, shapes: Shapes, start: int = 0) -> Iterator[tuple[str, tuple[CMember, int]]]:
    """The members of a struct by name, each with its place in bytes; those of nameless ones inside it included."""
    for member in record.members:
        inner, place = shapes.strip(member.ctype), start + member.offset // 8
        if not member.name and isinstance(inner, CRecord) and not inner.union:
            yield from _members(inner, shapes, place)
        elif member.name:
            yield member.name, (member, place)
