"""``random-path``: coin flips at the forks of the exploration tree, from its root down to a sibling that waits.

Where one side of a fork has nothing left to explore, the other one is taken. So the crowd of siblings that a loop has
bred is as likely as the single one on the other side of an earlier fork.
"""

from __future__ import annotations

from clew.execute.pending import Pending
from clew.execute.sites import Decision
from clew.search.eviction import evict_deepest
from clew.search.registry import SEARCHERS, SearchContext


class _Node:
    """A place of the tree below which siblings wait: those forked there, and nodes further down."""

    __slots__ = ("decision", "items", "parent")

    def __init__(self, decision: Decision | None, parent: _Node | None) -> None:
        self.decision = decision
        self.parent = parent
        self.items: list[Pending | _Node] = []


@SEARCHERS.register("random-path", "coin flips at every fork: shallow paths are not starved by loops")
class RandomPath:
    """The part of the exploration tree that leads to siblings, by the decisions of their paths."""

    def __init__(self, context: SearchContext) -> None:
        self._random = context.randomness.stream("random-path")
        self._begin()

    def _begin(self) -> None:
        self._root = _Node(None, None)
        self._nodes: dict[Decision, _Node] = {}
        self._count = 0

    def add(self, pending: Pending) -> None:
        decision = pending.state.decisions
        if pending.constraint is not None and decision is not None:
            decision = decision.previous
        self._node(decision).items.append(pending)
        self._count += 1

    def _node(self, decision: Decision | None) -> _Node:
        """The node after a decision, linked to the root."""
        missing: list[Decision] = []
        while decision is not None and decision not in self._nodes:
            missing.append(decision)
            decision = decision.previous
        node = self._root if decision is None else self._nodes[decision]
        for below in reversed(missing):
            child = self._nodes[below] = _Node(below, node)
            node.items.append(child)
            node = child
        return node

    def select(self) -> Pending | None:
        while self._root.items:
            pending = self._draw()
            if not pending.taken:
                pending.taken = True
                return pending
        return None

    def _draw(self) -> Pending:
        """Take a sibling out of the tree, and with it what leads to no other one."""
        node = self._root
        while True:
            items = node.items
            at = int(self._random.random() * len(items)) if len(items) > 1 else 0
            chosen = items[at]
            if isinstance(chosen, Pending):
                break
            node = chosen
        items[at] = items[-1]
        items.pop()
        self._count -= 1
        self._unlink(node)
        return chosen

    def _unlink(self, node: _Node) -> None:
        """Forget a node below which nothing waits, and those above it that led to nothing else."""
        while not node.items and node.parent is not None and node.decision is not None:
            del self._nodes[node.decision]
            node.parent.items.remove(node)
            node = node.parent

    def evict(self, count: int) -> list[Pending]:
        waiting = self._waiting()
        victims = evict_deepest(waiting, count)
        self._begin()
        for pending in waiting:
            if not pending.taken:
                self.add(pending)
        return victims

    def _waiting(self) -> list[Pending]:
        nodes = (self._root, *self._nodes.values())
        items = (item for node in nodes for item in node.items)
        return [item for item in items if isinstance(item, Pending) and not item.taken]

    def __len__(self) -> int:
        return self._count
