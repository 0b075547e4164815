"""How much the summaries of loops may use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run; the defaults are those of ``clew test``."""

    few_iterations: int = 4
    """Iterations that a loop must be able to run for: fewer are run as they are, and leave numbers, not formulas."""
    phases: int = 3
    """Summaries of one activation, before the rest of it is run as it is."""
    iteration_instructions: int = 400_000
    """Instructions of an iteration that is generalized."""
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


USUAL = Limits()
