"""The tree of executed choices: what the explainer walks along.

A prefix is the part of a path up to some choice. It keeps what execution logged since its own last
choice (values read from memory, results of models), so that the instructions in between can be
evaluated again without executing them. Paths that share a prefix share it here.
"""

from __future__ import annotations

from typing import Any

from clew.explain.unrolled import Edge, UnrolledNode
from clew.expr.node import Expr

Split = tuple[int, str, int]
"""Where an instruction made the state fork: depth of the call stack, block, index."""


class Prefix:
    """One node of the tree. ``literal`` stands for the choice that leads from its parent to it."""

    __slots__ = (
        "children", "constraint", "depth", "edge", "forked", "items", "literal", "node", "parent", "resuming",
        "saved", "split", "splits", "taught",
    )  # fmt: skip

    def __init__(self, parent: Prefix | None, literal: int, node: UnrolledNode, edge: Edge | None = None) -> None:
        self.parent = parent
        self.literal = literal
        """Variable of the edge taken; of an alternative within an instruction: its own variable, or that negated."""
        self.node = node
        """The piece of code it starts in."""
        self.edge = edge
        self.depth: int = parent.depth + 1 if parent is not None else 0
        self.items: list[Any] = []
        """What was logged between its choice and the next."""
        self.constraint: Expr | None = None
        """What its choice adds to the path condition; None where the condition was concrete."""
        self.split: Split | None = None
        """Of an alternative: the instruction that forked; both alternatives go on with it."""
        self.children: dict[Edge, Prefix] = {}
        self.forked: bool = parent is not None and parent.forked
        """Whether such an alternative is on the way to it."""
        self.splits: tuple[Prefix, Prefix] | None = None
        """The state forked within an instruction: the sibling, and the way on of the state itself."""
        self.saved: Any = None
        """A state that waits here."""
        self.resuming = False
        """The state that waits here will say once more that it makes the call which leads here."""
        self.taught = False
        """Whether the closed ways out of its last choice are known to the search."""

    def literals(self) -> list[int]:
        """Everything the path has chosen."""
        found = []
        prefix: Prefix | None = self
        while prefix is not None:
            if prefix.literal:
                found.append(prefix.literal)
            prefix = prefix.parent
        return found
