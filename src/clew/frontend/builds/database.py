"""``compile_commands.json``: which files a build compiles, where, and with which flags.

Only what is asked for is taken apart: a project may have ten thousand files.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any

from clew.base.command_line import parse_command
from clew.base.dataclass import dataclass
from clew.base.errors import UserError
from clew.base.recipe import Recipe
from clew.frontend.responses import expanded

NAME = "compile_commands.json"
_ADVICE = (
    "make one with 'cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON', 'meson setup' or 'bear -- make', "
    "or build with CC=clew-cc"
)
_MICROSOFT = {"cl", "clang-cl", "icl", "icx-cl"}
_OUTPUT = re.compile(r"""(?:^|\s)-o\s*("[^"]+"|'[^']+'|\S+)""")


@dataclass(frozen=True, slots=True)
class Compilation:
    """One entry: the file, absolute, how it is compiled, and what is to be said of its flags."""

    file: Path
    recipe: Recipe
    note: str = ""


class Database:
    """The entries of one file."""

    def __init__(self, path: Path, entries: list[Mapping[str, Any]]) -> None:
        self.path = path
        self._entries = entries
        self._folder = str(path.parent.absolute())

    @cached_property
    def by_file(self) -> dict[str, list[int]]:
        """The numbers of entries by the absolute name of their file."""
        found: dict[str, list[int]] = {}
        for number, entry in enumerate(self._entries):
            found.setdefault(self._absolute(entry, entry["file"]), []).append(number)
        return found

    @cached_property
    def by_output(self) -> dict[str, int]:
        """The numbers of entries by the absolute name of the object that they make."""
        found = {}
        for number, entry in enumerate(self._entries):
            output = entry.get("output") or _output(entry)
            if output:
                found[self._absolute(entry, output)] = number
        return found

    def compilation(self, number: int) -> Compilation:
        """An entry, taken apart; ``UserError`` if its command makes no sense."""
        entry = self._entries[number]
        words = self._words(entry, number)
        directory = Path(self._absolute(entry, "."))
        note = ""
        compiler = PurePath(words[0].replace("\\", "/")).name.lower().removesuffix(".exe")
        if compiler in _MICROSOFT:
            note = f"{entry['file']} is compiled by {words[0]}: of its flags, only /I, /D and /U are taken"
            words = _of_microsoft(words)
        flags = parse_command(expanded(words[1:], base=directory)).flags
        return Compilation(Path(self._absolute(entry, entry["file"])), Recipe(directory, flags), note)

    def _words(self, entry: Mapping[str, Any], number: int) -> list[str]:
        try:
            words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
        except ValueError as error:
            what = str(error).lower()
            raise UserError(f"{self.path}: the command of entry {number + 1} ({entry['file']}): {what}") from None
        if not words:
            raise UserError(f"{self.path}: the command of entry {number + 1} ({entry['file']}) is empty")
        return list(words)

    def _absolute(self, entry: Mapping[str, Any], name: str) -> str:
        return os.path.normpath(os.path.join(self._folder, entry["directory"], name))  # noqa: PTH118


def read_database(build: Path) -> Database:
    """The database of a build folder, which may be named itself; ``UserError`` that says what is wrong with it."""
    path = build if build.name == NAME else build / NAME
    try:
        entries = json.loads(path.read_bytes())
    except FileNotFoundError:
        what = "does not exist" if not build.exists() else f"has no {NAME}"
        raise UserError(f"-p {build} {what}; {_ADVICE}") from None
    except NotADirectoryError:
        raise UserError(f"-p {build} is a file; name a {NAME}, or the folder that has one") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise UserError(f"{path} is broken: {error}; make it again") from None
    if not isinstance(entries, list):
        raise UserError(f"{path} is broken: it is no list of compile commands; make it again")
    for number, entry in enumerate(entries, 1):
        wrong = _problem(entry)
        if wrong:
            raise UserError(f"{path} is broken: entry {number} {wrong}; make it again")
    return Database(path, entries)


def _problem(entry: object) -> str:
    """What is wrong with an entry."""
    if not isinstance(entry, dict):
        return "is no object"
    for name in ("directory", "file"):
        if not isinstance(entry.get(name), str) or not entry[name]:
            return f"has no {name!r}"
    arguments, command = entry.get("arguments"), entry.get("command")
    if isinstance(arguments, list) and all(isinstance(word, str) for word in arguments):
        return ""
    return "" if "arguments" not in entry and isinstance(command, str) else "has neither 'arguments' nor 'command'"


def _output(entry: Mapping[str, Any]) -> str | None:
    """What ``-o`` names. Commands are not taken apart for that: there may be many."""
    if "arguments" in entry:
        words = entry["arguments"]
        return next((after for word, after in pairwise(words) if word == "-o"), None)
    match = _OUTPUT.search(entry["command"])
    return match[1].strip("'\"") if match else None


def _of_microsoft(words: list[str]) -> list[str]:
    """The folders and macros of such a command, in our terms."""
    result = words[:1]
    rest = iter(words[1:])
    for word in rest:
        match = re.fullmatch(r"[/-](?:external:)?([IDU])(.*)", word)
        if match:
            result.append(f"-{match[1]}{match[2] or next(rest, '')}")
    return result
