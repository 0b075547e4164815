"""What conflict-driven execution counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from clew.base.dataclass import dataclass
from clew.report.lines import Line, counted
from clew.report.statistics import Statistics


@dataclass(slots=True)
class ConflictStatistics(Statistics):
    """Clauses, and the paths that taught them."""

    LARGEST: ClassVar[frozenset[str]] = frozenset(("learned_largest",))

    conflicts: int = 0
    learned_clauses: int = 0
    learned_literals: int = 0
    """Of all learned clauses together."""
    learned_largest: int = 0
    """Literals of the largest learned clause."""
    clauses_from_others: int = 0
    """Learned by searches in other processes."""
    instructions_repeated: int = 0
    """Of ``instructions``, those that were run again to come back to a decision."""

    def lines(self, command: str) -> Iterator[Line]:
        if command == "verify" and (self.conflicts or self.learned_clauses):
            clauses = counted(self.learned_clauses, "clause") + self._sizes()
            yield f"learned   {clauses}, from {counted(self.conflicts, 'conflict')}", ""

    def _sizes(self) -> str:
        if self.learned_clauses == 1:
            return f" of {counted(self.learned_largest, 'literal')}"
        if not self.learned_clauses:
            return ""
        return f" of {self.learned_literals / self.learned_clauses:.1f} literals, {self.learned_largest} at most"
