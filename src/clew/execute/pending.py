"""A sibling that waits: a state and one constraint nobody has solved yet. And who keeps the waiting ones."""

from __future__ import annotations

from typing import Any, Protocol

from clew.execute.coverage import Edge
from clew.execute.sites import CheckId
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.expr.node import Expr


class Pending:
    """``constraint`` None: a running state that was interrupted. ``model``: a known witness, if any."""

    __slots__ = (
        "_state", "check", "constraint", "depth", "edge", "gave_way", "heir", "model", "serial", "taken", "told",
    )  # fmt: skip

    def __init__(
        self,
        state: State,
        constraint: Expr | None,
        model: Model | None,
        edge: Edge | None,
        serial: int,
        check: CheckId | None = None,
    ) -> None:
        self._state: State | None = state
        self.constraint = constraint
        self.model = model
        self.edge = edge
        """The branch edge it would take; None when it resumes in the middle of a block."""
        self.check = check
        """The error that it would show; None if it would just go another way."""
        self.serial = serial
        """Order of creation: the same in every run with the same seed."""
        self.depth = state.depth
        self.heir: Pending | None = None
        """What has taken its place, if something has."""
        self.taken = False
        """Set when it was selected or evicted; structures that still hold it skip it."""
        self.gave_way = False
        """Whether it was interrupted because its turn was over, not because something else was to be done."""
        self.told: Any = None
        """For who tells others of it: what was told the first time."""

    @property
    def state(self) -> State:
        """The waiting state; there until it is released."""
        assert self._state is not None
        return self._state

    @property
    def released(self) -> bool:
        """Whether the state was let go of."""
        return self._state is None

    def twin(self) -> Pending:
        """The same once more, not taken by anybody: its heir."""
        twin = Pending(self.state, self.constraint, self.model, self.edge, self.serial, self.check)
        twin.told, twin.gave_way = self.told, self.gave_way
        self.heir = twin
        return twin

    def release(self) -> State:
        """The state, let go of here: strategies may hold a pending that is taken for a long time."""
        state = self.state
        self._state = None
        self.constraint = self.model = self.told = None
        return state


class Searcher(Protocol):
    """Decides which pending sibling is next."""

    def add(self, pending: Pending) -> None:
        """A sibling to keep."""
        ...

    def select(self) -> Pending | None:
        """Take one out; None when there is none."""
        ...

    def evict(self, count: int) -> list[Pending]:
        """Give up ``count`` siblings, the least promising first, the same ones for the same seed."""
        ...

    def __len__(self) -> int:
        """How many are waiting."""
        ...


class Tracker(Protocol):
    """Told of all that waits in a run, and of what becomes of it: who has to know what is left to explore."""

    def queued(self, pending: Pending) -> None:
        """A sibling waits, or a state that gave way to others, or that was cut in the middle of its path."""

    def refused(self, pending: Pending) -> None:
        """It does not: somebody answers for what is lost."""

    def activated(self, pending: Pending) -> None:
        """It is about to run, or was found to be infeasible."""


class NoSiblings:
    """The searcher of a run that is to have one path: it keeps nothing."""

    def add(self, pending: Pending) -> None:
        pending.release()

    def select(self) -> Pending | None:
        return None

    def evict(self, count: int) -> list[Pending]:
        return []

    def __len__(self) -> int:
        return 0
