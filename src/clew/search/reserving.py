"""A strategy with a reserve: siblings that are to wait until nothing else does, and siblings that are given up."""

from __future__ import annotations

from clew.execute.pending import Pending, Searcher


class Reserve:
    """Around another strategy, which says in which order the others come.

    What is withdrawn stays in that strategy's own structures until they come across it, so this counts by itself.
    """

    def __init__(self, strategy: Searcher) -> None:
        self.strategy = strategy
        """May be replaced as long as nothing waits."""
        self._waiting = 0
        self._reserve: list[Pending] = []

    def add(self, pending: Pending) -> None:
        self.strategy.add(pending)
        self._waiting += 1

    def select(self) -> Pending | None:
        while self._waiting or self._reserve:
            pending = self.strategy.select()
            if pending is None:
                if not self._reserve:
                    break
                reserve, self._reserve = self._reserve, []
                for waiting in reserve:
                    self.add(waiting)
            elif not pending.released:
                self._waiting -= 1
                return pending
        return None

    def withdraw(self, pending: Pending) -> None:
        """Nobody needs this sibling any more."""
        if not pending.taken:
            pending.taken = True
            pending.release()
            self._waiting -= 1

    def defer(self, pending: Pending) -> None:
        """This sibling waits until nothing else does."""
        if not pending.taken:
            twin = pending.twin()
            self._reserve.append(twin)
            self.withdraw(pending)

    def keep_back(self, pending: Pending) -> None:
        """A new sibling that waits until nothing else does."""
        self._reserve.append(pending)

    def evict(self, count: int) -> list[Pending]:
        victims: list[Pending] = []
        while self._reserve and len(victims) < count:
            victims.append(self._reserve.pop())
            victims[-1].taken = True
        rest = self.strategy.evict(count - len(victims))
        self._waiting -= len(rest)
        return victims + rest

    def __len__(self) -> int:
        return self._waiting + len(self._reserve)
