"""What acceleration counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clew.report.lines import Line
from clew.report.statistics import Statistics


@dataclass(slots=True)
class AccelerationStatistics(Statistics):
    """Loops that were not run iteration by iteration."""

    jumps: int = 0
    """How often iterations of a loop were skipped, as it was known where they lead."""

    def lines(self, command: str) -> Iterator[Line]:
        if self.jumps:
            yield f"jumps     {self.jumps:,} over iterations of loops", ""
