"""Prefixes that are followed together: their histories as trees, in which common beginnings are there once.

Two histories go into one tree if a single path leads along both until one of them turns. Others, such as those of a
path that was explored twice with other inputs, have a tree of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from clew.execute.history import Junction, StepKind
from clew.parallel.prefix import Plain, Prefix, Values, decoded, pack


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
    return at.then if at.step is not None and at.step.packed == pack(plain) else None


def _may_part(at: Junction, plain: Plain) -> bool:
    """Whether a history may leave the others here with a step.

    A turn comes before the step that those make who go on, and before the place where one ends. Who turns later has
    met what they have, too, but for what depends on the time, or on who runs the path: it has known no error there, or
    was proposed no input. Inputs are changed at the beginning of a path or of a sibling, so all that come here have to
    have the same.
    """
    if plain[0] == StepKind.TURN:
        is_before = at.step is None or plain[1] <= _last_choice(at.step.kind, at.step.number)
        return is_before and (at.end is None or plain[1] <= at.choices)
    return at.step is None and at.end is None and max(at.turns, default=0) <= _last_choice(plain[0], plain[1])


def _last_choice(kind: int, number: int) -> float:
    """The last of the choices at which histories may turn that do not make a step, of one that others make."""
    match kind:
        case StepKind.MODEL | StepKind.HINT:
            return 0
        case StepKind.KNOWN:
            return number
    return inf


def _may_end(at: Junction, prefix: Prefix) -> bool:
    """Whether a history may end here: nobody else does, and those who turn do so before that."""
    return at.step is None and at.end is None and max(at.turns, default=0) <= prefix.choices
