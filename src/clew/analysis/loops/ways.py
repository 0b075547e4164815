"""Ways to closures that the Integer Set Library can take; each says whether it is exact.

1. Its own transitive closure.
2. That of some pieces at first, as many as have an exact one together; then the others, one by one: laps that begin
   with such a piece and go on with any number of the former ones are a relation that can be closed in turn.
3. Several iterations as one, where a single one cannot be closed: what goes in turns comes back to where it was.
4. A few iterations one by one, where there are no more, or more of them lead nowhere new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from clew.analysis.loops.limits import Limits
from clew.analysis.loops.sets import Sets, TooHard

if TYPE_CHECKING:
    import islpy

Closed = tuple["islpy.Map", bool]
"""A closure, and whether it is exact."""
Way = Callable[[Sets, "islpy.Map", Limits], Iterator[Closed]]


def transitive(sets: Sets, step: islpy.Map, limits: Limits) -> Iterator[Closed]:
    yield sets.closed(step)


def in_laps(sets: Sets, step: islpy.Map, limits: Limits) -> Iterator[Closed]:
    """Kleene's way: with S closed, S and W together are S* (W S*)*."""
    pieces = [basic.to_map() for basic in step.get_basic_maps()]
    if not 1 < len(pieces) <= limits.laps:
        return
    closed, rest = _as_many_as_possible(sets, pieces)
    for piece in rest:
        some = closed.union(sets.identity())
        lap = piece.apply_range(some).coalesce()
        laps, exact = sets.closed(lap)
        if not exact:
            return
        closed = closed.union(some.apply_range(laps)).coalesce()
    yield closed, True


def _as_many_as_possible(sets: Sets, pieces: list[islpy.Map]) -> tuple[islpy.Map, list[islpy.Map]]:
    """The closure of the first pieces that have an exact one together, and the others."""
    rest = []
    chosen = closed = None
    for piece in pieces:
        more = piece if chosen is None else chosen.union(piece)
        try:
            tried, exact = sets.closed(more)
        except TooHard:
            exact = False
        if exact:
            chosen, closed = more, tried
        else:
            rest.append(piece)
    if closed is None:
        closed = pieces[0].subtract(pieces[0])
    return closed, rest


def periodic(sets: Sets, step: islpy.Map, limits: Limits) -> Iterator[Closed]:
    """Of several iterations as one: all there are is a few of these, and then fewer iterations than that."""
    power = few = step
    for _ in range(2, limits.period + 1):
        power = power.apply_range(step).coalesce()
        closed, exact = sets.closed(power)
        if exact:
            yield few.union(closed).union(closed.apply_range(few)).coalesce(), True
            return
        few = few.union(power)


def unrolled(sets: Sets, step: islpy.Map, limits: Limits) -> Iterator[Closed]:
    """One iteration after the other, until nothing is new."""
    total = last = step
    for _ in range(limits.rounds):
        last = last.apply_range(step).subtract(total).coalesce()
        if last.is_empty():
            yield total, True
            return
        total = total.union(last).coalesce()


MORE_WAYS: tuple[Way, ...] = (in_laps, periodic, unrolled)
"""What is tried if the first one is not exact."""
