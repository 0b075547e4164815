"""Runs of programs with probes: all paths, or one on given inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from clew.base.budget import Budget
from clew.base.dataclass import dataclass
from clew.base.randomness import Randomness
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.engine import Engine
from clew.execute.events import Visit
from clew.execute.helpers import build_machine
from clew.execute.machine import Machine
from clew.execute.pending import NoSiblings, Searcher
from clew.execute.policy import ExplorePolicy, Finished
from clew.execute.run import Run
from clew.execute.state import State
from clew.models.registry import all_models
from clew.program.module import Program
from clew.report.values import InputValue
from clew.search.registry import SearchContext, make_searcher
from clew.solver.chain import SolverChain, build_chain
from clew.solver.interface import SolverOptions
from clew.solver.stats import SolverStats
from clew.techniques.invariants.candidates.limits import Limits
from clew.techniques.invariants.candidates.opening import Probe

Values = tuple[Any, ...]
"""Of the terms of a head: numbers, or expressions."""
Probed = Callable[[Probe, State, Values], None]
"""Told where control is, with the values of the terms there."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How programs are run here."""

    start: Callable[[Run], State]
    """Makes the first state of a run."""
    options: RunOptions
    solver: SolverChain
    budget: Budget
    """Of the command: it may end a run."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one run may take."""

    instructions: int
    forks: int = 0
    is_enough: Callable[[], bool] = lambda: False


def setting_of(start: Callable[[Run], State], options: RunOptions, budget: Budget, limits: Limits) -> Setting:
    """With a solver that does not take longer than the budget, or the limits."""
    limited = SolverOptions(time_limit=limits.seconds, stop=budget.lets_go, next_turn=budget.next_turn)
    return Setting(start, options, build_chain(limited, SolverStats()), budget)


def machine_of(program: Program) -> Machine:
    return build_machine(program, all_models())


def explore(
    machine: Machine,
    setting: Setting,
    probed: Probed,
    effort: Effort,
    finished: Callable[[Finished], None] = lambda path: None,
    given: Sequence[InputValue] | None = None,
) -> bool:
    """Run all paths, or the one of given inputs; whether all there is was run."""
    coverage = Coverage(machine.program, machine.compiler)
    searcher: Searcher = NoSiblings()
    if given is None:
        searcher = make_searcher("dfs", SearchContext(machine.program, coverage, Randomness(0)))
    run = Run(machine, setting.solver, searcher, coverage, setting.options, replayed=given)

    def visited(visit: Visit) -> None:
        probe = Probe.named(visit.loop)
        if probe is not None:
            probed(probe, visit.state, visit.values)

    def is_enough() -> bool:
        spent = run.statistics.forks > effort.forks or run.statistics.instructions >= effort.instructions
        return spent or effort.is_enough()

    run.events.loop_header.append(visited)
    policy = ExplorePolicy(finished, pause=is_enough)
    engine = Engine(run, setting.budget, policy)
    engine.explore(setting.start(run))
    cut_short = run.losses or run.statistics.paths_cut_short or run.statistics.solver_unknowns
    return not (cut_short or engine.stopped or engine.paused)
