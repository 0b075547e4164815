"""What a file's code says to a linker, and the file as an object file: that, and its code as bytes."""

from __future__ import annotations

from collections.abc import Iterable

from clew.base.dataclass import dataclass

OWN = frozenset({"internal", "private"})
"""Linkages of names that no other file sees."""
STRONG = 5
"""A definition that gives way to none: there can be one only."""
_WEAKER = {"available_externally": 1, "linkonce": 2, "linkonce_odr": 2, "weak": 3, "weak_odr": 3, "common": 4}

_LINKAGES = OWN | _WEAKER.keys()

Strength = tuple[int, int]
"""Of definitions of one name the strongest is taken, of equals the first. Of ``common`` ones, it is the largest."""


def linkage(words: Iterable[str]) -> str:
    """Of the words before a definition the one that says who sees it, and what it gives way to; empty if none does."""
    return next((word for word in words if word in _LINKAGES), "")


def strength(linkage: str, size: int = 0) -> Strength:
    """How strong a definition of ``size`` bytes is, by LLVM's word for it (empty: what others see)."""
    return _WEAKER.get(linkage, STRONG), size if linkage == "common" else 0


@dataclass(frozen=True, slots=True)
class Symbols:
    """The names of a file, and what else a linker has to know."""

    layout: str
    """How data is laid out, in LLVM's words; empty where nothing is said."""
    shared: dict[str, Strength]
    """What it defines for all."""
    own: tuple[str, ...]
    """What it defines for itself."""
    declared: tuple[str, ...]
    """What others have to define."""
    ctypes: int
    """The number of its C types."""
    constructors: tuple[tuple[int, str], ...] = ()
    """Functions that run before the entry, with their priorities, in the order in which they run."""
    destructors: tuple[tuple[int, str], ...] = ()
    """The same for those that run at the end, but that the highest priority comes first."""
    unused: tuple[str, ...] = ()
    """Variables of its own that nothing mentions, such as what Clang has for the messages of its checks."""


@dataclass(frozen=True, slots=True)
class ObjectFile:
    """A file that is ready to be linked."""

    symbols: Symbols
    code: bytes
    """Its program (``clew.frontend.storage``)."""
