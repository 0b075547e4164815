"""Named plug-ins: a decorator registers a class, a function or a record under the name that options and docs use.

searchers: Registry[type[Searcher]] = Registry("search strategy", "--search", {"dfs": "clew.search.depth_breadth"})

@searchers.register("dfs", "deepest pending state first")
class DepthFirst: ...

The table of modules says where a plug-in is registered: its module is imported when the plug-in is asked for, and its
name is known before. A plug-in that needs no import of its own can do without a line there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar

from clew.base.dataclass import dataclass
from clew.base.errors import InternalError, UserError
from clew.base.suggest import suggest

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Registered(Generic[T]):
    """A registered plug-in and the line of help that users see."""

    name: str
    help: str
    item: T


class Registry(Generic[T]):
    """The plug-ins of one kind, by name, in the order in which they are declared."""

    def __init__(self, kind: str, option: str, modules: Mapping[str, str] | None = None) -> None:
        self.kind = kind
        self.option = option
        self._modules = dict(modules or {})
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
        return self.entry(name).item

    def entry(self, name: str) -> Registered[T]:
        """The same, with its line of help."""
        if name not in self:
            close = suggest(name, self.names(), 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            known = f"(there are: {', '.join(self.names())})"
            raise UserError(f"unknown {self.kind} {name!r} for {self.option}{hint} {known}")
        if name not in self._entries:
            import_module(self._modules[name])
            if name not in self._entries:
                raise InternalError(f"{self._modules[name]} does not register the {self.kind} {name}")
        return self._entries[name]

    def names(self) -> list[str]:
        return list(dict.fromkeys((*self._modules, *self._entries)))

    def __iter__(self) -> Iterator[Registered[T]]:
        return iter([self.entry(name) for name in self.names()])

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in self._modules
