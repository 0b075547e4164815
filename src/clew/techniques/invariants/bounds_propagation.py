"""Facts about rounds and inputs, and what they leave of each: for a few facts, of which an estimate is enough."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clew.analysis.absint.linear import Linear
from clew.analysis.absint.propagation import Propagation, Row, rows_of

PASSES = 3
"""Over all facts, each time."""


@dataclass(frozen=True, slots=True)
class Fact:
    """``linear >= 0``, or ``linear == 0``, or ``linear != 0``: ``relation`` tells."""

    linear: Linear
    relation: str = ">="


class Box(Propagation):
    """Bounds for each variable that was spoken of."""

    __slots__ = ()

    def tighten(self, facts: Iterable[Fact]) -> bool:
        """Use facts; False if they leave nothing. Inequations are left aside."""
        rows: list[Row] = []
        for fact in facts:
            if fact.relation != "!=":
                rows += rows_of(fact.linear, fact.relation == "==")
        return self.propagate(rows, PASSES)

    def holds(self, fact: Fact) -> bool:
        """Whether a fact holds where all its variables have one value; no if they do not."""
        low, high = self.bounds(fact.linear)
        if low is None or low != high:
            return False
        return low >= 0 if fact.relation == ">=" else (low == 0) == (fact.relation == "==")
