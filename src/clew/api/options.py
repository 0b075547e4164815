"""Keyword arguments to requests: the options of a call are those that its request declares (``clew.base.option``)."""

from __future__ import annotations

import os
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from clew.base.command_line import meaningful
from clew.base.errors import UserError
from clew.base.option import Group, Option, options_of
from clew.base.options import Request, ResumeRequest, StartValue
from clew.base.suggest import unknown_name
from clew.jobs.sources import resolved

R = TypeVar("R", bound=Request)
Asked = Request | ResumeRequest
Files = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

FIELDS = {"flags": "compiler_flags", "interrupt": "interrupt"}
"""Fields of a request that can be given here, and that are no options of the command line."""
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
    fields = fields_of(kind, options, FIELDS)
    fields["compiler_flags"] = meaningful(fields.get("compiler_flags", ()))
    return resolved(kind(files=files, **fields))


def fields_of(kind: type[Asked], options: Mapping[str, object], others: Mapping[str, str]) -> dict[str, Any]:
    """The values of fields for these options; ``others`` are fields that can be given and are no options."""
    declared, types_of = option_names(kind), typing.get_type_hints(kind)
    fields: dict[str, Any] = {}
    for option in declared.values():
        if option.given is not None:  # a default of the command line
            fields.update(option.values(option.given))
    for name, value in options.items():
        if name in declared and _is_text(declared[name], value):
            fields.update(_read(name, declared[name], str(value)))
        elif name in declared or name in others:
            field = declared[name].name if name in declared else others[name]
            fields[field] = _converted(name, value, types_of[field])
        else:
            raise UserError(unknown_name("option", name, (*declared, *others)))
    return fields


def option_names(kind: type[Asked]) -> dict[str, Option]:
    """The options of a request by their names here: ``time`` for ``--time``, ``merge`` for ``--no-merge``."""
    return {
        _name(option): option
        for option in options_of(kind).values()
        if option.group in kind.GROUPS and option.group not in (Group.JUDGEMENT, Group.DISPLAY)
    }


def _name(option: Option) -> str:
    named = option.flag.startswith("--") and not option.is_flag
    return option.flag.removeprefix("--").replace("-", "_") if named else option.name


def _is_text(option: Option, value: object) -> bool:
    """Whether a value is to be read as on the command line."""
    return isinstance(value, str) and option.parse is not None and option.type is str


def _read(name: str, option: Option, text: str) -> Mapping[str, Any]:
    try:
        return option.values((text,) if option.multiple else text)
    except ValueError as wrong:
        raise UserError(f"{name} {wrong}") from None


def _converted(name: str, value: object, hint: Any) -> object:
    """The value in the form that the field has: a tuple for a list, text for a path, no limit for infinity."""
    union = typing.get_origin(hint) in (types.UnionType, typing.Union)
    alternatives = typing.get_args(hint) if union else (hint,)
    if value == float("inf") and type(None) in alternatives:
        return None
    for kind in alternatives:
        if typing.get_origin(kind) is tuple:
            items = _items(value, typing.get_args(kind)[0])
            if items is not None:
                return items
        elif _is_one(value, kind):
            return os.fspath(value) if kind is str and isinstance(value, os.PathLike) else value
    wanted = " or ".join(dict.fromkeys(map(_said, alternatives)))
    raise UserError(f"{name} must be {wanted}, not {value!r}")


def _said(kind: Any) -> str:
    """A type, for people."""
    if typing.get_origin(kind) is typing.Literal:
        return " or ".join(map(repr, typing.get_args(kind)))
    plain = typing.get_origin(kind) or kind
    return _NAMES.get(plain, f"of type {plain.__name__}")


def _is_one(value: object, kind: Any) -> bool:
    """Whether a value is of a plain type: a truth value is no number, a whole number is one."""
    if typing.get_origin(kind) is typing.Literal:
        return value in typing.get_args(kind)
    if kind is float or kind is int:
        return isinstance(value, (int, float) if kind is float else int) and not isinstance(value, bool)
    return isinstance(value, (str, os.PathLike) if kind is str else kind)


def _items(value: object, kind: Any) -> tuple[object, ...] | None:
    """A list as a tuple of what the field holds; None if it is no list."""
    if kind is StartValue and isinstance(value, Mapping):
        return tuple(StartValue(name, number) for name, number in value.items())
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        return None
    return tuple(_item(item, kind) for item in value)


def _item(item: Any, kind: Any) -> object:
    if kind is StartValue:
        return item if isinstance(item, StartValue) else StartValue(None, item)
    return os.fsencode(item) if isinstance(item, str) and kind is not str else item
