"""Accesses outside of objects, through null or dangling pointers, and wrong frees.

The memory model sees objects as wholes; Clang's bounds check also sees arrays inside of structs.
"""

from __future__ import annotations

from clew.checks.check import Check, register
from clew.program.traps import INDEX

CHECK = register(
    Check(
        "memory",
        "out of bounds, null, use after free or return, double and invalid free",
        ("out-of-bounds", "null-dereference", "use-after-free", "double-free", "invalid-free"),
        sanitizers=("array-bounds", "vla-bound"),
        traps={
            INDEX: ("out-of-bounds", "index out of bounds"),
            19: ("out-of-bounds", "pointer arithmetic overflows"),
            24: ("out-of-bounds", "length of a variable-length array is not positive"),
        },
    )
)
