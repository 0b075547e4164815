"""Whether inputs show a failure whatever the values are that were made up.

A path that says something about a value that nobody defines need not rest on it: a program may ask such a function for
a level of detail, print more or less, and then fail in any case. So the program is run once more with the inputs of the
path, and with *any* value for what is made up: if all paths there are end in the same failure, it rests on none of
them. Paths may also end in undefined behaviour before they come to it: a value that leads there is none that a correct
program gets, and to an incorrect one C promises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.base.budget import Budget
from clew.base.location import Location
from clew.base.randomness import Randomness
from clew.execute.context import RunOptions
from clew.execute.coverage import Coverage
from clew.execute.ends import Dropped, Failed
from clew.execute.engine import Engine
from clew.execute.machine import Machine
from clew.execute.policy import ExplorePolicy, Finished
from clew.jobs.reexecution import EntryPoint, replayed_run
from clew.report.kinds import UNDEFINED_BEHAVIOUR
from clew.report.records import UNDEFINED
from clew.report.values import InputValue
from clew.search.registry import SearchContext, make_searcher
from clew.solver.interface import SolverOptions

MOST_PATHS = 64
MOST_SECONDS = 2.0
"""Effort for one failure; if that is not enough, it counts as one that rests on what was made up."""
SAME, EXCUSED, OTHERWISE = "the failure", "excused", "something else"
"""How paths end."""


def shows_regardless(
    machine: Machine,
    entry: EntryPoint,
    inputs: Sequence[InputValue],
    failure: tuple[str, Location | None],
    options: RunOptions,
    budget: Budget,
) -> bool:
    """Whether every path with these inputs (those that are not made up) ends in ``failure``: its kind and place.

    It must end at least one, and undefined behaviour may end others.
    """
    coverage = Coverage(machine.program, machine.compiler)
    searcher = make_searcher("dfs", SearchContext(machine.program, coverage, Randomness(0)))
    run = replayed_run(machine, entry, inputs, options, searcher, coverage, SolverOptions(time_limit=MOST_SECONDS))
    run.anything_made_up = True
    ends: list[str] = []
    policy = ExplorePolicy(
        finished=lambda path: ends.append(_judged(path, failure)),
        pause=lambda: OTHERWISE in ends or len(ends) > MOST_PATHS,
    )
    engine = Engine(run, budget, policy)
    engine.explore(entry.start(run))
    lost = any(note.kind not in UNDEFINED for note in run.loss_notes())
    return SAME in ends and OTHERWISE not in ends and not lost and not engine.paused and engine.stopped is None


def _judged(path: Finished, failure: tuple[str, Location | None]) -> str:
    """What the end of a path says."""
    end = path.end
    if isinstance(end, Failed) and (end.kind, path.location) == failure:
        return SAME
    excused = isinstance(end, Dropped) or (isinstance(end, Failed) and end.kind in UNDEFINED_BEHAVIOUR)
    return EXCUSED if excused else OTHERWISE
