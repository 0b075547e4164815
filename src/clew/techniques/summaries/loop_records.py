"""What a state keeps about loops: records of those that it is in, and the iterations that it did not run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from immutables import Map

from clew.base.dataclass import dataclass
from clew.execute.extensions import Extension
from clew.execute.state import State
from clew.expr.evaluate import Model
from clew.techniques.summaries.integer_sum import Whole

GUESSED, EXACT, SCOUT, IDEA, SURPLUS = "guessed", "exact", "scout", "idea", "surplus"
"""Marks among a state's activations: its path is a guess, about this loop; no guess is to be made; others come to all
that it comes to, it was sent ahead by a guess about this loop; it is to confirm a guess; it is of no use."""
_EMPTY: Map[Any, Any] = Map()


@dataclass(frozen=True, slots=True)
class SkippedIterations:
    """Iterations that a state did not run: how many, and the instructions of each."""

    count: Whole
    steps: int


@dataclass(frozen=True, slots=True)
class LoopRecords(Extension):
    """The extension of states."""

    activations: Map[Any, Any] = _EMPTY
    """Immutable values: by activation of a loop, and under names of their own."""
    iterations: tuple[SkippedIterations, ...] = ()
    turned_round: bool = False
    """Whether the path goes on where a summary was used, or will be, with a condition of the summary turned round."""

    @property
    def is_surplus(self) -> bool:
        return SURPLUS in self.activations

    @property
    def is_long(self) -> bool:
        return self.turned_round or bool(self.iterations)

    @property
    def drops_siblings(self) -> bool:
        return SCOUT in self.activations

    def for_sibling(self, state: State) -> LoopRecords:
        """Siblings of a scout are of use once it has covered something new: what it stands for is kept back."""
        if SCOUT not in self.activations:
            return self
        kept = self.activations.delete(IDEA) if IDEA in self.activations else self.activations
        return replace(self, activations=kept if state.covered_new else kept.set(SURPLUS, True))

    def skipped(self, model: Model) -> int:
        return sum(max(skipped.count.eval(model), 0) * skipped.steps for skipped in self.iterations)


_NOTHING = LoopRecords()


def records(state: State) -> LoopRecords:
    """All that a state keeps."""
    return state.extension(LoopRecords) or _NOTHING


def activations(state: State) -> Map[Any, Any]:
    """What a state keeps by activation and by name."""
    return records(state).activations


def set_activations(state: State, kept: Map[Any, Any]) -> None:
    """Let a state keep this, in place of what it kept."""
    state.extend(replace(records(state), activations=kept))
