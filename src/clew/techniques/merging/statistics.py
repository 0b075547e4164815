"""What merging counts, beside the paths that it cuts."""

from __future__ import annotations

from collections.abc import Iterator

from clew.base.dataclass import dataclass
from clew.report.lines import Line, counted
from clew.report.statistics import Statistics


@dataclass(slots=True)
class MergingStatistics(Statistics):
    """Formulas that tell which states have nothing new to show, at places where paths come together."""

    merge_formulas: int = 0
    merge_checks: int = 0
    """Times that a state was compared with such a formula."""
    merge_hits: int = 0
    """Of these, how often the formula held."""

    def lines(self, command: str) -> Iterator[Line]:
        if command == "test" and self.merge_checks:
            formulas, checks = counted(self.merge_formulas, "formula"), counted(self.merge_checks, "comparison")
            yield f"merging   {formulas}, {checks} with them, {self.merge_hits:,} of these successful", ""
