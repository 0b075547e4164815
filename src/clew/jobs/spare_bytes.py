"""Bytes of inputs that a failure does not need are cut out, and what is behind them moves up.

A path that reads a file has gone through everything before the failure, and most of that may be as well not there.
Pieces of a text are left out, large ones first, then halves of them, until no single byte can go (delta debugging).
Whether a shorter text will do is found out by running the program with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from clew.base.dataclass import dataclass
from clew.base.numerals import NUMERAL
from clew.execute.arguments import LENGTH_OF
from clew.report.values import InputValue

Inputs = tuple[InputValue, ...]


@dataclass(frozen=True, slots=True)
class _Text:
    """Bytes that are one text: the positions of the inputs that hold them, one after the other, and of the input that
    says how many of them there are, if one does."""

    pieces: tuple[int, ...]
    length: int | None

    def data(self, inputs: Inputs) -> bytes:
        return b"".join(inputs[at].to_bytes() for at in self.pieces)

    def used(self, inputs: Inputs) -> int:
        """How many bytes there are; zeros at the end of an object of fixed size are none."""
        data = self.data(inputs)
        if self.length is None:
            return len(data.rstrip(b"\0"))
        length = inputs[self.length].value
        return min(length, len(data)) if isinstance(length, int) else 0

    def without(self, inputs: Inputs, first: int, count: int) -> Inputs:
        """The inputs with so many bytes less, from the first of them on."""
        found, data = list(inputs), self.data(inputs)
        data = data[:first] + data[first + count :] + bytes(count)
        for at in self.pieces:
            size = inputs[at].bits // 8
            found[at], data = replace(inputs[at], value=data[:size]), data[size:]
        if self.length is not None:
            length = inputs[self.length].value
            assert isinstance(length, int)
            found[self.length] = replace(inputs[self.length], value=length - count)
        return tuple(found)


def without_spare_bytes(inputs: Inputs, accept: Callable[[Inputs], bool]) -> Inputs:
    """The inputs with texts as short as could be found; ``accept`` says whether the failure is there with others, and
    says no when it was asked often enough."""
    best = inputs
    for text in _texts(inputs):
        before = None
        while before is not best:  # what could not go alone may go without what has gone meanwhile
            before, size = best, text.used(best)
            while size:
                for first in range(text.used(best) - size, -1, -size):
                    changed = text.without(best, first, size)
                    if changed != best and accept(changed):
                        best = changed
                size //= 2
    return best


def read_by(inputs: Inputs, names: tuple[str, ...]) -> Inputs | None:
    """Those of the inputs that a run has read which says so; None where it takes them for others than they are."""
    read = inputs[: len(names)]
    return read if tuple(value.name for value in read) == names else None


def _texts(inputs: Inputs) -> Iterator[_Text]:
    """Without files in which numbers or words are inputs themselves: the places of these would no longer be right."""
    names = [value.name for value in inputs]
    numerals = [found for name in names if (found := NUMERAL.fullmatch(name))]
    fixed = {name for found in numerals for name in (found[0], found[1])}
    for at, value in enumerate(inputs):
        if value.kind != "object" or not value.type.startswith("char[") or " from " in value.name:
            continue
        more = (other for other, name in enumerate(names) if name.startswith(f"{value.name} from "))
        length = f"{value.name}{LENGTH_OF}"
        if value.name not in fixed:
            yield _Text((at, *more), names.index(length) if length in names else None)
