"""Some siblings first: those that are about to enter one of given blocks. Others as another strategy says."""

from __future__ import annotations

from collections import deque
from collections.abc import Container

from clew.execute.pending import Pending, Searcher


class Preferring:
    """For blocks that end the path, as those of failing assertions: a sibling costs one question to the solver."""

    def __init__(self, others: Searcher, blocks: Container[tuple[str, str]]) -> None:
        self._others = others
        self._blocks = blocks
        self._first: deque[Pending] = deque()

    def add(self, pending: Pending) -> None:
        edge = pending.edge
        if edge is not None and (edge[0], edge[2]) in self._blocks:
            self._first.append(pending)
        else:
            self._others.add(pending)

    def select(self) -> Pending | None:
        if not self._first:
            return self._others.select()
        pending = self._first.popleft()
        pending.taken = True
        return pending

    def preferred(self) -> bool:
        """Whether a sibling waits that comes first."""
        return bool(self._first)

    def evict(self, count: int) -> list[Pending]:
        given_up = self._others.evict(min(count, len(self._others)))
        while len(given_up) < count and self._first:
            given_up.append(self._first.pop())
            given_up[-1].taken = True
        return given_up

    def __len__(self) -> int:
        return len(self._first) + len(self._others)
