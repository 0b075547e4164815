"""How a field of a request is given on the command line: declared with the field, once.

    depth: int | None = option(None, "Deeper pointers are null.", Group.INPUTS, type=int, metavar="N")

makes ``--depth N``. The command line is made from these declarations, requests check their values by them, and a test
holds the guide to them. A boolean field is a flag: ``--no-merge`` for ``merge``, which is on by default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, field, fields
from enum import Enum
from typing import Any, NamedTuple

from clew.base.errors import UserError

_KEY = "option"


class Group(Enum):
    """Options that belong together, in the order of ``--help``."""

    TARGET = "what is asked for"
    ENTRY = "where to start"
    INPUTS = "inputs of the program"
    OWN = "how the command goes about it"
    CHECKS = "errors to look for"
    JUDGEMENT = "which bugs make a run fail"
    VERDICT = "of commands that give a verdict"
    ENGINE = "of the engine"
    TIME = "time"
    BUDGET = "other budgets"
    COMPILER = "of the compiler"
    RESULTS = "where results go: of the command line alone"
    DISPLAY = "what is said"


class Option(NamedTuple):
    """One option of the command line, and the values that its field may have."""

    help: str
    group: Group
    flag: str = ""
    """As users write it: ``--time``."""
    type: type = str
    """What the command line gives: ``str``, ``int`` or ``float``."""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    """The only values there are; empty if there are others."""
    check: Callable[[str, Any], object] | None = None
    """Given the flag and a value: UserError if the value is not permitted."""
    parse: Callable[[Any], Any] | None = None
    """From what the command line gives to the value of the field. UserError, or a ValueError that says, after the name
    of the option, what is wrong."""
    sets: tuple[str, ...] = ()
    """The fields that ``parse`` gives values for, if these are several."""
    given: Any = None
    """The default of the command line, in its terms, where it is not the field's."""
    multiple: bool = False
    """Whether it may be given several times; ``parse`` gets them all."""
    name: str = ""
    """The field."""
    default: Any = None
    """Of the field."""

    @property
    def is_flag(self) -> bool:
        return isinstance(self.default, bool)

    def values(self, given: Any) -> Mapping[str, Any]:
        """The values of fields for what the command line gives."""
        if given is None:
            return {}
        if self.is_flag:
            return {self.name: given != self.default}
        value = given if self.parse is None else self.parse(given)
        return dict(zip(self.sets, value, strict=True)) if self.sets else {self.name: value}

    def validate(self, value: Any) -> None:
        """UserError if a value of the field is not permitted; None always is."""
        if value is not None and self.choices and value not in self.choices:
            raise UserError(f"unknown value {value!r} for {self.flag} (there are: {', '.join(self.choices)})")
        if value is not None and self.check is not None:
            self.check(self.flag, value)


def option(default: Any, help: str, group: Group, flag: str = "", **more: Any) -> Any:
    """A field of a request that is an option of the command line, too; ``more``: as of ``Option``."""
    return field(default=default, metadata={_KEY: Option(help, group, flag, **more)})


def options_of(request: type) -> Mapping[str, Option]:
    """The options of a class of requests, by field, in the order of its fields."""
    return {item.name: _completed(item) for item in fields(request) if _KEY in item.metadata}


def _completed(item: Field[Any]) -> Option:
    declared: Option = item.metadata[_KEY]
    prefix = "--no-" if item.default is True else "--"
    flag = declared.flag or prefix + item.name.replace("_", "-")
    return declared._replace(name=item.name, default=item.default, flag=flag)


def validate(request: Any) -> None:
    """UserError if a field of a request has a value that its option does not permit."""
    for name, declared in options_of(type(request)).items():
        declared.validate(getattr(request, name))
