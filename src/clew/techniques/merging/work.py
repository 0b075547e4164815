"""What merging costs and what it brings, in units of work: about what an instruction takes that is not fast.

No clock takes part, so that a run with the same seed stays the same run. What a merged path brings is what was explored
below the state it is an instance of, together with what was merged there: with each decision that does not count, that
doubles.
"""

from __future__ import annotations

from clew.execute.run import Run

FORK, PATH, QUERY, ASKED = 60, 150, 100, 6
"""A sibling, the end of a path, a question to the solver, a node of one that no cache answers: what all paths cost,
merged or not. Numbers that have become symbols make more of the last."""
VISIT, COMPARISON, CELL, CLAUSE, NODE, SYMBOL, NOTE = 40, 50, 8, 20, 150, 100, 25
"""A merge point that is looked at, an earlier state that is compared, a part in which it differs, a clause that is
asked about, a node that is opened, a value that becomes a symbol, a report to a node: what merging costs."""
UNITS = 2
"""Units of ``techniques.accounts`` in one of these."""
MOST = 1 << 40
"""Work that one merged path saves, at most."""


class WorkAccount:
    """Paid and credited work."""

    __slots__ = ("credited", "deficit", "paid")

    def __init__(self) -> None:
        self.paid = 0
        self.credited = 0
        self.deficit = 0
        """What was paid and did not come back, since it last broke even."""

    def charge(self, units: int) -> None:
        self.paid += units
        self.deficit += units

    def credit(self, units: int) -> None:
        self.credited += units
        self.deficit = max(0, self.deficit - units)


def explored(run: Run) -> int:
    """All the work of a run so far, merging aside."""
    statistics = run.statistics
    paths = statistics.paths_completed + statistics.paths_repeated + statistics.paths_merged
    return statistics.instructions + FORK * statistics.forks + PATH * paths + asked(run)


def asked(run: Run) -> int:
    """The work of its solver."""
    return QUERY * run.solver.stats.queries + ASKED * run.solver.stats.nodes
