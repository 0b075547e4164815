"""What keeps paths from going one way at a branch, as conditions on inputs that people can read: ``s[0] == '{'``."""

from __future__ import annotations

from collections.abc import Iterable

from clew.base.dataclass import dataclass
from clew.describe.c_text import Speller
from clew.execute.engine import Obstacle
from clew.execute.state import InputRecord
from clew.expr.node import Expr
from clew.report.values import ARRAY

MANY = 3
"""Conditions of a path that are named."""
LONGEST = 100
"""Characters of a condition that people still read."""


@dataclass(frozen=True, slots=True)
class Blocking:
    """What an outcome of a branch needs, and what a path that came to it had decided before."""

    needs: str
    against: tuple[str, ...] = ()


def blocking(obstacle: Obstacle | None) -> Blocking | None:
    """In words; None where nothing is known, or nothing that could be read."""
    if obstacle is None or obstacle.constraint is None:
        return None
    names = _Names(obstacle.inputs)
    speller = Speller(names.of, names.element)
    needs = speller.condition(obstacle.constraint)
    if not _is_readable(needs):
        return None
    near = (one for one in obstacle.others if one.symbols & obstacle.constraint.symbols)
    return Blocking(needs, tuple(_shortest(speller.condition(one) for one in near)))


def _shortest(texts: Iterable[str]) -> list[str]:
    return sorted(filter(_is_readable, dict.fromkeys(texts)), key=lambda text: (len(text), text))[:MANY]


def _is_readable(text: str) -> bool:
    return len(text) <= LONGEST and "..." not in text


class _Names:
    """What symbols are called: the input that they are, or the element of one."""

    def __init__(self, last: InputRecord | None) -> None:
        self._known: dict[Expr, str] = {}
        self._counts: dict[Expr, int] = {}
        """Elements of symbols that are arrays."""
        while last is not None:
            read = last.read
            array = ARRAY.match(read.ctype)
            for at, value in enumerate(read.values):
                if isinstance(value, Expr):
                    self._known.setdefault(value, read.name if len(read.values) == 1 else f"{read.name}[{at}]")
                    self._counts[value] = int(array["count"]) if array and len(read.values) == 1 else 1
            last = last.previous

    def of(self, symbol: Expr) -> str:
        """Its name; dots for what is no input, which nobody could read."""
        return self._known.get(symbol, "...")

    def element(self, symbol: Expr, low: int, bits: int) -> str:
        """The element of an array that some bits of a symbol are; empty if they are none."""
        count = self._counts.get(symbol, 1)
        if count < 2 or symbol.width % count or bits != symbol.width // count or low % bits:
            return ""
        return f"{self._known[symbol]}[{low // bits}]"
