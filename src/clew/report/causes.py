"""Which bugs have the same cause, as far as their reports tell: people look at one of them, and mend all."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from clew.report.kinds import ORDERLY

_OBJECT = re.compile(r"'[^']+'")
T = TypeVar("T")


def cause(kind: str, function: str, message: str, rests_on: str, place: Hashable) -> Hashable:
    """What bugs have in common that most likely have one cause.

    These are bugs of a kind in one function, about the same object if their messages name one, that rest on the same.
    Each assertion is a claim of its own, and so is each call of ``abort`` and the like: ``place`` tells them apart.
    """
    named = _OBJECT.search(message)
    return (kind, function, rests_on, place if kind in ORDERLY else named and named[0])


def grouped(items: Iterable[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    """Items with equal keys together, in the order of their first ones."""
    found: dict[Hashable, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return list(found.values())
