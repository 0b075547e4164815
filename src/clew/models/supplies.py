"""Bytes that a program may read next: of a file, or of a string."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clew.expr import build
from clew.expr.sort import bv
from clew.models.texts import LENGTH_BITS


class Supply:
    """The bytes that reading would give next. ``present(n)`` tells whether there is an n-th one."""

    def __init__(self, pushed: Sequence[Any], data: Sequence[Any], position: int, length: Any) -> None:
        self.values: list[Any] = [*pushed, *data[position:]]
        self._pushed = len(pushed)
        self._position = position
        self._length = length

    def __len__(self) -> int:
        return len(self.values)

    def present(self, place: int) -> Any:
        if place < self._pushed:
            return True
        if place >= len(self.values):
            return False
        return build.ult(self._position + place - self._pushed, self._length, LENGTH_BITS)

    def reach(self, start: int, stop: int | None) -> int:
        """Where the bytes end of which those from ``start`` up to ``stop`` are of interest, or all from there on."""
        return len(self) if stop is None else min(len(self), stop)

    def counted(self) -> None:
        """The program asks how many of the bytes it has read."""

    def available(self, most: int) -> Any:
        """How many bytes there are, but at most ``most``."""
        count: Any = min(most, len(self.values))
        for place in reversed(range(self._pushed, count)):
            count = build.ite(self.present(place), count, place, bv(LENGTH_BITS))
        return count


class StringSupply(Supply):
    """The bytes of a string. A reader gets to a byte past those before it, so its own value tells if it is there."""

    def __init__(self, values: Sequence[Any]) -> None:
        super().__init__((), values, 0, len(values))

    def present(self, place: int) -> Any:
        return place < len(self.values) and build.ne(self.values[place], 0, 8)
