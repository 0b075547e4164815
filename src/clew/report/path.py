"""The path of a bug, step by step: which line ran, which way it went on, what variables became."""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.base.location import Location
from clew.report.formats import present


@dataclass(frozen=True, slots=True)
class PathStep:
    """A line of the source that was run, once."""

    location: Location
    function: str
    outcome: str = ""
    """How its condition came out; empty where it has none."""
    values: tuple[tuple[str, str], ...] = ()
    """Variables that got a value here, and what, as C spells it."""
    skipped: int = 0
    """Steps between the one before and this one that are left out."""

    def to_json(self) -> dict[str, object]:
        place = {"file": self.location.file, "line": self.location.line, "function": self.function}
        return place | present(outcome=self.outcome, values=dict(self.values), skipped=self.skipped)
