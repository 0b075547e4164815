"""Questions for techniques: what one that proves properties, or looks for a target, is given, and its answers.

An answer stands as soon as it is given, also when the run is stopped right after. A technique that cannot work on the
program raises Unsupported, whose feature says why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import Enum, auto

from clew.base.budget import Budget, StopReason
from clew.base.dataclass import dataclass
from clew.checks.properties import Property, PropertyKey, Site
from clew.execute.policy import Finished
from clew.execute.run import Run
from clew.execute.state import State
from clew.program.module import Function
from clew.solver.stats import SolverStats


class OpenReason(Enum):
    """Why a question is open."""

    UNDECIDED = auto()
    """Nobody has come to an end with it."""
    STOPPED = auto()
    """The budget ended first."""
    BOUNDED = auto()
    """Loops were not followed beyond the bound."""
    UNSUPPORTED = auto()
    """The technique does not support something in the program."""
    NOT_FOLLOWED = auto()
    """Some behaviour was not followed, or not for certain."""
    UNCONFIRMED = auto()
    """A path violates it, but its inputs did not show that again."""


@dataclass(frozen=True, slots=True)
class Proved:
    """No path violates the property, or none leads to the target; ``text`` says why, if there is something to say."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Violated:
    """A path violates the property, or leads to the target: it was reported, and its inputs showed that again."""


@dataclass(frozen=True, slots=True)
class Open:
    """Neither is known. ``text`` is part of a line for the user."""

    reason: OpenReason
    text: str


Answer = Proved | Violated | Open

UNDECIDED = Open(OpenReason.UNDECIDED, "not decided")


def bounded(bound: int) -> Open:
    """The answer where loops were not followed to their ends."""
    return Open(OpenReason.BOUNDED, f"bounded: not looked at beyond the bound of {bound}")


def unsupported(technique: str, feature: str) -> Open:
    """The answer where a technique cannot work on the program."""
    return Open(OpenReason.UNSUPPORTED, f"{technique} does not support {feature}")


@dataclass(slots=True, kw_only=True)
class Task:
    """One question, of any kind."""

    run: Run
    entry: Function
    start: Callable[[], State]
    """A new first state of the run."""
    budget: Budget
    report: Callable[[Finished], bool]
    """Files a path that ends in ``Failed``, as at the mark of a target: run again, written, counted; whether that
    showed the failure."""
    progress: Callable[[], None] = lambda: None
    """Called now and then."""
    stopped: StopReason | None = None
    """What ended the search before everything had an answer."""


@dataclass(slots=True, kw_only=True)
class ProofTask(Task):
    """Whether properties hold."""

    properties: tuple[Property, ...]
    """Of ``run.program``. Collective ones (without spots) come last."""
    decide: str
    """``blackbox``, ``guide``, ``learn``, ``learn:K``."""
    unroll: int | None
    """Passes through each loop; None for as many as it takes."""
    answers: dict[PropertyKey, Answer] = field(default_factory=dict)
    proved: Callable[[PropertyKey], None] = lambda key: None
    """Told of every property that turns out to hold, at once."""
    settled: Callable[[], set[PropertyKey]] = set
    """Properties that are answered by now, whoever has done that: nobody needs to know more of these."""


@dataclass(slots=True, kw_only=True)
class ReachTask(Task):
    """Whether a path leads to a target. The run is that of a traced machine."""

    spots: tuple[Site, ...]
    """Where ``run.program`` calls the probe of the target (see ``clew.execute.instrument.targets``)."""
    finished: Callable[[Finished], None]
    """Told of every path that ends elsewhere."""
    edges: frozenset[tuple[str, str, str]] = frozenset()
    """Choices (function, block, successor) that are the target, too: a path that takes one is reported at once."""
    most_systems: int | None = None
    """Effort: systems of constraints to solve before the search is given up."""
    looks: int = 0
    """Systems of constraints that were set up."""
    looked: float = 0.0
    """Seconds of work that this took."""
    looking: float | None = None
    """What had been worked when the one that is set up now was begun."""
    solver: SolverStats = field(default_factory=SolverStats)
    """Counts what solvers are asked about systems."""
    answer: Answer = UNDECIDED
