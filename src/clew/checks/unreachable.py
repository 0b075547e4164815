"""Code reached that was declared unreachable."""

from __future__ import annotations

from clew.checks.check import Check, register

CHECK = register(
    Check(
        "unreachable",
        "code declared unreachable",
        ("unreachable",),
        traps={
            1: ("unreachable", "code that is declared unreachable is reached"),
            11: ("unreachable", "a function ends without returning a value"),
        },
    )
)
