"""How much may be done about candidates."""

from __future__ import annotations

from clew.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one search for invariants; all work is counted, so that the same program gives the same."""

    terms: int = 14
    """Of the head of one loop."""
    facts: int = 24
    """Constraints of abstract interpretation that are assumed at a head."""

    # One iteration of every loop

    segments: int = 400
    """Ways from the head of a loop, or the start of the program, to the head of a loop."""
    instructions: int = 50_000
    forks: int = 3_000
    """Of the exploration that finds these."""
    iterations: int = 80
    """Of a loop that cannot be opened."""

    # Equalities

    monomials: int = 28
    """Products of terms that equalities are made of."""
    factors: int = 4
    """Terms that are multiplied with each other."""
    rounds: int = 80
    """Of the iteration that finds all equalities that loops keep."""
    multiples: int = 60
    """Products of equalities and terms that are assumed."""

    # Other candidates

    runs: int = 14
    """Runs of the program on given inputs."""
    run_inputs: int = 80
    """Inputs of one run; it ends where it would read more."""
    run_instructions: int = 12_000
    visits: int = 48
    """States at the head of one loop that are kept of one run."""
    all_visits: int = 400
    """At the heads of all loops, after which a run is ended."""
    constants: int = 10
    """Numbers of the program that terms are compared with."""
    phases: int = 8
    """Conditions by which candidates are told apart."""
    candidates: int = 400
    """Of one loop, when checking begins."""
    questions: int = 500
    """To the solver, about all candidates."""
    unknowns: int = 4
    """Of those, about single candidates, that may stay without an answer."""
    seconds: float = 2.0
    """Of one of these."""
    kept: int = 24
    """Conditions of one loop in the end."""


USUAL = Limits()
