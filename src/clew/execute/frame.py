"""One activation of a C function, suspended or running."""

from __future__ import annotations

from typing import Any

from clew.execute.codegen.compiled import CompiledFunction


class Frame:
    """``at`` and ``live`` say where it goes on and with which values.

    Frames form a list through ``parent`` that forked states share. Only the state whose ``owner``
    token a frame carries may change it; others copy it first (see ``invoke.leave``).
    """

    __slots__ = ("allocated", "arguments", "at", "depth", "function", "live", "owner", "parent")

    def __init__(
        self, function: CompiledFunction, live: tuple[Any, ...], parent: Frame | None, owner: object, at: int = 0
    ) -> None:
        self.function = function
        self.at = at
        self.live = live
        self.parent = parent
        self.owner = owner
        self.depth: int = parent.depth + 1 if parent is not None else 1
        self.allocated: tuple[int, ...] = ()
        """Addresses of stack objects, released on return."""
        self.arguments: tuple[tuple[Any, Any], ...] = ()
        """Variable arguments: (type, value) pairs."""

    def suspended(self, owner: object, at: int, live: tuple[Any, ...]) -> Frame:
        """The same activation, suspended somewhere else, for another state."""
        copy = Frame(self.function, live, self.parent, owner, at)
        copy.allocated = self.allocated
        copy.arguments = self.arguments
        return copy
