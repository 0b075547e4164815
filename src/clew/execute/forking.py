"""Siblings: the other sides of what a state decides, queued to be explored."""

from __future__ import annotations

from typing import Any

from clew.execute.frame import Frame
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
) -> None:
    """Queue a sibling that goes on at ``point`` if ``constraint`` can hold (with ``model``, if that is known).

    ``check``: the error that it would show there.
    """
    if constraint is False:
        return
    if isinstance(constraint, Expr) and s.is_refuted(constraint, check, f, point):
        return
    sibling = s.fork(f.suspended(object(), point, live))
    sibling.decisions = Decision(s.decisions, f.function.name, point)
    s.run.add_pending(sibling, constraint, model, check)
