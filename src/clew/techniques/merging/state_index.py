"""Earlier states of one place, found by the numbers that tell them apart: there may be thousands.

A holder in which two states had different numbers tells states apart. States that have the same numbers in all of
these are kept together; so are those with a symbol somewhere, which any state may be an instance of.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.techniques.merging.exploration_tree import ExplorationNode
from clew.techniques.merging.snapshot import Holder, Snapshot

Numbers = tuple[int, ...]


class StateIndex:
    """Nodes of one place, explored or being explored."""

    def __init__(self) -> None:
        self._nodes: dict[ExplorationNode, None] = {}
        self._telling: dict[Holder, set[int]] = {}
        """Holders that tell states apart, with the numbers that were seen in them."""
        self._alike: dict[Numbers | None, list[ExplorationNode]] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def add(self, node: ExplorationNode) -> None:
        self._nodes[node] = None
        self._file(node)

    def candidates(self, now: Snapshot) -> Iterator[ExplorationNode]:
        """Nodes that a state may be an instance of, the latest first."""
        numbers = self._numbers(now)
        if numbers is not None:
            yield from reversed(self._alike.get(numbers, ()))
        yield from reversed(self._alike.get(None, ()))

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

    def _numbers(self, snapshot: Snapshot) -> Numbers | None:
        found = []
        for holder, seen in self._telling.items():
            number = snapshot.number(holder)
            if number is None:
                return None
            seen.add(number)
            found.append(number)
        return tuple(found)

    def _file(self, node: ExplorationNode) -> None:
        self._alike.setdefault(self._numbers(node.snapshot), []).append(node)

    def _rebuild(self) -> None:
        self._nodes = {node: None for node in self._nodes if not node.is_invalid}
        self._alike = {}
        for node in self._nodes:
            self._file(node)
