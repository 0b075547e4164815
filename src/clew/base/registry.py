"""Named plug-ins: a decorator registers a class or function under the name that options and docs use.

searchers: Registry[type[Searcher]] = Registry("search strategy", "--search")

@searchers.register("dfs", "deepest pending state first")
class DepthFirst: ...
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from clew.base.errors import InternalError, UserError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Registered(Generic[T]):
    """A registered plug-in and the line of help that users see."""

    name: str
    help: str
    item: T


class Registry(Generic[T]):
    """The plug-ins of one kind, by name. Iterating gives the entries sorted by name."""

    def __init__(self, kind: str, option: str) -> None:
        self.kind = kind
        self.option = option
        self._entries: dict[str, Registered[T]] = {}

    def register(self, name: str, help: str) -> Callable[[T], T]:
        """Decorator; a name taken twice is a bug of ours, not of the user."""

        def add(item: T) -> T:
            if name in self._entries:
                raise InternalError(f"two of kind {self.kind} are called {name}")
            self._entries[name] = Registered(name, help, item)
            return item

        return add

    def get(self, name: str) -> T:
        """The plug-in called ``name``, or a UserError that lists the names there are."""
        entry = self._entries.get(name)
        if entry is None:
            raise UserError(f"unknown {self.kind} {name!r} for {self.option}{self._advice(name)}")
        return entry.item

    def names(self) -> list[str]:
        return sorted(self._entries)

    def __iter__(self) -> Iterator[Registered[T]]:
        return iter([self._entries[name] for name in self.names()])

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def _advice(self, name: str) -> str:
        close = difflib.get_close_matches(name, self._entries, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"{hint} (there are: {', '.join(self.names())})"
