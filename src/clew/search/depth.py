"""``dfs``: the sibling forked last is next."""

from __future__ import annotations

from clew.execute.pending import Pending
from clew.search.pool import evict_deepest
from clew.search.registry import SEARCHERS, SearchContext


@SEARCHERS.register("dfs", "the path forked last first: little memory, stays in one corner")
class DepthFirst:
    """A stack."""

    def __init__(self, context: SearchContext) -> None:
        self._stack: list[Pending] = []

    def add(self, pending: Pending) -> None:
        self._stack.append(pending)

    def select(self) -> Pending | None:
        while self._stack:
            pending = self._stack.pop()
            if not pending.taken:
                pending.taken = True
                return pending
        return None

    def evict(self, count: int) -> list[Pending]:
        victims = evict_deepest(self._stack, count)
        self._stack = [pending for pending in self._stack if not pending.taken]
        return victims

    def __len__(self) -> int:
        return len(self._stack)
