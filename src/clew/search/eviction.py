"""What strategies give up when memory is short."""

from __future__ import annotations

from clew.execute.pending import Pending


def evict_deepest(items: list[Pending], count: int) -> list[Pending]:
    """Take out the deepest, and of equally deep ones the youngest: those with the most left to redo elsewhere."""
    waiting = sorted((p for p in items if not p.taken), key=lambda p: (-p.depth, -p.serial))
    victims = waiting[:count]
    for pending in victims:
        pending.taken = True
    return victims
