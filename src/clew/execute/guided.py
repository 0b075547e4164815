"""Guided execution: a technique, not a searcher, says which state runs, how far, and what its siblings wait for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from clew.base.budget import Budget
from clew.execute.engine import Engine
from clew.execute.events import Events
from clew.execute.pending import Pending
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import State, go_on


class OutOfBudget(Exception):
    """The budget ended while a state ran, which is where it was."""


class GuidedExecutor(ABC):
    """Runs the states of a traced run one by one, each until it is halted; also the run's searcher.

    Nobody else listens to the run.
    """

    def __init__(self, run: Run, budget: Budget, progress: Callable[[], None] = lambda: None) -> None:
        self.run = run
        self.engine = Engine(run, budget, ExplorePolicy(self.path_ended, progress))
        self.running: State | None = None
        self.halted = False
        """Whether the state that ran last was told to stop, in place of its path having ended."""
        run.searcher = self
        run.events = Events()

    def run_until_halted(self, state: State, most_steps: int | None = None) -> None:
        """Run a state until it is halted, has run so many instructions, or its path ends; raises ``OutOfBudget``."""
        last = None if most_steps is None else state.steps + most_steps

        def is_halted() -> bool:
            self.halted = self.halted or (last is not None and state.steps > last)
            return self.halted

        self.running, self.halted = state, False
        state.step = self.step
        try:
            self.engine.run_until(state, is_halted)
        finally:
            self.running, state.step = None, go_on
        if self.engine.stopped is not None:
            raise OutOfBudget

    def halt(self) -> bool:
        """Stop the running state, at the edge that it takes: for ``step`` to return."""
        assert self.running is not None
        self.halted = True
        self.running.slice, self.running.stop = -1, 0
        return True

    @abstractmethod
    def step(self, choice: Any) -> bool:
        """The running state takes an edge, by its number, or calls a function, by its name; True stops it there."""

    @abstractmethod
    def path_ended(self, path: Finished) -> None:
        """The path of the running state has ended."""

    # The searcher of the run

    @abstractmethod
    def add(self, pending: Pending) -> None:
        """A sibling of the running state: the other side of a branch, or of something within an instruction."""

    def select(self) -> Pending | None:
        """Nothing: the engine is not to choose."""
        return None

    @abstractmethod
    def evict(self, count: int) -> list[Pending]:
        """Give up states that wait, those that are least promising."""

    @abstractmethod
    def __len__(self) -> int:
        """How many states wait."""
