"""How much the search with chains of loops may use."""

from __future__ import annotations

from clew.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one search; the defaults are those of ``clew reach``."""

    # Evaluation ahead of a state

    blocks: int = 6000
    """Blocks that are evaluated from one state on; a larger program is not supported."""
    table_bytes: int = 512
    """Size of a constant array whose elements are written out in an expression."""
    chains: int = 12
    """Chains of one loop. With more, what the variables do is not told apart by conditions."""
    snapshots: int = 6
    """Chains of a loop for each of which the first and the last execution are looked at."""

    # Questions about single iterations

    step: int = 1 << 12
    """Larger steps of a variable are not looked for."""
    failed_queries: int = 8
    """Queries per evaluation that may be too hard, before nothing else is asked."""
    own_queries: int = 24
    """Queries per evaluation that depend on the state it starts from, and so were never asked before."""
    query_seconds: float = 0.1
    """For one query: an answer helps, but is not necessary."""

    # Navigation

    system_seconds: float = 1.0
    """For one system of constraints: without an answer, a state is run as if there were no plan."""
    choices: int = 400
    """Choices between siblings after which a path lets the one that waits longest go first."""
    instructions: int = 2_000_000
    """Instructions that a state runs without leaving its plan before others get their turn."""
    rest: int = 6
    """Choices for which no system is solved when one took too long."""
    few_iterations: int = 4
    """Iterations of loops for which no shorter way is looked for."""
    detours: int = 64
    """Choices that leave a plan but are the only ones there are, before a system is solved again."""
    fair: int = 16
    """Every so many times, a state that has waited long is next instead of the last one."""

    # Searches for branches that exploration does not cover

    capital: int = 100_000
    """Work for all branches together, before any was covered by it ..."""
    share: float = 0.03
    """... and part of all the work of the run. Units of work are those of ``techniques.accounts``."""
    first_search: int = 30_000
    """Work of the first search for a branch; each later one may take ``growth`` times as much."""
    growth: int = 4
    preparation: int = 30
    """Work for each instruction of the program, before the first search."""
    block_work: int = 700
    """Work of one block that is evaluated ahead."""
    stuck_steps: int = 600
    """Paths and forks without anything new before searches begin ..."""
    stuck_instructions: int = 4_000_000
    """... or executed instructions."""
    systems: int = 60
    """Systems of constraints for one branch, per search."""
    memory_share: float = 0.25
    """Part of the memory limit by which a search may make the process grow."""
    branches: int = 64
    """Branches that are looked for, nearest to what was run first."""


USUAL = Limits()
