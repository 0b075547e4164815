"""Where lines of a text are after it was edited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_LARGE = 2000
"""Lines beyond which lines that occur often are not compared one by one."""


class MovedLines:
    """From lines as they were to lines as they are, and back; counted from 1. A line that was changed has no place."""

    def __init__(self, before: Sequence[str], now: Sequence[str]) -> None:
        old, new = ([line.rstrip() for line in lines] for lines in (before, now))
        self._now = {then: at for first, second, size in _equal(old, new) for then, at in _pairs(first, second, size)}
        self._before = {at: then for then, at in self._now.items()}

    def now(self, line: int) -> int | None:
        return self._now.get(line)

    def before(self, line: int) -> int | None:
        return self._before.get(line)


def _pairs(first: int, second: int, size: int) -> Iterator[tuple[int, int]]:
    return zip(range(first + 1, first + size + 1), range(second + 1, second + size + 1), strict=True)


def _common(old: list[str], new: list[str]) -> int:
    """How many lines at the beginning are the same."""
    shorter = min(len(old), len(new))
    return next((at for at in range(shorter) if old[at] != new[at]), shorter)


def _equal(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int]]:
    """Stretches of equal lines: where they begin in each, and how long they are. Edits are in the middle mostly."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    yield 0, 0, head
    middles = old[head : len(old) - tail], new[head : len(new) - tail]
    for block in SequenceMatcher(None, *middles, autojunk=len(middles[1]) > _LARGE).get_matching_blocks():
        yield head + block.a, head + block.b, block.size
    yield len(old) - tail, len(new) - tail, tail
