"""Exploration that starts from given inputs, its seeds.

The first path runs with the first seed, and the others go with it: each one up to the first decision that it makes
otherwise. The sibling that waits there is feasible, the seed shows that; it will run with this seed, and take those
along that are there as well. So all seeds are in one tree with everything else, and nothing is explored twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clew.execute.context import GivenInputs
from clew.execute.extensions import Extension
from clew.execute.inputs import hinted_values
from clew.execute.pending import Pending
from clew.execute.run import Run
from clew.execute.state import State
from clew.expr.evaluate import Model


class PathSeeds(Extension):
    """The seeds that a path has followed so far; the first is the one it runs with."""

    __slots__ = ("forked_from", "seeds")

    def __init__(self, seeds: list[GivenInputs], forked_from: PathSeeds | None = None) -> None:
        self.seeds = seeds
        self.forked_from = forked_from
        """Of a sibling that is about to be queued: where its seeds come from."""

    @property
    def input_hints(self) -> GivenInputs:
        return self.seeds[0] if self.seeds else {}

    def for_sibling(self, state: State) -> PathSeeds:
        return PathSeeds([], self)


def seeded(run: Run, seeds: Sequence[GivenInputs], start: Callable[[Run], State]) -> State:
    """The first state of a run that starts from seeds, if there are any."""
    if not seeds:
        return start(run)
    run.input_hints = seeds[0]
    try:
        state = start(run)
    finally:
        run.input_hints = {}
    state.extend(PathSeeds(list(seeds)))
    run.events.pending_sibling.append(_hand_over)
    return state


def _hand_over(pending: Pending) -> bool:
    """Give a sibling those seeds of the path it is forked from that satisfy its constraint."""
    state, kept = pending.state, pending.state.extension(PathSeeds)
    if kept is None or kept.forked_from is None or pending.constraint is None:
        return True
    origin, kept.forked_from = kept.forked_from, None
    for seed in origin.seeds[1:]:
        model = state.model.updated(hinted_values(state.inputs, seed))
        if not model.eval(pending.constraint):
            continue
        origin.seeds.remove(seed)
        if not kept.seeds:
            pending.model = _witness(pending, model)
        if pending.model is not None:
            kept.seeds.append(seed)
    if not kept.seeds:
        state.forget(PathSeeds)
    return True


def _witness(pending: Pending, model: Model) -> Model | None:
    """A model of a sibling's path, with the values of ``model`` where assumptions of the program do not forbid them."""
    state = pending.state
    if state.model_is_fixed:
        return None
    assert pending.constraint is not None
    return state.run.solver.model_of(state.path.add(pending.constraint), model).model
