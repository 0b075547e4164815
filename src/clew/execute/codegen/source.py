"""A small writer of indented Python source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any


class SourceWriter:
    """Lines of Python being written; each remembers the ``origin`` that was current when it was written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.origins: list[Any] = []
        self.origin: Any = None
        self._indent = 0

    def line(self, text: str) -> None:
        self.lines.append(" " * self._indent + text)
        self.origins.append(self.origin)

    def include(self, other: SourceWriter) -> None:
        """Append the lines of ``other``, indented as deep as this source is now."""
        self.lines.extend(" " * self._indent + line for line in other.lines)
        self.origins.extend(other.origins)

    def block(self, head: str) -> AbstractContextManager[None]:
        """Write ``head`` and indent what follows. A body left empty becomes ``pass``."""
        self.line(head)
        return _Block(self)

    def indent(self, by: int) -> None:
        self._indent += by

    def dispatch(self, subject: str, bodies: Sequence[Callable[[], None]], weights: Sequence[int]) -> None:
        """Run ``bodies[subject]``: a tree of comparisons in which heavy bodies sit near the top."""
        self._dispatch(subject, bodies, weights, 0, len(bodies))

    def _dispatch(
        self, subject: str, bodies: Sequence[Callable[[], None]], weights: Sequence[int], low: int, high: int
    ) -> None:
        if high - low == 1:
            bodies[low]()
            return
        middle = _weighted_middle(weights, low, high)
        with self.block(f"if {subject} < {middle}:"):
            self._dispatch(subject, bodies, weights, low, middle)
        with self.block("else:"):
            self._dispatch(subject, bodies, weights, middle, high)

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


class _Block(AbstractContextManager[None]):
    """What is written within is indented; a class, since there are thousands of them in a large program."""

    __slots__ = ("_before", "_writer")

    def __init__(self, writer: SourceWriter) -> None:
        self._writer = writer
        self._before = len(writer.lines)

    def __enter__(self) -> None:
        self._writer.indent(1)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and len(self._writer.lines) == self._before:
            self._writer.line("pass")
        self._writer.indent(-1)


def _weighted_middle(weights: Sequence[int], low: int, high: int) -> int:
    """Where to split so that both halves weigh about the same; deep chains of equal halves stay balanced."""
    total = sum(weights[low:high])
    seen = 0
    for index in range(low, high - 1):
        seen += weights[index]
        if 2 * seen >= total:
            before = seen - weights[index]
            return index if index > low and 2 * before > total - weights[index] else index + 1
    return high - 1
