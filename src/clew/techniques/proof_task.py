"""What a technique that proves properties is given, and where it leaves its answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from clew.base.budget import Budget, StopReason
from clew.checks.properties import Property
from clew.execute.engine import Finished
from clew.execute.run import Run
from clew.execute.state import State
from clew.program.module import Function

BOUNDED = "bounded: not looked at beyond the bound"
"""Why a property is not known to hold: how this begins where loops were not followed to their ends."""


@dataclass(slots=True)
class ProofTask:
    """One task. Answers stand as soon as they are given, also when the run is stopped right after."""

    run: Run
    entry: Function
    start: Callable[[], State]
    """A new first state of the run."""
    budget: Budget
    properties: tuple[Property, ...]
    """Of ``run.program``. Collective ones (without spots) come last."""
    report: Callable[[Finished], bool]
    """Files a path that ends in ``Failed``: run again, written, counted; whether that showed the failure.

    A property is violated when a path that fails there was reported with success: no other answer is needed.
    """
    decide: str
    """``blackbox``, ``guide``, ``learn``, ``learn:K``."""
    unroll: int | None
    """Passes through each loop; None for as many as it takes."""
    tick: Callable[[], None] = lambda: None
    """Called now and then, for progress."""
    answers: dict[Property, str] = field(default_factory=dict)
    """Per property: empty where it holds on all paths, else why that is not known."""
    stopped: StopReason | None = None
    """What ended the search before every property had an answer."""

    def holds(self, item: Property) -> None:
        """The property was proved."""
        self.answers[item] = ""

    def unknown(self, item: Property, reason: str) -> None:
        """It was not; ``reason`` is part of a line for the user."""
        self.answers[item] = reason
