"""``dataclass`` as the standard library has it, made several times faster: a start makes two hundred of them.

Python writes and compiles source for each method of each class. Here only ``__init__`` is made in that way, and when a
class gets its first object, which most never do; comparison, hash and text are the same few functions for all classes.
``frozen`` is what mypy sees to: at run time nothing keeps a field from being set, and so objects are made faster, too.
The public API keeps Python's own.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeVar

_T = TypeVar("_T")
_SPECIAL = ("ClassVar", "InitVar", "KW_ONLY")

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True, repr: bool = True, kw_only: bool = False
    ) -> Callable[[type[_T]], type[_T]]:
        """A decorator with the options of ``dataclasses.dataclass`` that are in use."""

        def decorate(cls: type[_T]) -> type[_T]:
            written = inspect.get_annotations(cls)
            cls.__annotations__ = {name: _annotation(text) for name, text in written.items()}
            made: Any = dataclasses.dataclass(init=False, slots=slots, eq=False, repr=False, kw_only=kw_only)(cls)
            made.__annotations__ = written
            if "__init__" not in made.__dict__:
                _make_initializable(made)
            if eq:
                _make_comparable(made, frozen)
            if repr and "__repr__" not in made.__dict__:
                made.__repr__ = _text
            return made

        return decorate


def _annotation(text: Any) -> Any:
    """What Python is to see of the type of a field: the text of one that is nothing special takes it a while."""
    return object if isinstance(text, str) and not any(name in text for name in _SPECIAL) else text


def _make_initializable(cls: Any) -> None:
    """The first call of ``__init__`` puts another one in its place."""

    def initialize(self: Any, *given: Any, **named: Any) -> None:
        if cls.__init__ is initialize:
            cls.__init__ = _initializer(cls)
        cls.__init__(self, *given, **named)

    cls.__init__ = initialize


def _initializer(cls: Any) -> Callable[..., None]:
    """As Python's own makes it: a parameter for each field that has one, those by keyword last."""
    known: dict[str, Any] = {"_made": object()}
    places: dict[bool, list[str]] = {False: ["self"], True: []}
    body = []
    for field in dataclasses.fields(cls):
        name, factory = field.name, field.default_factory
        default = "" if field.default is dataclasses.MISSING else f"_default_{name}"
        value = name if field.init else default
        if factory is not dataclasses.MISSING:
            known[f"_factory_{name}"], default = factory, "_made"
            value = f"_factory_{name}() if {name} is _made else {name}" if field.init else f"_factory_{name}()"
        elif default:
            known[default] = field.default
        if field.init:
            places[bool(field.kw_only)].append(f"{name}={default}" if default else name)
        if value:
            body.append(f"    self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    parameters = [*places[False], *(("*", *places[True]) if places[True] else ())]
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *body, "    return None"]), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


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
    shown = [f"{name}={getattr(self, name)!r}" for name in _shown_fields(self.__class__)]
    return f"{type(self).__qualname__}({', '.join(shown)})"


@functools.cache
def _shown_fields(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls) if field.repr)
