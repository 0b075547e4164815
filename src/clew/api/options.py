"""Keyword arguments to requests: the options of a command are the fields of its request (``clew.base.options``)."""

from __future__ import annotations

import dataclasses
import math
import os
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from clew.base.errors import UserError
from clew.base.options import Request, StartValue
from clew.base.suggest import unknown_name

R = TypeVar("R", bound=Request)
Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

ALIASES = {"time": "seconds", "memory": "memory_mb", "check": "checks", "flags": "compiler_flags"}
"""Options whose name is not that of their field."""
HIDDEN = frozenset({"files", "began", "verbose"})
"""Fields that are no options."""
SECONDS = 60.0
"""Time limit of a call that names none, as on the command line."""
_NAMES = {
    bool: "True or False", int: "a whole number", float: "a number", str: "a text", tuple: "a list", type(None): "None",
}  # fmt: skip


def paths_of(files: Files) -> tuple[Path, ...]:
    """One file, or several."""
    if isinstance(files, str | os.PathLike):
        return (Path(files),)
    return tuple(Path(file) for file in files)


def make_request(kind: type[R], files: tuple[Path, ...], options: Mapping[str, object]) -> R:
    """The request for these options; UserError where a name is unknown or a value is not of the option's type."""
    fields: dict[str, Any] = {"seconds": SECONDS}
    types_of = typing.get_type_hints(kind)
    known = option_names(kind)
    for name, value in options.items():
        if name not in known:
            raise UserError(unknown_name("option", name, known))
        field = known[name]
        fields[field] = _converted(name, value, types_of[field])
    if fields["seconds"] == math.inf:
        fields["seconds"] = None
    return kind(files=files, **fields)


def option_names(kind: type[Request]) -> dict[str, str]:
    """The options of a request: their names, each with that of its field."""
    fields = {field.name for field in dataclasses.fields(kind)} - HIDDEN
    aliased = {alias: field for alias, field in ALIASES.items() if field in fields}
    return {**{name: name for name in sorted(fields - set(aliased.values()))}, **aliased}


def _converted(name: str, value: object, hint: Any) -> object:
    """The value in the form that the field has: lists become tuples, paths become text."""
    alternatives = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    for kind in alternatives:
        if typing.get_origin(kind) is tuple:
            items = _items(value, typing.get_args(kind)[0])
            if items is not None:
                return items
        elif _is_one(value, kind):
            return os.fspath(value) if isinstance(value, os.PathLike) else value
    wanted = " or ".join(
        dict.fromkeys(_NAMES.get(typing.get_origin(kind) or kind, kind.__name__) for kind in alternatives)
    )
    raise UserError(f"{name} must be {wanted}, not {value!r}")


def _is_one(value: object, kind: type) -> bool:
    """Whether a value is of a plain type: a truth value is no number, a whole number is one."""
    if kind is float or kind is int:
        return isinstance(value, (int, float) if kind is float else int) and not isinstance(value, bool)
    return isinstance(value, (str, os.PathLike) if kind is str else kind)


def _items(value: object, kind: Any) -> tuple[object, ...] | None:
    """What a list of options stands for; a text is one with commas, as on the command line. None if it is no list."""
    if kind is StartValue and isinstance(value, Mapping):
        return tuple(StartValue(name, number) for name, number in value.items())
    if isinstance(value, str):
        value = [item.strip() for item in value.split(",")]
    if not isinstance(value, Iterable) or isinstance(value, bytes | Mapping):
        return None
    return tuple(_item(item, kind) for item in value)


def _item(item: Any, kind: Any) -> object:
    if kind is StartValue:
        return item if isinstance(item, StartValue) else StartValue(None, item)
    return os.fsencode(item) if isinstance(item, str) and kind is not str else item
