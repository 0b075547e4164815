"""Counters of the solver stack. One object per run, handed to the chain, which updates it."""

from __future__ import annotations

from dataclasses import field

from clew.base.dataclass import dataclass

EASY = 1_000
"""Questions of a check, up to which its nodes tell what it takes."""
_COUNTERS = ("queries", "solver_checks", "nodes", "questions", "hard", "cache_hits", "unknowns", "seconds")


@dataclass(slots=True)
class SolverStats:
    """What the chain was asked, and who answered."""

    queries: int = 0
    answered: dict[str, int] = field(default_factory=dict)
    """Queries answered per layer."""
    solver_checks: int = 0
    """Checks that reached a backend."""
    nodes: int = 0
    """Of the expressions in those checks, and in what propagation and rewriting look at: what a check costs goes with
    their number, on any machine."""
    questions: int = 0
    """How often backends asked whether to stop: some twenty to a few hundred microseconds of their search each, the
    same on any machine; counted where somebody can stop them."""
    hard: int = 0
    """Of these, those of each check beyond the first ``EASY``: what they take, the nodes of a query do not tell."""
    cache_hits: int = 0
    unknowns: int = 0
    seconds: float = 0.0
    """Wall time spent in backends."""

    def since(self, earlier: SolverStats) -> SolverStats:
        """What was counted since these were as they were earlier."""
        found = SolverStats(**{name: getattr(self, name) - getattr(earlier, name) for name in _COUNTERS})
        found.answered = {name: count - earlier.answered.get(name, 0) for name, count in self.answered.items()}
        return found

    def add(self, other: SolverStats) -> None:
        """Count what another solver was asked, too."""
        for name in _COUNTERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name, count in other.answered.items():
            self.answered[name] = self.answered.get(name, 0) + count

    def count(self, source: str) -> None:
        """Note that ``source`` answered a query."""
        self.queries += 1
        self.answered[source] = self.answered.get(source, 0) + 1
