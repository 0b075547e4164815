"""Functions that call each other, and contracts of theirs: conditions that hold of every call from inside.

The functions of one component of the call graph are looked at together. What their calls change must be plain to see:
scalars, which can be given any value; parameters are numbers, or pass through all calls as they are.

A contract is stated at two points: *before* a call, of its arguments and the scalars, and *after* it, of the same, the
result, and the scalars as the call has left them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.analysis.mod_ref import ModRef
from clew.base.dataclass import dataclass
from clew.expr.build import symbol
from clew.expr.node import Expr
from clew.expr.sort import bv
from clew.program import instructions as ir
from clew.program.module import Function, Program
from clew.program.types import IntType, PointerType, Type, VoidType, is_word
from clew.program.values import GlobalRef, Register, Value
from clew.techniques.invariants.candidates.heads import Place, Point, Term

RESULT = "clew.result"
_BEFORE = "clew.before."
"""Names of terms: the result, and scalars as they were before the call."""


@dataclass(frozen=True, slots=True)
class Component:
    """Functions that call each other, where only numbers tell one call from another."""

    names: tuple[str, ...]
    scalars: tuple[str, ...]
    """Global variables that they may change, each an integer."""
    fixed: Mapping[str, frozenset[int]]
    """Per function, the places of parameters that every call from inside passes on as they are."""


@dataclass(frozen=True, slots=True)
class Contract:
    """Of one function: the points, and the conditions that hold there."""

    before: Point
    after: Point
    required: tuple[Expr, ...] = ()
    """What callers see to."""
    ensured: tuple[Expr, ...] = ()
    """What they may rely on."""


def registers_of(function: Function, arguments: Sequence[Value], scalars: Mapping[str, Value]) -> dict[str, Value]:
    """The terms of a call by their names: its arguments, and the scalars before it."""
    found = {
        given.value.name: value
        for given, value in zip(function.parameters, arguments, strict=True)
        if isinstance(given.value, Register)
    }
    return found | {_BEFORE + name: value for name, value in scalars.items()}


def empty_contract(program: Program, component: Component, name: str) -> Contract:
    """Of one of the functions: it promises nothing."""
    function = program.functions[name]
    fixed = component.fixed[name]
    parameters: list[tuple[str | Place, Type, bool]] = [
        (given.value.name, given.value.type, place not in fixed)
        for place, given in enumerate(function.parameters)
        if isinstance(given.value, Register) and is_word(given.value.type)
    ]
    kept: list[tuple[str | Place, Type, bool]] = [
        (_BEFORE + name, program.globals[name].type, False) for name in component.scalars
    ]
    changed: list[tuple[str | Place, Type, bool]] = [
        (Place(name, 0), program.globals[name].type, True) for name in component.scalars
    ]
    result: list[tuple[str | Place, Type, bool]] = []
    if is_word(function.type.result):
        result.append((RESULT, function.type.result, True))
    given = [(what, type, True) for what, type, _ in parameters]
    return Contract(
        _point(f"{name}/before", [*parameters, *changed]),
        _point(f"{name}/after", [*result, *changed, *given, *kept]),
    )


def _point(prefix: str, terms: Sequence[tuple[str | Place, Type, bool]]) -> Point:
    made = []
    for number, (what, type, changed) in enumerate(terms):
        assert isinstance(type, IntType)
        made.append(Term(what, type.width, symbol(f"{prefix}/{number}", bv(type.width)), changed))
    return Point(tuple(made))


# Which functions


def recursive_components(effects: ModRef, entry: str) -> list[tuple[str, ...]]:
    """The components of the call graph that run, and that have calls from inside."""
    calls = effects.calls
    reachable = calls.reachable(entry)
    return [
        part for part in calls.components if part[0] in reachable and calls.is_recursive(part[0]) and entry not in part
    ]


def component_of(effects: ModRef, names: tuple[str, ...]) -> Component | None:
    """The component of these functions; None if contracts cannot describe what they do."""
    functions = [effects.program.functions[name] for name in names]
    if any(name in effects.calls.taken for name in names):
        return None
    if not all(effects.is_plain(function.instructions()) for function in functions):
        return None
    fixed = {function.name: _fixed(function, names) for function in functions}
    if not all(_is_numeric(function, fixed[function.name]) for function in functions):
        return None
    scalars = _scalars(effects, names)
    return None if scalars is None else Component(names, scalars, fixed)


def _is_numeric(function: Function, fixed: frozenset[int]) -> bool:
    """Whether a function takes and gives numbers, but for parameters that stay."""
    result = function.type.result
    if function.type.varargs or not (isinstance(result, VoidType) or _is_integer(result)):
        return False
    return all(
        given.byval is None and given.sret is None and (place in fixed or _is_integer(given.value.type))
        for place, given in enumerate(function.parameters)
    )


def _is_integer(type: Type) -> bool:
    return is_word(type) or (isinstance(type, IntType) and type.width == 1)


def _fixed(function: Function, names: tuple[str, ...]) -> frozenset[int]:
    """Parameters that the function's calls of itself pass on; none where several functions call each other."""
    if len(names) > 1:
        return frozenset()
    calls = [i for i in function.instructions() if isinstance(i, ir.Call) and i.callee == GlobalRef(function.name)]
    return frozenset(
        place
        for place, given in enumerate(function.parameters)
        if isinstance(given.value.type, IntType | PointerType)
        and calls
        and all(len(call.arguments) > place and call.arguments[place].value == given.value for call in calls)
    )


def _scalars(effects: ModRef, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The global variables that the functions may change; None if they may change more."""
    found: list[str] = []
    inside = effects.calls.reachable(names[0])
    for thing in effects.objects(effects.written_by_function(names[0])):
        if isinstance(thing, str):
            if not is_word(effects.program.globals[thing].type):
                return None
            found.append(thing)
        elif not isinstance(thing, tuple) or thing[0] not in inside:
            return None
        elif thing[0] in names and effects.is_escaped(thing):
            return None  # a call further in may change variables of this one
    return tuple(sorted(found))
