"""What loop summaries count."""

from __future__ import annotations

from collections.abc import Iterator

from clew.base.dataclass import dataclass
from clew.report.lines import Line
from clew.report.statistics import Statistics


@dataclass(slots=True)
class SummaryStatistics(Statistics):
    """Loops that were generalized, and what that was good for."""

    loops_summarized: int = 0
    summaries: int = 0
    """Executions of loops that were generalized to all iteration counts; ``loops_summarized`` counts the loops."""
    constraints_removed: int = 0
    """Constraints of single iterations that summaries took the place of."""
    symbolic_updates: int = 0
    """Variables and memory cells that a summary gave a value for any number of iterations."""
    divergences: int = 0
    """Generated inputs whose run departed from the path that was predicted for them."""

    def lines(self, command: str) -> Iterator[Line]:
        if command == "test" and self.divergences:
            yield f"diverged  {self.divergences:,} of the inputs took another path than predicted", "yellow"
