"""How much the summaries of loops may use."""

from __future__ import annotations

from clew.base.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run; the defaults are those of ``clew test``."""

    few_iterations: int = 4
    """Iterations that a loop must be able to run for: fewer are run as they are, and leave numbers, not formulas."""
    phases: int = 3
    """Summaries of one activation, before the rest of it is run as it is."""
    iteration_instructions: int = 400_000
    """Instructions of an iteration that is generalized."""
    iteration_questions: int = 4_000
    """What questions to the solver about it may take: see ``solver.patience``."""
    test_instructions: int = 500_000
    """Instructions that a test may well take; a longer one is run with fewer iterations, if it can be."""
    failures: int = 4
    """Attempts in a row that may fail before a loop is left alone."""
    guesses: int = 6
    """Guesses about a loop, before one must have led somewhere new."""
    guesses_per_success: int = 4
    """Guesses more for each that has."""
    predicted_iterations: int = 3_000
    """Iterations that a state may run to come to the last one that a guess predicts."""
    more_iterations: int = 4
    """Iterations that a state is to go on for which comes too late to a loop's last one."""

    # Work, in the units of ``techniques.accounts``

    capital: int = 60_000
    """Before any loop was summarized ..."""
    share: float = 0.02
    """... and part of all the work of the run."""
    visit: int = 200
    """Of one visit of a loop's header."""
    trial: int = 30_000
    """What must be there before loops are watched again."""
    look: int = 10_000
    """Of one look at a loop, beside the iteration that is run for it."""
    follow_up: int = 10_000
    """Of inputs that are run since a guess proposes them."""
    replay: int = 10_000
    """Of one path that is run once more."""
    sibling: int = 1_000
    """Of a sibling that need not be explored, or a constraint that paths need not have: saved."""


USUAL = Limits()
UNLIMITED = Limits(iteration_questions=1 << 40, share=2.0**40)
"""For a run that has nothing else to spend its time on."""
