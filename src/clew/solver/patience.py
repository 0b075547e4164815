"""How long questions may take whose answers are welcome, but not needed: counted, so that no clock decides.

What is measured is how often backends ask whether to stop (``SolverStats.questions``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from clew.solver.stats import SolverStats


class Patience:
    """Of one chain of solvers; without end, unless somebody says otherwise."""

    def __init__(self, stats: SolverStats) -> None:
        self._stats = stats
        self._end: int | None = None

    @contextmanager
    def of(self, questions: int) -> Iterator[None]:
        """All that is asked within takes at most so much together; answers that would take longer are UNKNOWN."""
        outer, end = self._end, self._stats.questions + questions
        self._end = end if outer is None else min(outer, end)
        try:
            yield
        finally:
            self._end = outer

    def is_over(self) -> bool:
        """Whether a backend is to give up."""
        return self._end is not None and self._stats.questions >= self._end
