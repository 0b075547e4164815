"""``dataclass`` as the standard library has it, made several times faster: a start makes four hundred of them.

Python writes and compiles source for each method of each class. Here only ``__init__`` has code of its own, made when
a class gets its first object, which most never do: where it does nothing but store its parameters, the code of another
class under other names, otherwise compiled. Comparison, hash and text are the same few functions for all classes.
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
from types import CodeType, FunctionType
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
            written = inspect.get_annotations(cls)
            plain = slots and not any(_is_special(text) for text in written.values())
            made: Any = _with_slots(cls, written, kw_only) if plain else _by_python(cls, written, slots, kw_only)
            if "__init__" not in made.__dict__:
                _make_initializable(made)
            if eq:
                _make_comparable(made, frozen)
            if repr and "__repr__" not in made.__dict__:
                made.__repr__ = _text
            return made

        return decorate


def _is_special(text: Any) -> bool:
    """Is what stands behind a name in a class something else than the type of a field?"""
    return not isinstance(text, str) or "ClassVar" in text or "InitVar" in text or "KW_ONLY" in text


def _by_python(cls: Any, written: dict[str, Any], slots: bool, kw_only: bool) -> Any:
    """The class with its fields, as Python makes it, which takes a while to look into the text of a type."""
    cls.__annotations__ = {name: text if _is_special(text) else object for name, text in written.items()}
    made = dataclasses.dataclass(init=False, slots=slots, eq=False, repr=False, kw_only=kw_only)(cls)
    made.__annotations__ = written
    return made


@dataclasses.dataclass(init=False, eq=False, repr=False)
class _Example:
    """What Python puts into a class besides its fields, and into a field."""

    field: object = None


_FIELDS, _PARAMETERS = "__dataclass_fields__", "__dataclass_params__"
_FIELD_TYPE = vars(_Example)[_FIELDS]["field"]._field_type


def _with_slots(cls: Any, written: dict[str, Any], kw_only: bool) -> Any:
    """The same where all that is written are fields, and each gets a slot."""
    content = dict(vars(cls))
    fields: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        fields |= vars(base).get(_FIELDS, {})
    for name, text in written.items():
        fields[name] = _field(name, text, content.get(name, dataclasses.MISSING), kw_only)
    for name in ("__dict__", "__weakref__", *written):
        content.pop(name, None)
    content["__slots__"] = tuple(name for name in written if not _has_slot(cls, name))
    content[_FIELDS], content[_PARAMETERS] = fields, vars(_Example)[_PARAMETERS]
    content.setdefault(
        "__match_args__", tuple(field.name for field in fields.values() if field.init and not field.kw_only)
    )
    made = type(cls)(cls.__name__, cls.__bases__, content)
    made.__qualname__ = cls.__qualname__
    return made


def _has_slot(cls: Any, name: str) -> bool:
    """Has a class that this one derives from a slot for the name?"""
    return any(name in vars(base).get("__slots__", ()) for base in cls.__mro__[1:])


def _field(name: str, text: str, given: Any, kw_only: bool) -> Any:
    """The field that stands in a class as ``name: text = given``."""
    field: Any = given if isinstance(given, dataclasses.Field) else dataclasses.field(default=given)
    if field.default.__class__.__hash__ is None:
        raise ValueError(f"mutable default {type(given)} for field {name} is not allowed: use default_factory")
    field.name, field.type, field._field_type = name, text, _FIELD_TYPE
    if field.kw_only is dataclasses.MISSING:
        field.kw_only = kw_only
    return field


def _make_initializable(cls: Any) -> None:
    """The first call of ``__init__`` puts another one in its place."""

    def initialize(self: Any, *given: Any, **named: Any) -> None:
        if cls.__init__ is initialize:
            made = _plain_initializer(cls) or _initializer(cls)
            made.__qualname__ = f"{cls.__qualname__}.__init__"
            cls.__init__ = made
        cls.__init__(self, *given, **named)

    cls.__init__ = initialize


def _plain_initializer(cls: Any) -> Callable[..., None] | None:
    """One that stores its parameters, and does nothing else: compiled once for all classes with so many fields."""
    fields = dataclasses.fields(cls)
    names = tuple(field.name for field in fields)
    defaults = tuple(field.default for field in fields if field.default is not dataclasses.MISSING)
    plain = all(field.init and not field.kw_only and field.default_factory is dataclasses.MISSING for field in fields)
    trailing = all(field.default is not dataclasses.MISSING for field in fields[len(fields) - len(defaults) :])
    if hasattr(cls, "__post_init__") or not plain or not trailing:
        return None
    code = _storing(len(names)).replace(co_varnames=("self", *names), co_names=names)
    return FunctionType(code, {}, "__init__", defaults)


@functools.cache
def _storing(count: int) -> CodeType:
    """The code of a function that stores so many parameters."""
    known: dict[str, Any] = {}
    names = [f"p{number}" for number in range(count)]
    body = [f"    self.{name} = {name}" for name in names]
    exec("\n".join([f"def __init__(self, {', '.join(names)}):", *body, "    return None"]), known)
    code: CodeType = known["__init__"].__code__
    return code


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
