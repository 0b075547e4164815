"""Assignments that are done all at once, as assignments one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from clew.analysis.absint.linear import Linear, Variable


@dataclass(frozen=True, slots=True)
class Former:
    """The value a variable had before: a variable of its own, for as long as an assignment is under way."""

    variable: Variable


def one_by_one(values: Mapping[Variable, Linear]) -> tuple[list[tuple[Variable, Linear]], list[Variable]]:
    """What to assign in which order, and the old values among it that have to be forgotten in the end."""
    steps: list[tuple[Variable, Linear]] = []
    former: list[Variable] = []
    pending = {variable: value for variable, value in values.items() if value != Linear.of(variable)}
    while pending:
        read = _reading(pending)
        ready = [v for v, value in pending.items() if read[v] == (v in value.terms)]
        if not ready:  # a cycle: one of the old values gets a name of its own
            target = next(iter(pending))
            old = Former(target)
            former.append(old)
            steps.append((old, Linear.of(target)))
            pending = {v: value.substituted(target, Linear.of(old)) for v, value in pending.items()}
            ready = [target]
        steps += [(target, pending.pop(target)) for target in ready]
    return steps, former


def _reading(pending: Mapping[Variable, Linear]) -> dict[Variable, int]:
    """How many of the pending assignments read each of their targets."""
    counts = dict.fromkeys(pending, 0)
    for value in pending.values():
        for variable in value.terms:
            if variable in counts:
                counts[variable] += 1
    return counts
