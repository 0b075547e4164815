"""``dataclass`` as the standard library has it, made several times faster: a start makes two hundred of them.

Python writes and compiles source for each method of each class. Here only ``__init__`` is made in that way; comparison,
hash and text are the same few functions for all classes. ``frozen`` is what mypy sees to: at run time nothing keeps a
field from being set, and so objects are made faster, too. The public API keeps Python's own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

_T = TypeVar("_T")

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True, repr: bool = True, kw_only: bool = False
    ) -> Callable[[type[_T]], type[_T]]:
        """A decorator with the options of ``dataclasses.dataclass`` that are in use."""

        def decorate(cls: type[_T]) -> type[_T]:
            made = dataclasses.dataclass(slots=slots, eq=False, repr=False, kw_only=kw_only)(cls)
            if eq:
                _make_comparable(made, frozen)
            if repr and "__repr__" not in made.__dict__:
                made.__repr__ = _text
            return made

        return decorate


def _make_comparable(cls: Any, frozen: bool) -> None:
    own = cls.__dict__
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    if "__eq__" not in own:
        cls.__eq__ = _equality(names)
    if "__hash__" not in own or own["__hash__"] is None:
        cls.__hash__ = _hash(names) if frozen else None


def _equality(names: list[str]) -> Callable[[Any, Any], Any]:
    key = _key(names)

    def equal(self: Any, other: Any) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(names: list[str]) -> Callable[[Any], int]:
    key = _key(names)
    return lambda self: hash(key(self))


def _key(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of some fields as a tuple, a single one twice: ``attrgetter`` makes no tuple of one."""
    return attrgetter(*names, *names[: len(names) == 1]) if names else lambda self: ()


@recursive_repr()
def _text(self: Any) -> str:
    shown = [f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"
