"""Linear facts over named terms, and their text: ``2*x == y@entry - y``, ``0 <= #loop1 <= 19``, ``k >= 5*j``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from clew.base.dataclass import dataclass

FactOrder = tuple[Any, ...]
"""To sort by."""


_PLACE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*")
"""A variable, or a part of one."""
_LARGEST = 1 << 63


class FactKind(IntEnum):
    """What a term is; facts are rather about those that come first."""

    VARIABLE = 0
    INPUT = 1
    COUNTER = 2


@dataclass(frozen=True, slots=True)
class Term:
    """Something with an integer value that has a name."""

    text: str
    kind: FactKind = FactKind.VARIABLE
    low: int | None = None
    """The least value that it can have whatever the program does."""
    high: int | None = None
    order: tuple[int, ...] = ()
    """Its place among the terms of its kind, where their names do not say it."""

    @property
    def is_variable(self) -> bool:
        """Whether it is an integer that C code can name, of a type whose range is known."""
        known = self.low is not None and self.high is not None
        return known and self.kind is FactKind.VARIABLE and _PLACE.fullmatch(self.text) is not None

    @property
    def rank(self) -> tuple[int, tuple[int, ...], str]:
        return (int(self.kind), self.order, self.text)


@dataclass(frozen=True, slots=True)
class Fact:
    """``low <= sum of factor*term <= high``; the terms are in order, and the first factor is positive."""

    terms: tuple[tuple[Term, int], ...]
    low: int | None
    high: int | None

    @property
    def names(self) -> frozenset[Term]:
        return frozenset(term for term, _ in self.terms)

    @property
    def text(self) -> str:
        if self.low is not None and self.low == self.high:
            return _equality(self.terms, self.low)
        if self.low is not None and self.high is not None:
            return f"{self.low} <= {_sum(self.terms, 0)} <= {self.high}"
        return _inequality(self.terms, self.low, self.high)

    @property
    def is_equality(self) -> bool:
        return self.low is not None and self.low == self.high

    @property
    def is_number(self) -> bool:
        """Whether it says what one term is."""
        return self.is_equality and len(self.terms) == 1

    @property
    def weight(self) -> int:
        """The sum of the factors."""
        return sum(abs(factor) for _, factor in self.terms)

    @property
    def is_count(self) -> bool:
        """Whether it bounds a counter by numbers."""
        return len(self.terms) == 1 and self.terms[0][0].kind is FactKind.COUNTER

    @property
    def c_text(self) -> str | None:
        """As a condition in C that no overflow changes; None if it is not about variables alone, or large."""
        if any(not term.is_variable for term, _ in self.terms):
            return None
        reach = sum(abs(factor) * max(abs(term.low or 0), abs(term.high or 0)) for term, factor in self.terms)
        numbers = [number for number in (self.low, self.high) if number is not None]
        if max(reach, *map(abs, numbers)) >= _LARGEST:
            return None
        total = " + ".join(f"{factor} * (long long){term.text}" for term, factor in self.terms)
        total = total.replace(" + -", " - ").removeprefix("1 * ").replace(" 1 * ", " ")
        if self.is_equality:
            return f"{total} == {self.low}"
        parts = [] if self.low is None else [f"{total} >= {self.low}"]
        parts += [] if self.high is None else [f"{total} <= {self.high}"]
        return " && ".join(parts)

    def to_json(self) -> dict[str, object]:
        return {
            "text": self.text,
            "terms": {term.text: factor for term, factor in self.terms},
            "low": self.low,
            "high": self.high,
        }


# Writing

_LEFT = (FactKind.VARIABLE, FactKind.COUNTER, FactKind.INPUT)
"""What is on the left of an equality, if it can be."""


def _sum(terms: Iterable[tuple[Term, int]], constant: int) -> str:
    """What is added first, then what is subtracted, then the number."""
    parts = sorted(terms, key=lambda item: item[1] < 0)
    text = ""
    for term, factor in parts:
        sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
        text += sign + (term.text if abs(factor) == 1 else f"{abs(factor)}*{term.text}")
    if not text:
        return str(constant)
    return text + (f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant else "")


def _equality(terms: tuple[tuple[Term, int], ...], value: int) -> str:
    """One term on the left: rather a variable of the program, with few subtractions on the right."""
    if all(factor > 0 for _, factor in terms):
        return f"{_sum(terms, 0)} == {value}"

    def cost(item: tuple[Term, int]) -> FactOrder:
        term, factor = item
        rest = [other * (-1 if factor > 0 else 1) for name, other in terms if name != term]
        subtracted = sum(1 for other in rest if other < 0)
        return (_LEFT.index(term.kind), subtracted, (value if factor > 0 else -value) < 0, -abs(factor), term.rank)

    left, factor = min(terms, key=cost)
    sign = 1 if factor > 0 else -1
    right = [(term, -sign * other) for term, other in terms if term != left]
    return f"{_sum([(left, sign * factor)], 0)} == {_sum(right, sign * value)}"


def _inequality(terms: tuple[tuple[Term, int], ...], low: int | None, high: int | None) -> str:
    """Nothing subtracted on either side; a term alone is on the left."""
    if low is None:
        assert high is not None
        terms, low = tuple((term, -factor) for term, factor in terms), -high
    more = [(term, factor) for term, factor in terms if factor > 0]
    less = [(term, -factor) for term, factor in terms if factor < 0]
    if not less:  # more >= low
        return f"{_sum(more, 0)} >= {low}"
    if not more:
        return f"{_sum(less, 0)} <= {-low}"
    turned = low < 0 or (low <= 1 and _weight(less) < _weight(more))
    if low == 1:
        return f"{_sum(less, 0)} < {_sum(more, 0)}" if turned else f"{_sum(more, 0)} > {_sum(less, 0)}"
    if turned:  # less <= more - low
        return f"{_sum(less, 0)} <= {_sum(more, -low)}"
    return f"{_sum(more, 0)} >= {_sum(less, low)}"


def _weight(terms: list[tuple[Term, int]]) -> FactOrder:
    return (len(terms), sum(factor for _, factor in terms), terms[0][0].rank)
