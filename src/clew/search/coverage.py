"""``coverage``: siblings that lead to code never run come first.

A sibling whose own edge was never taken is next at once. Otherwise the places where siblings wait get turns, however
many of them wait there: more often if a place is near to uncovered code, less often the more turns it had since
something new was covered. So a loop over input that only repeats what is covered does not keep others waiting.
"""

from __future__ import annotations

from heapq import heappop, heappush
from random import Random

from clew.execute.pending import Pending
from clew.search.distance import Distances
from clew.search.pool import evict_deepest
from clew.search.registry import SEARCHERS, SearchContext

_FRAMES = 3
"""Innermost calls that tell places apart."""
_FARTHEST = 100
"""Greater distances, and that of what no way leads to, count as this one."""

Position = tuple[tuple[str, int], ...]
"""Function and point of each frame, innermost first."""


class _Place:
    """The siblings that wait at one position, and its next turn."""

    __slots__ = ("due", "items", "number", "turns")

    def __init__(self, number: int) -> None:
        self.number = number
        self.items: list[Pending] = []
        self.turns = 0
        """Since something new was covered."""
        self.due = 0
        """Those whose turn is due first come first."""

    def draw(self, random: Random) -> Pending | None:
        """Take one out that nobody else has taken."""
        items = self.items
        while items:
            at = int(random.random() * len(items))
            items[at], items[-1] = items[-1], items[at]
            pending = items.pop()
            if not pending.taken:
                return pending
        return None


@SEARCHERS.register("coverage", "the path closest to code that was never run")
class CoverageGuided:
    """Siblings by place, and a heap of the places; those with a new edge are also in ``_promising``, oldest first."""

    def __init__(self, context: SearchContext) -> None:
        self._random = context.randomness.stream("coverage")
        self._coverage = context.coverage
        self._distances = Distances(context.program, context.coverage)
        self._places: dict[Position, _Place] = {}
        self._heap: list[tuple[int, int, _Place]] = []
        """What a place is due for, its number, and the place; only the entry with its present ``due`` counts."""
        self._numbered = 0
        self._now = 0
        self._version = -1
        self._promising: list[Pending] = []

    def add(self, pending: Pending) -> None:
        position = _position(pending)
        place = self._places.get(position)
        if place is None:
            place = self._places[position] = _Place(self._numbered)
            self._numbered += 1
        if not place.items:
            place.due = max(place.due, self._now)
            heappush(self._heap, (place.due, place.number, place))
        place.items.append(pending)
        if pending.edge is not None and pending.edge not in self._coverage.edges:
            self._promising.append(pending)

    def select(self) -> Pending | None:
        while self._promising:
            pending = self._promising.pop()
            if not pending.taken and pending.edge not in self._coverage.edges:
                pending.taken = True
                return pending
        if self._version != self._coverage.version:
            self._begin_anew()
        return self._next_place()

    def _next_place(self) -> Pending | None:
        """A sibling of the place whose turn it is."""
        while self._heap:
            due, _, place = heappop(self._heap)
            pending = place.draw(self._random) if due == place.due else None
            if pending is None:
                continue
            self._now = due
            place.turns += 1
            self._put_off(place, pending)
            pending.taken = True
            return pending
        return None

    def _put_off(self, place: _Place, example: Pending) -> None:
        distance = min(self._distances.of(example.state), _FARTHEST)
        place.due = self._now + (1 + distance) * (1 + place.turns)
        if place.items:
            heappush(self._heap, (place.due, place.number, place))

    def _begin_anew(self) -> None:
        """Something new was covered: other places are near to what is not."""
        self._version = self._coverage.version
        self._heap = []
        for place in self._places.values():
            while place.items and place.items[-1].taken:
                place.items.pop()
            if place.items:
                place.turns = 0
                self._put_off(place, place.items[-1])

    def _clean(self) -> None:
        """Forget those that were taken elsewhere, and places where none is left."""
        for place in self._places.values():
            place.items = [pending for pending in place.items if not pending.taken]
        self._places = {position: place for position, place in self._places.items() if place.items}

    def evict(self, count: int) -> list[Pending]:
        victims = evict_deepest([pending for place in self._places.values() for pending in place.items], count)
        self._clean()
        self._promising = [pending for pending in self._promising if not pending.taken]
        return victims

    def __len__(self) -> int:
        return sum(not pending.taken for place in self._places.values() for pending in place.items)


def _position(pending: Pending) -> Position:
    position: list[tuple[str, int]] = []
    frame = pending.state.frame
    while frame is not None and len(position) < _FRAMES:
        position.append((frame.function.name, frame.at))
        frame = frame.parent
    return tuple(position)
