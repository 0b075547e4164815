"""``dfs`` and ``bfs``: the sibling forked last is next, or the one forked first."""

from __future__ import annotations

from collections import deque

from clew.execute.pending import Pending
from clew.search.pool import evict_deepest
from clew.search.registry import SEARCHERS, SearchContext


@SEARCHERS.register("dfs", "the path forked last first: little memory, stays in one corner")
class DepthFirst:
    """A stack."""

    def __init__(self, context: SearchContext) -> None:
        self._waiting: deque[Pending] = deque()

    def add(self, pending: Pending) -> None:
        self._waiting.append(pending)

    def add_last(self, pending: Pending) -> None:
        """A sibling that is to come after all that wait by now."""
        self._waiting.appendleft(pending)

    def _next(self) -> Pending:
        return self._waiting.pop()

    def select(self) -> Pending | None:
        while self._waiting:
            pending = self._next()
            if not pending.taken:
                pending.taken = True
                return pending
        return None

    def evict(self, count: int) -> list[Pending]:
        victims = evict_deepest(self._waiting, count)
        self._waiting = deque(pending for pending in self._waiting if not pending.taken)
        return victims

    def __len__(self) -> int:
        return len(self._waiting)


@SEARCHERS.register("bfs", "the path forked first first: shortest paths first, most memory")
class BreadthFirst(DepthFirst):
    """A queue."""

    def _next(self) -> Pending:
        return self._waiting.popleft()
