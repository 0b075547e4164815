"""``generational``: all siblings of one generation before those of the next.

The first run is generation 0. Its siblings, each a run that turns one decision of it round, are generation 1, theirs
are generation 2, and so on: the search of SAGE (Godefroid, Levin, Molnar, "Automated whitebox fuzz testing", 2008).
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from clew.execute.pending import Pending
from clew.search.pool import evict_deepest
from clew.search.registry import SEARCHERS, SearchContext

Entry = tuple[int, bool, int, Pending]
"""Generation, whether its edge was taken before, the serial number, which makes the order total, and the sibling."""


@SEARCHERS.register("generational", "all paths that differ from an earlier one in one decision, then the next ones")
class Generational:
    """A heap. Within a generation, siblings whose own edge was never taken come first, then the oldest.

    An edge may be taken while a sibling waits, never the other way round; so the keys in the heap are at most too low,
    and what comes out with such a key goes in again.
    """

    def __init__(self, context: SearchContext) -> None:
        self._coverage = context.coverage
        self._heap: list[Entry] = []

    def add(self, pending: Pending) -> None:
        self._push(pending.state.generation, pending)

    def _push(self, generation: int, pending: Pending) -> None:
        edge = pending.edge
        known = edge is None or edge in self._coverage.edges
        heappush(self._heap, (generation, known, pending.serial, pending))

    def select(self) -> Pending | None:
        while self._heap:
            generation, known, _, pending = heappop(self._heap)
            if pending.taken:
                continue
            if not known and pending.edge in self._coverage.edges:
                self._push(generation, pending)
                continue
            pending.taken = True
            return pending
        return None

    def evict(self, count: int) -> list[Pending]:
        victims = evict_deepest([entry[-1] for entry in self._heap], count)
        self._heap = [entry for entry in self._heap if not entry[-1].taken]
        heapify(self._heap)
        return victims

    def __len__(self) -> int:
        return sum(not entry[-1].taken for entry in self._heap)
