"""A bag of pending siblings with random access, shared by strategies that pick from the middle."""

from __future__ import annotations

from collections.abc import Iterable

from clew.execute.pending import Pending


class Pool:
    """Pending siblings in no order that matters. One that was taken through another strategy is skipped.

    Taking out of the middle moves the last one into the gap, so it costs the same anywhere.
    """

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Pending] = []

    def add(self, pending: Pending) -> None:
        self.items.append(pending)

    def remove_at(self, index: int) -> Pending:
        items = self.items
        pending = items[index]
        last = items.pop()
        if index < len(items):
            items[index] = last
        return pending

    def clean(self) -> None:
        """Forget those that were taken elsewhere."""
        self.items = [pending for pending in self.items if not pending.taken]

    def __len__(self) -> int:
        return len(self.items)


def evict_deepest(items: Iterable[Pending], count: int) -> list[Pending]:
    """Take out the deepest, and of equally deep ones the youngest: those with the most left to redo elsewhere."""
    if not count:
        return []
    waiting = sorted((p for p in items if not p.taken), key=lambda p: (-p.depth, -p.serial))
    victims = waiting[:count]
    for pending in victims:
        pending.taken = True
    return victims
