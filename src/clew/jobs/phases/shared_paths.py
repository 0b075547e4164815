"""The paths of a phase, which several processes may explore together.

A phase that explores asks between two slices of a path whether it is to be left, and when it comes back, whether there
is more to do. In one process that is no more than two questions.
"""

from __future__ import annotations

from typing import Protocol

from clew.base.budget import Budget
from clew.execute.engine import Engine


class PathSource(Protocol):
    """Where a process has its paths from, and whom it tells about them."""

    def attend(self) -> None:
        """Between two slices: hear and tell what there is."""

    def more(self) -> bool:
        """Nothing is left here: wait for more; whether there is some."""


class SharedPaths:
    """Of one phase; ``budget`` is the one that pauses it."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._is_wanted = False
        self._source: PathSource | None = None

    def divide(self) -> None:
        """The phase is to stop where its paths can be divided; whoever goes on with it does so from there."""
        self._is_wanted = True

    def join(self, source: PathSource) -> None:
        """This process has its part from now on."""
        self._source = source

    @property
    def is_divided(self) -> bool:
        """Whether this process explores a part of them, and others the rest."""
        return self._source is not None

    def is_time(self) -> bool:
        """Whether exploration is to be left."""
        if self._source is not None:
            self._source.attend()
            return False
        return self._is_wanted

    def more(self, engine: Engine) -> bool:
        """Exploration was left, or has come to an end: whether it is to go on."""
        if self._source is None and self._is_wanted and engine.paused:
            self._budget.give_way()
        return self._source is not None and self._source.more()
