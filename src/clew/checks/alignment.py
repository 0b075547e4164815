"""Accesses through pointers that are not aligned as their type requires."""

from __future__ import annotations

from clew.checks.check import Check, register
from clew.program.traps import MISALIGNED

CHECK = register(
    Check(
        "alignment",
        "misaligned accesses",
        ("other",),
        sanitizers=("alignment",),
        traps={
            MISALIGNED: ("other", "misaligned access"),
            23: ("other", "an alignment that was promised does not hold"),
        },
    )
)
