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

    LARGEST: ClassVar[frozenset[str]] = frozenset(("chains_root", "chains_all"))

    chains_root: int = 0
    """Chains of loops at the top level of a program's chain form."""
    chains_all: int = 0
    """Those, and the ones inside of them."""
    systems_solved: int = 0
    """Systems of constraints over loop counters that were given to a solver."""

    def lines(self, command: str) -> Iterator[Line]:
        if command == "reach" and self.chains_all:
            chains = f"{self.chains_root:,} at the root, {self.chains_all:,} in all"
            yield f"chains    {chains}; {self.systems_solved:,} systems solved", ""
