"""Conversions of floats to integers that do not fit."""

from __future__ import annotations

from clew.checks.check import Check, register

CHECK = register(
    Check(
        "conversion",
        "floats converted to integers that cannot hold them",
        ("other",),
        sanitizers=("float-cast-overflow",),
        traps={5: ("other", "a float is converted to an integer type that cannot hold it")},
    )
)
