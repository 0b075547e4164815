"""Bounds of variables under linear facts, by propagation: for a few facts, of which an estimate is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from clew.analysis.absint.domain import Bounds
from clew.analysis.absint.linear import Linear, Variable

PASSES = 3
"""Over all facts, each time."""


@dataclass(frozen=True, slots=True)
class Fact:
    """``linear >= 0``, or ``linear == 0``, or ``linear != 0``: ``relation`` tells."""

    linear: Linear
    relation: str = ">="


class Box:
    """Bounds for each variable that was spoken of. Changes in place."""

    __slots__ = ("_ranges", "table")

    def __init__(self, ranges: Callable[[Variable], Bounds], table: dict[Variable, Bounds] | None = None) -> None:
        self._ranges = ranges
        self.table: dict[Variable, Bounds] = table or {}

    def copy(self) -> Box:
        return Box(self._ranges, dict(self.table))

    def of(self, variable: Variable) -> Bounds:
        found = self.table.get(variable)
        if found is None:
            found = self.table[variable] = self._ranges(variable)
        return found

    def tighten(self, facts: Iterable[Fact]) -> bool:
        """Use facts; False if they leave nothing. Inequations are left aside."""
        rows: list[tuple[list[tuple[Variable, int]], int]] = []
        for fact in facts:
            if fact.relation == "!=":
                continue
            terms = list(fact.linear.terms.items())
            rows.append((terms, fact.linear.constant))
            if fact.relation == "==":
                rows.append(([(variable, -factor) for variable, factor in terms], -fact.linear.constant))
        for _ in range(PASSES):
            changed = False
            for terms, constant in rows:
                outcome = self._use(terms, constant)
                if outcome is None:
                    return False
                changed = changed or outcome
            if not changed:
                break
        return True

    def _use(self, terms: list[tuple[Variable, int]], most: int) -> bool | None:
        """That a sum and ``most`` are not negative: whether that changed anything; None if nothing is left."""
        unbounded: Variable | None = None
        for variable, factor in terms:
            low, high = self.of(variable)
            end = high if factor > 0 else low
            if end is not None:
                most += factor * end
            elif unbounded is not None:
                return False
            else:
                unbounded = variable
        if unbounded is None and most < 0:
            return None
        changed = False
        for variable, factor in terms:
            low, high = self.table[variable]
            if unbounded is not None:
                if variable != unbounded:
                    continue
                rest = most
            else:
                end = high if factor > 0 else low
                assert end is not None
                rest = most - factor * end
            # factor * variable >= -rest
            limit = -(rest // factor) if factor > 0 else rest // -factor
            if factor > 0 and (low is None or limit > low):
                low, changed = limit, True
            elif factor < 0 and (high is None or limit < high):
                high, changed = limit, True
            else:
                continue
            if low is not None and high is not None and low > high:
                return None
            self.table[variable] = (low, high)
        return changed

    def holds(self, fact: Fact) -> bool:
        """Whether a fact holds where all its variables have one value; no if they do not."""
        value = fact.linear.constant
        for variable, factor in fact.linear.terms.items():
            low, high = self.of(variable)
            if low is None or low != high:
                return False
            value += factor * low
        return value >= 0 if fact.relation == ">=" else (value == 0) == (fact.relation == "==")
