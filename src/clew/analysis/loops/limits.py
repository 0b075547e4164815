"""How much the reading and closing of one loop may use: counts of work, no clocks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one loop."""

    pieces: int = 64
    """Of a relation: beyond that, there are too many paths."""
    steps: int = 20_000
    """Instructions, over all paths through the body."""
    call_depth: int = 6
    """Calls within calls that are followed."""
    loop_depth: int = 3
    """Loops within loops that are closed first."""
    splits: int = 4
    """Ways of one value to wrap around that become pieces of their own; where there are more, a number is unknown."""
    operations: int = 30_000
    """Of the Integer Set Library, for one question about one loop; fewer after questions that were too hard."""
    more_operations: int = 500
    """The same, more for each piece of its relation."""
    disjuncts: int = 48
    """Of a closure."""
    counters: int = 12
    """Pieces that are counted."""
    laps: int = 16
    """Pieces that are closed one after the other."""
    period: int = 4
    """Iterations that are looked at as one, where a single one cannot be closed."""
    rounds: int = 12
    """Iterations after which a loop may turn out to be over, where it cannot be closed."""


USUAL = Limits()
