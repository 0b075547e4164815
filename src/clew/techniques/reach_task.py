"""What a technique that looks for a way to a target is given, and where it leaves its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from clew.base.budget import Budget, StopReason
from clew.checks.properties import Site
from clew.execute.engine import Finished
from clew.execute.run import Run
from clew.execute.state import State
from clew.program.module import Function
from clew.solver.stats import SolverStats


@dataclass(slots=True)
class ReachTask:
    """One task. A technique that cannot work on the program raises Unsupported, whose feature says why."""

    run: Run
    """Of a traced machine; its program has the probes of ``clew.execute.instrument.targets``."""
    entry: Function
    start: Callable[[], State]
    """A new first state of the run."""
    budget: Budget
    spots: tuple[Site, ...]
    """Where ``run.program`` calls the mark of the target."""
    report: Callable[[Finished], bool]
    """Files a path that ends at the target: run again, written, counted; whether that showed the arrival.

    The target is reached when a path was reported with success: no other answer is needed.
    """
    finished: Callable[[Finished], None]
    """Told of every other path that ends."""
    edges: frozenset[tuple[str, str, str]] = frozenset()
    """Choices (function, block, successor) that are the target, too: a path that takes one is reported at once."""
    tick: Callable[[], None] = lambda: None
    """Called now and then, for progress."""
    most_systems: int | None = None
    """Effort: systems of constraints to solve before the search is given up."""
    count_chains: bool = False
    """Whether to say how many chains there are."""
    solver: SolverStats = field(default_factory=SolverStats)
    """Counts what solvers are asked about systems."""
    refuted: str = ""
    """Why no path leads to the target, if that was shown."""
    doubt: str = ""
    """Why that is not known, if the search ended without an answer."""
    stopped: StopReason | None = None
    """What ended the search before there was an answer."""
    chains_root: int = 0
    """Ways from the start to the target that go around no loop (see ``chains.census``)."""
    chains_all: int = 0
    """Those, and the ways around loops on them."""
    systems_solved: int = 0
    """Systems of constraints over loop counters that were given to a solver."""
