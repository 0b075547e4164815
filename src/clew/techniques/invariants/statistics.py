"""What invariants count."""

from __future__ import annotations

from collections.abc import Iterator

from clew.base.dataclass import dataclass
from clew.report.lines import Line, counted
from clew.report.statistics import Statistics


@dataclass(slots=True)
class InvariantStatistics(Statistics):
    """The time that invariants take, and the inputs that they give."""

    invariant_seconds: float = 0.0
    """Spent on invariants: the analysis, and questions about what it found."""
    invariant_candidates: int = 0
    """Inputs that invariants gave for branches that were not covered."""
    invariant_tests: int = 0
    """Tests that were kept of those."""

    def lines(self, command: str) -> Iterator[Line]:
        if command == "test" and self.invariant_candidates:
            kept = "1 kept as a test" if self.invariant_tests == 1 else f"{self.invariant_tests:,} kept as tests"
            yield f"guided    {counted(self.invariant_candidates, 'input')} from invariants, {kept}", ""
