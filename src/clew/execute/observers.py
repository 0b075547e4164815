"""How techniques take part in an exploration: observers with a few typed hooks.

Derive from ``Observer`` and override what is needed. A run calls only hooks that are overridden, so
an exploration without techniques pays nothing for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clew.base.errors import PathEnd

if TYPE_CHECKING:
    from clew.execute.coverage import Edge
    from clew.execute.frame import Frame
    from clew.execute.pending import CheckId, Pending
    from clew.execute.state import State
    from clew.expr.node import Expr
    from clew.solver.interface import Query

HOOKS = (
    "branch", "repeated", "pending", "infeasible", "path_end", "loop_header", "relied", "merge_point",
    "path_filed", "library_call",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Visit:
    """Control is at the header of a loop."""

    state: State
    frame: Frame
    point: int
    """A state that resumes here, with these values, makes the same visit."""
    live: tuple[Any, ...]
    loop: str
    first: bool
    """Whether control comes from outside of the loop."""
    values: tuple[Any, ...]
    """Of the header's phis, in order."""


@dataclass(frozen=True, slots=True)
class MergePoint:
    """Control is at a place where paths meet that inputs have separated (see ``instrument.merge_points``)."""

    state: State
    frame: Frame
    point: int
    """A state that resumes here, with these values, comes to the same place."""
    live: tuple[Any, ...]


class Observer:
    """All hooks with empty bodies. They run in the engine's process, between two instructions of a path."""

    every_block = False
    """Whether every block is to be announced as if it were the header of a loop."""

    def branch(self, state: State, frame: Frame, constraint: Expr) -> None:
        """``state`` takes the side of a symbolic branch where ``constraint`` holds; its path lacks it still."""

    def repeated(self, state: State, constraint: Expr) -> None:
        """``state`` comes to a symbolic branch whose outcome, ``constraint``, is part of its path."""

    def pending(self, pending: Pending) -> bool:
        """A sibling is about to be queued. False drops it (the observer answers for what is lost)."""
        return True

    def infeasible(self, pending: Pending, core: Query | None) -> None:
        """The solver refuted a pending sibling. ``core``: contradictory constraints of its, if they are known."""

    def path_end(self, state: State, end: PathEnd) -> None:
        """A path is over, however it ended."""

    def path_filed(self, state: State, end: PathEnd) -> None:
        """A path is over, and what it shows was filed."""

    def loop_header(self, visit: Visit) -> None:
        """Control reaches the header of a loop. May raise ``Moved`` after it has put the state elsewhere."""

    def relied(self, state: State, fact: Expr, check: CheckId | None, edge: Edge | None, core: Query | None) -> None:
        """``state`` goes on as if ``fact`` were certain, since its path says so: no sibling was queued.

        ``check``: the error that would show otherwise; None if the path would just go another way, over ``edge``.
        ``core``: constraints of the path that contradict its negation, if they are known.
        """

    def merge_point(self, arrival: MergePoint) -> None:
        """Control is at a merge point. May end the path, or raise ``Moved`` after it has changed the state."""

    def library_call(self, arrival: MergePoint, name: str) -> None:
        """A state with symbols that stand for numbers is about to call a model. May raise ``Moved``."""


class Observers:
    """The observers of a run, by hook."""

    def __init__(self, observers: tuple[Observer, ...] = ()) -> None:
        self.all = observers
        self._by_hook = {
            hook: tuple(o for o in observers if getattr(type(o), hook) is not getattr(Observer, hook)) for hook in HOOKS
        }

    def of(self, hook: str) -> tuple[Observer, ...]:
        """Those that override a hook."""
        return self._by_hook[hook]

    @property
    def every_block(self) -> bool:
        """Whether generated code must announce every block."""
        return any(observer.every_block for observer in self.all)

    @property
    def watch_loops(self) -> bool:
        """Whether generated code must announce loop headers."""
        return bool(self._by_hook["loop_header"])
