"""Values with their history.

A definition says how a value came about on one path, in terms of other values:

    apply       the operation, on the values of ``arguments``; None: the value of the one argument
    literals    the choices without which the value might be another: the way into a join whose phi it
                is, or into joins where memory might have been changed
    also        values that must stay as they are for this to be the definition: addresses
    entered     first iterations of loops that the value was handed into from outside: what rests on it
                need not hold in later iterations
    gate        condition, value if it holds, value if not: another way to say it, without choices
    prefix      nothing is known but that the value was seen on this prefix of the path

Constants stand for themselves. A definition without any of this is an input.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from clew.base.dataclass import dataclass
from clew.explain.prefix import Prefix
from clew.explain.unrolled import Scope
from clew.program import instructions as ir
from clew.program.operands import registers
from clew.program.types import I1, Type
from clew.program.values import Register

UNKNOWN = object()
"""The value of a definition that was not worked out yet."""


@dataclass(slots=True, eq=False, repr=False)
class Definition:
    """See the module."""

    arguments: tuple[Any, ...] = ()
    apply: Callable[..., Any] | None = None
    literals: tuple[int, ...] = ()
    also: tuple[Any, ...] = ()
    prefix: Prefix | None = None
    value: Any = UNKNOWN
    type: Type | None = None
    instruction: ir.Instruction | None = None
    entered: tuple[Scope, ...] = ()
    gate: tuple[Any, Any, Any] | None = field(default=None, init=False)
    fixed: bool = field(init=False)
    """The value is the same on every path that has it at all: an input, the address of an object."""

    def __post_init__(self) -> None:
        rests = self.literals or self.also or self.entered or self.prefix is not None
        self.fixed = not rests and all(is_fixed(item) for item in self.arguments)


def is_fixed(item: Any) -> bool:
    """Whether a value rests on no choice."""
    return not isinstance(item, Definition) or item.fixed


class Lost(Exception):
    """A value that cannot be worked out again."""


def value_of(item: Any) -> Any:
    """The value on the path: what execution computed. Raises Lost where that cannot be told."""
    if not isinstance(item, Definition):
        return item
    if item.value is not UNKNOWN:
        return item.value
    work = [item]
    while work:
        top = work[-1]
        if top.value is not UNKNOWN:
            work.pop()
            continue
        missing = [a for a in top.arguments if isinstance(a, Definition) and a.value is UNKNOWN]
        if missing:
            work.extend(missing)
            continue
        if not top.arguments and top.apply is None:
            raise Lost
        values = [a.value if isinstance(a, Definition) else a for a in top.arguments]
        top.value = values[0] if top.apply is None else top.apply(*values)
        work.pop()
    return item.value


@dataclass(slots=True, eq=False)
class Reason:
    """Choices that together force something."""

    literals: set[int] = field(default_factory=set)
    entered: set[Scope] = field(default_factory=set)
    prefix: Prefix | None = None
    """All choices up to here belong to it, too."""
    selected: bool = False
    """Some number was selected by what rests on choices. These belong to it, even if the other would do as well."""

    def rest_on(self, prefix: Prefix) -> None:
        if self.prefix is None or prefix.depth > self.prefix.depth:
            self.prefix = prefix

    def all_literals(self) -> set[int]:
        return self.literals.union(self.prefix.literals()) if self.prefix is not None else self.literals


def reason_for(items: list[Any], reason: Reason) -> Reason:
    """Add everything that the values of ``items`` rest on."""
    work = [item for item in items if isinstance(item, Definition)]
    seen: set[int] = set()
    while work:
        top = work.pop()
        if id(top) in seen:
            continue
        seen.add(id(top))
        if top.prefix is not None:
            reason.rest_on(top.prefix)
            continue
        reason.literals.update(top.literals)
        reason.entered.update(top.entered)
        work.extend(item for item in top.also if isinstance(item, Definition))
        work.extend(item for item in _decisive(top) if isinstance(item, Definition))
        chosen = isinstance(top.instruction, ir.Select) and top.type != I1 and top.arguments
        if chosen and not is_fixed(top.arguments[0]):
            reason.selected = True
    return reason


def _decisive(top: Definition) -> tuple[Any, ...]:
    """The arguments that suffice: what is chosen away or multiplied by zero does not count."""
    instruction, arguments = top.instruction, top.arguments
    if len(arguments) < 2:
        return arguments
    try:
        match instruction:
            case ir.Select(condition=Register()) if isinstance(condition := value_of(arguments[0]), bool):
                return _selected(instruction, arguments, condition)
            case ir.Binary(op="and" | "mul"):
                return _one_of(arguments, (0, False))
            case ir.Binary(op="or"):
                return _one_of(arguments, (True,))
    except Lost:
        pass
    return arguments


def _selected(select: ir.Select, arguments: tuple[Any, ...], condition: bool) -> tuple[Any, ...]:
    """The condition and what it selects, of the arguments: those are the registers among the operands, each once."""
    chosen = select.if_true if condition else select.if_false
    names = dict.fromkeys(register.name for register in registers(select))
    return tuple(
        argument
        for position, (name, argument) in enumerate(zip(names, arguments, strict=True))
        if position == 0 or (isinstance(chosen, Register) and chosen.name == name)
    )


def _one_of(arguments: tuple[Any, ...], absorbing: tuple[Any, ...]) -> tuple[Any, ...]:
    for argument in arguments:
        value = value_of(argument)
        if type(value) in (int, bool) and any(value is a or (type(value) is type(a) and value == a) for a in absorbing):
            return (argument,)
    return arguments
