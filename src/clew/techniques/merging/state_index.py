"""Earlier states of one place, found by the numbers that tell them apart: there may be thousands.

A holder in which two states had different numbers tells states apart. States that have the same numbers in all of
these are kept together. Any value may be an instance of a symbol: states with symbols in the same holders make a table
of their own, of what they have in the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.techniques.merging.exploration_tree import ExplorationNode
from clew.techniques.merging.snapshot import Holder, Snapshot

Numbers = tuple[int | None, ...]
"""What is in the holders that tell states apart; None for what is no number."""


class StateIndex:
    """Nodes of one place, explored or being explored."""

    def __init__(self) -> None:
        self._nodes: dict[ExplorationNode, None] = {}
        self._telling: dict[Holder, set[int]] = {}
        """Holders that tell states apart, with the numbers that were seen in them."""
        self._tables: dict[tuple[bool, ...], dict[Numbers, list[ExplorationNode]]] = {}
        """By which of these hold numbers."""

    def __len__(self) -> int:
        return len(self._nodes)

    def add(self, node: ExplorationNode) -> None:
        self._nodes[node] = None
        self._file(node)

    def candidates(self, now: Snapshot) -> Iterator[ExplorationNode]:
        """Nodes that a state may be an instance of, the latest first among those that are alike."""
        numbers = self._numbers(now)
        for shown, table in list(self._tables.items()):
            wanted = tuple(number if so else None for number, so in zip(numbers, shown, strict=True))
            yield from reversed(table.get(wanted, ()))

    def tell(self, holder: Holder, number: int) -> None:
        """Two states have different numbers in a holder; that of one of them is ``number``."""
        if holder not in self._telling:
            self._telling[holder] = {number}
            self._rebuild()

    def crowded(self, most: int) -> list[Holder]:
        """Holders with more numbers in them than that."""
        return [holder for holder, seen in self._telling.items() if len(seen) > most]

    def forget(self, holder: Holder) -> None:
        """From now on there is a symbol in a holder."""
        if self._telling.pop(holder, None) is not None:
            self._rebuild()

    def _numbers(self, snapshot: Snapshot) -> Numbers:
        found = []
        for holder, seen in self._telling.items():
            number = snapshot.number(holder)
            if number is not None:
                seen.add(number)
            found.append(number)
        return tuple(found)

    def _file(self, node: ExplorationNode) -> None:
        numbers = self._numbers(node.snapshot)
        table = self._tables.setdefault(tuple(number is not None for number in numbers), {})
        table.setdefault(numbers, []).append(node)

    def _rebuild(self) -> None:
        self._nodes = {node: None for node in self._nodes if not node.is_invalid}
        self._tables = {}
        for node in self._nodes:
            self._file(node)
