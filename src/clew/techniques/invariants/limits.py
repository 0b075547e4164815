"""How much may be done with invariants and closed forms; the effort of the analysis itself is ``absint``'s."""

from __future__ import annotations

from clew.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run; the defaults are those of ``clew test`` and ``clew verify``."""

    # Closed forms

    call_depth: int = 6
    """How far calls are followed."""
    instructions: int = 4000
    """Instructions that are looked at, those of followed calls each time."""
    terms: int = 16
    """Terms of a linear expression."""
    condition_depth: int = 12
    """Conditions within conditions that are taken apart."""
    facts: int = 60
    """Facts from branches on the way to an edge."""
    rounds: int = 10_000
    """Rounds of all loops together on the way to an edge: what is farther is left to invariants."""
    candidates: int = 4
    """Inputs that are proposed for one edge."""

    closed_form_work: int = 2_000
    """Work of one edge (``techniques.accounts``)."""
    few_steps: int = 2
    """Paths and forks without anything new before closed forms are asked ..."""
    instructions_per_step: int = 40
    """... and one more for each so many instructions of the program: their cost grows with the code."""

    # Invariants

    stuck_steps: int = 120
    """Paths and forks without anything new before invariants are computed ..."""
    stuck_instructions: int = 200_000
    """... or executed instructions: about what invariants cost in a small program."""
    capital: int = 120_000
    """Work for closed forms and invariants, before they have covered anything ..."""
    share: float = 0.02
    """... and part of all the work of the run."""
    first_analysis: int = 60_000
    """Work of the first analysis; if that is not enough, each later one may take ``growth`` times as much."""
    growth: int = 4
    preparation: int = 60
    """Work that an analysis takes for each instruction of the program, before it begins."""
    node_work: int = 700
    """Work of the analysis at one place of the program."""
    branches: int = 256
    """Uncovered branches that inputs are proposed for."""
    inputs: int = 24
    """Inputs that get values from a point of an invariant; others are left to the engine."""
    needed_rounds: int = 100_000
    """Iterations that no exploration goes through one by one: no loop is given a larger bound."""
    assumed: int = 32
    """Constraints of an invariant that are assumed where a loop is cut open."""


USUAL = Limits()
