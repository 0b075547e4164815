"""Undefined behaviour that has no check of its own."""

from __future__ import annotations

from clew.checks.check import Check, register

CHECK = register(
    Check(
        "other",
        "other undefined behaviour",
        ("other",),
        traps={
            8: ("other", "a builtin function is called with an invalid argument"),
            10: ("other", "a value outside its type's range is loaded"),
            16: ("null-dereference", "a null pointer is passed where none may be"),
            17: ("null-dereference", "a null pointer is returned where none may be"),
        },
    )
)
