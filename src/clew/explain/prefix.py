"""The tree of executed choices: what the explainer walks along.

A prefix is the part of a path up to some choice. It keeps what execution logged since its own last
choice (values read from memory, results of models), so that the instructions in between can be
evaluated again without executing them. Paths that share a prefix share it here.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from clew.base.dataclass import dataclass
from clew.explain.unrolled import Edge, UnrolledNode
from clew.expr.node import Expr

Split = tuple[int, str, int]
"""Where an instruction made the state fork: depth of the call stack, block, index."""


@dataclass(slots=True, eq=False, repr=False)
class Prefix:
    """One node of the tree. ``literal`` stands for the choice that leads from its parent to it."""

    parent: Prefix | None
    literal: int
    """Variable of the edge taken; of an alternative within an instruction: its own variable, or that negated."""
    node: UnrolledNode
    """The piece of code it starts in."""
    edge: Edge | None = None
    depth: int = field(init=False)
    items: list[Any] = field(default_factory=list)
    """What was logged between its choice and the next."""
    constraint: Expr | None = None
    """What its choice adds to the path condition; None where the condition was concrete."""
    split: Split | None = None
    """Of an alternative: the instruction that forked; both alternatives go on with it."""
    children: dict[Edge, Prefix] = field(default_factory=dict)
    forked: bool = field(init=False)
    """Whether such an alternative is on the way to it."""
    splits: tuple[Prefix, Prefix] | None = None
    """The state forked within an instruction: the sibling, and the way on of the state itself."""
    saved: Any = None
    """A state that waits here."""
    resuming: bool = False
    """The state that waits here will say once more that it makes the call which leads here."""
    taught: bool = False
    """Whether the closed ways out of its last choice are known to the search."""

    def __post_init__(self) -> None:
        self.depth = self.parent.depth + 1 if self.parent is not None else 0
        self.forked = self.parent is not None and self.parent.forked

    def literals(self) -> list[int]:
        """Everything the path has chosen."""
        found = []
        prefix: Prefix | None = self
        while prefix is not None:
            if prefix.literal:
                found.append(prefix.literal)
            prefix = prefix.parent
        return found
