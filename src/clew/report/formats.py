"""The JSON formats that Clew writes, with their versions: ``"format": "summary/1.0.0"`` stands first in each.

``schemas/NAME.json`` is the JSON Schema of a format. Versions are semantic: a field that is added raises the second
number, one that is removed, or means something else, the first.
"""

from __future__ import annotations

from collections.abc import Mapping

from clew import __version__

VERSIONS: Mapping[str, str] = {
    "bug": "1.0.0",
    "campaign": "1.0.0",
    "coverage": "1.0.0",
    "doctor": "1.0.0",
    "invariants": "1.0.0",
    "loops": "1.0.0",
    "project": "1.0.0",
    "replay": "1.0.0",
    "summary": "1.0.0",
    "test": "1.0.0",
}


def format_of(name: str) -> str:
    """What files of a format say of it."""
    return f"{name}/{VERSIONS[name]}"


def head_of(name: str, command: str = "") -> dict[str, object]:
    """What files begin with: their format, the version of Clew, and the command, which the format may be called by."""
    return {"format": format_of(name), "clew": __version__, "command": command or name}


def present(**fields: object) -> dict[str, object]:
    """Those of some fields that say something: not what is empty, zero or None."""
    return {name: value for name, value in fields.items() if value}


def is_known(written: str) -> bool:
    """Whether this version of Clew reads files that say this of their format: the first number is the same."""
    name, _, version = written.partition("/")
    return name in VERSIONS and version.partition(".")[0] == VERSIONS[name].partition(".")[0]
