"""Programs that end themselves by ``abort``."""

from __future__ import annotations

from clew.program.module import Program


def states_assumptions(program: Program) -> bool:
    """Whether ``abort`` ends runs that do not count: so it does in programs with ``__VERIFIER_...`` functions."""
    return any(name.startswith("__VERIFIER_") for name in program.functions)
