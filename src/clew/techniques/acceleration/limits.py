"""How much is done with closures of loops."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one rewriting."""

    disjuncts: int = 64
    """Of a closure that is written into a program."""
    constraints: int = 600
    """Of all of them together."""
    renewed_bytes: int = 512
    """Size of memory that is given new contents as a whole."""


USUAL = Limits()
