"""Functions that a test passes: each becomes a static C function that gives back, and changes, what it did in the run.

``static int apply_2_f(int a1) { apply_2_f_calls++; return 7; }``

What a callback gets at is an object of the test, or one that it comes to by its arguments or by a variable of the
program: such objects have a pointer in the test file, which is set when the object is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from clew.base.dataclass import dataclass
from clew.report.callplan import FunctionType, Signature
from clew.report.csyntax import c_value, declared, literal
from clew.report.unit.not_in_c import NotInCError
from clew.report.values import InputValue, Pointee, Route


@dataclass(frozen=True, slots=True)
class _Callback:
    """A function that a test passes."""

    name: str
    type: FunctionType
    calls: tuple[int, ...]
    """The numbers of its calls, among those of all callbacks."""


class Callbacks:
    """The callbacks of one test."""

    def __init__(self, inputs: Sequence[InputValue], case: str, signature: Signature) -> None:
        """``case`` is the name of the test."""
        types = signature.functions
        self._case = case
        self._visible = signature.visible
        self._made = {value.at.object: value for value in inputs if value.kind == "memory" and value.at is not None}
        self._inputs: dict[int, list[InputValue]] = {}
        for value in inputs:
            self._inputs.setdefault(value.call, []).append(value)
        calls = [value for value in inputs if value.kind == "call"]
        self._callbacks: dict[int, _Callback] = {}
        for value in inputs:
            if value.points is not None and value.points.kind == "callback":
                number = int(value.points.which)
                own = tuple(call.call for call in calls if call.value == number)
                if number not in self._callbacks:
                    self._callbacks[number] = _Callback(self._new_name(value.name), _type(value, types), own)
        self._shared: set[int] = set()
        """Objects that callbacks know."""

    def _new_name(self, name: str) -> str:
        """A name for what a pointer is called by."""
        plain = re.sub(r"\W+", "_", name.replace("->", "_")).strip("_")
        taken = {callback.name for callback in self._callbacks.values()}
        names = (f"{self._case}_{plain}{'' if n == 1 else f'_{n}'}" for n in range(1, len(taken) + 2))
        return next(new for new in names if new not in taken)

    def name(self, number: int) -> str:
        """What a callback is called in C."""
        if number not in self._callbacks:
            raise NotInCError("a function that the test does not pass")
        return self._callbacks[number].name

    def is_initial(self, cell: InputValue) -> bool:
        """Whether a new object of the test has a cell so, rather than that a callback changes it."""
        made = self._made.get(cell.at.object) if cell.at is not None else None
        is_new = made is not None and made.route is None and made.call == cell.call
        return is_new and not cell.name.startswith("padding of ")

    # Their definitions

    def definitions(self) -> list[str]:
        """All of them, and the variables that they need."""
        bodies = [line for callback in self._callbacks.values() for line in self._function(callback)]
        pointers = [f"static char *{self._object(number)};" for number in sorted(self._shared)]
        counts = [f"static int {callback.name}_calls;" for callback in self._callbacks.values() if callback.calls]
        heads = [f"{_head(callback)};" for callback in self._callbacks.values()] if len(self._callbacks) > 1 else []
        return [*counts, *pointers, *heads, *bodies]

    def arrange(self, addresses: Mapping[int, str]) -> Iterator[str]:
        """What tells the callbacks where the objects of the test are, after ``definitions``."""
        for number in sorted(self._shared & set(addresses)):
            yield f"{self._object(number)} = (char *){addresses[number]};"

    def checks(self) -> Iterator[str]:
        """How often each was called."""
        for callback in self._callbacks.values():
            if callback.calls:
                yield f"{callback.name}_calls == {len(callback.calls)}"

    def _function(self, callback: _Callback) -> Iterator[str]:
        given = [list(self._call(call)) for call in callback.calls]
        used = " ".join(line for lines in given for line in lines)
        idle = [f"(void)a{n}" for n in range(1, len(callback.type.parameters) + 1) if not re.search(rf"\ba{n}\b", used)]
        yield f"{_head(callback)} {{"
        if idle:
            yield f"  {', '.join(idle)};"
        if not given:
            yield '  EXPECT(!"called");'
            if callback.type.result != "void":
                yield f"  return ({callback.type.result}){{0}};"
        else:
            yield f"  {callback.name}_calls++;"
            yield f"  EXPECT({callback.name}_calls <= {len(given)});"
            yield from self._by_call(f"{callback.name}_calls", given)
        yield "}"

    @staticmethod
    def _by_call(count: str, given: Sequence[Sequence[str]]) -> Iterator[str]:
        """What happens in each call; the last one is what is left when it is none of the others."""
        if all(lines == given[0] for lines in given):
            given = given[:1]
        *others, last = given
        for number, lines in enumerate(others, 1):
            if lines:
                yield f"  if ({count} == {number}) {{"
                yield from (f"    {line}" for line in lines)
                yield "  }"
        if others and last and not last[-1].startswith("return "):
            yield f"  if ({count} != {len(given)}) return;"
        yield from (f"  {line}" for line in last)

    def _call(self, call: int) -> Iterator[str]:
        """What happens in one call."""
        inputs = self._inputs[call]
        for value in inputs:
            if value.kind == "memory" and value.route is not None and value.at is not None:
                self._shared.add(value.at.object)
                yield f"{self._object(value.at.object)} = {self._place(value.route)};"
        for value in inputs:
            if value.kind == "cell" and not value.name.startswith("padding of ") and not self.is_initial(value):
                yield self._change(value)
        results = [value for value in inputs if value.kind == "returned"]
        if len(results) > 1:
            raise NotInCError("a callback that gives back a struct")
        if results:
            yield f"return {self._result(results[0])};"

    def _change(self, cell: InputValue) -> str:
        assert cell.at is not None
        self._shared.add(cell.at.object)
        place = _behind(self._object(cell.at.object), cell.at.offset)
        if cell.points is not None:
            return f"memcpy({place}, &(void *){{{self._pointer(cell.points)}}}, sizeof(void *));"
        data = cell.to_bytes()
        change = f"memcpy({place}, {literal(data)}" if any(data) else f"memset({place}, 0"
        return f"{change}, {len(data)}); /* {cell.name} */"

    def _result(self, value: InputValue) -> str:
        if value.points is not None:
            return self._pointer(value.points)
        if isinstance(value.value, bytes):
            raise NotInCError("a callback that gives back a struct")
        return c_value(value)

    def _pointer(self, points: Pointee) -> str:
        match points.kind:
            case "null":
                return "NULL"
            case "object":
                self._shared.add(int(points.which))
                return f"(void *)({_behind(self._object(int(points.which)), points.offset)})"
            case "global" | "function" if str(points.which) in self._visible:
                return f"(void *)({_behind(f'(char *)&{self._visible[str(points.which)]}', points.offset)})"
            case "callback":
                return f"(void *){self.name(int(points.which))}"
            case "number":
                return f"(void *){points.which:#x}"
        raise NotInCError(f"a pointer to {points.shown()}")

    def _place(self, route: Route) -> str:
        """The address of an object that a callback comes to."""
        start, which, steps = route
        if start == "global" and str(which) not in self._visible:
            raise NotInCError(f"the variable {which}, which its file cannot name")
        place = f"(char *)a{int(which) + 1}" if start == "argument" else f"(char *)&{self._visible[str(which)]}"
        for step in steps[:-1]:
            place = f"*(char **)({_behind(place, step)})"
        return _behind(place, steps[-1])

    def _object(self, number: int) -> str:
        """The pointer to an object that callbacks know."""
        return f"{self._case}_object_{number}"


def _type(value: InputValue, types: Mapping[str, FunctionType]) -> FunctionType:
    type = types.get(value.type)
    if (
        type is None
        or "(" in type.result
        or any("<" in each or "[" in each for each in (type.result, *type.parameters))
    ):
        raise NotInCError("a callback of a type that has no name")
    return type


def _head(callback: _Callback) -> str:
    named = [declared(type, f"a{place}") for place, type in enumerate(callback.type.parameters, 1)]
    named += ["..."] if callback.type.varargs else []
    return f"static {declared(callback.type.result, callback.name)}({', '.join(named) or 'void'})"


def _behind(place: str, offset: int) -> str:
    return f"{place} + {offset}" if offset else place
