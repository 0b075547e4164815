"""Pointers of a test that do not matter become null, for tests that people read.

A function that is given a struct is given all of its members, and a pointer there leads somewhere even if the function
does not look at it. Those that lead to memory which nobody looked into, or to functions that were not called, become
null together, and the function is run again: if it does the same as before, none of them matters; otherwise they are
split (delta debugging).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from clew.jobs.decisive_inputs import COST
from clew.jobs.reexecution import ConcreteOutcome
from clew.report.values import InputValue, Pointee

MOST_TRIES = 16
"""Re-executions for one test."""
MOST_INSTRUCTIONS = 1_000_000
"""Of these re-executions together, more or less."""

Inputs = tuple[InputValue, ...]


def without_spare_pointers(
    inputs: Inputs, outcome: ConcreteOutcome, again: Callable[[Inputs], ConcreteOutcome]
) -> Inputs:
    """The inputs of a test, with fewer pointers if possible; ``outcome`` is what they lead to, ``again`` what others
    do."""
    current = inputs
    groups = [group for group in (_spare(inputs),) if group]
    tries = min(MOST_TRIES, MOST_INSTRUCTIONS // (outcome.instructions + COST))
    while groups and tries:
        group = groups.pop()
        changed = _with_nulls(current, group)
        tries -= 1
        if _same(again(changed), outcome):
            current = changed
        elif len(group) > 1:
            half = len(group) // 2
            groups += [group[half:], group[:half]]
    return _without_unused(current) if current is not inputs else inputs


def _same(one: ConcreteOutcome, other: ConcreteOutcome) -> bool:
    return replace(one, instructions=0) == replace(other, instructions=0)


def _spare(inputs: Inputs) -> list[int]:
    """The positions of pointers that may not matter."""
    filled = {value.at.object for value in inputs if value.kind == "cell" and value.at is not None}
    called = {value.value for value in inputs if value.kind == "call"}
    found = []
    for at, value in enumerate(inputs):
        points = value.points
        if value.kind != "cell" or value.call or points is None:
            continue
        unseen = points.kind == "object" and points.which not in filled
        if unseen or (points.kind == "callback" and points.which not in called):
            found.append(at)
    return found


def _with_nulls(inputs: Inputs, group: Sequence[int]) -> Inputs:
    chosen = set(group)
    null = Pointee("null")
    return tuple(replace(value, points=null) if at in chosen else value for at, value in enumerate(inputs))


def _without_unused(inputs: Inputs) -> Inputs:
    """Without memory that nothing leads to, and that nothing is said about."""
    used = set(_used(inputs))
    return tuple(value for value in inputs if value.kind != "memory" or value.at is None or value.at.object in used)


def _used(inputs: Iterable[InputValue]) -> Iterable[int | str]:
    for value in inputs:
        if value.kind == "memory" and value.at is not None and (value.route is not None or value.call):
            yield value.at.object
        if value.kind == "cell" and value.at is not None:
            yield value.at.object
        if value.points is not None and value.points.kind == "object":
            yield value.points.which
