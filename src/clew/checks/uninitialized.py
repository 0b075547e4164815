"""Uninitialized values that decide something, or leave the program. Merely copying one is no error."""

from __future__ import annotations

from clew.checks.check import Check, register

CHECK = register(
    Check(
        "uninitialized", "uninitialized values that decide a branch or an address, or are printed", ("uninitialized",)
    )
)
