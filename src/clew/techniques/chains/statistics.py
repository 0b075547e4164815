"""What loop navigation counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from clew.base.dataclass import dataclass
from clew.report.lines import Line
from clew.report.statistics import Statistics


@dataclass(slots=True)
class ChainStatistics(Statistics):
    """Chains of loops, and systems of constraints over their counters."""

    LARGEST: ClassVar[frozenset[str]] = frozenset(("chains",))

    chains: int = 0
    """Chains of all loops ahead of a state that were told apart."""
    systems_solved: int = 0
    """Systems of constraints over loop counters that were given to a solver."""
    systems_open: int = 0
    """Those to which it had no answer in time."""

    def lines(self, command: str) -> Iterator[Line]:
        if command == "reach" and self.systems_solved:
            yield f"chains    {self.chains:,}; {self.systems_solved:,} systems solved", ""
