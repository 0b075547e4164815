"""Kinds of bugs for machines: a title, and the numbers of the Common Weakness Enumeration."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weakness:
    """What a kind of bug is called elsewhere."""

    title: str
    cwe: tuple[int, ...]
    level: str = "error"


WEAKNESSES = {
    "assert": Weakness("Assertion can fail", (617,)),
    "error-call": Weakness("Error function can be called", (617,)),
    "abort": Weakness("Program can abort", (617,)),
    "out-of-bounds": Weakness("Access outside an object", (119, 125, 787)),
    "null-dereference": Weakness("Null pointer dereference", (476,)),
    "use-after-free": Weakness("Use of memory after it is freed", (416, 562)),
    "double-free": Weakness("Memory freed twice", (415,)),
    "invalid-free": Weakness("Free of memory that was not allocated", (590, 761)),
    "memory-leak": Weakness("Memory is never freed", (401,), "warning"),
    "uninitialized": Weakness("Use of an uninitialized value", (457, 908)),
    "signed-overflow": Weakness("Signed integer overflow", (190, 191)),
    "division-by-zero": Weakness("Division by zero", (369,)),
    "shift": Weakness("Undefined shift", (1335,)),
    "misaligned": Weakness("Misaligned access", (704, 758)),
    "unreachable": Weakness("Code that must not be reached can be", (758,)),
    "other": Weakness("Undefined behaviour", (758,)),
}
"""One entry for each of ``BUG_KINDS``; a test holds the two together."""
