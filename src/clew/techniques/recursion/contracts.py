"""Contracts of functions that call each other, and what has to be known of such functions to have any.

The functions of one component of the call graph are looked at together. What their calls change must be plain to see:
scalars, which can be given any value; parameters are numbers, or pass through all calls as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from clew.analysis.mod_ref import ModRef
from clew.program import instructions as ir
from clew.program.module import Function
from clew.program.types import IntType, PointerType, Type, VoidType
from clew.program.values import GlobalRef
from clew.techniques.invariants.loop_effects import is_plain
from clew.techniques.recursion.conditions import Condition, Term

RESULT: Term = "r"
_WIDTHS = (1, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Contract:
    """What callers see to, and what they may rely on."""

    before: tuple[Condition, ...] = ()
    """Of the arguments, and of memory, of all calls but those from outside."""
    after: tuple[Condition, ...] = ()
    """Of the same, of the result, and of memory afterwards."""


@dataclass(frozen=True, slots=True)
class Component:
    """Functions that call each other, and only numbers tell one call from another."""

    names: tuple[str, ...]
    scalars: tuple[str, ...]
    """Global variables that they may change, each an integer."""
    fixed: dict[str, frozenset[int]] = field(default_factory=dict)
    """Per function, the places of parameters that every call from inside passes on as they are."""


def parameter(place: int) -> Term:
    """The term of a parameter."""
    return f"p{place}"


def afterwards(scalar: str) -> Term:
    """The term of a global variable when a call has returned."""
    return f"{scalar}'"


def component_of(effects: ModRef, names: tuple[str, ...]) -> Component | str:
    """The component of these functions; the reason, if contracts cannot describe what they do."""
    program = effects.program
    functions = [program.functions[name] for name in names]
    if any(name in effects.calls.taken for name in names):
        return "is called through pointers"
    if not all(is_plain(effects, function.instructions()) for function in functions):
        return "does more than memory shows"
    fixed = {function.name: _fixed(function, names) for function in functions}
    for function in functions:
        if function.type.varargs or not _is_number_or_none(function.type.result):
            return "gives back more than a number"
        for place, given in enumerate(function.parameters):
            if given.byval is not None or given.sret is not None:
                return "has structures as parameters"
            if not isinstance(given.value.type, IntType) and place not in fixed[function.name]:
                return "has parameters other than numbers that change from call to call"
    scalars = _scalars(effects, names)
    if isinstance(scalars, str):
        return scalars
    return Component(names, scalars, fixed)


def _is_number_or_none(type: Type) -> bool:
    return isinstance(type, VoidType) or (isinstance(type, IntType) and type.width in _WIDTHS)


def _fixed(function: Function, names: tuple[str, ...]) -> frozenset[int]:
    """Parameters that the function's calls of itself pass on; none where several functions call each other."""
    if len(names) > 1:
        return frozenset()
    calls = [i for i in function.instructions() if isinstance(i, ir.Call) and i.callee == GlobalRef(function.name)]
    return frozenset(
        place
        for place, given in enumerate(function.parameters)
        if isinstance(given.value.type, IntType | PointerType)
        and all(len(call.arguments) > place and call.arguments[place].value == given.value for call in calls)
    )


def _scalars(effects: ModRef, names: tuple[str, ...]) -> tuple[str, ...] | str:
    """The global variables that the functions may change; the reason, if they may change more."""
    program, found = effects.program, []
    inside = effects.calls.reachable(names[0])
    for thing in effects.objects(effects.written_by_function(names[0])):
        if isinstance(thing, str):
            type = program.globals[thing].type
            if not isinstance(type, IntType) or type.width not in _WIDTHS[1:]:
                return f"changes {thing}, which is no number"
            found.append(thing)
        elif not isinstance(thing, tuple) or thing[0] not in inside:
            return "changes memory that is not its own"
        elif thing[0] in names and effects.is_escaped(thing):
            return "hands out addresses of its variables"
    return tuple(sorted(found))


def recursive_components(effects: ModRef, entry: str) -> list[tuple[str, ...]]:
    """The components of the call graph that run, and that have calls from inside."""
    reachable = effects.calls.reachable(entry)
    return [
        part
        for part in effects.calls.components
        if part[0] in reachable and effects.calls.is_recursive(part[0]) and entry not in part
    ]
