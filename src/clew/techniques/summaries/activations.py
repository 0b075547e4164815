"""What a state remembers of the loops that it is in, and how records are kept.

An activation is a loop in a frame: recursion has several of one loop. Their records are in the state's
``LoopRecords``, which siblings inherit; those of loops that are over are dropped when the next header is visited.
"""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.execute.events import Visit
from clew.execute.run import Run
from clew.execute.state import State
from clew.search.reserving import Reserve
from clew.techniques.summaries.generalization import Guess
from clew.techniques.summaries.generic_iteration import IterationKey
from clew.techniques.summaries.limits import USUAL, Limits
from clew.techniques.summaries.loop_records import activations, set_activations
from clew.techniques.summaries.loop_status import LoopFacts, places_of
from clew.techniques.summaries.loop_structure import Structure
from clew.techniques.summaries.statistics import SummaryStatistics
from clew.techniques.summaries.summary import LoopSummary
from clew.techniques.summaries.tables import Family, Stop


@dataclass(frozen=True, slots=True)
class LoopActivation:
    """What a state remembers of a loop that it is in."""

    epoch: int
    stops: tuple[Stop, ...] = ()
    """The last visits, oldest first."""
    arrived: bool = False
    """The state was put at the header; its next visit is no new one."""
    summary: LoopSummary | None = None
    """With ``arrived``: what the loop does from there on, if that is known."""
    guess: Guess | None = None
    """What it may do from an earlier visit on, if nothing better is known."""
    failed: int = 0
    """Looks at it that led to nothing."""
    settled: bool = False
    """It is not looked at any more."""
    phases: int = 0
    """Summaries of it on this path, one after the other: counts from each go into the next."""


@dataclass(frozen=True, slots=True)
class Here:
    """A visit of a loop's header, with all that belongs to it."""

    visit: Visit
    key: IterationKey
    loop: LoopFacts
    known: LoopActivation

    @property
    def state(self) -> State:
        return self.visit.state

    @property
    def places(self) -> tuple[int, ...]:
        """Where the header's phis are among the values that live there."""
        return places_of(self.visit.frame.function, self.visit.point, self.loop)

    def stop(self) -> Stop:
        """The visit as part of a record."""
        return Stop(self.snapshot(), self.visit.values, Family(self.loop.watch))

    def snapshot(self) -> State:
        """The state as it is, suspended at the header."""
        visit = self.visit
        return visit.state.snapshot(visit.frame.suspended(object(), visit.point, visit.live))


class Book:
    """Keeps the records of a run, and counts."""

    def __init__(
        self, run: Run, searcher: Reserve, structure: Structure, dynamic: bool, limits: Limits = USUAL
    ) -> None:
        self.run = run
        self.limits = limits
        self.searcher = searcher
        self.structure = structure
        self.dynamic = dynamic

    def remember(self, here: Here, activation: LoopActivation) -> None:
        """Keep the record, and those of loops around it; others are over."""
        state, key = here.state, here.key
        kept = activations(state)
        for other, record in list(kept.items()):
            if isinstance(record, LoopActivation) and not self._is_around(state, other, key):
                kept = kept.delete(other)
        set_activations(state, kept.set(key, activation))

    def _is_around(self, state: State, other: IterationKey, key: IterationKey) -> bool:
        if other[0] != key[0]:
            return other[0] < key[0]
        return self.structure.around(state, other, key)

    def failed(self, loop: LoopFacts) -> None:
        """A look at a loop led to nothing; one that nothing can be made of is left alone."""
        loop.failures += 1
        if loop.failures >= self.limits.failures and not loop.sound and not self.dynamic:
            loop.watch.on = False

    def summarized(self, loop: LoopFacts, removed: int, updates: int) -> None:
        """A loop was generalized: so many constraints less, so many variables with a formula."""
        statistics = self.run.statistics.of(SummaryStatistics)
        statistics.summaries += 1
        statistics.loops_summarized += not (loop.sound or loop.guessed)
        statistics.constraints_removed += max(removed, 0)
        statistics.symbolic_updates += updates
        loop.failures = 0
