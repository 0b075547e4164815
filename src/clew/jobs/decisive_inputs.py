"""Which inputs of a failure matter: those that cannot be something else without the failure going away.

An input that the path says nothing about does not matter. Of the others, groups of those that are not zero become zero,
and the program is run again: if it fails as before, none of the group matters, and they stay zero; otherwise the group
is split (delta debugging). Those that are zero become something else, each for itself, as it is the relation between
them that may matter; where there are many, in groups, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.execute.inputs import reads
from clew.execute.state import State
from clew.expr.node import Expr
from clew.report.values import InputValue, Pointee, Value

MOST_TRIES = 48
"""Re-executions for one failure."""
MOST_INSTRUCTIONS = 3_000_000
"""Of these re-executions together, more or less."""
MOST_ZEROS = 16
"""Inputs that are zero and are looked at one by one."""
COST = 20_000
"""What a re-execution costs beside its instructions, in instructions."""


def decisive(
    inputs: Sequence[InputValue],
    mentioned: Sequence[bool],
    length: int,
    shows: Callable[[tuple[InputValue, ...]], bool],
) -> tuple[int, ...]:
    """The positions of inputs that matter, of those that the path says something about, which has this many
    instructions; ``shows`` says whether the failure is there with other inputs.

    Those that could not be tried count as such.
    """
    wanted = [at for at, value in enumerate(inputs) if mentioned[at] and _can_differ(value)]
    zero = [at for at in wanted if _is_zero(inputs[at])]
    others = [at for at in wanted if at not in zero]
    alone = [[at] for at in zero] if len(zero) <= MOST_ZEROS else [zero]
    groups = [group for group in (*alone, others) if group]
    tries = min(MOST_TRIES, MOST_INSTRUCTIONS // (length + COST))
    current, kept = list(inputs), set[int]()
    while groups and tries:
        group = groups.pop()
        changed = [_changed(value) if at in group else value for at, value in enumerate(current)]
        tries -= 1
        if shows(tuple(changed)):
            current = current if group in alone else changed
        elif len(group) == 1:
            kept.update(group)
        else:
            half = len(group) // 2
            groups += [group[half:], group[:half]]
    return tuple(sorted({*kept, *(at for group in groups for at in group)}))


def mentioned_inputs(state: State, count: int) -> list[bool]:
    """For each input whether the path says something about it."""
    found: list[bool] = []
    for read in reads(state.inputs):
        symbols = (symbol for value in read.values if isinstance(value, Expr) for symbol in value.symbols)
        found.append(any(state.path.mentions(symbol) for symbol in symbols))
    return [*reversed(found), *[False] * (count - len(found))]


def _can_differ(value: InputValue) -> bool:
    """Not the memory itself, nor pointers to objects, which say how it hangs together."""
    return value.kind not in ("memory", "call") and (value.points is None or value.points.kind == "null")


def _is_zero(value: InputValue) -> bool:
    return value.points is not None or not (any(value.value) if isinstance(value.value, bytes) else value.value)


def _changed(value: InputValue) -> InputValue:
    """Zero, or something else where it is zero."""
    if value.points is not None:
        nowhere = (1 << value.bits) - (1 << value.bits - 5)  # far from all objects: nothing can be done with it
        return replace(value, points=Pointee("number", nowhere))
    other: Value
    if isinstance(value.value, bytes):
        some = b"a" if len(value.value) > 1 else b"\1"
        other = bytes(len(value.value)) if any(value.value) else some.ljust(len(value.value), b"\0")
    elif isinstance(value.value, float):
        other = 0.0 if value.value else 1.0
    else:
        other = 0 if value.value else 1
    return replace(value, value=other)
