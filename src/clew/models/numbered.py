"""Numbered arguments of a printf format (``%2$s %1$*3$d``): they are fetched in the order of their numbers, and used in
the order of the format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from clew.base.errors import Unsupported
from clew.expr import build
from clew.expr.node import Expr
from clew.expr.sort import Sort
from clew.models.varargs import Arguments, MissingArgument

Fetch = Callable[[Arguments], Any]
"""Takes the next argument as what a conversion wants."""


class FetchedArguments:
    """Arguments that are fetched already, in the order in which they are used."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._values = iter(values)

    def integer(self, bits: int) -> Any:
        """The next one; it may have been fetched with more bits, for another conversion."""
        value = next(self._values)
        if isinstance(value, Expr):
            return build.trunc(value, bits) if value.width > bits else value
        return value & (1 << bits) - 1

    def real(self, long: bool) -> tuple[Any, Sort]:
        """The next one."""
        value: tuple[Any, Sort] = next(self._values)
        return value


def fetched(uses: list[tuple[int, int, Fetch]], arguments: Arguments) -> FetchedArguments:
    """All that a format uses, each as its number, how wide it is, and how to fetch it.

    ``Unsupported`` where a number is left out, since nobody knows of which type that one is, or is not passed.
    """
    widest: dict[int, tuple[int, Fetch]] = {}
    for number, bits, fetch in uses:
        if number not in widest or bits > widest[number][0]:
            widest[number] = bits, fetch
    if sorted(widest) != list(range(1, len(widest) + 1)):
        raise Unsupported("a printf format that leaves out a numbered argument")
    try:
        values = {number: widest[number][1](arguments) for number in sorted(widest)}
    except MissingArgument:
        raise Unsupported("a numbered printf argument that is missing or of another type") from None
    return FetchedArguments([values[number] for number, _, _ in uses])


def number_of(text: bytes | None) -> int:
    """The number in ``2$`` or ``*2$``; 0 if there is none."""
    found = re.search(rb"(\d+)\$", text or b"")
    return int(found[1]) if found else 0
