"""``default``: random-path and coverage take turns over the same siblings.

Siblings that are known to be feasible, since somebody has inputs for them, come before all others.
"""

from __future__ import annotations

from collections import deque

from clew.execute.pending import Pending, Searcher
from clew.search.coverage import CoverageGuided
from clew.search.random_path import RandomPath
from clew.search.registry import DEFAULT, SEARCHERS, SearchContext

CLEAN_EVERY = 4096
"""Selections after which each strategy forgets what others have taken."""


@SEARCHERS.register(DEFAULT, "random-path and coverage in turn")
class Interleaved:
    """All strategies hold every sibling; one that a strategy takes, the others skip."""

    def __init__(self, context: SearchContext) -> None:
        self._strategies: tuple[Searcher, ...] = (CoverageGuided(context), RandomPath(context))
        self._known: deque[Pending] = deque()
        """Those with a model."""
        self._turn = 0
        self._count = 0

    def add(self, pending: Pending) -> None:
        for strategy in self._strategies:
            strategy.add(pending)
        if pending.model is not None:
            self._known.append(pending)
        self._count += 1

    def select(self) -> Pending | None:
        while self._known:
            pending = self._known.popleft()
            if not pending.taken:
                pending.taken = True
                self._count -= 1
                return pending
        self._next_turn()
        for offset in range(len(self._strategies)):
            found = self._strategies[(self._turn + offset) % len(self._strategies)].select()
            if found is not None:
                self._count -= 1
                return found
        return None

    def turn_passed(self) -> None:
        """One of the siblings was taken by somebody else, in a turn of its own."""
        self._next_turn()
        self._count -= 1

    def _next_turn(self) -> None:
        self._turn += 1
        if self._turn % CLEAN_EVERY == 0:
            self._clean()

    def evict(self, count: int) -> list[Pending]:
        victims = self._strategies[0].evict(count)
        self._clean()
        self._count -= len(victims)
        return victims

    def _clean(self) -> None:
        for strategy in self._strategies:
            strategy.evict(0)

    def __len__(self) -> int:
        return self._count
