"""Siblings: the other sides of what a state decides, queued to be explored."""

from __future__ import annotations

from typing import Any

from clew.execute.frame import Frame
from clew.execute.history import PathStep, StepKind, Turn, Turned
from clew.execute.sites import CheckId, Decision
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.expr.node import Expr

Live = tuple[Any, ...]
"""The values of the registers that are live at a point, in its order."""


def fork_at(
    s: State,
    f: Frame,
    point: int,
    live: Live,
    constraint: Any,
    model: Model | None = None,
    check: CheckId | None = None,
    wanted: bool = True,
) -> None:
    """Queue a sibling that goes on at ``point`` if ``constraint`` can hold (with ``model``, if that is known).

    ``check``: the error that it would show there. A sibling that is not ``wanted`` is a choice of the path all the
    same. A state that follows a history queues none: what it turns down is explored by others.
    """
    number = s.choices + 1
    if s.following is not None and s.following.is_past(number):
        s.following = None
    if s.following is not None:
        turning = s.following.turn(number)
        if turning is not None and constraint is not False:
            sibling = _sibling(s, f, point, live, number)
            sibling.following = turning
            s.following.turned.append(Turn(sibling, constraint, check))
        if s.following.is_done:
            raise Turned
    elif wanted and constraint is not False and not _is_refuted(s, f, point, constraint, check):
        s.run.add_pending(_sibling(s, f, point, live, number), constraint, model, check)
    s.choices = number


def _is_refuted(s: State, f: Frame, point: int, constraint: Any, check: CheckId | None) -> bool:
    return isinstance(constraint, Expr) and s.is_refuted(constraint, check, f, point)


def _sibling(s: State, f: Frame, point: int, live: Live, number: int) -> State:
    sibling = s.fork(f.suspended(object(), point, live))
    sibling.decisions = Decision(s.decisions, f.function, point)
    sibling.choices = number
    sibling.history = PathStep(s.history, StepKind.TURN, number)
    return sibling
