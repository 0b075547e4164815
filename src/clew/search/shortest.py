"""The shortest path first: for those who look for a path that is shorter than one they know."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from clew.execute.pending import Pending


class Shortest:
    """Siblings by the instructions of their paths so far, and only those with fewer than ``most``."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._waiting: list[tuple[int, int, Pending]] = []

    def add(self, pending: Pending) -> None:
        if pending.state.steps < self.most:
            heappush(self._waiting, (pending.state.steps, pending.serial, pending))

    def select(self) -> Pending | None:
        while self._waiting:
            steps, _, pending = heappop(self._waiting)
            if steps >= self.most:
                break
            if not pending.taken:
                pending.taken = True
                return pending
        self._waiting.clear()
        return None

    def evict(self, count: int) -> list[Pending]:
        """The longest ones."""
        self._waiting.sort()
        kept, given_up = self._waiting[: len(self._waiting) - count], self._waiting[len(self._waiting) - count :]
        self._waiting = kept
        heapify(self._waiting)
        for _, _, pending in given_up:
            pending.taken = True
        return [pending for _, _, pending in given_up]

    def __len__(self) -> int:
        return len(self._waiting)
