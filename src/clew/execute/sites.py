"""The decisions of a path, and errors by their place: the same in every run and every process."""

from __future__ import annotations

from zlib import crc32

from clew.execute.codegen.compiled import CompiledFunction

CheckId = tuple[str, str, str, int]
"""An error that an instruction can show: its kind; function, block, and index in the block."""


class Decision:
    """A choice a path has made, newest first: a linked list that forked states share.

    ``choice`` is the point taken, by the number that it has in this process; the sequence of choices from the entry
    rebuilds the state.
    """

    __slots__ = ("_digest", "choice", "function", "length", "previous")

    def __init__(self, previous: Decision | None, function: CompiledFunction, choice: int) -> None:
        self.previous = previous
        self.function = function
        self.choice = choice
        self.length: int = previous.length + 1 if previous is not None else 1
        self._digest = -1

    @property
    def digest(self) -> int:
        """Of the whole sequence: other sequences, most likely, have other ones."""
        unknown: list[Decision] = []
        at: Decision | None = self
        while at is not None and at._digest < 0:
            unknown.append(at)
            at = at.previous
        digest = at._digest if at is not None else 0
        for decision in reversed(unknown):
            digest = decision._digest = crc32(decision.function.place(decision.choice), digest)
        return digest
