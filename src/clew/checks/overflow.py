"""Signed arithmetic that overflows."""

from __future__ import annotations

from clew.checks.check import Check, register

CHECK = register(
    Check(
        "overflow",
        "signed integer overflow",
        ("signed-overflow",),
        sanitizers=("signed-integer-overflow",),
        traps={
            0: ("signed-overflow", "signed addition overflows"),
            # Of divisions, Clang checks the overflow only: the executor sees zero divisors by itself.
            3: ("signed-overflow", "division of the most negative number by -1"),
            12: ("signed-overflow", "signed multiplication overflows"),
            13: ("signed-overflow", "signed negation overflows"),
            21: ("signed-overflow", "signed subtraction overflows"),
        },
    )
)
