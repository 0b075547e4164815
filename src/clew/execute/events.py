"""What a run tells those who listen: one list of callbacks for each kind of event.

    run.events.loop_header.append(self._at_header)

Listeners are called in the order in which they came, in the engine's process, between two instructions of a path. An
event that nobody listens to costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clew.base.dataclass import dataclass
from clew.base.errors import PathEnd
from clew.execute.coverage import Edge
from clew.execute.frame import Frame
from clew.execute.pending import Pending
from clew.execute.sites import CheckId
from clew.execute.state import State
from clew.expr.node import Expr
from clew.report.records import LossKind
from clew.solver.interface import Query


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
    name: str
    """Of the merge point, or of the function that is called."""


@dataclass(frozen=True, slots=True)
class SupposedState:
    """Control is at the head of a loop, before rounds that are supposed to be without errors (``hypothesis``)."""

    state: State
    frame: Frame
    point: int
    """A state that resumes here, with these values, comes to the same place."""
    live: tuple[Any, ...]
    rounds: int
    """How many of them: the path comes to the head so many times more."""


class Events:
    """The listeners of a run, by kind of event."""

    __slots__ = (
        "branch", "environment_read", "implied_fact", "infeasible_sibling", "library_call", "loop_header", "loss",
        "memory_short", "merge_point", "path_end", "path_filed", "pending_sibling", "repeated_branch", "replay",
        "slice_end", "supposed_state",
    )  # fmt: skip

    def __init__(self) -> None:
        self.branch: list[Callable[[State, Frame, Expr], None]] = []
        """A state takes the side of a symbolic branch where a constraint holds; its path lacks it still."""
        self.repeated_branch: list[Callable[[State, Expr], None]] = []
        """A state comes to a symbolic branch whose outcome is part of its path."""
        self.implied_fact: list[Callable[[State, Expr, CheckId | None, Edge | None, Query | None], None]] = []
        """A state goes on as if a fact were certain, since its path implies it: no sibling was queued.

        With the error that would show otherwise, or the edge over which the path would go, and constraints of the
        path that contradict the negation of the fact; each None where that is not known.
        """
        self.pending_sibling: list[Callable[[Pending], bool]] = []
        """A sibling is about to be queued. False drops it: the listener answers for what is lost."""
        self.infeasible_sibling: list[Callable[[Pending, Query | None], None]] = []
        """The solver refuted a pending sibling; with contradictory constraints of its, if they are known."""
        self.path_end: list[Callable[[State, PathEnd], None]] = []
        """A path is over, however it ended."""
        self.path_filed: list[Callable[[State, PathEnd], None]] = []
        """A path is over, and what it shows was filed."""
        self.loop_header: list[Callable[[Visit], None]] = []
        """Control is at the header of a loop that was made visible (``instrument.loop_marks``). The listener may raise
        ``Moved`` after it has put the state elsewhere."""
        self.merge_point: list[Callable[[MergePoint], None]] = []
        """Control is at a merge point. The listener may end the path, or raise ``Moved`` as above."""
        self.library_call: list[Callable[[MergePoint], None]] = []
        """A state with constant symbols is about to call a model. The listener may raise ``Moved``."""
        self.supposed_state: list[Callable[[SupposedState], None]] = []
        """Control is at the head of a loop, before rounds without errors. The listener may end the path."""
        self.environment_read: list[Callable[[State, str], None]] = []
        """A model asks for what was kept for the path under a name."""
        self.slice_end: list[Callable[[State], None]] = []
        """A state has run for a slice, and is about to go on; it is suspended, and the listener may move it."""
        self.replay: list[Callable[[Any], None]] = []
        """Inputs of a path are about to be run once more, in a run of their own: that run, with events of its own."""
        self.loss: list[Callable[[State, LossKind], None]] = []
        """Some behaviour of a path is not explored."""
        self.memory_short: list[Callable[[], None]] = []
        """Memory runs out: what can be found again, or is of little use, should go."""
