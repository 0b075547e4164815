"""From three visits of a loop's header to its summary, or to the reason why there is none."""

from __future__ import annotations

from dataclasses import replace

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.execute.events import Visit
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.expr import build
from clew.expr.node import Expr
from clew.techniques.summaries.generic_iteration import Counter, Generic, Iteration, IterationKey
from clew.techniques.summaries.limits import Limits
from clew.techniques.summaries.loop_status import LoopFacts, places_of
from clew.techniques.summaries.summary import LoopSummary, summarize
from clew.techniques.summaries.tables import Stop, name_of, tabulate


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a loop is not summarized, and what was found out about it all the same."""

    reason: str
    iteration: Iteration | None = None


class Looker:
    """Looks at loops with generic iterations, on a run of their own."""

    def __init__(self, run: Run, limits: Limits) -> None:
        self._run = run
        self._limits = limits
        self._serial = 0
        self._places: dict[Expr, Location] = {}
        """Where the conditions of the iteration in hand were decided."""

    def note(self, pending: Pending) -> None:
        """A generic iteration has decided something: remember where."""
        if pending.constraint is None or pending.edge is None:
            return
        function, block, _ = pending.edge
        location = self._run.compiler.function(function).plan.blocks[block].terminator.location
        kept = build.lnot(pending.constraint)
        if location is not None and isinstance(kept, Expr):
            self._places[kept] = location

    def look(
        self, visit: Visit, key: IterationKey, loop: LoopFacts, stops: tuple[Stop, ...], hopeless: bool
    ) -> LoopSummary | Refusal:
        """The summary from the first visit on. ``hopeless``: look even where it is clear that there is none."""
        self._places.clear()
        iteration = self._iteration(visit, key, loop, stops, hopeless)
        if isinstance(iteration, Iteration) and iteration.sizes:
            loop.sizes.update(iteration.sizes)
            iteration = self._iteration(visit, key, loop, stops, hopeless)
        if isinstance(iteration, str):
            return Refusal(iteration)
        if not iteration.regular:
            return Refusal(_oddity(loop, iteration, stops[0]), iteration)
        found = summarize(iteration)
        return found if isinstance(found, LoopSummary) else Refusal(self._outside(found), iteration)

    def _iteration(
        self, visit: Visit, key: IterationKey, loop: LoopFacts, stops: tuple[Stop, ...], hopeless: bool
    ) -> Iteration | str:
        table = tabulate(stops, loop.widths, loop.sizes)
        problem = table.problem
        if table.odd_places and not problem:
            problem = f"{loop.names[table.odd_places[0]]} is no induction variable"
        if problem and not hopeless:
            return problem
        self._serial += 1
        counter = Counter(f"clew.iteration.{self._serial}")
        places = places_of(visit.frame.function, visit.point, loop)
        generic = Generic(self._run, stops[0], table, counter, self._limits.iteration_instructions)
        with self._run.solver.patience.of(self._limits.iteration_questions):
            found = generic.go(places, key, visit.state.model)
        return replace(found, problem=problem) if problem and isinstance(found, Iteration) else found

    def _outside(self, condition: Expr) -> str:
        where = self._places.get(condition)
        place = f"the condition at {where}" if where is not None else "a condition in it"
        return f"{place} is not linear in the number of iterations"


def _oddity(loop: LoopFacts, iteration: Iteration, base: Stop) -> str:
    if iteration.problem:
        return iteration.problem
    places = [*iteration.odd_places, *(variable.place for variable in iteration.odd if variable.place >= 0)]
    if places:
        return f"{loop.names[places[0]]} is no induction variable"
    return f"{name_of(base.state.memory, iteration.odd[0].address)} is no induction variable"
