"""Accesses through pointers that are not aligned as their type requires."""

from __future__ import annotations

from clew.checks.check import Check, register
from clew.program.traps import MISALIGNED

CHECK = register(
    Check(
        "alignment",
        "misaligned accesses",
        ("misaligned",),
        sanitizers=("alignment",),
        traps={
            MISALIGNED: ("misaligned", "access through a pointer that is not aligned as its type requires"),
            23: ("misaligned", "an alignment that was promised does not hold"),
        },
    )
)
