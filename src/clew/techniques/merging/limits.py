"""How much merging of paths may use."""

from __future__ import annotations

from clew.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run; the defaults are those of ``clew test``."""

    # Merge points

    formulas: int = 6
    """Formulas of one merge point with the same calls to return from, for the same values of what no input decides;
    those that never helped go first."""
    all_formulas: int = 4000
    """Formulas of all merge points."""
    point_deficit: int = 6_000
    """Work at one merge point that brought nothing, before it is passed by for a while."""
    first_pause: int = 16
    """Paths for which a merge point is passed by the first time; then twice as many each time."""
    frames: int = 80
    """Frames beyond which nothing is merged."""
    idle_visits: int = 4
    """Merge points that a path visits without deciding anything in between, before it must decide something."""

    closing: bool = False
    """Whether states are also compared with those whose exploration still goes on, at the heads of loops as well."""
    numbers: int = 16
    """Numbers of one register or memory cell that states are told apart by then, before it is replaced by a symbol."""
    blamed: int = 1
    """How often such a symbol may tell states apart all the same, before a number takes its place again."""
    largest: int = 15
    """Inputs have been read into what is replaced by numbers: the largest one, so that there are not too many."""
    explicit: int = 400
    """States of one merge point beyond which whatever they differ in is replaced by symbols."""

    # Comparing states

    differences: int = 96
    """Registers and memory cells in which two states may differ."""
    least_cell: int = 4
    """Bytes that are compared together, and replaced together, where variables in memory are smaller: if one of several
    side by side differs, others are likely to."""
    lifted: int = 40
    """Registers and memory cells of one merge point that are replaced by symbols."""
    lifted_nodes: int = 4
    """Nodes of one merge point with such symbols, before one of them has to be of use."""
    checked_clauses: int = 400
    """Clauses of a formula that are compared with a path."""
    restricted: int = 6
    """Parts of a formula whose negation becomes part of a path."""

    # Clauses

    clauses: int = 600
    """Clauses of one node; with more, it is given up."""
    short_clause: int = 20
    """Reasons of a clause that is not minimized."""
    minimized: int = 400
    """Reasons of a clause beyond which it is not minimized either."""
    core_seconds: float = 0.5
    """For the unsatisfiable core of one clause."""
    deletions: int = 4
    """Reasons that are left out of a core, one at a time, to see whether the rest is still contradictory."""


USUAL = Limits()
