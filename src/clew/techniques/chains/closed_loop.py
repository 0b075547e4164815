"""A loop in terms of chains: what ``loops`` finds out, and ``instances`` makes use of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from clew.expr.node import BV, Bool, Expr
from clew.expr.walk import substitute
from clew.techniques.chains.acyclic import AcyclicFunction
from clew.techniques.chains.forward_evaluation import Notes
from clew.techniques.chains.recurrence import Variable


@dataclass(slots=True)
class LoopChain:
    """Ways through a loop's body that do the same to the variables that matter."""

    condition: Bool
    """Over the values at the start of the iteration, and symbols of the body."""
    following: tuple[Any, ...]
    """The variables' values at the end of the iteration."""


@dataclass(slots=True)
class ClosedLoop:
    """A loop in terms of chains."""

    outline: AcyclicFunction
    loop: int
    variables: list[Variable]
    chains: list[LoopChain]
    notes: Notes
    """Of the body: facts, symbols, edges."""
    lost: int = 0
    """Objects in which an iteration may write at places that are not known."""
    bounded: bool = False
    counters: list[BV] = field(default_factory=list)
    executions: list[tuple[BV, dict[Expr, Any]]] = field(default_factory=list)
    """Of this instance: per chain, its counter and what the symbols of its last execution stand for."""


def renamed(fact: Bool, mapping: dict[Expr, Any]) -> Bool:
    """A fact about other symbols."""
    result = substitute(fact, mapping)
    assert not isinstance(result, float)
    return result if isinstance(result, Expr) else bool(result)
