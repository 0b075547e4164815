"""``bfs``: the sibling forked first is next."""

from __future__ import annotations

from collections import deque

from clew.execute.pending import Pending
from clew.search.pool import evict_deepest
from clew.search.registry import SEARCHERS, SearchContext


@SEARCHERS.register("bfs", "the path forked first first: shortest paths first, most memory")
class BreadthFirst:
    """A queue."""

    def __init__(self, context: SearchContext) -> None:
        self._queue: deque[Pending] = deque()

    def add(self, pending: Pending) -> None:
        self._queue.append(pending)

    def select(self) -> Pending | None:
        if not self._queue:
            return None
        pending = self._queue.popleft()
        pending.taken = True
        return pending

    def evict(self, count: int) -> list[Pending]:
        victims = evict_deepest(list(self._queue), count)
        self._queue = deque(pending for pending in self._queue if not pending.taken)
        return victims

    def __len__(self) -> int:
        return len(self._queue)
