"""How much conflict-driven search may use."""

from __future__ import annotations

from clew.base.dataclass import dataclass
from clew.explain.conflict import USUAL_REASONS, ReasonLimits


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one search; the defaults are those of ``clew verify``."""

    nodes: int = 1_500_000
    """Nodes of the unrolled graph; one that grows beyond is not unrolled further."""
    sat_conflicts: int = 50_000
    """Conflicts of the SAT solver between two looks at the budget."""
    saved_states: int = 2000
    """Waiting states that are kept as they are."""
    shifted_literals: int = 60
    """Literals of a learned clause that is moved to other iterations; longer ones are not worth it."""
    shifted_clauses: int = 400_000
    """Clauses that are made by such moves."""
    first_proofs: int = 16
    """Paths that are tried before a look at which properties are proved already."""
    reasons: ReasonLimits = USUAL_REASONS
    """For the reason of one conflict."""


USUAL = Limits()
