"""How memory says no.

``AccessError`` is a fact about the analysed program that the executor turns into a finding; it is an
exception only because it is found deep inside an access. ``AllocationTooLarge`` is a limit of ours.
"""

from __future__ import annotations

from typing import Literal

from clew.base.errors import Unsupported
from clew.memory.object import MemoryObject

Violation = Literal[
    "out-of-bounds", "null-dereference", "use-after-free", "write-to-constant", "double-free", "invalid-free"
]


class AccessError(Exception):
    """The program touched memory it must not touch. ``object`` is the one it most likely meant."""

    def __init__(self, kind: Violation, message: str, object: MemoryObject | None = None) -> None:
        super().__init__(message)
        self.kind: Violation = kind
        self.message = message
        self.object = object


class AllocationTooLarge(Unsupported):
    """An object above the limit for one object, or no room left among the addresses of the target."""
