"""Prefixes that are followed together: their histories as trees, in which common beginnings are there once.

Two histories go into one tree if a single path leads along both until one of them turns. Others, such as those of a
path that was explored twice with other inputs, have a tree of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.execute.history import Junction, StepKind
from clew.parallel.prefix import Plain, Prefix, Values, decoded


def bundles(prefixes: Iterable[Prefix]) -> list[Junction]:
    """The trees of some prefixes, each of which is in one of them, by its place among all."""
    trees: list[Junction] = []
    for number, prefix in enumerate(prefixes):
        steps = prefix.steps()
        if not any(_added(tree, number, prefix, steps) for tree in trees):
            trees.append(Junction(number))
            _added(trees[-1], number, prefix, steps)
    return trees


def _added(tree: Junction, number: int, prefix: Prefix, steps: Sequence[Plain]) -> bool:
    """Add a history to a tree, unless no path leads along this one and the others."""
    at, known = tree, 0
    values: Values = {}
    while known < len(steps) and (there := _next(at, steps[known])) is not None:
        if at.step is not None and there is at.then and at.step.values is not None:
            values = at.step.values
        at, known = there, known + 1
    fits = _may_end(at, prefix) if known == len(steps) else _may_part(at, steps[known])
    if not fits:
        return False
    for plain in steps[known:]:
        kind, choice = StepKind(plain[0]), plain[1]
        there = Junction(number)
        if kind is StepKind.TURN:
            at.turns[choice] = there
        else:
            at.step, at.then = decoded(values, plain), there
            values = at.step.values if at.step.values is not None else values
        at = there
    at.end, at.choices, at.executed = number, prefix.choices, prefix.executed
    return True


def _next(at: Junction, plain: Plain) -> Junction | None:
    """Where a step leads that others have made."""
    if plain[0] == StepKind.TURN:
        return at.turns.get(plain[1])
    return at.then if at.step is not None and at.step.plain == plain else None


def _may_part(at: Junction, plain: Plain) -> bool:
    """Whether a history may leave the others here with a step.

    A turn comes before the step that those make who go on, and before the place where one ends. Inputs are changed at
    the beginning of a path or of a sibling, so all that come here have to have the same.
    """
    if at.step is not None and at.step.kind is StepKind.MODEL:
        return False
    if plain[0] == StepKind.TURN:
        return at.end is None or plain[1] <= at.choices
    if plain[0] == StepKind.MODEL and at.turns:
        return False
    return at.step is None and at.end is None


def _may_end(at: Junction, prefix: Prefix) -> bool:
    """Whether a history may end here: nobody else does, and those who turn do so before that."""
    return at.step is None and at.end is None and max(at.turns, default=0) <= prefix.choices
