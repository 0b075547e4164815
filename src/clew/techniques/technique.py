"""What a technique is: a folder of this package with one class, and a line in ``clew.techniques.registry``.

A technique is made for one run, and takes part in it in this order; each step is optional:

    made = Technique.make(request)         its options; None if the request does not want it
    program = made.prepare(program, entry) changes the program that is run, so that it tells what the technique needs
    searcher = made.searcher(searcher, ..) has a say in what is explored next
    made.attach(exploration)               listens to events of the run (``clew.execute.events``)
    made.begin(task)                       what it does before the first path runs, within the run's time
    made.inputs(task)                      proposes inputs for branches that exploration does not cover by itself

A technique may also answer questions by itself (``prove``, ``reach``), with a run of its own. What it keeps with states
is an extension of theirs (``clew.execute.extensions``). What it counts is a class of ``Statistics`` in its folder, and
``clew.techniques.statistics`` lists it: ``run.statistics.of(ItsClass)`` are its counters, ``lines`` tells of them.
A technique that is not made costs nothing: no call in the program, no listener. It must not lose a branch or a bug, nor
change what a seed leads to; the suite ``tests/unit/techniques/conformance.py`` holds it to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from clew.base.budget import Budget
from clew.base.dataclass import dataclass
from clew.base.options import TestRequest
from clew.execute.context import GivenInputs
from clew.execute.coverage import Edge
from clew.execute.pending import Searcher
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.program.module import Function, Program
from clew.report.records import BranchCoverage, LoopStatement
from clew.report.statistics import RunStatistics
from clew.search.registry import SearchContext
from clew.solver.stats import SolverStats
from clew.techniques.accounts import Account, Accounts
from clew.techniques.cover_goals import CoverGoals
from clew.techniques.tasks import ProofTask, ReachTask

if TYPE_CHECKING:  # that takes a while
    from clew.analysis.absint.analyse import Invariants


@dataclass(frozen=True, slots=True)
class Exploration:
    """A run that is about to start."""

    run: Run
    start: Callable[[], State]
    """A new first state of the run."""
    takes: Callable[[State, Edge], bool]
    """Whether the inputs of a path, run once more, lead it over an edge."""
    accounts: Accounts


@dataclass(frozen=True, slots=True)
class CoverTask:
    """Branches to cover: what a technique that proposes inputs is given."""

    run: Run
    entry: Function
    start: Callable[[Run], State]
    """A new first state of a run of the same program."""
    program: Program
    """Without what techniques have added to it."""
    source_program: Program
    """With all branches that the source has."""
    budget: Budget
    goals: CoverGoals
    accounts: Accounts
    unreachable: Callable[[Edge, BranchCoverage, Invariants | str], None]
    """Told of a branch outcome that no inputs lead to, with the invariants that say so, or a text."""
    assists: Callable[[RunStatistics, SolverStats], None]
    """Told of a second run over the program: its work counts, its paths do not."""
    progress: Callable[[], None]
    """Called now and then."""


class InputGenerator(Protocol):
    """Proposes inputs; each is run as a path of its own."""

    purpose: str
    """Why a test is kept that goes back to a proposal."""
    account: Account
    """It charges itself for its own work; running what it proposes is charged, and new branches are credited."""

    def is_time(self) -> bool:
        """Whether it has something to propose that exploration should stop for, and affords to; asked often."""
        ...

    def proposals(self) -> Iterator[GivenInputs | Model]:
        """Inputs that may lead to branches which are not covered when their turn comes: hints for those that the
        program reads, or a model of all of them."""
        ...

    def kept(self, tests: int) -> None:
        """So many tests were kept that go back to its proposals."""
        ...


def wants_inputs(request: TestRequest) -> bool:
    """Whether techniques whose inputs follow from the program's text apply: not where each path is wanted for itself or
    iterations are counted, nor where allocations may fail, of which they know nothing."""
    return request.goal != "path" and request.loop_bound is None and not request.malloc_may_fail


class Technique:
    """Base class: a technique that does nothing."""

    @classmethod
    def make(cls, request: TestRequest) -> Technique | None:
        """The technique for a run of ``clew test``; None where it does not apply."""
        return cls()

    def postpone(self) -> bool:
        """The run is to begin without the technique, until ``join``: whether it does. Called before ``prepare``."""
        return False

    def prepare(self, program: Program, entry: str) -> Program:
        """The program that is to be run, from the function ``entry`` on."""
        return program

    def searcher(self, searcher: Searcher, name: str | None, context: SearchContext) -> Searcher:
        """The searcher of the run: ``searcher``, which has a name or is the default, or one around it."""
        return searcher

    def attach(self, exploration: Exploration) -> None:
        """Listen to a run; its first state does not exist yet."""

    def begin(self, task: CoverTask) -> None:
        """The first path is about to run."""

    def join(self, part: float) -> None:
        """Take part from now on, if that was postponed. ``part``: of what was explored so far, what came before that in
        any case; the rest was explored since it got on well."""

    def inputs(self, task: CoverTask) -> InputGenerator | None:
        """Who proposes inputs, from now on; None if there is nothing to propose."""
        return None

    def prove(self, task: ProofTask) -> None:
        """Answer whether properties hold, as far as that is possible; others stay undecided."""

    def reach(self, task: ReachTask) -> None:
        """Look for a path to a target."""

    def proof(self) -> str:
        """Why a run that has come to its end shows what all paths do, if there is something to say: part of a line."""
        return ""

    def statements(self) -> tuple[LoopStatement, ...]:
        """What there is to say about each loop of the program, when the run is over."""
        return ()
