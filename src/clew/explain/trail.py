"""How far a walk along an executed path has come: the node, registers of every active function, memory, constraints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from immutables import Map

from clew.base.dataclass import dataclass
from clew.explain.definitions import Lost
from clew.explain.memory import MemoryTrail, Step
from clew.explain.unrolled import UnrolledNode
from clew.expr.node import Expr
from clew.solver.path import conjuncts


@dataclass(slots=True, eq=False, repr=False)
class Cursor:
    """Reads what execution logged on a prefix."""

    items: list[Any]
    at: int = 0

    def next(self) -> Any:
        if self.at >= len(self.items):
            raise Lost
        self.at += 1
        return self.items[self.at - 1]


@dataclass(slots=True, eq=False, repr=False)
class TrailFrame:
    """The registers of a function that is running. Changed only by the trail that has made it."""

    function: str
    registers: dict[str, Any]
    parent: TrailFrame | None

    def copy(self) -> TrailFrame:
        return TrailFrame(self.function, dict(self.registers), self.parent)

    @property
    def depth(self) -> int:
        count, activation = 1, self.parent
        while activation is not None:
            count, activation = count + 1, activation.parent
        return count


@dataclass(slots=True, eq=False, repr=False)
class Constraint:
    """Part of a path condition, with what it says of which value, and the choice that made it hold."""

    literal: int
    definition: Any
    says: Callable[[Any], Any]


@dataclass(slots=True, eq=False, repr=False)
class Trail:
    """A place on a path: before instruction ``index`` of ``node``."""

    node: UnrolledNode
    index: int
    step: Step
    activation: TrailFrame
    memory: MemoryTrail
    constraints: Map[Expr, Constraint] = field(default_factory=Map)
    read: int = 0
    """How much of its prefix's log has been read."""

    def copy(self) -> Trail:
        activation, memory = self.activation.copy(), self.memory.copy()
        return Trail(self.node, self.index, self.step, activation, memory, self.constraints, self.read)

    def constrain(self, expression: Expr, constraint: Constraint) -> None:
        """The path condition has got an expression."""
        for part in conjuncts(expression):
            if part not in self.constraints:
                self.constraints = self.constraints.set(part, constraint)


@dataclass(slots=True, eq=False, repr=False)
class Ending:
    """Where a prefix comes to its next choice: the trail there, and what the choice depends on."""

    trail: Trail
    subject: Any
    """The branch condition, the value switched on, the function pointer."""
