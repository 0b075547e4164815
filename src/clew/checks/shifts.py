"""Shifts by a negative or too large amount, and signed shifts that lose bits."""

from __future__ import annotations

from clew.checks.check import Check, register

CHECK = register(
    Check(
        "shift",
        "shifts out of range",
        ("shift",),
        sanitizers=("shift",),
        traps={20: ("shift", "shift out of range")},
    )
)
