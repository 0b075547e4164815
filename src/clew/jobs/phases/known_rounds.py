"""Loops beyond the bound of a run, to their ends: those that are known to have only so many rounds.

Abstract interpretation counts rounds, and ranking functions bound them. Where one of them has a number for a loop, all
paths are run once more, with that as its bound. What the numbers rest on is no part of the proof: a run that does not
come to a bound has seen all there is.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.analysis.absint.analyse import Invariants
from clew.analysis.graph import control_flow, loop_forest
from clew.analysis.mod_ref import ModRef
from clew.base.budget import Budget
from clew.base.options import VerifyRequest
from clew.execute.instrument.loop_marks import loop_name
from clew.jobs.phases.exhaustive import Exhaustive
from clew.jobs.phases.loop_facts import LoopFacts
from clew.jobs.phases.phase import Context
from clew.report.records import LossKind
from clew.techniques.invariants.candidates.ranking import MOST_ROUNDS

Loop = tuple[str, str]
"""Function and header."""


class KnownRounds:
    """A run over all paths, if there are loops that it would follow farther than others have."""

    def __init__(self, context: Context[VerifyRequest]) -> None:
        self._context = context
        self.over = False

    def run(self, share: Budget, effort: int | None) -> None:
        """Work until all paths are done, or the share is spent."""
        self.over = True
        bounds = self._bounds(share)
        if bounds and self._bounded() <= bounds.keys():
            Exhaustive(self._context, loop_bounds=bounds).run(share, None)

    def _bounded(self) -> set[str]:
        """The loops that came to the bound in earlier runs."""
        notes = (note for record in self._context.ledger.records() for note in record.notes)
        return {note.what.rpartition(" runs more than ")[0] for note in notes if note.kind is LossKind.BOUNDED}

    def _bounds(self, share: Budget) -> dict[str, int]:
        """How many rounds loops have at most, by their names: those that have more than the bound, and not too many."""
        facts = LoopFacts(self._context)
        found = facts.invariants(share)
        if found is None:
            return {}
        loops = dict(_loops(facts.effects, found))
        most = {loop: found.most_rounds(*loop) for loop in loops}
        if any(rounds is None for rounds in most.values()):
            rankings = facts.lemmas(found, share, ranked=True).rankings
            most |= {loop: ranking.most for loop, ranking in rankings.items() if most.get(loop) is None}
        least = self._context.request.unroll or 0
        return {loops[loop]: n for loop, n in most.items() if n is not None and least < n <= MOST_ROUNDS}


def _loops(effects: ModRef, found: Invariants) -> Iterator[tuple[Loop, str]]:
    """All loops that can be reached, and their names."""
    for name in sorted({frame.function.name for frame in found.frames}):
        function = effects.program.functions[name]
        graph = control_flow(function)
        for loop in loop_forest(graph).loops:
            yield (name, graph.names[loop.header]), loop_name(function, function.blocks[loop.header])
