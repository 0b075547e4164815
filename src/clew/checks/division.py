"""Division by zero. (The one quotient that overflows counts as signed overflow.)"""

from __future__ import annotations

from clew.checks.check import Check, register

CHECK = register(
    Check(
        "div",
        "division by zero",
        ("division-by-zero",),
    )
)
